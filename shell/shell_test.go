package shell

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

func TestNewNamesEveryDefect(t *testing.T) {
	_, err := New(Config{
		Policy:     policy.Policy{Mode: policy.Offload, MaxLines: 0, MaxChars: -1},
		Mark:       "a/b",
		DrainGrace: -1,
		KillGrace:  -time.Second,
		Env:        []string{"x"},
	})
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 6, err)
	for i, part := range []string{"lines", "char", "Env[0]", `Mark: got "a/b"`, "DrainGrace: got -1ns, want 0 or more", "KillGrace: got -1s"} {
		require.Contains(t, strings.ToLower(lines[i]), strings.ToLower(part))
	}
	for mark, valid := range map[string]bool{
		"run-7_x.Y": true, "0": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a:b": false, "a b": false, "é": false, "a\x00": false,
	} {
		r, err := New(Config{Policy: inline, Mark: mark})
		require.Equal(t, valid, err == nil, mark)
		if err == nil {
			closeRunner(t, r)
		}
	}
}

// A Runner costs nothing and leaves nothing until it runs a command.
func TestRunnerIsLazy(t *testing.T) {
	w := newWorkbench(t, Config{Subreaper: true})
	left, err := w.Close(context.Background())
	require.NoError(t, err)
	require.Empty(t, left)
	left, err = w.Close(context.Background())
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoDirExists(t, w.files)
	_, err = w.Run(context.Background(), Request{Command: "true"})
	require.ErrorIs(t, err, ErrClosed)
	require.EqualError(t, err, "command was not started: the run has ended")
	require.NoDirExists(t, w.files)
}

// applierFunc shows what it is told to.
type applierFunc func(policy.Files) policy.Output

func (applierFunc) Write(policy.Stream, []byte)               {}
func (f applierFunc) Render(files policy.Files) policy.Output { return f(files) }

// The policy is applied in one place: whoever replaces it there changes every result, the partial ones too.
func TestApplyIsTheOnlyPolicy(t *testing.T) {
	var asked []policy.Policy
	w := newWorkbench(t, Config{
		Apply: func(p policy.Policy) Applier {
			asked = append(asked, p)
			return applierFunc(func(policy.Files) policy.Output { return policy.Output{Text: "swapped", Truncated: true} })
		},
	})
	require.Equal(t, "swapped", w.run("echo original").Text)
	own := policy.Policy{Mode: policy.Inline}
	out, err := w.Run(context.Background(), Request{Command: "echo original", Policy: &own})
	require.NoError(t, err)
	require.Equal(t, "swapped", out.Text)
	require.True(t, out.Truncated)
	_, err = w.Run(context.Background(), Request{Command: "echo original; sleep 30", Timeout: 20 * time.Millisecond})
	require.Equal(t, "swapped", OutputOf(err).Text)
	require.Equal(t, []policy.Policy{offload, own, offload}, asked)
	require.Nil(t, OutputOf(fmt.Errorf("another: %w", os.ErrExist)))
}

// A request may bring a policy of its own.
func TestRequestPolicy(t *testing.T) {
	w := newWorkbench(t, Config{Policy: inline})
	require.Nil(t, w.run("echo a").Files)
	out, err := w.Run(context.Background(), Request{Command: "seq 1 5", Policy: &policy.Policy{Mode: policy.Offload, MaxLines: 2, MaxChars: 100}})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(out.Text, "4\n5\n\n[Output truncated: last 2 lines]\nstdout: "+out.Files.Stdout+"\n"), out.Text)
	require.Equal(t, "1\n2\n3\n4\n5\n", w.read(out.Files.Stdout))
	require.Equal(t, int64(5), out.Stdout.Lines)
	require.Equal(t, int64(10), out.Stdout.Bytes)
}

// C06: a command that fails at once loses nothing of what it said.
func TestManyFailingCommands(t *testing.T) {
	w := newWorkbench(t, Config{})
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for range 500 / 16 {
				out, err := w.Run(context.Background(), Request{Command: "echo out; echo boom >&2; exit 1"})
				if err != nil || out.ExitCode != 1 || out.Stdout.Bytes != 4 || out.Stderr.Bytes != 5 || len(out.Background) != 0 {
					t.Errorf("got %+v, %v", out, err)
					return
				}
			}
		})
	}
	workers.Wait()
}

// F06: parallel commands get files of their own, with their own text.
func TestParallelCommandsDoNotMix(t *testing.T) {
	w := newWorkbench(t, Config{})
	var mu sync.Mutex
	paths := make(map[string]bool)
	var workers sync.WaitGroup
	for i := range 32 {
		workers.Go(func() {
			line := fmt.Sprintf("call-%d\n", i)
			out, err := w.Run(context.Background(), Request{Command: fmt.Sprintf("for k in 1 2 3 4 5; do echo call-%d; done", i)})
			if err != nil {
				t.Error(err)
				return
			}
			stored, err := os.ReadFile(out.Files.Stdout)
			if err != nil || string(stored) != strings.Repeat(line, 5) || out.Text != string(stored) {
				t.Errorf("call %d: got %q and %q, %v", i, out.Text, stored, err)
			}
			mu.Lock()
			defer mu.Unlock()
			paths[out.Files.Stdout], paths[out.Files.Stderr] = true, true
		})
	}
	workers.Wait()
	require.Len(t, paths, 64)
}

func TestUsage(t *testing.T) {
	w := newWorkbench(t, Config{})
	out := w.run("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.05")
	require.Greater(t, out.Duration, 50*time.Millisecond)
	require.Less(t, out.Duration, time.Minute)
	require.Greater(t, out.CPUTime, time.Millisecond)
	require.Less(t, out.CPUTime, out.Duration)
	// Nothing is said about a command that is smaller than this process, something about a larger one.
	require.Zero(t, w.run("true").PeakRSS)
	needs(t, "perl")
	out = w.run(`perl -e '$x = "y" x (300 << 20)'`)
	require.Greater(t, out.PeakRSS, int64(300<<20))
	require.Less(t, out.PeakRSS, int64(2<<30))
}

func TestProgress(t *testing.T) {
	w := newWorkbench(t, Config{})
	var got [2]int
	out, err := w.Run(context.Background(), Request{
		Command:  "seq 1 1000; seq 1 10 >&2",
		OnOutput: func(s policy.Stream, n int) { got[s] += n },
	})
	require.NoError(t, err)
	require.Equal(t, [2]int{int(out.Stdout.Bytes), int(out.Stderr.Bytes)}, got)
	require.Equal(t, [2]int{3893, 21}, got)
}

func closeRunner(t testing.TB, r *Runner) []Leftover {
	t.Helper()
	left, err := r.Close(context.Background())
	require.NoError(t, err)
	return left
}
