//go:build linux || darwin

package capture

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stage is a Collector whose command is played by the test.
type stage struct {
	Collector
	t              *testing.T
	stdout, stderr *os.File // the command's ends
	exit           *os.File // closing it is the command's exit

	mu    sync.Mutex // a Rest delivers from other goroutines
	kept  [2]bytes.Buffer
	got   [2]bytes.Buffer
	order strings.Builder
}

// forEach runs a test with every kind of Collector: what is promised of one is promised of all.
func forEach(t *testing.T, test func(t *testing.T, open func(Layout) (Collector, error))) {
	t.Run("arrival", func(t *testing.T) { test(t, Arrival) })
	t.Run("write order", func(t *testing.T) {
		orderer := new(Orderer)
		t.Cleanup(orderer.Close)
		test(t, orderer.Open)
	})
}

func newStage(t *testing.T, open func(Layout) (Collector, error), layout Layout) *stage {
	c, err := open(layout)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	stdout, stderr := c.Child()
	if layout == Shared {
		require.Equal(t, stdout, stderr)
	} else {
		require.NotEqual(t, stdout, stderr)
	}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { read.Close(); write.Close() })
	s := &stage{Collector: c, t: t, stdout: dup(t, stdout), stderr: dup(t, stderr), exit: write}
	c.Started(read.Fd())
	return s
}

// dup is what a command does with a descriptor when it is started.
func dup(t *testing.T, fd uintptr) *os.File {
	n, err := unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	f := os.NewFile(uintptr(n), "end")
	t.Cleanup(func() { f.Close() })
	return f
}

func (s *stage) sink(stream policy.Stream, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got[stream].Write(b)
	fmt.Fprintf(&s.order, "%v:%s ", stream, b[:min(len(b), 10)])
}

func (s *stage) keep(stream policy.Stream, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[stream].Write(b)
}

func (s *stage) text(stream policy.Stream) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !bytes.HasPrefix(s.got[stream].Bytes(), s.kept[stream].Bytes()) {
		s.t.Errorf("%v: what has been read is not what has been placed", stream)
	}
	return s.got[stream].String()
}

func (s *stage) write(f *os.File, text string) {
	_, err := f.WriteString(text)
	require.NoError(s.t, err)
}

// next waits for news without a deadline worth the name.
func (s *stage) next() Event { return s.Next(s.keep, s.sink, time.Now().Add(time.Minute)) }

// take delivers what there is now.
func (s *stage) take() Event { return s.Next(s.keep, s.sink, time.Now()) }

func TestStreamsAreDelivered(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Separate)
		s.write(s.stdout, "out")
		require.Equal(t, Expired, s.take())
		s.write(s.stderr, "err")
		require.Equal(t, Expired, s.take())
		s.write(s.stdout, "put")
		require.Equal(t, Expired, s.take())
		require.Equal(t, "stdout:out stderr:err stdout:put ", s.order.String())
		s.stdout.Close()
		require.Equal(t, Expired, s.take(), "one of two streams has ended")
		s.stderr.Close()
		require.Equal(t, Ended, s.next())
		require.Equal(t, Expired, s.take(), "the end is reported once")
		s.exit.Close()
		require.Equal(t, Exited, s.next())
		require.Equal(t, Expired, s.take(), "the exit is reported once")
	})
}

func TestSharedPipeKeepsTheOrder(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Shared)
		for i := range 100 {
			s.write([]*os.File{s.stdout, s.stderr}[i%2], fmt.Sprintln(i))
		}
		s.stdout.Close()
		s.stderr.Close()
		s.exit.Close()
		state := s.next()
		for state != Exited|Ended {
			state |= s.next()
		}
		var want strings.Builder
		for i := range 100 {
			fmt.Fprintln(&want, i)
		}
		require.Equal(t, want.String(), s.text(policy.Stdout))
		require.Empty(t, s.text(policy.Stderr))
	})
}

