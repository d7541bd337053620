package writeorder

import "github.com/responses-as-code/gg/shell/policy"

// match places what both streams have written.
func (w *Window) match(sink Sink, c certainty) {
	readings, found, sure := w.understandBoth(c)
	switch {
	case found && (sure || w.must(c)):
		before := w.writes
		w.placeByRate(sink, readings, c)
		if c != final && (w.writes < before || !w.must(c)) {
			return // what is left is waited for
		}
	case !w.must(c) && (c.isBusy() || found || w.writes < largeWrites && (w.streams[policy.Stdout].lacks() || w.streams[policy.Stderr].lacks())):
		return // it will settle, or grow until its rates can be told, or until nothing comes any more
	}
	w.placeByShare(sink, c)
}

// understandBoth finds a reading for each stream. It reports whether there is one for both, and whether both are
// sure.
func (w *Window) understandBoth(c certainty) (readings [2]reading, found, sure bool) {
	sure = true
	for i := range w.streams {
		if t := &w.streams[i]; !t.idle() {
			r, ok, clearly := w.understand(t, c)
			if !ok {
				return readings, false, false
			}
			readings[i], sure = r, sure && clearly
		}
	}
	return readings, true, sure
}

// understand finds out how the lines of t and its announced writes belong together: whether that has been found, and
// whether it could not be otherwise. There are three ways:
//
//	settled, final, or everything marked   a reading that explains all there is: see read
//	busy                                   a rate that is possible, given what is not known: see likelyRate
//	busyFull, busyUnheard                  the established rate, or a guess: see estimate
func (w *Window) understand(t *stream, c certainty) (r reading, found, sure bool) {
	switch {
	case c == busyFull || c == busyUnheard:
		r.rate = t.rate
		if t.evidence < established {
			r.rate = t.estimate()
		}
		r.rump = t.rump(r.rate.writes)
		return r, true, true
	case c == busy && t.marked < t.writes:
		r.rate, found = t.likelyRate()
		r.rump = t.rump(r.rate.writes)
		// So much must be known, and so little not, that one rate can be told from another.
		return r, found, found && t.marked >= established && t.marked >= t.writes-t.writes/4
	}
	return w.read(t, c)
}

// placeByRate places lines by the rates of the streams, up to the first write whose data is not complete.
func (w *Window) placeByRate(sink Sink, readings [2]reading, c certainty) {
	for i, r := range readings {
		t := &w.streams[i]
		w.drop(policy.Stream(i), r.late)
		switch {
		case r.loose:
			t.mayBeLate = true
		case t.writes > 0 && c != busyFull && c != busyUnheard: // where they are, nothing has been proved
			t.believe(r.rate, t.writes)
		}
	}
	for i, g := range w.order {
		s, writes := g.stream(), g.writes()
		t, r := &w.streams[s], &readings[s]
		if r.rump > 0 && writes >= r.rump && t.lines > 0 {
			w.emitLines(sink, s, 1)
			writes -= r.rump
			r.rump = 0
		}
		n := min(writes/r.rate.writes, t.lines/r.rate.lines) // of lines, or of writes of several
		w.emitLines(sink, s, n*r.rate.lines)
		writes -= n * r.rate.writes
		w.forget(s, g.writes()-writes)
		w.order[i] = groupOf(s, writes)
		if writes > 0 {
			w.order = append(w.order[:0], w.order[i:]...)
			return
		}
	}
	w.order = w.order[:0]
}
