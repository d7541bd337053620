package writeorder

import (
	"bytes"

	"github.com/responses-as-code/gg/shell/policy"
)

// match places what both streams have written.
func (w *Window) match(sink Sink, c Certainty) {
	switch found, sure := w.findRates(c); {
	case found && (sure || w.must(c)):
		before := w.writes
		w.placeByRate(sink)
		if c != Final && (w.writes < before || !w.must(c)) {
			return // what is left is waited for
		}
	case !w.must(c) && (c == Busy || found):
		return // it will settle, or grow until its rates can be told
	}
	w.placeByShare(sink)
}

// findRates finds the rate of each stream and takes late announcements out. It reports whether there are rates
// that fit, and whether no others do.
func (w *Window) findRates(c Certainty) (found, sure bool) {
	var readings [2]reading
	sure = true
	for i := range w.streams {
		t := &w.streams[i]
		if t.idle() {
			continue
		}
		r, ok, clearly := w.understand(t, c)
		if !ok {
			return false, false
		}
		readings[i], sure = r, sure && clearly
	}
	if !sure && !w.must(c) {
		return true, false
	}
	for i, r := range readings {
		t := &w.streams[i]
		w.drop(policy.Stream(i), r.late)
		t.first = r.rump
		if t.writes > 0 {
			t.believe(r.rate, t.writes)
		}
	}
	return true, sure
}

// understand finds what is known of t and how to go by it: how its lines and its writes belong together, whether
// that has been found, and whether it could not be otherwise.
func (w *Window) understand(t *stream, c Certainty) (r reading, found, sure bool) {
	if c == Busy && w.cut { // the numbers tell little
		r.rate = t.rate
		if t.evidence < established {
			r.rate = t.estimate()
		}
		r.rump = t.rump(r.rate.writes)
		return r, true, true
	}
	if c != Busy || t.marked == t.writes {
		return w.read(t)
	}
	r.rate, found = t.likelyRate()
	r.rump = t.rump(r.rate.writes)
	// So much must be known, and so little not, that one rate can be told from another.
	return r, found, found && t.marked >= established && t.marked >= t.writes-t.writes/4
}

// placeByRate places lines by the rates of the streams, up to the first write whose data is not complete.
func (w *Window) placeByRate(sink Sink) {
	for i, g := range w.order {
		s, writes := g.stream(), g.writes()
		t := &w.streams[s]
		if t.first > 0 && writes >= t.first && t.lines > 0 {
			w.emitLines(sink, s, 1)
			writes -= t.first
			t.first = 0
		}
		n := min(writes/t.rate.writes, t.lines/t.rate.lines) // of lines, or of writes of several
		w.emitLines(sink, s, n*t.rate.lines)
		writes -= n * t.rate.writes
		w.forget(s, g.writes()-writes)
		w.order[i] = groupOf(s, writes)
		if writes > 0 {
			w.order = append(w.order[:0], w.order[i:]...)
			return
		}
	}
	w.order = w.order[:0]
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
