//go:build unix

package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// BenchmarkAlternating is a command that makes 20,000 writes of a line of two bytes to standard output and
// standard error in turns: a shell, which takes a while for each, and a program that does nothing else.
// Its output is put in order and kept in two files; beside it are ordinary pipes, which two goroutines
// copy into two files. Medians of 10 and more:
//
//	go test -run '^$' -bench BenchmarkAlternating -benchtime 5x ./cmd/internal/bench
func BenchmarkAlternating(b *testing.B) {
	const writes = 20_000
	writer := quote(binary(b, "writer", "./testdata/writer"))
	for _, c := range []struct{ name, command string }{
		{"sh", fmt.Sprintf("i=0; while [ $i -lt %d ]; do echo o; echo e >&2; i=$((i+1)); done", writes/2)},
		{"writer", fmt.Sprintf("%s -bytes %d -size 2 -line 2 -both", writer, 2*writes)},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, clean := runner(b, policy.Offload)
			ordered := &contender{name: "gg", after: clean, do: func() {
				out, err := r.Run(context.Background(), shell.Request{Command: c.command})
				require.NoError(b, err)
				require.EqualValues(b, writes, out.Stdout.Bytes)
				require.EqualValues(b, writes, out.Stderr.Bytes)
			}}
			dir := b.TempDir()
			pipes := &contender{name: "pipes", do: func() { copyBoth(b, c.command, dir) }}
			for range b.N {
				for range 10 {
					turn(ordered, pipes)
				}
			}
			report(b, ordered, pipes)
		})
	}
}

// copyBoth runs a command with a pipe for each stream, and a goroutine for each that copies it into a file.
func copyBoth(b *testing.B, command, dir string) {
	cmd := exec.Command("sh", "-c", command)
	stdout, err := cmd.StdoutPipe()
	require.NoError(b, err)
	stderr, err := cmd.StderrPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	var copies sync.WaitGroup
	var failed [2]error
	for i, from := range []io.Reader{stdout, stderr} {
		f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
		require.NoError(b, err)
		copies.Go(func() {
			// Through a buffer: from a pipe to a file the kernel could copy alone, and nobody would have seen it.
			_, failed[i] = io.CopyBuffer(struct{ io.Writer }{f}, struct{ io.Reader }{from}, make([]byte, 32<<10))
			f.Close()
		})
	}
	copies.Wait()
	require.NoError(b, failed[0])
	require.NoError(b, failed[1])
	require.NoError(b, cmd.Wait())
}