// At the exit everything written by then is delivered, however much it is, and however much somebody else
// goes on writing.
func TestExitComesAfterTheOutput(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Separate)
		big := strings.Repeat("0123456789abcdef", 60<<10/16)
		s.write(s.stdout, big)
		s.write(s.stderr, "last words")
		s.exit.Close()
		require.Equal(t, Exited, s.next())
		require.Equal(t, big, s.text(policy.Stdout))
		require.Equal(t, "last words", s.text(policy.Stderr))

		// What comes after the exit is not waited for: here every chunk is answered by another.
		s = newStage(t, open, Separate)
		s.write(s.stdout, "x")
		s.exit.Close()
		answers := 0
		require.Equal(t, Exited, s.Next(s.keep, func(policy.Stream, []byte) {
			if answers++; answers < 100 {
				s.write(s.stdout, "x")
			}
		}, time.Time{}))
		require.Less(t, answers, 10)

		s = newStage(t, open, Separate)
		stop := make(chan struct{})
		var flood sync.WaitGroup
		flood.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if _, err := s.stdout.WriteString(big); err != nil {
						return
					}
				}
			}
		})
		s.exit.Close()
		for s.next()&Exited == 0 {
		}
		require.Equal(t, Expired, s.take(), "a flood does not hide that time is up")
		rest := s.Detach(func(policy.Stream, []byte) {})
		close(stop)
		flood.Wait()
		rest.Close()
	})
}

func TestWake(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Separate)
		s.Wake()
		s.Wake()
		require.Equal(t, Woken, s.next(), "one that came before")
		require.Equal(t, Expired, s.take(), "two calls, one answer")
		go s.Wake()
		require.Equal(t, Woken, s.next())
		s.Close()
		s.Wake() // after Close nothing happens
	})
}

// What is left of the pipes goes on to the sink, until it ends or the Rest is closed.
func TestDetach(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		s := newStage(t, open, Separate)
		s.write(s.stdout, "before ")
		require.Equal(t, Expired, s.take())
		s.stderr.Close()
		require.Equal(t, Expired, s.take())
		rest := s.Detach(s.sink)
		s.Close()
		s.write(s.stdout, "after")
		big := strings.Repeat("x", 1<<20)
		s.write(s.stdout, big)
		s.stdout.Close()
		<-rest.Done()
		rest.Close()
		require.Equal(t, "before after"+big, s.text(policy.Stdout))

		s = newStage(t, open, Separate)
		rest = s.Detach(s.sink)
		rest.Close()
		_, err := s.stdout.WriteString("nobody reads")
		require.ErrorIs(t, err, unix.EPIPE)

		s = newStage(t, open, Shared)
		s.stdout.Close()
		s.stderr.Close()
		require.Equal(t, Ended, s.next())
		require.Nil(t, s.Detach(s.sink))
	})
}

func TestDeadline(t *testing.T) {
	for left, want := range map[time.Duration]int{
		time.Microsecond * 1500: 2, time.Hour * 1e4: 24 * 60 * 60 * 1000,
	} {
		ms, expired := pollWait(time.Now().Add(left))
		require.InDelta(t, want, ms, 1)
		require.Positive(t, ms)
		require.False(t, expired)
	}
	ms, expired := pollWait(time.Now().Add(-time.Hour))
	require.Zero(t, ms)
	require.True(t, expired)
	ms, expired = pollWait(time.Time{})
	require.Equal(t, -1, ms)
	require.False(t, expired)
}

// A Collector that is not used, and one that cannot be made, leave no descriptor.
func TestDescriptorsAreClosed(t *testing.T) {
	forEach(t, func(t *testing.T, open func(Layout) (Collector, error)) {
		first, err := open(Separate) // an Orderer keeps what it has used
		require.NoError(t, err)
		first.Close()
		before := descriptors(t)
		for range 3 {
			c, err := open(Separate)
			require.NoError(t, err)
			c.Close()
			c.Close()
		}
		require.Equal(t, before, descriptors(t))

		var limit unix.Rlimit
		require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
		defer unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
		for free := range uint64(5) {
			lowered := limit
			lowered.Cur = uint64(lowestFree(t)) + free
			require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &lowered))
			_, err := open(Separate)
			require.ErrorIs(t, err, unix.EMFILE)
			require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
		}
		require.Equal(t, before, descriptors(t))
	})
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	return len(entries)
}

// lowestFree is a number below which every descriptor is taken, if there are no gaps.
func lowestFree(t *testing.T) int {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.Close(fd))
	return fd
}

// BenchmarkNext is the cost of one chunk, from the write to its delivery.
func BenchmarkNext(b *testing.B) {
	for _, size := range []int{64, 4 << 10, 64 << 10, 256 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			c, err := Arrival(Shared)
			require.NoError(b, err)
			defer c.Close()
			w, _ := c.Child()
			chunk := make([]byte, size)
			n := 0
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				_, err := unix.Write(int(w), chunk)
				require.NoError(b, err)
				for n = 0; n < size; {
					c.Next(func(policy.Stream, []byte) {}, func(_ policy.Stream, p []byte) { n += len(p) }, time.Now())
				}
			}
		})
	}
}
