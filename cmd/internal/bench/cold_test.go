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
	version := process(b, "version", path, "version")
	bare := process(b, "bare-goja", binary(b, "bare", "./testdata/bare"))
	// node runs apart: it is so much larger that whoever comes after it finds cold caches.
	for _, round := range []struct {
		name   string
		first  *contender
		others []*contender
	}{
		{"run", run, []*contender{version, bare}},
		{"version", version, []*contender{bare}},
		{"run-beside-node", run, node(b)},
	} {
		b.Run(round.name, func(b *testing.B) {
			all := append([]*contender{round.first}, round.others...)
			turn(all...) // once for the disk
			for _, c := range all {
				c.took = nil
			}
			for range b.N {
				for range 20 {
					turn(all...)
				}
			}
			report(b, round.first, round.others...)
		})
	}
}
