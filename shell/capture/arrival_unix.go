//go:build unix

package capture

import (
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

// arrival is one poll(2) loop over the pipes, the command's exit and the wake-up call. One thread that
// sleeps in the kernel costs less than the three goroutines of os/exec and keeps the streams' order
// better: nobody has to be scheduled between a write and its delivery.
type arrival struct {
	pipes []pipe // one or two
	exit  int    // -1: not started, or reported
	ended bool   // Ended was reported

	wakeRead, wakeWrite int // the same descriptor where there is eventfd

	mu     sync.Mutex // Wake comes from other goroutines: no write into a descriptor that has been closed
	closed bool

	buf *[bufferSize]byte
}

// pipe is one pipe's two ends; -1 for what has been closed.
type pipe struct {
	stream policy.Stream
	read   int
	write  int
}

var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// Arrival returns a Collector that delivers chunks in the order in which they are found in the pipes.
func Arrival(layout Layout) (Collector, error) {
	c := &arrival{exit: -1, wakeRead: -1, wakeWrite: -1}
	var err error
	if c.wakeRead, c.wakeWrite, err = openWake(); err != nil {
		return nil, err
	}
	streams := []policy.Stream{policy.Stdout, policy.Stderr}
	if layout == Shared {
		streams = streams[:1]
	}
	c.pipes = make([]pipe, 0, len(streams))
	for _, s := range streams {
		r, w, err := openPipe()
		if err != nil {
			c.Close()
			return nil, err
		}
		c.pipes = append(c.pipes, pipe{stream: s, read: r, write: w})
	}
	c.buf = buffers.Get().(*[bufferSize]byte)
	return c, nil
}

func (c *arrival) Child() (stdout, stderr uintptr) {
	return uintptr(c.pipes[0].write), uintptr(c.pipes[len(c.pipes)-1].write)
}

func (c *arrival) Started(exit uintptr) {
	c.exit = int(exit)
	for i := range c.pipes {
		closeFD(&c.pipes[i].write)
	}
}

func (c *arrival) Next(sink Sink, deadline time.Time) Event {
	for {
		// poll ignores negative descriptors, so that the places stay fixed.
		var fds [4]unix.PollFd
		for i := range fds {
			fds[i].Fd = -1
		}
		for i, p := range c.pipes {
			fds[i] = unix.PollFd{Fd: int32(p.read), Events: unix.POLLIN}
		}
		fds[2] = unix.PollFd{Fd: int32(c.exit), Events: unix.POLLIN}
		fds[3] = unix.PollFd{Fd: int32(c.wakeRead), Events: unix.POLLIN}
		wait, expired := pollWait(deadline)
		n, err := unix.Poll(fds[:], wait)
		if err != nil && err != unix.EINTR && err != unix.EAGAIN {
			// Only a bad address or a set larger than the limit on open files: nothing that waiting heals.
			// What can still be told is told: the output ends here.
			return c.abandon()
		}
		if n <= 0 {
			if expired {
				return Expired
			}
			continue
		}

		var news Event
		for i := range c.pipes {
			if fds[i].Revents != 0 {
				c.read(&c.pipes[i], sink)
			}
		}
		if fds[2].Revents != 0 {
			for i := range c.pipes {
				c.take(&c.pipes[i], sink)
			}
			c.exit = -1
			news |= Exited
		}
		if !c.ended && c.atEnd() {
			c.ended = true
			news |= Ended
		}
		if fds[3].Revents != 0 {
			clearWake(c.wakeRead)
			news |= Woken
		}
		switch {
		case news != 0:
			return news
		case expired:
			return Expired
		}
	}
}

// pollWait is the timeout for poll in milliseconds, rounded up so that it does not spin before the
// deadline, and whether the deadline has passed already.
func pollWait(deadline time.Time) (ms int, expired bool) {
	if deadline.IsZero() {
		return -1, false
	}
	left := time.Until(deadline)
	if left <= 0 {
		return 0, true
	}
	const longest = 24 * time.Hour // poll counts in a C int; waking once a day costs nothing
	return int((min(left, longest) + time.Millisecond - 1) / time.Millisecond), false
}

// read delivers one chunk and returns its size; 0 when there was none.
func (c *arrival) read(p *pipe, sink Sink) int {
	for {
		n, err := unix.Read(p.read, c.buf[:])
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return 0
		case err != nil || n <= 0:
			closeFD(&p.read)
			return 0
		}
		sink(p.stream, c.buf[:n])
		return n
	}
}

// take delivers what is in p now. A process that goes on writing cannot keep it from coming back.
func (c *arrival) take(p *pipe, sink Sink) {
	if p.read < 0 {
		return
	}
	there, err := waiting(p.read)
	if err != nil {
		there = PipeBytes
	}
	for there > 0 && p.read >= 0 {
		n := c.read(p, sink)
		if n == 0 {
			return
		}
		there -= n
	}
}

func (c *arrival) atEnd() bool {
	for _, p := range c.pipes {
		if p.read >= 0 {
			return false
		}
	}
	return true
}

// abandon gives up on everything and reports what its caller waits for.
func (c *arrival) abandon() Event {
	for i := range c.pipes {
		closeFD(&c.pipes[i].read)
	}
	c.exit, c.ended = -1, true
	return Exited | Ended
}

func (c *arrival) Wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		signalWake(c.wakeWrite)
	}
}

func (c *arrival) Detach(sink Sink) *Rest {
	if c.atEnd() {
		return nil
	}
	rest := newRest()
	for i := range c.pipes {
		if p := &c.pipes[i]; p.read >= 0 {
			// The descriptor is non-blocking, so the file is read by way of the network poller: a parked
			// goroutine, not a thread, for every process that lives on.
			rest.follow(p.stream, os.NewFile(uintptr(p.read), p.stream.String()), sink)
			p.read = -1
		}
	}
	rest.start()
	return rest
}

func (c *arrival) Close() {
	c.mu.Lock()
	c.closed = true
	if c.wakeWrite != c.wakeRead {
		closeFD(&c.wakeWrite)
	}
	closeFD(&c.wakeRead)
	c.mu.Unlock()
	for i := range c.pipes {
		closeFD(&c.pipes[i].read)
		closeFD(&c.pipes[i].write)
	}
	if c.buf != nil {
		buffers.Put(c.buf)
		c.buf = nil
	}
}

// closeFD closes a descriptor once. EINTR is no reason to try again: it is closed, and the number may be
// somebody else's by then.
func closeFD(fd *int) {
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}
