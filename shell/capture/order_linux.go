package capture

import (
	"math"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/capture/writeorder"
)

// Orderer makes Collectors that place bytes in the order in which they were written. Each has a thread that hears
// of writes; one thread is kept for the next Collector. The zero value is ready for use.
type Orderer struct {
	mu    sync.Mutex
	kept  bool                   // a thread is in spare, or on its way there
	spare chan *writeorder.Watch // has room for one
}

// Open returns a Collector: an Arrival where one pipe is in order anyway, or where the system does not tell.
func (o *Orderer) Open(layout Layout) (Collector, error) {
	if layout == Shared {
		return Arrival(layout)
	}
	watch, err := o.take()
	if err != nil {
		return Arrival(layout)
	}
	c := &ordered{orderer: o, watch: watch, silent: true}
	if err := c.open(layout); err != nil {
		c.Close()
		return nil, err
	}
	for _, p := range c.pipes {
		if watch.Add(p.stream, p.read) != nil {
			c.Close()
			return Arrival(layout)
		}
	}
	return c, nil
}

// take returns the spare thread, or a new one.
func (o *Orderer) take() (*writeorder.Watch, error) {
	o.mu.Lock()
	kept := o.kept
	o.kept = false
	o.mu.Unlock()
	if kept {
		return <-o.spare, nil
	}
	return writeorder.Start()
}

// give keeps a thread, or ends it.
func (o *Orderer) give(watch *writeorder.Watch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept {
		watch.Stop()
		return
	}
	if o.spare == nil {
		o.spare = make(chan *writeorder.Watch, 1)
	}
	o.kept = true
	watch.Reset(func() { o.spare <- watch })
}

// Close ends the spare thread. Every Collector must have been closed.
func (o *Orderer) Close() {
	if o.kept {
		o.kept = false
		(<-o.spare).Stop()
	}
}

// ordered is an arrival that hears of every write and puts the bytes in the order of the writes before they
// are placed. As long as nothing is written its owner waits; from then on Next is done by the thread that hears.
type ordered struct {
	arrival
	orderer *Orderer
	watch   *writeorder.Watch // nil after Detach and Close
	window  writeorder.Window
	silent  bool // nothing has been written

	heard int      // announcements in the current gather
	aside int      // announcements that Listen has not told of
	ready [2]int16 // what poll has said of the pipes and has not been looked at
	read  Sink     // of the current Next
	until time.Time
}

const (
	// lineGrace is how long nothing may come before an unfinished line is placed as it is: a program that writes a
	// line in two goes needs less.
	lineGrace = time.Millisecond

	// doubtGrace is the same for what the announcement of a write under way would explain: the writer has been
	// interrupted between the two and must get to run again. Nobody waits for the bytes, which are in their file
	// already.
	doubtGrace = 20 * time.Millisecond

	// resting is how long a program is left alone after it has written: a pipe takes more than is written in that
	// time, and most announcements that were a little behind have come.
	resting = 300 * time.Microsecond

	// little is what a program writes in that time that is slowed down by being woken for every write, and not by
	// the volume.
	little = 16 << 10
)

func (c *ordered) Next(read, placed Sink, deadline time.Time) (news Event) {
	if c.silent {
		if news := c.await(deadline); news != 0 {
			return news
		}
		c.silent = false
	}
	c.watch.Do(func() { news = c.next(read, placed, deadline) })
	return news
}

// await waits for something else than output. It returns nothing when there is output, or something that it
// leaves to next.
func (c *ordered) await(deadline time.Time) (news Event) {
	for {
		ready, err := c.poll(-1, deadline)
		if err != nil {
			return 0
		}
		for i := range c.pipes {
			switch {
			case ready.pipes[i]&^unix.POLLHUP != 0 || ready.exit && c.pipes[i].waiting() > 0:
				return 0
			case ready.pipes[i] != 0:
				c.watch.Forget(c.pipes[i].stream)
				closeFD(&c.pipes[i].read)
			}
		}
		if ready.exit {
			c.exit = -1
			news = Exited
		}
		if news |= c.lasting(ready); news == 0 && ready.expired {
			news = Expired
		}
		if news != 0 {
			return news
		}
	}
}

// next is Next on the thread that hears of writes.
func (c *ordered) next(read, placed Sink, deadline time.Time) Event {
	c.read = read
	for {
		wake := deadline
		if !c.until.IsZero() && (deadline.IsZero() || c.until.Before(deadline)) {
			wake = c.until
		}
		ready, err := c.poll(c.watch.FD(), wake)
		if err != nil {
			c.flush(placed)
			for _, p := range c.pipes {
				c.watch.Remove(p.stream)
			}
			return c.abandon()
		}
		c.ready = ready.pipes
		if ready.told || ready.pipes != [2]int16{} {
			if read := c.gather(placed); c.heard > 0 && read < little && !ready.exit {
				c.rest()
			}
		} else if ready.expired && !c.until.IsZero() && !time.Now().Before(c.until) {
			c.flush(placed) // nothing has come that would tell more
		}
		var news Event
		if ready.exit {
			c.gatherRest(placed)
			c.exit = -1
			news |= Exited
		}
		news |= c.lasting(ready)
		if news == 0 && ready.expired && !deadline.IsZero() && !time.Now().Before(deadline) {
			news = Expired
		}
		if news != 0 {
			c.flush(placed)
			return news
		}
	}
}

