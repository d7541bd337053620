package bench

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// BenchmarkTrue is the round trip of a command that does nothing through the library, in both modes, beside
// os/exec with its output going nowhere and with its output captured. Medians of 500 and more:
//
//	go test -run '^$' -bench '^BenchmarkTrue$' -benchtime 4x ./cmd/internal/bench
//
// Offload creates two files. On ext4 that takes microseconds, unless it has no journal, as the disks of virtual
// machines often have none, and many files have been deleted in the same block group within the last minute, or
// five while that has not been written back: each creation then walks over all of them (recently_deleted in the
// kernel). A run after a `go build` in the same directory for temporary files measures that; TMPDIR=/dev/shm
// does not.
func BenchmarkTrue(b *testing.B) {
	for _, mode := range policy.Modes() {
		b.Run(string(mode), func(b *testing.B) {
			r, _ := runner(b, mode)
			call := &contender{name: "gg", do: func() {
				_, err := r.Run(context.Background(), shell.Request{Command: "true", Timeout: time.Minute})
				require.NoError(b, err)
			}}
			plain := process(b, "exec-run", "sh", "-c", "true")
			output := &contender{name: "exec-output", do: func() {
				_, err := exec.Command("sh", "-c", "true").CombinedOutput()
				require.NoError(b, err)
			}}
			for range b.N {
				for range 500 {
					turn(call, plain, output)
				}
			}
			report(b, call, plain, output)
		})
	}
}
