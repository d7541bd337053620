package writeorder

import (
	"bytes"
	"sync"

	"github.com/responses-as-code/gg/shell/policy"
)

// WindowBytes is how many bytes of one stream a Window holds, and so the most that one read takes.
const WindowBytes = 128 << 10

// buffers are shared by the commands of the process: a stream takes one with its first byte.
var buffers = sync.Pool{New: func() any { return new([WindowBytes]byte) }}

// Sink takes output in the order of the writes. b is valid until the call returns.
type Sink func(s policy.Stream, b []byte)

// Window holds the output that has been read and not been placed, and the announced writes it came from. It
// is pure: nothing in it knows of pipes or signals. The zero value is empty.
type Window struct {
	streams [2]stream
	order   []group // announced writes that have not been placed, first to last
	writes  int     // in order

	// What was settled and could not be placed waits for the next announcement, which tells whether a write was
	// under way: a program does not write to the other stream before that.
	held  bool
	later []group // announced since
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

// stream is one stream's side of the Window.
type stream struct {
	buf       []byte // what has not been placed is buf[from:to]
	from, to  int
	lines     int // line ends in buf[from:counted]
	counted   int
	broken    bool // the first line has no beginning here: it has been placed
	writes    int  // announced writes in order
	marked    int  // those of them whose data has been read, as far as there was room
	left      int  // bytes there was no room for
	mayBeLate bool // the first announcement may be of data that has been placed
	owed      int  // so many of the next announcements are
	expected  bool // when held: the next announcement may be of data that is here, or of the rest of its line
	rate      rate // as it was when it could be told last
	evidence  int  // writes that fitted it in a row
}

func (t *stream) data() []byte { return t.buf[t.from:t.to] }

func (t *stream) empty() bool { return t.from == t.to }

// partial reports whether the last line has no end yet.
func (t *stream) partial() bool { return !t.empty() && t.buf[t.to-1] != '\n' }

// pieces is how many lines there are, an unfinished one included.
func (t *stream) pieces() int {
	if t.partial() {
		return t.lines + 1
	}
	return t.lines
}

// lacks reports whether something is missing of what is here: the end of a line, or an announcement.
func (t *stream) lacks() bool { return t.partial() || t.pieces() > t.writes }

// idle reports whether there is nothing of the stream to place.
func (t *stream) idle() bool { return t.empty() && t.writes == 0 }

// Announce notes that a write to s was made, after all that were announced before.
func (w *Window) Announce(s policy.Stream) {
	t := &w.streams[s]
	if t.owed > 0 {
		t.owed--
		return
	}
	if w.held {
		w.later = join(w.later, groupOf(s, 1))
		return
	}
	w.add(groupOf(s, 1))
}

// add puts a group behind the others.
func (w *Window) add(g group) {
	w.writes += g.writes()
	w.streams[g.stream()].writes += g.writes()
	w.order = join(w.order, g)
}

// resume goes on with what was held. If the first announcement since is of a stream that nothing more was expected
// of, nothing was under way, and what was held is complete.
func (w *Window) resume(sink Sink) {
	if !w.held {
		return
	}
	w.held = false
	if len(w.later) > 0 && !w.streams[w.later[0].stream()].expected {
		w.place(sink, final)
		w.held = false
	}
	for _, g := range w.later {
		w.add(g)
	}
	w.later = w.later[:0]
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

// drop takes the first n announced writes of s out of the order.
func (w *Window) drop(s policy.Stream, n int) {
	n = max(0, min(n, w.streams[s].writes))
	if n == 0 {
		return
	}
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

// Lose drops every announcement: some are known to be missing, and the others say nothing without them.
func (w *Window) Lose() {
	w.order, w.writes, w.later, w.held = w.order[:0], 0, w.later[:0], false
	for i := range w.streams {
		t := &w.streams[i]
		t.writes, t.marked, t.owed, t.mayBeLate = 0, 0, 0, false
	}
}

// Announced reports whether a write to s has been announced and not been placed.
func (w *Window) Announced(s policy.Stream) bool { return w.streams[s].writes > 0 }

// Wants is how many more announcements are of use now. Those that are not taken stay in the kernel's queue.
func (w *Window) Wants() int { return mostWrites - w.writes }

// mostWrites bounds the announcements that are kept: 4 bytes each, or less where several of a stream follow each
// other. A user may have some tens of thousands of signals queued (RLIMIT_SIGPENDING), all of his processes together.
const mostWrites = 1 << 16

// mark notes that the data of everything announced so far can be read now.
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
		t.from, t.counted = 0, t.counted-t.from
	}
	return t.buf[t.to:]
}

// Filled tells that the first n bytes of Room are the next of s, and returns them.
func (w *Window) Filled(s policy.Stream, n int) []byte {
	t := &w.streams[s]
	b := t.buf[t.to : t.to+n]
	t.to += n
	return b
}

// count brings the lines up to date.
func (t *stream) count() {
	t.lines += bytes.Count(t.buf[t.counted:t.to], newline)
	t.counted = t.to
}

var newline = []byte{'\n'}

// Left tells how many bytes of s there was no room for.
func (w *Window) Left(s policy.Stream, bytes int) { w.streams[s].left = bytes }

// full reports whether one of the streams has no room left.
func (w *Window) full() bool {
	return len(w.streams[policy.Stdout].data()) == WindowBytes || len(w.streams[policy.Stderr].data()) == WindowBytes
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