// gather takes what is there and places what can be placed.
func (c *ordered) gather(placed Sink) (read int) {
	c.heard = 0
	held, read := c.window.Gather(c, writeorder.Sink(placed))
	if c.watch.Lost {
		read += c.resume(placed)
		held = false
	}
	switch {
	case !held:
		c.until = time.Time{}
	case c.window.Unfinished():
		c.until = time.Now().Add(lineGrace)
	default:
		c.until = time.Now().Add(doubtGrace)
	}
	return read
}

// gatherRest takes everything that is in the pipes now, and little more when somebody goes on writing.
func (c *ordered) gatherRest(placed Sink) {
	there := 0
	for i := range c.pipes {
		there += c.pipes[i].waiting()
		c.ready[i] |= unix.POLLIN
	}
	for there > 0 {
		n := c.gather(placed)
		if there -= n; n > 0 {
			continue
		}
		if c.pipes[0].waiting()+c.pipes[1].waiting() == 0 {
			return
		}
		c.flush(placed) // it was the window that had no room
	}
}

// resume goes on after announcements have been lost: with the order of arrival until nothing is queued any
// more. It returns how many bytes it has read.
func (c *ordered) resume(placed Sink) (read int) {
	for range 64 {
		c.watch.Lost = false
		c.window.Lose()
		for i := range c.ready {
			c.ready[i] |= unix.POLLIN
		}
		n := c.Read(&c.window)
		read += n
		c.flush(placed)
		if heard, all := c.Listen(&c.window); heard == 0 && all && n == 0 && !c.watch.Lost {
			break
		}
	}
	c.window.Lose()
	c.watch.Lost = false
	return read
}

// rest lets a program that writes little and often get on, which it does faster when nobody is woken by every
// write.
func (c *ordered) rest() {
	fds := []unix.PollFd{{Fd: int32(c.exit), Events: unix.POLLIN}, {Fd: int32(c.wakeRead), Events: unix.POLLIN}}
	pause := unix.NsecToTimespec(int64(resting))
	unix.Ppoll(fds, &pause, nil)
}

// flush places everything that has been read.
func (c *ordered) flush(placed Sink) {
	c.window.Flush(writeorder.Sink(placed))
	c.until = time.Time{}
}

// Listen and Read make it a writeorder.Source.

func (c *ordered) Listen(w *writeorder.Window) (n int, all bool) {
	n, all = c.watch.Listen(w.Wants(), w.Announce)
	n += c.aside
	c.heard, c.aside = c.heard+n, 0
	return n, all
}

func (c *ordered) Read(w *writeorder.Window) (total int) {
	for i := range c.pipes {
		p := &c.pipes[i]
		if p.read < 0 || c.ready[i] == 0 && !w.Announced(p.stream) {
			continue
		}
		over := c.ready[i]&unix.POLLHUP != 0
		c.ready[i] = 0
		if over && p.waiting() == 0 {
			c.end(p) // without taking a buffer for nothing
			continue
		}
		total += c.fill(w, i)
	}
	return total
}

// fill reads from one pipe as much as there is room for.
func (c *ordered) fill(w *writeorder.Window, i int) (total int) {
	p := &c.pipes[i]
	w.Left(p.stream, 0)
	for {
		room := w.Room(p.stream)
		if len(room) == 0 {
			if left := p.waiting(); left > 0 {
				w.Left(p.stream, left)
				c.ready[i] = unix.POLLIN // to be asked again
			}
			return total
		}
		// Until there is no more, also after a short read: the end must be known by the time its announcement is
		// there, or that would pass for a write's.
		n, err := readSome(p.read, room)
		switch {
		case n > 0:
			c.read(p.stream, w.Filled(p.stream, n))
			total += n
		case err == unix.EAGAIN:
			return total
		default:
			c.end(p)
			return total
		}
	}
}

// end closes a pipe that has come to its end, which has been announced as if it were a write.
func (c *ordered) end(p *pipe) {
	n, _ := c.watch.Listen(math.MaxInt, c.window.Announce) // all there are: the number means another file soon
	c.aside += n
	c.window.Retract(p.stream)
	c.watch.Forget(p.stream)
	closeFD(&p.read)
}

func (c *ordered) Detach(sink Sink) *Rest {
	c.stop()
	return c.arrival.Detach(sink)
}

func (c *ordered) Close() {
	c.stop()
	c.window.Release()
	c.arrival.Close()
}

// stop gives the thread back.
func (c *ordered) stop() {
	if c.watch != nil {
		c.orderer.give(c.watch)
		c.watch = nil
	}
}
