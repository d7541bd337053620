package shell

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// BenchmarkTrue is the round trip of a command that does nothing, beside what os/exec takes for it, one after
// the other so that both meet the same machine. The figures to compare are the medians.
//
// Offload creates two files. On ext4 that takes microseconds, unless it has no journal, as the disks of virtual
// machines often have none, and many files have been deleted in the same block group within the last minute, or
// five while that has not been written back: each creation then walks over all of them (recently_deleted in the
// kernel). A run after a `go build` in the same directory for temporary files measures that.
func BenchmarkTrue(b *testing.B) {
	peers := []peer{
		{"exec-run", func() error { return exec.Command("sh", "-c", "true").Run() }},
		{"exec-output", func() error { _, err := exec.Command("sh", "-c", "true").CombinedOutput(); return err }},
	}
	for _, mode := range policy.Modes() {
		r := benchRunner(b, Config{Policy: policy.Policy{Mode: mode, MaxLines: 200, MaxChars: 8000}})
		peers = append(peers, peer{string(mode), func() error {
			_, err := r.Run(context.Background(), Request{Command: "true", Timeout: time.Minute})
			return err
		}})
	}
	b.ReportAllocs()
	compare(b, peers)
}

// floodLine is a log line of 72 characters and its end.
const floodLine = "2026-01-02T03:04:05.678Z INFO  worker-17 handled request in 12.345 ms OK\n"

// BenchmarkFlood is a command that prints a large log, beside `tee` on the same log.
func BenchmarkFlood(b *testing.B) {
	const size = 256 << 20
	dir := b.TempDir()
	log := filepath.Join(dir, "big.log")
	f, err := os.Create(log)
	require.NoError(b, err)
	for n := 0; n < size; {
		block := make([]byte, 0, 1<<20)
		for len(block)+len(floodLine) < cap(block) {
			block = append(block, floodLine...)
		}
		k, err := f.Write(block)
		require.NoError(b, err)
		n += k
	}
	info, err := f.Stat()
	require.NoError(b, err)
	require.NoError(b, f.Close())

	b.Run("tee", func(b *testing.B) {
		b.SetBytes(info.Size())
		for b.Loop() {
			out := filepath.Join(dir, "tee.out")
			cmd := exec.Command("sh", "-c", `cat "$0" | tee "$1" >/dev/null`, log, out)
			require.NoError(b, cmd.Run())
			require.NoError(b, os.Remove(out))
		}
	})
	b.Run("exec-copy", func(b *testing.B) {
		b.SetBytes(info.Size())
		for b.Loop() {
			cmd := exec.Command("cat", log)
			cmd.Stdout = struct{ io.Writer }{io.Discard}
			require.NoError(b, cmd.Run())
		}
	})
	for _, mode := range policy.Modes() {
		b.Run(string(mode), func(b *testing.B) {
			r := benchRunner(b, Config{Policy: policy.Policy{Mode: mode, MaxLines: 200, MaxChars: 8000}})
			b.SetBytes(info.Size())
			for b.Loop() {
				out, err := r.Run(context.Background(), Request{Command: "cat '" + log + "'"})
				require.NoError(b, err)
				require.Equal(b, info.Size(), out.Stdout.Bytes)
				if out.Files != nil {
					require.NoError(b, os.Remove(out.Files.Stdout))
				}
			}
		})
	}
}

func benchRunner(b *testing.B, c Config) *Runner {
	b.Helper()
	dir, err := store.New(store.Config{Path: filepath.Join(b.TempDir(), "files"), ReserveBytes: 1})
	require.NoError(b, err)
	c.Store = dir
	r, err := New(c)
	require.NoError(b, err)
	b.Cleanup(func() {
		_, err := r.Close(context.Background())
		require.NoError(b, err)
		require.NoError(b, dir.Close())
	})
	return r
}

// BenchmarkTinyWrites is a command that writes 20,000 lines to its two streams in turn, one line a write, beside
// the same command with two ordinary pipes, which two goroutines copy into two files. The figures to compare are
// the medians.
func BenchmarkTinyWrites(b *testing.B) {
	dir := b.TempDir()
	for name, command := range map[string]string{
		"sh":   "i=0; while [ $i -lt 10000 ]; do echo o; echo e >&2; i=$((i+1)); done",
		"perl": `perl -e '$| = 1; for (1..10000) { print "o\n"; print STDERR "e\n" }'`,
	} {
		b.Run(name, func(b *testing.B) {
			peers := []peer{{"pipes", func() error { return runIntoFiles(command, dir) }}}
			for order, name := range map[Order]string{WriteOrder: "write-order", ArrivalOrder: "arrival-order"} {
				r := benchRunner(b, Config{Order: order, Policy: policy.Policy{Mode: policy.Offload, MaxLines: 200, MaxChars: 8000}})
				peers = append(peers, peer{name, func() error {
					_, err := r.Run(context.Background(), Request{Command: command, Timeout: time.Minute})
					return err
				}})
			}
			compare(b, peers)
		})
	}
}

// runIntoFiles is what a program does that reads two pipes without minding their order.
func runIntoFiles(command, dir string) error {
	cmd := exec.Command("sh", "-c", command)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var copies sync.WaitGroup
	for name, from := range map[string]io.Reader{"stdout": stdout, "stderr": stderr} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		copies.Go(func() {
			defer f.Close()
			io.Copy(f, from)
		})
	}
	copies.Wait()
	return cmd.Wait()
}

// peer is one of the ways that are compared.
type peer struct {
	name string
	run  func() error
}

// compare runs the peers in turns, so that all meet the same machine, and reports their medians.
func compare(b *testing.B, peers []peer) {
	took := make([][]time.Duration, len(peers))
	for b.Loop() {
		for i, p := range peers {
			start := time.Now()
			require.NoError(b, p.run())
			took[i] = append(took[i], time.Since(start))
		}
	}
	for i, p := range peers {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2].Microseconds()), p.name+"-median-µs")
	}
	b.ReportMetric(0, "ns/op") // all of them together: says nothing
}
