package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCold starts processes: gg with the smallest program there is, gg that only says its version, a
// bare process with the same engine, and node.
func BenchmarkCold(b *testing.B) {
	path := gg(b)
	program := filepath.Join(b.TempDir(), "hello.js")
	require.NoError(b, os.WriteFile(program, []byte("gg.views.openText(\"greeting\", \"Hello\");\n"), 0o600))
	run := process(b, "run", path, "run", program)
	others := append([]*contender{
		process(b, "version", path, "version"),
		process(b, "bare-goja", binary(b, "bare", "./testdata/bare")),
	}, node(b)...)
	turn(append(others, run)...) // once for the disk
	for _, c := range append(others, run) {
		c.took = nil
	}
	b.Run("run", func(b *testing.B) {
		for range b.N {
			for range 20 {
				turn(append(others, run)...)
			}
		}
		report(b, run, others...)
	})
	b.Run("version", func(b *testing.B) {
		for range b.N {
			for range 20 {
				turn(others[0], others[1])
			}
		}
		report(b, others[0], others[1])
	})
}
