package writeorder

import (
	"bytes"

	"github.com/responses-as-code/gg/shell/policy"
)

// WindowBytes is how many bytes of one stream a Window holds: as many as one read takes.
const WindowBytes = 64 << 10

// Sink takes output in the order of the writes. b is valid until the call returns.
type Sink func(s policy.Stream, b []byte)

// Certainty is what is known about the announcements when output is placed.
type Certainty uint8

const (
	// Busy: writes are going on. The announcements that came before the last Mark have their data in
	// the Window; those since may not have, and data may be there that has not been announced.
	Busy Certainty = iota

	// Settled: no announcement has come since the data was read. What is missing are writes that are under
	// way at this moment.
	Settled

	// Final: nothing more is waited for, all goes out.
	Final
)

// Window holds the output that has been read and not been placed, and the announced writes it came from. It
// is pure: nothing in it knows of pipes or signals. The zero value is empty.
type Window struct {
	streams [2]stream
	order   []group // announced writes that have not been placed, first to last
	writes  int     // in order
	cut     bool    // there are announcements or data that have not been taken in for want of room
	unheard bool    // and it is announcements
}

// group is writes to one stream that follow each other: their number, negative for standard error.
type group int32

func groupOf(s policy.Stream, writes int) group {
	if s == policy.Stderr {
		return group(-writes)
	}
	return group(writes)
}

func (g group) stream() policy.Stream {
	if g < 0 {
		return policy.Stderr
	}
	return policy.Stdout
}

func (g group) writes() int {
	if g < 0 {
		return int(-g)
	}
	return int(g)
}

// stream is one stream's side of the Window.
type stream struct {
	buf      []byte // what has not been placed is buf[from:to]
	from, to int
	lines    int  // line ends in it
	broken   bool // the first line has no beginning here: it has been placed
	first    int  // how many writes that line takes; 0: as many as any other
	writes   int  // announced writes in order
	marked   int  // those of them that had been announced at the last Mark
	left     int  // bytes there was no room for
	late     int  // writes whose data may have been placed before they were announced
	owed     int  // writes whose data was
	rate     rate // as it was when it could be told last
	evidence int  // writes that fitted it in a row
}

func (s *stream) data() []byte { return s.buf[s.from:s.to] }

func (s *stream) empty() bool { return s.from == s.to }

// partial reports whether the last line has no end yet.
func (s *stream) partial() bool { return !s.empty() && s.buf[s.to-1] != '\n' }

// pieces is how many lines there are, an unfinished one included.
func (s *stream) pieces() int {
	if s.partial() {
		return s.lines + 1
	}
	return s.lines
}

// idle reports whether nothing is known of the stream.
func (s *stream) idle() bool { return s.empty() && s.writes == 0 }

// Announce notes that a write to s was made, after all that were announced before.
func (w *Window) Announce(s policy.Stream) {
	if t := &w.streams[s]; t.owed > 0 {
		t.owed--
		return
	}
	w.writes++
	w.streams[s].writes++
	w.order = join(w.order, groupOf(s, 1))
}

// join appends g, to the last group if that is of the same stream.
func join(order []group, g group) []group {
	last := len(order) - 1
	switch {
	case g == 0:
	case last >= 0 && order[last].stream() == g.stream():
		order[last] += g
	default:
		order = append(order, g)
	}
	return order
}

// Retract takes back the last announcement of s: the end of a stream is announced like a write.
func (w *Window) Retract(s policy.Stream) {
	for i := len(w.order) - 1; i >= 0; i-- {
		if w.order[i].stream() == s {
			behind := w.order[i+1:]
			w.order = join(w.order[:i], groupOf(s, w.order[i].writes()-1))
			for _, g := range behind {
				w.order = join(w.order, g)
			}
			w.forget(s, 1)
			return
		}
	}
}

// forget accounts for n writes of s that are not in order any more.
func (w *Window) forget(s policy.Stream, n int) {
	w.writes -= n
	w.streams[s].writes -= n
	w.streams[s].marked = max(0, w.streams[s].marked-n)
}

// Lose drops every announcement: some are known to be missing, and the others say nothing without them.
func (w *Window) Lose() {
	w.order, w.writes = w.order[:0], 0
	for i := range w.streams {
		w.streams[i].writes, w.streams[i].marked, w.streams[i].late, w.streams[i].owed = 0, 0, 0, 0
	}
}

// Announced reports whether a write to s has been announced and not been placed.
func (w *Window) Announced(s policy.Stream) bool { return w.streams[s].writes > 0 }

// Unfinished reports whether nothing is waited for but the rest of a line: all that is there has been
// announced.
func (w *Window) Unfinished() bool {
	for i := range w.streams {
		if t := &w.streams[i]; t.pieces() > t.writes {
			return false
		}
	}
	return len(w.order) > 0 && w.streams[w.order[0].stream()].lines == 0
}

// mark notes that the data of everything announced so far is there to be read.
func (w *Window) mark() {
	for i := range w.streams {
		w.streams[i].marked = w.streams[i].writes
	}
}

// Room returns where the next bytes of s are to be read into; empty when the Window has no room.
func (w *Window) Room(s policy.Stream) []byte {
	t := &w.streams[s]
	if t.buf == nil {
		t.buf = buffers.Get().(*[WindowBytes]byte)[:]
	}
	if t.from > 0 && (t.empty() || t.to == len(t.buf)) {
		t.to = copy(t.buf, t.data())
		t.from = 0
	}
	return t.buf[t.to:]
}

