package bench

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

var logBytes = flag.Float64("log-bytes", 256e6, "size of the log that BenchmarkBigLog opens and BenchmarkFlood prints")

// BenchmarkBigLog opens the last 200 lines of a log, beside `tail -n 200` and `wc -l` on it: to show lines by
// their numbers, both have to be known.
func BenchmarkBigLog(b *testing.B) {
	dir := b.TempDir()
	lines := writeLog(b, filepath.Join(dir, "big.log"), int64(*logBytes))
	program := filepath.Join(b.TempDir(), "open.js")
	source := fmt.Sprintf("gg.views.openFile(\"big.log\", { offset: %d, limit: 200 }).totalLines;\n", lines-199)
	require.NoError(b, os.WriteFile(program, []byte(source), 0o600))
	path := gg(b)

	peak := int64(0)
	run := &contender{name: "run", do: func() {
		cmd := exec.Command(path, "run", "--quiet", "--workspace", dir, program)
		require.NoError(b, cmd.Run())
		peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	}}
	peer := process(b, "tail+wc", "sh", "-c", `tail -n 200 "$0" > /dev/null && wc -l "$0" > /dev/null`, filepath.Join(dir, "big.log"))
	turn(run, peer) // once for the page cache
	run.took, peer.took, peak = nil, nil, 0
	b.SetBytes(int64(*logBytes))
	for range b.N {
		turn(run, peer)
	}
	report(b, run, peer)
	b.ReportMetric(float64(peak)/(1<<20), "MiB-peak")
	b.ReportMetric(*logBytes/1e6/run.median().Seconds(), "MB/s-run")
}

// writeLog writes a log of about so many bytes in lines of 72 characters, and returns how many.
func writeLog(b *testing.B, path string, size int64) (lines int64) {
	b.Helper()
	f, err := os.Create(path)
	require.NoError(b, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for written := int64(0); written < size; lines++ {
		n, err := fmt.Fprintf(w, "2026-01-02T03:04:05Z INFO worker %06d handled a request in %05d ms, ok\n", lines%1e6, lines%1e5)
		require.NoError(b, err)
		written += int64(n)
	}
	require.NoError(b, w.Flush())
	require.NoError(b, f.Close())
	return lines
}
