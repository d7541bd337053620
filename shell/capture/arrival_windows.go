package capture

import (
	"os"
	"syscall"
	"time"

	"github.com/responses-as-code/gg/shell/policy"
)

// arrival reads each pipe in a goroutine of its own and delivers in the owner's: there is no call here that
// waits for pipes, a process and a wake-up together.
type arrival struct {
	pipes  []pipe
	chunks chan chunk    // unbuffered: from the readers to the owner, which is Next or a Rest
	quit   chan struct{} // closed by the owner when it takes no more chunks
	exited chan struct{} // closed when the process has ended; nil before Started and after the report
	wake   chan struct{}
	open   int // pipes that have not come to their end
	handed bool
}

type pipe struct {
	stream      policy.Stream
	read, write *os.File
}

// chunk is one read on its way to the owner, who closes taken when the buffer may be used again. An
// empty one is the pipe's end.
type chunk struct {
	stream policy.Stream
	b      []byte
	taken  chan struct{}
}

// settle is how long the pipes must be silent after the process has ended for everything it wrote to be
// taken as delivered: a read that has returned is on its way to the owner within microseconds.
const settle = 5 * time.Millisecond

// Arrival returns a Collector that delivers chunks in the order in which they come out of the pipes.
func Arrival(layout Layout) (Collector, error) {
	c := &arrival{chunks: make(chan chunk), quit: make(chan struct{}), wake: make(chan struct{}, 1)}
	streams := []policy.Stream{policy.Stdout, policy.Stderr}
	if layout == Shared {
		streams = streams[:1]
	}
	for _, s := range streams {
		r, w, err := os.Pipe()
		if err != nil {
			c.Close()
			return nil, err
		}
		c.pipes = append(c.pipes, pipe{stream: s, read: r, write: w})
	}
	return c, nil
}

func (c *arrival) Child() (stdout, stderr uintptr) {
	return c.pipes[0].write.Fd(), c.pipes[len(c.pipes)-1].write.Fd()
}

func (c *arrival) Started(exit uintptr) {
	exited := make(chan struct{})
	c.exited = exited
	go func() {
		syscall.WaitForSingleObject(syscall.Handle(exit), syscall.INFINITE)
		close(exited)
	}()
	for _, p := range c.pipes {
		p.write.Close()
		c.open++
		go c.pump(p)
	}
}

// pump owns the read end of p. It ends with the pipe, or with the first chunk nobody wants: a read that
// waits cannot be called off here, so nobody waits for a pump.
func (c *arrival) pump(p pipe) {
	defer p.read.Close()
	buf := make([]byte, bufferSize)
	for {
		n, err := p.read.Read(buf)
		if n > 0 && !c.offer(p.stream, buf[:n]) {
			return
		}
		if err != nil {
			c.offer(p.stream, nil)
			return
		}
	}
}

// offer hands b to the owner and waits until it has been used.
func (c *arrival) offer(s policy.Stream, b []byte) bool {
	ch := chunk{stream: s, b: b, taken: make(chan struct{})}
	select {
	case c.chunks <- ch:
		<-ch.taken
		return true
	case <-c.quit:
		return false
	}
}

func (c *arrival) Next(read, placed Sink, deadline time.Time) Event {
	sink := func(s policy.Stream, b []byte) { read(s, b); placed(s, b) }
	var expired <-chan time.Time
	if !deadline.IsZero() {
		t := time.NewTimer(time.Until(deadline))
		defer t.Stop()
		expired = t.C
	}
	for {
		select {
		case ch := <-c.chunks:
			if c.deliver(ch, sink) {
				return Ended
			}
		case <-c.exited:
			c.exited = nil
			return Exited | c.settled(sink)
		case <-c.wake:
			return Woken
		case <-expired:
			return Expired
		}
	}
}

// settled delivers until the pipes are silent, at most as long as a full pipe takes.
func (c *arrival) settled(sink Sink) Event {
	t := time.NewTimer(settle)
	defer t.Stop()
	for taken := 0; c.open > 0 && taken < 2*PipeBytes; {
		select {
		case ch := <-c.chunks:
			taken += len(ch.b)
			if c.deliver(ch, sink) {
				return Ended
			}
			t.Reset(settle)
		case <-t.C:
			return 0
		}
	}
	return 0
}

// deliver passes a chunk on and reports whether it was the last pipe's end.
func (c *arrival) deliver(ch chunk, sink Sink) bool {
	defer close(ch.taken)
	if len(ch.b) > 0 {
		sink(ch.stream, ch.b)
		return false
	}
	c.open--
	return c.open == 0
}

func (c *arrival) Wake() {
	select {
	case c.wake <- struct{}{}:
	default: // one call that has not been answered yet is enough
	}
}

func (c *arrival) Detach(sink Sink) *Rest {
	if c.open == 0 {
		return nil
	}
	c.handed = true
	rest := newRest()
	stop := make(chan struct{})
	rest.readers = append(rest.readers, closer(stop))
	rest.running.Go(func() {
		defer close(c.quit)
		for c.open > 0 {
			select {
			case ch := <-c.chunks:
				c.deliver(ch, sink)
			case <-stop:
				return
			}
		}
	})
	rest.start()
	return rest
}

// closer makes an io.Closer of a channel.
type closer chan struct{}

func (c closer) Close() error {
	close(c)
	return nil
}

func (c *arrival) Close() {
	if !c.handed {
		close(c.quit)
	}
	if c.exited == nil && c.open == 0 {
		for _, p := range c.pipes { // never started
			p.read.Close()
			p.write.Close()
		}
	}
}
