package writeorder

import "math"

// rate is how lines and writes of a stream relate: one of the two numbers is 1. The zero value is not known.
type rate struct {
	lines  int // lines in a write
	writes int // writes that make a line
}

var oneEach = rate{1, 1}

// mostRate is the largest rate that is looked for where it cannot be calculated.
const mostRate = 12

// established is how many writes must have fitted a rate for it to be believed against appearances.
const established = 16

// announces is how many writes the whole lines of t come from at rate r.
func (t *stream) announces(r rate) int {
	if r.lines > 1 {
		return (t.lines + r.lines - 1) / r.lines
	}
	writes := t.lines * r.writes
	if rump := t.rump(r.writes); rump > 0 {
		writes -= r.writes - rump
	}
	return writes
}

// believe notes that so many writes fit r.
func (t *stream) believe(r rate, writes int) {
	if r != t.rate {
		t.rate, t.evidence = r, 0
	}
	t.evidence += writes
}

// reading is one way to understand the lines and the announced writes of a stream.
type reading struct {
	rate rate
	late int // announcements, the first, whose data has been placed already: 0 or 1
	due  int // writes, the last, that have not been announced yet: 0 or 1
	rump int // writes that the first line is made of, when its beginning has been placed already; else 0
	rest int // writes that the unfinished line is made of

	loose bool // the place is certain, the rate is not
}

// How much a reading assumes. Only the relations matter: to take a line for torn by its own program is worse
// than to take a write for one under way; to give up a rate on little evidence costs less than that, and on much
// evidence as much as anything; and between two simple explanations the simplest rate wins. The simulation in
// the tests is what they were tried with.
const (
	doubtOddRate     = 1 // another rate than a line a write
	doubtNewRate     = 3 // another than the last one, on little evidence
	doubtUnderWay    = 4 // a write announced late or still to be announced
	doubtTornLine    = 6 // a line that the program itself has torn
	doubtEstablished = 6 // another rate than the established one

	// margin is by how much less doubtful than any other a reading must be not to be waited with.
	margin = 6
)

func (w *Window) doubt(t *stream, r reading) int {
	d := doubtUnderWay * (r.late + r.due)
	if r.rate != oneEach {
		d += doubtOddRate
	}
	switch {
	case r.rate == t.rate:
	case t.evidence >= established:
		d += doubtEstablished
	case t.evidence > 0:
		d += doubtNewRate
	}
	if last := len(w.order) - 1; r.rest > r.due && last >= 0 && &w.streams[w.order[last].stream()] != t {
		d += doubtTornLine
	}
	return d
}

// read finds the least doubtful reading of t at a moment at which everything has been announced but a write
// under way. It reports whether there is one, and whether no other comes near it.
func (w *Window) read(t *stream, c certainty) (best reading, found, sure bool) {
	sure, t.expected = true, t.lacks()
	least := 0
	consider := func(r reading) {
		t.expected = t.expected || r.due > 0
		d := w.doubt(t, r)
		same := r.rate == best.rate && r.late == best.late
		switch {
		case !found:
			best, least, found = r, d, true
		case d < least:
			sure = sure && (same || least-d >= margin)
			best, least = r, d
		case d-least < margin && !same:
			sure = false
		}
	}
	late, due := 0, 0
	if t.mayBeLate && t.writes > 0 {
		late = 1
	}
	if c != final {
		due = 1
	}
	for l := 0; l <= late; l++ {
		for d := 0; d <= due; d++ {
			for _, r := range t.readings(t.writes - l + d) {
				if r.late, r.due = l, d; r.rate.writes == 1 || w.divisible(t, r) {
					consider(r)
				}
			}
		}
	}
	if found && !sure && t.lines == 1 && !t.partial() && best.due == 0 {
		best.loose = true
		return best, true, true // it goes to the same place, whatever it is made of
	}
	// One line too many can always be of a write of two.
	return best, found, sure && (best.due == 0 || t.evidence >= established)
}

