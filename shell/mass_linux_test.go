package shell

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// numbersOf is what `seq last` prints.
func numbersOf(last int) []byte {
	var b []byte
	for i := range last {
		b = append(strconv.AppendInt(b, int64(i)+1, 10), '\n')
	}
	return b
}

// requireNumbers fails unless the file is the beginning of the lines 1, 2, 3 …, of which start are the first last,
// and returns its size. Memory is measured beside it: it takes none to speak of.
func requireNumbers(t *testing.T, path string, start []byte, last int) int64 {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	size := int64(0)
	for b := start; len(b) > 0; {
		got, err := r.Peek(min(len(b), r.Size()))
		require.True(t, bytes.HasPrefix(b, got), "%s differs after byte %d", path, size)
		size += int64(len(got))
		b = b[len(got):]
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return size
		}
		_, err = r.Discard(len(got))
		require.NoError(t, err)
	}
	for i := last + 1; ; i++ {
		line, err := r.ReadSlice('\n')
		size += int64(len(line))
		want := strconv.Itoa(i) + "\n"
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, want[:min(len(line), len(want))], string(line), path)
			return size
		}
		require.Equal(t, want, string(line), path)
	}
}

// processState is what commands must not leave anything in.
type processState struct {
	descriptors, goroutines, threads int
	peak                             int64 // of the resident set, in bytes
}

func stateOfProcess(t *testing.T) processState {
	t.Helper()
	entries := func(dir string) int {
		e, err := os.ReadDir(dir)
		require.NoError(t, err)
		return len(e)
	}
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	hwm := regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`).FindSubmatch(status)
	require.NotNil(t, hwm)
	peak, err := strconv.ParseInt(string(hwm[1]), 10, 64)
	require.NoError(t, err)
	return processState{entries("/proc/self/fd"), runtime.NumGoroutine(), entries("/proc/self/task"), peak << 10}
}

// 64 commands at once print 10 MB each; half of them never stop, and some of these do not listen to
// SIGTERM either.
func TestMassOfCommands(t *testing.T) {
	if !again(t, &syscall.SysProcAttr{}) {
		return
	}
	needs(t, "seq")
	const (
		commands = 64
		last     = 735_000 // 5 MB on each stream
		print    = "seq 735000 & seq 735000 >&2; wait; "
		// Blocks, not lines, and not all there is time for: what is announced and not read takes up the queue of
		// signals that all processes of the user share, other tests' among them.
		forever = "i=735000; while :; do seq $((i+1)) $((i+500)); seq $((i+1)) $((i+500)) >&2; i=$((i+500)); sleep 0.02; done"
		// 1 MiB a command is what may be taken: a read buffer of 128 KiB, the end of the output, statistics,
		// a thread's stack, and the same again until the collector of garbage comes by.
		memory = commands * (1 << 20) * raceMemory
	)
	start := numbersOf(last)
	w := newWorkbench(t, Config{KillGrace: 300 * time.Millisecond})
	w.run("echo warm; echo up >&2")
	before := stateOfProcess(t)

	round := func() processState {
		outs, errs := make([]*Output, commands), make([]error, commands)
		var all sync.WaitGroup
		for i := range commands {
			timeout := time.Second + time.Duration(i)*100*time.Millisecond // in the midst of the others' lives
			req := Request{Command: print + "exit 7", Timeout: 5 * time.Minute}
			switch i % 4 {
			case 1:
				req = Request{Command: print + forever, Timeout: timeout}
			case 3:
				req = Request{Command: `trap "" TERM; ` + print + forever, Timeout: timeout}
			}
			all.Go(func() { outs[i], errs[i] = w.Run(context.Background(), req) })
		}
		all.Wait()
		w.requireNoSurvivors()
		after := stateOfProcess(t)
		endless := 0
		for i, out := range outs {
			if i%2 == 1 {
				var timeout *TimeoutError
				require.True(t, errors.As(errs[i], &timeout), "got %v", errs[i])
				out = timeout.Output
			} else {
				require.NoError(t, errs[i])
				require.Equal(t, 7, out.ExitCode)
				require.Equal(t, int64(len(start)), out.Stdout.Bytes)
				require.Equal(t, int64(len(start)), out.Stderr.Bytes)
			}
			require.NotNil(t, out.Files)
			require.NotContains(t, out.Text, "(first ")
			require.Empty(t, out.Background)
			require.Equal(t, out.Stdout.Bytes, requireNumbers(t, out.Files.Stdout, start, last))
			require.Equal(t, out.Stderr.Bytes, requireNumbers(t, out.Files.Stderr, start, last))
			if out.Stdout.Bytes > int64(len(start)) {
				endless++
			}
			require.NoError(t, os.Remove(out.Files.Stdout))
			require.NoError(t, os.Remove(out.Files.Stderr))
		}
		t.Logf("%d of %d were in their endless part; %+v, before %+v", endless, commands/2, after, before)
		return after
	}
	first := round()
	second := round()
	for _, after := range []processState{first, second} {
		require.LessOrEqual(t, after.peak-before.peak, int64(memory), "growth of the resident set")
	}
	// Threads stay, for the next commands that need one each at most; how many are needed at once is a matter of luck.
	require.LessOrEqual(t, second.threads, 2*commands+32)
	eventually(t, "all goroutines have ended", func() bool { return stateOfProcess(t).goroutines <= before.goroutines })
	require.Equal(t, before.descriptors, stateOfProcess(t).descriptors)
}
