//go:build unix

package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a command has left running goes on writing into its own files, and only there, until the run ends.
func TestOutputBehindACommand(t *testing.T) {
	w := newWorkbench(t, Config{})
	const calls = 6
	// Each writer counts on both streams, as long as there is a file for it to go on.
	chatter := func(name string) string {
		return fmt.Sprintf(`echo %[1]s 0; (i=0; while :; do i=$((i+1)); echo %[1]s $i; echo %[1]s $i >&2; `+
			`while [ $i -ge 50 ] && ! [ -e go ]; do sleep 0.01; done; done) &`, name)
	}
	outs := make([]*Output, calls)
	var all sync.WaitGroup
	for i := range outs {
		all.Go(func() {
			out, err := w.Run(context.Background(), Request{Command: chatter(fmt.Sprintf("call-%d", i))})
			if err == nil {
				outs[i] = out
			}
		})
	}
	all.Wait()
	size := func(path string) int64 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	for i, out := range outs {
		require.NotNil(t, out)
		require.True(t, strings.HasPrefix(out.Text, fmt.Sprintf("call-%d 0\n", i)))
		require.NotEmpty(t, out.Background)
		for _, path := range []string{out.Files.Stdout, out.Files.Stderr} {
			eventually(t, "everything up to the gate is in "+path, func() bool { return strings.Contains(w.read(path), " 50\n") })
		}
	}

	// Other calls come and go meanwhile, silent and not; nothing of the others' is in theirs.
	other := w.run("echo other; echo err >&2")
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o600))
	const lines = 2000
	for _, out := range outs {
		for _, path := range []string{out.Files.Stdout, out.Files.Stderr} {
			eventually(t, "the output goes on in "+path, func() bool { return size(path) > lines*int64(len("call-0 1234\n")) })
		}
		quiet := w.run("echo between")
		require.Equal(t, "between\n", quiet.Text)
		require.Equal(t, "between\n", w.read(quiet.Files.Stdout))
		require.Zero(t, size(quiet.Files.Stderr))
	}
	_, err := w.Close(context.Background())
	require.NoError(t, err)
	w.requireNoSurvivors()

	require.Equal(t, "other\n", w.read(other.Files.Stdout))
	require.Equal(t, "err\n", w.read(other.Files.Stderr))
	for i, out := range outs {
		for path, first := range map[string]int{out.Files.Stdout: 0, out.Files.Stderr: 1} {
			text := w.read(path)
			whole := new(strings.Builder)
			for n := first; whole.Len() < len(text); n++ {
				fmt.Fprintf(whole, "call-%d %d\n", i, n)
			}
			require.True(t, strings.HasPrefix(whole.String(), text), "%s is not the beginning of what call %d wrote", path, i)
		}
	}
}

// What a command does to its own files is no obstacle, and the result names no path that leads nowhere, or to
// somebody else's file.
func TestFilesLost(t *testing.T) {
	const head = "before\nafter\n\n[Output complete; files cut short]\n"
	stdout := "  2 lines; line length p50 5, p95 6, p99 6\n  longest lines: 6 chars @ 1, 5 @ 2\n"
	for name, c := range map[string]struct{ does, stdout, stderr string }{
		"one removed":        {`rm "$d"/*.stdout`, " (first 0 bytes; file removed)", ""},
		"emptied":            {`for f in "$d"/*.stdout; do : >"$f"; done`, " (first 0 bytes; file changed by others)", ""},
		"written to":         {`echo more >>"$(echo "$d"/*.stderr)"`, "", " (first 0 bytes; file changed by others)"},
		"linked":             {`for f in "$d"/*.stdout; do rm "$f"; ln -s "$PWD"/victim "$f"; done`, " (first 0 bytes; file replaced)", ""},
		"directory removed":  {`rm -rf "$d"`, " (first 0 bytes; file removed)", " (first 0 bytes; file removed)"},
		"directory emptied":  {`rm -rf "$d"/*`, " (first 0 bytes; file removed)", " (first 0 bytes; file removed)"},
		"directory renamed":  {`mv "$d" "$d".old`, " (first 0 bytes; file removed)", " (first 0 bytes; file removed)"},
		"directory a link":   {`mv "$d" "$d".old; mkdir theirs; ln -s "$PWD"/theirs "$d"`, " (first 0 bytes; file removed)", " (first 0 bytes; file removed)"},
		"directory replaced": {`mv "$d" "$d".old; mkdir "$d"; for f in "$d".old/*.std*; do ln -s "$PWD"/victim "$d"/"${f##*/}"; done`, " (first 0 bytes; file replaced)", " (first 0 bytes; file replaced)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkbench(t, Config{})
			victim := filepath.Join(w.dir, "victim")
			require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
			// The files are made while the shell starts.
			out := w.run(`d=` + w.files + `; echo before; until [ -s "$(echo "$d"/*.stdout)" ]; do sleep 0.001; done; ` +
				c.does + `; echo after; exit 3`)
			require.Equal(t, 3, out.ExitCode)
			require.False(t, out.Truncated)
			require.Nil(t, out.Files)
			file := strings.TrimSuffix(out.Text[strings.Index(out.Text, "stdout: ")+len("stdout: "):], "\n")
			file, _, _ = strings.Cut(file, ".stdout")
			require.Equal(t, head+"stdout: "+file+".stdout"+c.stdout+"\n"+stdout+"stderr: "+file+".stderr"+c.stderr+"\n  0 lines", out.Text)
			require.Equal(t, w.files, filepath.Dir(file))
			require.Equal(t, "precious", w.read(victim))

			// Afterwards all is as it should be again, unless the directory is a link now.
			out = w.run("echo hello")
			if name == "directory a link" {
				require.Equal(t, "hello\n[could not write output to "+w.files+": is a symbolic link]", out.Text)
				entries, err := os.ReadDir(filepath.Join(w.dir, "theirs"))
				require.NoError(t, err)
				require.Empty(t, entries)
				return
			}
			require.Equal(t, "hello\n", out.Text)
			require.Equal(t, "hello\n", w.read(out.Files.Stdout))
		})
	}
}