// readings returns the ways in which so many writes make exactly the lines that are there.
func (t *stream) readings(writes int) []reading {
	switch {
	case t.empty():
		if writes == 0 {
			return []reading{{rate: t.believed()}}
		}
		return nil
	case t.partial() || t.broken:
		return t.readingsOfParts(writes)
	case writes > 0 && t.lines%writes == 0:
		return []reading{{rate: rate{t.lines / writes, 1}}}
	case writes > 0 && writes%t.lines == 0:
		return []reading{{rate: rate{1, writes / t.lines}}}
	}
	return nil
}

// readingsOfParts does that when the first line has no beginning here, or the last one no end: an unfinished
// line has at least one write and at most one less than a whole line.
func (t *stream) readingsOfParts(writes int) (fitting []reading) {
	rest := t.pieces() - t.lines
	if writes == t.lines+rest {
		fitting = append(fitting, reading{rate: oneEach, rest: rest})
	}
	for n := 2; n <= mostRate; n++ {
		r := reading{rate: rate{1, n}, rump: t.rump(n)}
		r.rest = writes - n*t.lines
		if r.rump > 0 {
			r.rest += n - r.rump
		}
		if r.rest >= rest && r.rest <= rest*(n-1) {
			fitting = append(fitting, r)
		}
	}
	return fitting
}

// rump is how many of the n writes of a line are taken to have its end when its beginning has been placed.
func (t *stream) rump(n int) int {
	if t.broken && t.lines > 0 {
		return n - 1
	}
	return 0
}

// believed is the rate to go by when nothing else is known.
func (t *stream) believed() rate {
	if t.rate == (rate{}) {
		return oneEach
	}
	return t.rate
}

// divisible reports whether the groups of t can be made of whole lines by r. The first one may begin with what came
// late and with a rump; the last one may end with an unfinished line, or with a write that is missing.
func (w *Window) divisible(t *stream, r reading) bool {
	skip, odd := r.late+r.rump, false
	for _, g := range w.order {
		if &w.streams[g.stream()] != t {
			continue
		}
		if odd {
			return false // it was not the last
		}
		n := min(skip, g.writes())
		skip -= n
		odd = (g.writes()-n)%r.rate.writes != 0
	}
	return !odd || r.rest > 0 || r.due > 0
}

// likelyRate is, while writes go on, the last rate known if it fits, or else the smallest that does.
func (t *stream) likelyRate() (rate, bool) {
	if t.rate != (rate{}) && t.fits(t.rate) {
		return t.rate, true
	}
	for n := 1; n <= mostRate; n++ {
		for _, r := range []rate{{1, n}, {n, 1}} {
			if t.fits(r) {
				return r, true
			}
		}
	}
	return oneEach, false
}

// fits reports whether the lines can be those of the writes at rate r, when all that are marked have
// their data here, those since may have, and some may be under way.
func (t *stream) fits(r rate) bool {
	most := t.writes + mostUnderWay
	if r.writes > 1 {
		begun := 0 // writes of the first line that have been placed
		if t.broken {
			begun = 1
		}
		return (t.marked+begun)/r.writes <= t.lines && t.lines <= (most+begun)/r.writes
	}
	return t.marked*r.lines <= t.lines+(t.pieces()-t.lines)*r.lines && t.lines <= most*r.lines
}

// estimate is the rate nearest to what the writes and the lines come to, if the bytes that there was no room for
// are in lines of the same length.
func (t *stream) estimate() rate {
	if t.lines == 0 || t.writes == 0 {
		return t.believed()
	}
	have := float64(len(t.data()))
	lines := float64(t.lines) * (have + float64(t.left)) / have
	if writes := float64(t.writes); writes > lines {
		return rate{1, int(math.Round(writes / lines))}
	}
	return rate{int(math.Round(lines / float64(t.writes))), 1}
}
