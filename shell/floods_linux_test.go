package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// E15: memory does not grow with the output, whatever its shape. The first is the one that was reported.
func TestFloods(t *testing.T) {
	for name, c := range map[string]struct {
		command       string
		bytes         int64
		lines, stderr int64
	}{
		"lines":            {"yes | head -c 60000000", 60_000_000, 30_000_000, 0},
		"one line":         {"head -c 60000000 /dev/zero", 60_000_000, 1, 0},
		"empty lines":      {"yes '' | head -c 20000000", 20_000_000, 20_000_000, 0},
		"stderr":           {"yes | head -c 60000000 >&2", 60_000_000, 0, 30_000_000},
		"carriage returns": {"yes x | tr '\\n' '\\r' | head -c 30000000", 30_000_000, 1, 0},
		"many lengths":     {"seq 1 3000 | while read n; do printf '%*d\\n' $n $n; done", 4_504_500, 3000, 0},
		"characters":       {"yes 日本🎉é | head -c 30000000", 30_000_000, 2_307_693, 0},
		"not text":         {"head -c 30000000 /dev/zero | tr '\\0' '\\377'", 30_000_000, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got floodReport
			require.NoError(t, json.Unmarshal([]byte(runHost(t, "flood-of", c.command)), &got))
			require.Equal(t, floodReport{Growth: got.Growth, Bytes: [2]int64{c.bytes, c.bytes}, Lines: c.lines, ErrorLines: c.stderr}, got)
			require.Less(t, got.Growth, int64(24<<20), "growth of the resident set")
		})
	}
}

// floodReport is what the host saw.
type floodReport struct {
	Growth            int64    // of the largest resident set
	Bytes             [2]int64 // with files, and inline
	Lines, ErrorLines int64
}

func init() { hosts["flood-of"] = hostFloodedBy }

func hostFloodedBy(command string) error {
	r, dir, err := hostRunner(store.Config{Path: "files", ReserveBytes: 1, MaxStreamBytes: 1 << 20})
	if err != nil {
		return err
	}
	defer dir.Close()
	defer r.Close(context.Background())
	if _, err := r.Run(context.Background(), Request{Command: "seq 1 10000"}); err != nil {
		return err
	}
	before := peakRSS()
	var got floodReport
	for i, p := range []*policy.Policy{&offload, &inline} {
		out, err := r.Run(context.Background(), Request{Command: command, Policy: p})
		if err != nil {
			return err
		}
		got.Bytes[i] = out.Stdout.Bytes + out.Stderr.Bytes
		if i == 0 {
			got.Lines, got.ErrorLines = out.Stdout.Lines, out.Stderr.Lines
		}
	}
	got.Growth = peakRSS() - before
	return printJSON(got)
}

// E17: output without an end fills neither memory nor disk, and does not put off the end of its command. The
// first command is the one that was reported.
func TestEndlessOutput(t *testing.T) {
	const limit = 100_000
	for _, command := range []string{
		"yes",
		"yes >&2",
		"cat /dev/zero",
		"while :; do echo x; echo y >&2; done",
		"trap '' TERM; yes",
		"setsid yes & yes >&2 & wait",
		"yes | tee /dev/stderr",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			dir, err := store.New(store.Config{Path: filepath.Join(t.TempDir(), "files"), ReserveBytes: 1, MaxStreamBytes: limit})
			require.NoError(t, err)
			defer dir.Close()
			w := newWorkbench(t, Config{Store: dir, KillGrace: 50 * time.Millisecond})
			for _, p := range []*policy.Policy{&offload, &inline} {
				_, err := w.Run(context.Background(), Request{Command: command, Timeout: 150 * time.Millisecond, Policy: p})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				out := OutputOf(err)
				require.Empty(t, out.Background)
				w.requireNoSurvivors()
				if p == &inline {
					require.Nil(t, out.Files)
					require.LessOrEqual(t, len(out.Text), policy.CapBytes)
					continue
				}
				for _, path := range []string{out.Files.Stdout, out.Files.Stderr} {
					info, err := os.Stat(path)
					require.NoError(t, err)
					require.LessOrEqual(t, info.Size(), int64(limit))
				}
				if out.Stdout.Bytes > limit || out.Stderr.Bytes > limit {
					require.Contains(t, out.Text, "(first 100000 bytes; size limit reached)")
				}
			}
		})
	}
	// What goes on in the background is held to the same limit.
	dir, err := store.New(store.Config{Path: filepath.Join(t.TempDir(), "files"), ReserveBytes: 1, MaxStreamBytes: limit})
	require.NoError(t, err)
	defer dir.Close()
	w := newWorkbench(t, Config{Store: dir})
	out := w.run("yes & echo started")
	eventually(t, "the file is full", func() bool { return len(w.read(out.Files.Stdout)) == limit })
	closeRunner(t, w.Runner)
	require.Len(t, w.read(out.Files.Stdout), limit)
}

// H01: no value of a timeout makes it come early, or never.
func TestTimeoutValues(t *testing.T) {
	w := newWorkbench(t, Config{KillGrace: 10 * time.Millisecond})
	for _, c := range []struct {
		timeout time.Duration
		command string
		want    string // empty: it ends by itself
	}{
		{1, "sleep 3600", "command timed out after 0.000s and was killed"},
		{200 * time.Millisecond, "sleep 3600", "command timed out after 0.200s and was killed"},
		{1500 * time.Microsecond, "exec sleep 3600", "command timed out after 0.002s and was killed"},
		{0, "sleep 0.05", ""},
		{time.Minute, "sleep 0.05", ""},
		{24 * time.Hour, "sleep 0.05", ""},
		{200 * 365 * 24 * time.Hour, "sleep 0.05", ""},
		{math.MaxInt64, "sleep 0.05", ""},
		{math.MaxInt64 - 1, "sleep 0.05 & wait", ""},
		{-1, "touch ran", "timeout: got -1ns, want a positive duration"},
		{math.MinInt64, "touch ran", "timeout: got -2562047h47m16.854775808s, want a positive duration"},
	} {
		for _, p := range []*policy.Policy{&offload, &inline} {
			began := time.Now()
			out, err := w.Run(context.Background(), Request{Command: c.command, Timeout: c.timeout, Policy: p})
			if c.want == "" {
				require.NoError(t, err, fmt.Sprint(c.timeout))
				require.Zero(t, out.ExitCode)
				continue
			}
			require.EqualError(t, err, c.want)
			if refused := (*ArgumentError)(nil); !errors.As(err, &refused) {
				require.GreaterOrEqual(t, time.Since(began), c.timeout)
			}
		}
	}
	require.NoFileExists(t, filepath.Join(w.dir, "ran"))
}
