package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// flood is a command that prints a lot.
type flood struct{ name, command string }

// floods are the commands that print size bytes of log: one that reads them from a file, which is in the page
// cache, and a program that has them ready, in small writes and in large ones, to one stream and to both.
func floods(b *testing.B, size int64) []flood {
	b.Helper()
	log := filepath.Join(b.TempDir(), "big.log")
	writeLog(b, log, size)
	writer := fmt.Sprintf("%s -bytes %d", quote(binary(b, "writer", "./testdata/writer")), size)
	return []flood{
		{"cat", "cat " + quote(log)},
		{"writes-4k", writer + " -size 4096"},
		{"writes-64k", writer + " -size 65536"},
		{"both-4k", writer + " -size 4096 -both"},
		{"both-64k", writer + " -size 65536 -both"},
	}
}

// BenchmarkFlood is a command that prints a log of -log-bytes, through `gg shell` and through the library, beside
// the pipeline by which a person would keep both streams and see the end:
//
//	go test -run '^$' -bench BenchmarkFlood/ -benchtime 5x -timeout 1h ./cmd/internal/bench -log-bytes 2e9
//
// It writes the log twice: the disk needs room for three times as much. Every file is removed before the
// next contender's turn, so that nobody waits until another's are on the disk.
func BenchmarkFlood(b *testing.B) {
	size := int64(*logBytes)
	path := gg(b)
	for _, f := range floods(b, size) {
		kept := b.TempDir()
		tee := process(b, "tee", "sh", "-c", "{ "+f.command+"; } 2>err | tee out | tail -n 200")
		tee.dir = kept
		tee.after = func() {
			require.NoError(b, os.Remove(filepath.Join(kept, "out")))
			require.NoError(b, os.Remove(filepath.Join(kept, "err")))
		}
		compare := func(b *testing.B, run *contender) {
			tee.took = nil
			turn(run, tee) // once for the page cache
			run.took, tee.took = nil, nil
			for range b.N {
				turn(run, tee)
			}
			report(b, run, tee)
			b.ReportMetric(float64(size)/1e6/run.median().Seconds(), "MB/s-gg")
		}
		b.Run(f.name+"/cli", func(b *testing.B) {
			flags, clean := offloading(b)
			run := process(b, "gg", path, append(append([]string{"shell"}, flags...), f.command)...)
			run.after = clean
			compare(b, run)
		})
		b.Run(f.name+"/library", func(b *testing.B) {
			r, clean := runner(b, policy.Offload)
			compare(b, &contender{name: "gg", after: clean, do: func() {
				out, err := r.Run(context.Background(), shell.Request{Command: f.command})
				require.NoError(b, err)
				require.Zero(b, out.ExitCode, out.Text)
				require.GreaterOrEqual(b, out.Stdout.Bytes+out.Stderr.Bytes, size)
			}})
		})
	}
}

// BenchmarkFloodPeak is the peak resident set of the gg process alone while a command prints -log-bytes, and
// how many times that of a command that prints 20 MB it is:
//
//	go test -run '^$' -bench BenchmarkFloodPeak -benchtime 5x -timeout 1h ./cmd/internal/bench -log-bytes 2e9
//
// The worst of all runs counts.
func BenchmarkFloodPeak(b *testing.B) {
	const small = 20e6
	path, launcher := gg(b), binary(b, "peak", "./testdata/peak")
	few, many := floods(b, small), floods(b, int64(*logBytes))
	for i, f := range many {
		b.Run(f.name, func(b *testing.B) {
			flags, clean := offloading(b)
			peak := func(command string) int64 {
				defer clean()
				out, err := exec.Command(launcher, append(append([]string{path, "shell"}, flags...), command)...).Output()
				require.NoError(b, err)
				kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
				require.NoError(b, err)
				return kib << 10
			}
			var low, high int64
			for range b.N {
				low = max(low, peak(few[i].command))
				high = max(high, peak(f.command))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(low)/(1<<20), "MiB-peak/20MB")
			b.ReportMetric(float64(high)/(1<<20), "MiB-peak")
			b.ReportMetric(float64(high)/float64(low), "x-20MB")
		})
	}
}