// Filled tells that the first n bytes of Room are the next of s, and returns them.
func (w *Window) Filled(s policy.Stream, n int) []byte {
	t := &w.streams[s]
	b := t.buf[t.to : t.to+n]
	t.to += n
	t.lines += bytes.Count(b, newline)
	return b
}

var newline = []byte{'\n'}

// Left tells how many bytes of s there was no room for.
func (w *Window) Left(s policy.Stream, bytes int) { w.streams[s].left = bytes }

// full reports whether one of the streams has no room left.
func (w *Window) full() bool {
	return len(w.streams[policy.Stdout].data()) == WindowBytes || len(w.streams[policy.Stderr].data()) == WindowBytes
}

// Wants is how many more announcements are of use now. Those that are not taken stay in the kernel's queue.
func (w *Window) Wants() int { return mostWrites - w.writes }

// mostWrites bounds the announcements that are kept: 4 bytes each, or less where several of a stream follow each
// other. A user may have some tens of thousands of signals queued (RLIMIT_SIGPENDING), all of his processes together.
const mostWrites = 1 << 16

// large reports whether enough is known to place some of it while writes are going on.
func (w *Window) large() bool { return w.writes >= largeWrites || w.must(Busy) }

// largeWrites is how many writes are collected before it is worth while to look at them.
const largeWrites = 64

// must reports whether something has to be placed, whatever is known.
func (w *Window) must(c Certainty) bool {
	return c == Final || w.Wants() <= 0 ||
		len(w.streams[policy.Stdout].data()) >= WindowBytes/2 || len(w.streams[policy.Stderr].data()) >= WindowBytes/2
}

// Place passes what can be placed to sink. It reports whether something is held back: an unfinished line, or
// what cannot be told without announcements that are still to come.
func (w *Window) Place(sink Sink, c Certainty) (held bool) {
	out, err := &w.streams[policy.Stdout], &w.streams[policy.Stderr]
	switch {
	case c == Busy && !w.large():
	case c == Busy && w.unheard: // also of a stream that seems to be idle
		w.match(sink, c)
	case err.idle():
		w.straight(sink, policy.Stdout, c)
	case out.idle():
		w.straight(sink, policy.Stderr, c)
	default:
		w.match(sink, c)
	}
	if c == Final {
		w.clear()
	}
	return !out.empty() || !err.empty()
}

// clear forgets announcements whose data went with others.
func (w *Window) clear() {
	w.order, w.writes = w.order[:0], 0
	for i := range w.streams {
		w.streams[i].writes, w.streams[i].marked = 0, 0
	}
}

// straight places what has come of s, the other stream having written nothing.
func (w *Window) straight(sink Sink, s policy.Stream, c Certainty) {
	t := &w.streams[s]
	if t.empty() {
		if c == Settled {
			w.drop(s, t.writes) // their data was placed ahead
			t.late = 0
		}
		return
	}
	held := 0
	if c != Final {
		held = len(t.data()) - 1 - bytes.LastIndexByte(t.data(), '\n')
		if held > longestHeld {
			held = 0
		}
	}
	r, found, sure := w.understand(t, c)
	if !sure && !w.must(c) && (found || c == Busy) {
		return // what is said next will tell
	}
	var told int // the writes whose data is placed now
	switch {
	case !found:
		told = t.writes - min(held, 1)
		t.evidence = 0
		t.placedAhead(0)
	case c == Busy && t.marked < t.writes:
		t.believe(r.rate, t.marked)
		told = max(t.announces(r.rate), t.marked-min(held, 1))
		t.placedAhead(told - t.writes)
	default:
		t.believe(r.rate, t.writes)
		kept := min(r.rest, held) // writes of the unfinished line
		told = t.writes + r.due - kept
		t.placedAhead(told - t.writes)
	}
	w.emit(sink, s, len(t.data())-held)
	w.drop(s, told)
}

// placedAhead notes that the data of n writes has been placed that have not been announced. As long as the rate
// is not established, one more may be among them.
func (t *stream) placedAhead(n int) {
	t.late = 1
	if n > 0 && n <= mostUnderWay {
		t.owed = n
	}
}

// longestHeld is how much of an unfinished line is held back. Nothing that long is read as a line by
// anybody, and copying it around would cost more than it is worth.
const longestHeld = 16 << 10

// mostUnderWay is how many writes to one stream are thought possible between their data and their
// announcement: one for each process that writes at the same time.
const mostUnderWay = 2

// emit places the next n bytes of s.
func (w *Window) emit(sink Sink, s policy.Stream, n int) {
	t := &w.streams[s]
	if n == 0 {
		return
	}
	b := t.buf[t.from : t.from+n]
	t.from += n
	t.broken = b[n-1] != '\n'
	if t.empty() {
		t.lines = 0
	} else {
		t.lines -= bytes.Count(b, newline)
	}
	sink(s, b)
}

// drop takes the first n announced writes of s out of the order.
func (w *Window) drop(s policy.Stream, n int) {
	n = max(0, min(n, w.streams[s].writes))
	w.forget(s, n)
	kept := w.order[:0]
	for _, g := range w.order {
		if g.stream() == s && n > 0 {
			k := min(n, g.writes())
			g = groupOf(s, g.writes()-k)
			n -= k
		}
		kept = join(kept, g)
	}
	w.order = kept
}

// Release gives the buffers back. The Window is empty afterwards.
func (w *Window) Release() {
	for i := range w.streams {
		if b := w.streams[i].buf; b != nil {
			buffers.Put((*[WindowBytes]byte)(b))
		}
	}
	*w = Window{}
}
