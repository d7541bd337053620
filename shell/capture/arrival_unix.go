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
	c := new(arrival)
	if err := c.open(layout); err != nil {
		return nil, err
	}
	c.buf = buffers.Get().(*[bufferSize]byte)
	return c, nil
}

// open makes the pipes and the wake-up call.
func (c *arrival) open(layout Layout) (err error) {
	c.exit, c.wakeRead, c.wakeWrite = -1, -1, -1
	if c.wakeRead, c.wakeWrite, err = openWake(); err != nil {
		return err
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
			return err
		}
		c.pipes = append(c.pipes, pipe{stream: s, read: r, write: w})
	}
	return nil
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

func (c *arrival) Next(read, placed Sink, deadline time.Time) Event {
	for {
		ready, err := c.poll(-1, deadline)
		if err != nil {
			return c.abandon()
		}
		var news Event
		for i := range c.pipes {
			if ready.pipes[i] != 0 {
				c.deliver(&c.pipes[i], read, placed)
			}
		}
		if ready.exit {
			for i := range c.pipes {
				c.take(&c.pipes[i], read, placed)
			}
			c.exit = -1
			news |= Exited
		}
		if news |= c.lasting(ready); news != 0 {
			return news
		}
		if ready.expired {
			return Expired
		}
	}
}

// lasting is what there is to report besides the exit.
func (c *arrival) lasting(ready readiness) (news Event) {
	if !c.ended && c.atEnd() {
		c.ended = true
		news |= Ended
	}
	if ready.woken {
		clearWake(c.wakeRead)
		news |= Woken
	}
	return news
}

// readiness is what poll has found.
type readiness struct {
	pipes                      [2]int16 // what poll says of each
	told, exit, woken, expired bool
}

// poll waits for any of the descriptors, told included, or for the deadline. The only errors are a bad address
// and a set larger than the limit on open files: nothing that waiting heals.
func (c *arrival) poll(told int, deadline time.Time) (ready readiness, err error) {
	// poll ignores negative descriptors, so that the places stay fixed.
	fds := [5]unix.PollFd{{Fd: -1}, {Fd: -1}, {Fd: int32(c.exit)}, {Fd: int32(c.wakeRead)}, {Fd: int32(told)}}
	for i, p := range c.pipes {
		fds[i].Fd = int32(p.read)
	}
	for i := range fds {
		fds[i].Events = unix.POLLIN
	}
	for {
		wait, expired := pollWait(deadline)
		n, err := unix.Poll(fds[:], wait)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil:
			return readiness{}, err
		case n == 0 && !expired:
			continue
		}
		return readiness{
			pipes: [2]int16{fds[0].Revents, fds[1].Revents},
			exit:  fds[2].Revents != 0, woken: fds[3].Revents != 0, told: fds[4].Revents != 0,
			expired: expired,
		}, nil
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

// deliver passes one chunk on and returns its size; 0 when there was none.
func (c *arrival) deliver(p *pipe, read, placed Sink) int {
	n, err := readSome(p.read, c.buf[:])
	if err == unix.EAGAIN {
		return 0
	}
	if n == 0 {
		closeFD(&p.read)
		return 0
	}
	read(p.stream, c.buf[:n])
	placed(p.stream, c.buf[:n])
	return n
}

// readSome is read(2) without interruptions. No bytes and no EAGAIN are the end.
func readSome(fd int, b []byte) (int, error) {
	for {
		n, err := unix.Read(fd, b)
		if err != unix.EINTR {
			return max(0, n), err
		}
	}
}

// take delivers what is in p now. A process that goes on writing cannot keep it from coming back.
func (c *arrival) take(p *pipe, read, placed Sink) {
	for there := p.waiting(); there > 0 && p.read >= 0; {
		n := c.deliver(p, read, placed)
		if n == 0 {
			return
		}
		there -= n
	}
}

// waiting is how many bytes are in the pipe; when that cannot be told, as many as it can hold.
func (p *pipe) waiting() int {
	if p.read < 0 {
		return 0
	}
	there, err := waiting(p.read)
	if err != nil {
		return PipeBytes
	}
	return there
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
