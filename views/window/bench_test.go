package window

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var benchSize = flag.Int64("window.size", 256<<20, "size in `bytes` of the file that the benchmarks read")

// bigLog makes a log of about the given size, with lines of 40 to 150 bytes.
func bigLog(b *testing.B, size int64) (path string, lines int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "big.log")
	f, err := os.Create(path)
	require.NoError(b, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for written := int64(0); written < size; lines++ {
		n, err := fmt.Fprintf(w, "2026-01-02T15:04:05.%06dZ INFO request %d served %s\n",
			lines%1_000_000, lines, strings.Repeat("x", int(lines*7919%110)))
		require.NoError(b, err)
		written += int64(n)
	}
	require.NoError(b, w.Flush())
	require.NoError(b, f.Close())
	return path, lines
}

// BenchmarkLast200Lines opens the last 200 lines of a log, and in the same run has `tail -n 200` and `wc -l`
// do so, one after the other: together they tell the same. x-peer is how many times as long it took (below 1
// is faster), peak-MiB the most memory the process had while it read. A log of 2 GB:
//
//	go test -run '^$' -bench Last200Lines -benchtime 5x ./views/window -window.size 2147483648
func BenchmarkLast200Lines(b *testing.B) {
	path, lines := bigLog(b, *benchSize)
	f, err := os.Open(path)
	require.NoError(b, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(b, err)

	var got *File
	var ours, theirs time.Duration
	tail, errTail := exec.LookPath("tail")
	wc, errWc := exec.LookPath("wc")
	resetPeak()
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		got, err = Read(context.Background(), f, info.Size(), Options{Offset: lines - 199, Limit: 200})
		require.NoError(b, err)
		ours += time.Since(start)

		if errTail != nil || errWc != nil {
			continue
		}
		b.StopTimer()
		start = time.Now()
		out, err := exec.Command(tail, "-n", "200", path).Output()
		require.NoError(b, err)
		count, err := exec.Command(wc, "-l", path).Output()
		require.NoError(b, err)
		theirs += time.Since(start)
		require.Equal(b, string(out), got.Contents)
		require.Equal(b, strconv.FormatInt(got.TotalLines, 10), strings.Fields(string(count))[0])
		b.StartTimer()
	}
	if theirs > 0 {
		b.ReportMetric(float64(ours)/float64(theirs), "x-peer")
	} else {
		b.Log("no tail and wc to compare with")
	}
	if peak := peakMiB(); peak > 0 {
		b.ReportMetric(peak, "peak-MiB")
	}
}

// BenchmarkPieces shows how the size of one read matters; standard.piece comes from here.
func BenchmarkPieces(b *testing.B) {
	path, _ := bigLog(b, *benchSize)
	f, err := os.Open(path)
	require.NoError(b, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(b, err)
	for _, piece := range []int{16 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20} {
		b.Run(strconv.Itoa(piece>>10)+"KiB", func(b *testing.B) {
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				g := geometry{piece: piece, maxBlocks: standard.maxBlocks}
				_, err := g.locate(context.Background(), f, info.Size(), 1, 2)
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkSourceFile reads a file as programs mostly do: some kilobytes, all of it.
func BenchmarkSourceFile(b *testing.B) {
	text := strings.Repeat("\treturn fmt.Errorf(\"a line of code: %w\", err)\n", 200)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// resetPeak makes the present memory the peak, on Linux.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMiB is the most resident memory this process had since then, 0 where that cannot be told.
func peakMiB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, _ := strconv.ParseFloat(strings.TrimSuffix(strings.Fields(after + " 0")[0], "kB"), 64)
	return kib / 1024
}
