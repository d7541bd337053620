//go:build unix

package shell

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// vector is a line of testdata/shell-policy.jsonl: streams in, exact text out.
type vector struct {
	Name     string
	Mode     policy.Mode
	MaxLines int
	MaxChars int
	Chunks   []struct {
		Stream, Text, Base64 string
		Repeat               int
	}
	Output    string // <STDOUT> and <STDERR> stand for the paths
	Truncated bool
}

// TestVectors runs every vector of the policy end to end: a command prints the chunks, waiting at each
// change of stream until what came before has its place: where a write without a line end stops, nothing tells.
func TestVectors(t *testing.T) {
	f, err := os.Open("../testdata/shell-policy.jsonl")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	count := 0
	for lines.Scan() {
		var v vector
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		t.Run(v.Name, func(t *testing.T) { runVector(t, v) })
		count++
	}
	require.NoError(t, lines.Err())
	require.GreaterOrEqual(t, count, 70)
}

// gate is a file that the command waits for before it goes on with the other stream.
type gate struct {
	after int64 // bytes
	path  string
}

// gatekeeper opens the gates when what is before them has its place.
type gatekeeper struct {
	*policy.Collector
	t      *testing.T
	placed int64
	gates  *[]gate
}

func (k *gatekeeper) Write(s policy.Stream, b []byte) {
	k.Collector.Write(s, b)
	for k.placed += int64(len(b)); len(*k.gates) > 0 && k.placed >= (*k.gates)[0].after; *k.gates = (*k.gates)[1:] {
		require.NoError(k.t, os.WriteFile((*k.gates)[0].path, nil, 0o600))
	}
}

func runVector(t *testing.T, v vector) {
	var gates []gate
	w := newWorkbench(t, Config{
		Policy: policy.Policy{Mode: v.Mode, MaxLines: v.MaxLines, MaxChars: v.MaxChars},
		Apply: func(p policy.Policy) Applier {
			return &gatekeeper{Collector: policy.NewCollector(p), t: t, gates: &gates}
		},
	})
	var script strings.Builder
	var printed int64
	whole := map[string]string{"stdout": "", "stderr": ""}
	for i, c := range v.Chunks {
		b := []byte(c.Text)
		if c.Base64 != "" {
			var err error
			b, err = base64.StdEncoding.DecodeString(c.Base64)
			require.NoError(t, err)
		}
		text := strings.Repeat(string(b), max(1, c.Repeat))
		if i > 0 && c.Stream != v.Chunks[i-1].Stream && printed > 0 {
			g := gate{printed, filepath.Join(w.dir, fmt.Sprintf("gate-%d", i))}
			gates = append(gates, g)
			fmt.Fprintf(&script, "until [ -e %s ]; do sleep 0.001; done\n", g.path)
		}
		path := filepath.Join(w.dir, fmt.Sprintf("chunk-%d", i))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		to := 1
		if c.Stream == "stderr" {
			to = 2
		}
		fmt.Fprintf(&script, "cat %s >&%d\n", path, to)
		whole[c.Stream] += text
		printed += int64(len(text))
	}
	if script.Len() == 0 {
		script.WriteString(":")
	}

	out, err := w.Run(context.Background(), Request{Command: script.String(), Timeout: time.Minute})
	require.NoError(t, err)
	require.Zero(t, out.ExitCode, out.Text)
	want := v.Output
	if out.Files != nil {
		want = strings.NewReplacer("<STDOUT>", out.Files.Stdout, "<STDERR>", out.Files.Stderr).Replace(want)
	}
	require.Equal(t, want, out.Text)
	require.Equal(t, v.Truncated, out.Truncated)
	if v.Mode == policy.Inline {
		require.Nil(t, out.Files)
		require.NoDirExists(t, w.files)
		return
	}
	require.True(t, whole["stdout"] == w.read(out.Files.Stdout), "the file of standard output")
	require.True(t, whole["stderr"] == w.read(out.Files.Stderr), "the file of standard error")
}
