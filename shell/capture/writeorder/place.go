package writeorder

import (
	"bytes"

	"github.com/responses-as-code/gg/shell/policy"
)

// certainty is what is known of the announcements when output is placed.
type certainty uint8

const (
	// busy: writes are going on. What is marked has its data here; what has been announced since may have, and
	// data may be here that has not been announced.
	busy certainty = iota

	// busyFull: the same, but data was left in a pipe for want of room: how many lines and writes there are says
	// little.
	busyFull

	// busyUnheard: the same, but announcements were left in the queue. A stream that seems to be idle need not be.
	busyUnheard

	// settled: no announcement has come since the data was read. What is missing are writes that are under
	// way at this moment.
	settled

	// final: nothing more is waited for, all goes out, and no write is thought to be under way.
	final
)

func (c certainty) isBusy() bool { return c <= busyUnheard }

// Flush passes everything to sink that has not been placed: nothing more is waited for.
func (w *Window) Flush(sink Sink) {
	w.place(sink, final)
	w.Lose()
	for i := range w.streams {
		w.streams[i].mayBeLate = true // after all, if a write was under way
	}
}

// place passes what can be placed to sink. It reports whether there is something to wait for: the rest of a line,
// or announcements without which something cannot be told.
func (w *Window) place(sink Sink, c certainty) (waiting bool) {
	out, err := &w.streams[policy.Stdout], &w.streams[policy.Stderr]
	if c != busyUnheard && (err.idle() && w.blocks(sink, policy.Stdout, c) || out.idle() && w.blocks(sink, policy.Stderr, c)) {
		return !out.empty() || !err.empty()
	}
	out.count()
	err.count()
	switch {
	case c.isBusy() && !w.large():
	case c == busyUnheard:
		w.match(sink, c)
	case err.idle():
		w.straight(sink, policy.Stdout, c)
	case out.idle():
		w.straight(sink, policy.Stderr, c)
	default:
		w.match(sink, c)
	}
	return !out.empty() || !err.empty() || out.owed+err.owed > 0
}

// large reports whether enough has been collected to place some of it while writes are going on.
func (w *Window) large() bool { return w.writes >= largeWrites || w.must(busy) }

// largeWrites is how many writes are collected before it is worth while to look at them.
const largeWrites = 64

// must reports whether something has to be placed, whatever is known.
func (w *Window) must(c certainty) bool {
	return c == final || w.Wants() <= 0 ||
		len(w.streams[policy.Stdout].data()) >= WindowBytes/2 || len(w.streams[policy.Stderr].data()) >= WindowBytes/2
}

// straight places what has come of s, the other stream having written nothing.
func (w *Window) straight(sink Sink, s policy.Stream, c certainty) {
	t := &w.streams[s]
	if t.empty() {
		if c == settled {
			w.drop(s, t.writes) // their data has been placed
			t.mayBeLate = false
		}
		return
	}
	held := 0
	if c != final {
		held = len(t.data()) - 1 - bytes.LastIndexByte(t.data(), '\n')
		if held > longestHeld {
			held = 0
		}
	}
	r, found, sure := w.understand(t, c)
	if !sure && !w.must(c) && (found || c.isBusy()) {
		return // what is said next will tell
	}
	told := t.told(r, found, c, held > 0)
	w.emit(sink, s, len(t.data())-held)
	t.mayBeLate = true
	if due := told - t.writes; due > 0 && due <= mostUnderWay && c != final {
		t.owed = due
	}
	w.drop(s, told)
}

// blocks places what has come of s, the other stream having written nothing, if it is so much and in such writes
// that nobody needs to know its lines.
func (w *Window) blocks(sink Sink, s policy.Stream, c certainty) bool {
	t := &w.streams[s]
	size := len(t.data())
	if c == final || size < WindowBytes/2 || size < t.writes*blockBytes {
		return false
	}
	held := size - 1 - bytes.LastIndexByte(t.data(), '\n')
	if held > longestHeld {
		held = 0
	}
	told := t.writes * size / (size + t.left)
	w.emit(sink, s, size-held)
	w.drop(s, told-min(held, 1))
	t.mayBeLate, t.evidence, t.expected = true, 0, held > 0
	return true
}

// longestHeld is how much of an unfinished line is held back. Nothing that long is read as a line by
// anybody, and copying it around would cost more than it is worth.
const longestHeld = 16 << 10

// mostUnderWay is how many writes to one stream are thought possible between their data and their
// announcement: one for each process that writes at the same time.
const mostUnderWay = 2

// told is how many announcements, some perhaps still to come, belong to the data of a stream that is alone, but for
// its unfinished line if that is held.
func (t *stream) told(r reading, found bool, c certainty, held bool) int {
	rest := 0
	if held {
		rest = 1
	}
	switch {
	case c == busyFull:
		if found && t.evidence >= established {
			return t.announces(r.rate)
		}
		return t.writes * len(t.data()) / (len(t.data()) + t.left) // the others are of what was left
	case !found:
		t.evidence = 0
		return t.writes - rest
	case c == busy && t.marked < t.writes:
		t.believe(r.rate, t.marked)
		return max(t.announces(r.rate), t.marked-rest)
	}
	if !r.loose {
		t.believe(r.rate, t.writes)
	}
	if held {
		rest = r.rest
	}
	return t.writes + r.due - rest
}

// emit places the next n bytes of s.
func (w *Window) emit(sink Sink, s policy.Stream, n int) {
	t := &w.streams[s]
	if n == 0 {
		return
	}
	b := t.buf[t.from : t.from+n]
	t.from += n
	t.broken = b[n-1] != '\n'
	t.lines, t.counted = 0, t.from
	t.count()
	sink(s, b)
}

// emitLines places the next n lines of s, all that is left if there are fewer.
func (w *Window) emitLines(sink Sink, s policy.Stream, n int) {
	t := &w.streams[s]
	if n <= 0 {
		return
	}
	if n >= t.pieces() {
		w.emit(sink, s, len(t.data()))
		return
	}
	b := t.data()
	size := 0
	for range n {
		size += bytes.IndexByte(b[size:], '\n') + 1
	}
	t.from += size
	t.lines -= n
	t.broken = false
	sink(s, b[:size])
}
