package writeorder

import (
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

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
	_, all = w.Listen(most, func(s policy.Stream) { order += []string{"o", "e"}[s] })
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

// The mask belongs to one thread for as long as the Watch, and nothing runs there but its goroutine.
func TestSignalMask(t *testing.T) {
	w := newWatched(t)
	own := strconv.Itoa(unix.Gettid())
	for _, sig := range []unix.Signal{writeSignal, overflowSignal} {
		for thread, is := range blocked(t, sig) {
			require.Equal(t, thread == own, is, "thread %s, signal %d", thread, sig)
		}
	}
	// Threads that are started meanwhile do not inherit it.
	release, ready := make(chan struct{}), make(chan string)
	const many = 20
	for range many {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready <- strconv.Itoa(unix.Gettid())
			<-release
		}()
	}
	others := make(map[string]bool)
	for range many {
		others[<-ready] = true
	}
	require.NotContains(t, others, own)
	for thread, is := range blocked(t, writeSignal) {
		require.Equal(t, thread == own, is, "thread %s", thread)
	}
	close(release)
	w.close()
	for thread, is := range blocked(t, writeSignal) {
		require.False(t, is, "thread %s", thread)
	}
}

// What was not listened to is gone when the mask is, and the next Watch hears nothing of it, whatever numbers
// its descriptors have.
func TestNothingIsLeftQueued(t *testing.T) {
	all := make(chan os.Signal, 100)
	signal.Notify(all, unix.Signal(writeSignal), overflowSignal, unix.SIGUSR1)
	defer signal.Stop(all)
	for range 20 {
		w := newWatched(t)
		told, _ := w.hears(math.MaxInt)
		require.Empty(t, told)
		w.writes("oeoeoe")
		w.close()
	}
	// A pipe that is not watched any more says nothing.
	w := newWatched(t)
	w.Remove(policy.Stdout)
	w.writes("oeo")
	told, _ := w.hears(math.MaxInt)
	require.Equal(t, "e", told)
	w.close()
	// Signals are passed on in order: the first to come is one that is sent now.
	require.NoError(t, unix.Kill(os.Getpid(), unix.SIGUSR1))
	require.Equal(t, unix.SIGUSR1, <-all)
}

// A kernel that announces nothing is found out; one that cannot be asked at the moment is asked again.
func TestProof(t *testing.T) {
	runtime.LockOSThread()
	w, err := start()
	require.NoError(t, err)
	defer w.Stop()
	works, conclusive := prove(w)
	require.True(t, works && conclusive)
	fd := w.fd
	w.fd = -1 // nothing is heard any more
	works, conclusive = prove(w)
	w.fd = fd
	require.False(t, works)
	require.True(t, conclusive)

	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &unix.Rlimit{Cur: 0, Max: limit.Max}))
	_, conclusive = prove(w)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_SIGPENDING, &limit))
	require.False(t, conclusive)
}
