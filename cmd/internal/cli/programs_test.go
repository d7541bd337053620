package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/runtime"
)

// programCase is what is looked at here of a line of testdata/programs.jsonl. What the outcome has to hold is
// for the tests of package runtime.
type programCase struct {
	Name, Lang, Source string
	Tags               []string
	Expect             struct {
		Status runtime.Status
		Value  json.RawMessage
	}
}

// ours reports whether a case is for this version, and quick.
func (c *programCase) ours() bool {
	for _, tag := range []string{"stop", "survive", "speed"} {
		if slices.Contains(c.Tags, tag) {
			return false
		}
	}
	return c.Lang != "ts" && c.Name != "for-await" && c.Name != "async-generator"
}

// exits are the exit codes that belong to a status; a limit has two.
var exits = map[runtime.Status][]int{
	runtime.OK: {exitOK}, runtime.RuntimeError: {exitThrew}, runtime.CompileError: {exitCompile}, runtime.Limit: {exitLimit, exitWall},
}

// TestPrograms takes every shared case through `gg run --json -`: one document on standard output, nothing on
// standard error, and the exit code that belongs to the status.
func TestPrograms(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/programs.jsonl")
	require.NoError(t, err)
	ran := 0
	for line := range bytes.Lines(text) {
		var c programCase
		require.NoError(t, json.Unmarshal(line, &c))
		if !c.ours() {
			continue
		}
		ran++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "run", "--json", "--config", configured(t), "-")
			s.Stdin = strings.NewReader(c.Source)
			code := Main(s.World)
			document := s.stdout.String()
			require.Empty(t, s.stderr.String())

			var o runtime.Outcome
			decoder := json.NewDecoder(strings.NewReader(document))
			require.NoError(t, decoder.Decode(&o), document)
			_, err := decoder.Token()
			require.Equal(t, io.EOF, err, "one document")
			require.Equal(t, c.Expect.Status, o.Status, document)
			require.Contains(t, exits[o.Status], code, document)
			if c.Expect.Value != nil {
				require.JSONEq(t, string(c.Expect.Value), string(o.Value), document)
			}
		})
	}
	require.Greater(t, ran, 50)
}
