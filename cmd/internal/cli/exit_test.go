package cli

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/runtime"
)

func TestExitOf(t *testing.T) {
	limit := func(l budget.Limit) *runtime.Failure { return &runtime.Failure{Limit: l} }
	for _, c := range []struct {
		outcome runtime.Outcome
		want    int
	}{
		{runtime.Outcome{Status: runtime.OK}, 0},
		{runtime.Outcome{Status: runtime.RuntimeError}, 1},
		{runtime.Outcome{Status: runtime.CompileError}, 2},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Compute)}, 3},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Calls)}, 3},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Memory)}, 3},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Stack)}, 3},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Source)}, 3},
		{runtime.Outcome{Status: runtime.Limit, Error: limit(budget.Wall)}, 4},
		{runtime.Outcome{Status: runtime.Diverged}, 5},
		{runtime.Outcome{Status: runtime.HookError}, 6},
		{runtime.Outcome{Status: runtime.UnknownCall}, 7},
		{runtime.Outcome{Status: runtime.Canceled}, 70}, // by nobody's signal
	} {
		require.Equal(t, c.want, exitOf(&c.outcome), c.outcome.Status)
	}
}

// TestOurFault is a World that cannot be printed to, and one that panics.
func TestOurFault(t *testing.T) {
	s := newStage(t, "version")
	s.Stdout = brokenWriter{errors.New("disk on fire")}
	require.Equal(t, 70, Main(s.World))
	require.Equal(t, "gg: internal error: standard output: disk on fire\n", s.stderr.String())

	s = newStage(t, "run", "--json", "-")
	s.Stdin, s.Stdout = strings.NewReader("1"), brokenWriter{errors.New("disk on fire")}
	require.Equal(t, 70, Main(s.World))
	require.Equal(t, "gg: internal error: standard output: disk on fire\n", s.stderr.String(), "where the document cannot go, the reason goes to the person")

	s = newStage(t, "version")
	s.Stdout = panickingWriter{}
	require.Equal(t, 70, Main(s.World))
	require.True(t, strings.HasPrefix(s.stderr.String(), "gg: internal error: panic: oh dear\n"), s.stderr.String())
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

type panickingWriter struct{}

func (panickingWriter) Write([]byte) (int, error) { panic("oh dear") }

func TestUnreadableInput(t *testing.T) {
	s := newStage(t, "run", "-")
	s.Stdin = io.MultiReader(strings.NewReader("1 +"), brokenReader{})
	require.Equal(t, 64, Main(s.World))
	require.Equal(t, "gg: standard input: line noise\n", s.stderr.String())
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("line noise") }

// TestEndlessInput is a standard input without an end: as much is read as a program may have.
func TestEndlessInput(t *testing.T) {
	s := newStage(t, "run", "-")
	endless := &countingReader{}
	s.Stdin = endless
	require.Equal(t, 3, Main(s.World))
	require.Equal(t, "gg: -: reading stopped after 262145 bytes\n", s.stderr.String()[:len("gg: -: reading stopped after 262145 bytes\n")])
	require.Contains(t, s.stdout.String(), "The program is too long: got 262145 bytes, want at most 262144 (maxSourceBytes)")
	require.Equal(t, int64(262145), endless.n)
}

type countingReader struct{ n int64 }

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	r.n += int64(len(p))
	return len(p), nil
}

func TestTerminalInput(t *testing.T) {
	s := newStage(t, "run", "-")
	s.Stdin, s.StdinTerminal = strings.NewReader("1"), true
	require.Equal(t, 0, Main(s.World))
	require.True(t, strings.HasPrefix(s.stderr.String(), "gg: reading the program from the terminal; end it with Ctrl-D\n"))
}

// TestDocumentOnATerminal is indented there, and one line elsewhere.
func TestDocumentOnATerminal(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		s := newStage(t, "runn", "--json")
		s.StdoutTerminal = terminal
		require.Equal(t, 64, Main(s.World))
		lines := strings.Count(s.stdout.String(), "\n")
		require.Equal(t, map[bool]int{false: 1, true: 6}[terminal], lines, s.stdout.String())
	}
}
