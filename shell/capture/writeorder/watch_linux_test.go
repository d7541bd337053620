package writeorder

import (
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watched is a Watch with two pipes.
type watched struct {
	*Watch
	t           *testing.T
	read, write [2]int
}

func newWatched(t *testing.T) *watched {
	watch, err := Start()
	require.NoError(t, err)
	w := &watched{Watch: watch, t: t}
	for s := range w.read {
		var fds [2]int
		require.NoError(t, unix.Pipe2(fds[:], unix.O_CLOEXEC))
		w.read[s], w.write[s] = fds[0], fds[1]
		require.NoError(t, watch.Add(policy.Stream(s), fds[0]))
	}
	return w
}

func (w *watched) close() {
	w.Stop()
	for s := range w.read {
		unix.Close(w.read[s])
		unix.Close(w.write[s])
	}
}

func (w *watched) writes(order string) {
	for _, c := range order {
		_, err := unix.Write(w.write[streamOf(c)], []byte{byte(c)})
		require.NoError(w.t, err)
	}
}

func (w *watched) hears(most int) (order string, all bool) {
	w.Do(func() {
		_, all = w.Listen(most, func(s policy.Stream) { order += []string{"o", "e"}[s] })
	})
	return order, all
}

func TestWritesAreAnnounced(t *testing.T) {
	w := newWatched(t)
	defer w.close()
	order := strings.Repeat("oeeoooe", 100)
	w.writes(order)
	first, all := w.hears(10)
	require.False(t, all)
	require.Less(t, len(first), len(order))
	rest, all := w.hears(math.MaxInt)
	require.True(t, all)
	require.Equal(t, order, first+rest)
	require.False(t, w.Lost)

	// A write that does not fit is announced each time it has to wait, and at its end; it never goes unannounced.
	size, err := unix.FcntlInt(uintptr(w.read[0]), unix.F_GETPIPE_SZ, 0)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := unix.Write(w.write[0], make([]byte, 3*size))
		done <- err
	}()
	for b, n := make([]byte, size), 0; n < 3*size; {
		k, err := unix.Read(w.read[0], b)
		if err != unix.EAGAIN {
			require.NoError(t, err)
			n += max(k, 0)
		}
	}
	require.NoError(t, <-done)
	told, _ := w.hears(math.MaxInt)
	require.NotEmpty(t, told)
	require.Empty(t, strings.Trim(told, "o"))

	// The end is announced as well.
	unix.Close(w.write[1])
	told, _ = w.hears(math.MaxInt)
	require.Equal(t, "e", told)
	w.write[1] = -1
}

// Signals that cannot be queued are known to be lost.
func TestOverflow(t *testing.T) {
	w := newWatched(t)
	defer w.close()
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &unix.Rlimit{Cur: 0, Max: limit.Max}))
	w.writes(strings.Repeat("oe", 20))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit))
	told, _ := w.hears(math.MaxInt)
	require.True(t, w.Lost)
	require.Empty(t, told)
	w.Lost = false
	w.writes("oeo")
	told, _ = w.hears(math.MaxInt)
	require.Equal(t, "oeo", told)
	require.False(t, w.Lost)
}

// blocked returns, for each thread of the process, whether it blocks the signal.
func blocked(t *testing.T, sig unix.Signal) map[string]bool {
	threads := make(map[string]bool)
	files, err := filepath.Glob("/proc/self/task/*/status")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, mask, _ := strings.Cut(string(text), "\nSigBlk:\t")
		bits, err := strconv.ParseUint(mask[:strings.IndexByte(mask, '\n')], 16, 64)
		require.NoError(t, err)
		threads[filepath.Base(filepath.Dir(file))] = bits>>(sig-1)&1 == 1
	}
	return threads
}

// The mask belongs to one thread, on which nothing runs but what it is given.
func TestSignalMask(t *testing.T) {
	w := newWatched(t)
	own := strconv.Itoa(w.tid)
	require.NotEqual(t, unix.Gettid(), w.tid)
	w.Do(func() { require.Equal(t, w.tid, unix.Gettid()) })
	// Threads that are started meanwhile do not inherit it, also by what it is given.
	release, ready := make(chan struct{}), make(chan string)
	start := func() {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready <- strconv.Itoa(unix.Gettid())
			<-release
		}()
	}
	const many = 20
	for i := range many {
		if i%2 == 0 {
			start()
		} else {
			w.Do(start)
		}
	}
	others := make(map[string]bool)
	for range many {
		others[<-ready] = true
	}
	require.NotContains(t, others, own)
	// A thread blocks everything while it is being started.
	blocks := func(sig unix.Signal) (threads []string) {
		for thread, is := range blocked(t, sig) {
			if is {
				threads = append(threads, thread)
			}
		}
		return threads
	}
	for _, sig := range []unix.Signal{writeSignal, overflowSignal} {
		require.Eventually(t, func() bool { return slices.Equal(blocks(sig), []string{own}) }, time.Minute, time.Millisecond, "%v", sig)
	}
	close(release)
	w.close()
	require.Eventually(t, func() bool { return len(blocks(writeSignal)) == 0 }, time.Minute, time.Millisecond)
}

// What panics on the thread panics where it was asked for, and the thread goes on.
func TestPanic(t *testing.T) {
	w := newWatched(t)
	defer w.close()
	require.PanicsWithValue(t, "no", func() { w.Do(func() { panic("no") }) })
	w.writes("oe")
	told, _ := w.hears(math.MaxInt)
	require.Equal(t, "oe", told)
}

// What was not listened to is gone after a Reset, whatever numbers the next pipes have, and it never gets to the
// process.
func TestNothingIsLeftQueued(t *testing.T) {
	all := make(chan os.Signal, 100)
	signal.Notify(all, unix.Signal(writeSignal), overflowSignal, unix.SIGUSR1)
	defer signal.Stop(all)
	w := newWatched(t)
	for range 20 {
		w.writes("oeoeoe")
		idle := make(chan struct{})
		w.Reset(func() { close(idle) })
		<-idle
		w.writes("oeo") // nobody watches
		for s, fd := range w.read {
			require.NoError(t, w.Add(policy.Stream(s), fd))
		}
		told, _ := w.hears(math.MaxInt)
		require.Empty(t, told)
	}
	w.Remove(policy.Stdout)
	w.writes("oeo")
	told, _ := w.hears(math.MaxInt)
	require.Equal(t, "e", told)
	w.writes("eee")
	w.close()
	// Signals are passed on in order: the first to come is one that is sent now.
	require.NoError(t, unix.Kill(os.Getpid(), unix.SIGUSR1))
	require.Equal(t, unix.SIGUSR1, <-all)
}

// A kernel that announces nothing is found out; one that cannot be asked at the moment is asked again.
func TestProof(t *testing.T) {
	w := newWatched(t)
	defer w.close()
	proves := func() (works, conclusive bool) {
		w.Do(func() { works, conclusive = prove(w.Watch) })
		return works, conclusive
	}
	works, conclusive := proves()
	require.True(t, works && conclusive)
	fd := w.fd
	w.fd = -1 // nothing is heard any more
	works, conclusive = proves()
	w.fd = fd
	require.False(t, works)
	require.True(t, conclusive)

	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &unix.Rlimit{Cur: 0, Max: limit.Max}))
	_, conclusive = proves()
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.False(t, conclusive)
}
