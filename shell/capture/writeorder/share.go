package writeorder

import (
	"bytes"

	"github.com/responses-as-code/gg/shell/policy"
)

// placeByShare places everything, where lines and writes are not in one proportion: the lines of each stream
// are shared out among its groups, and no group ends within a line.
func (w *Window) placeByShare(sink Sink) {
	var shares [2][]int // the lines of each group of a stream
	for i := range w.streams {
		t := &w.streams[i]
		shares[i] = w.share(t)
		if !t.empty() {
			t.placedAhead(t.pieces() - t.writes)
		}
	}
	for _, g := range w.order {
		s := g.stream()
		if len(shares[s]) == 1 { // the last one has the rest
			w.emit(sink, s, len(w.streams[s].data()))
		} else {
			w.emitLines(sink, s, shares[s][0])
		}
		shares[s] = shares[s][1:]
	}
	for i := range w.streams {
		w.emit(sink, policy.Stream(i), len(w.streams[i].data()))
	}
	w.clear()
}

// share returns how many lines each group of t takes.
func (w *Window) share(t *stream) []int {
	var groups []int // their writes
	n := t.believed().writes
	even := n > 1 && t.writes == t.pieces()*n
	for _, g := range w.order {
		if &w.streams[g.stream()] == t {
			groups = append(groups, g.writes())
			even = even && g.writes()%n == 0
		}
	}
	pieces, writes := t.pieces(), t.writes
	switch {
	case writes == 0:
	case pieces <= len(groups):
		for i := range groups {
			groups[i] = 0
			if i < pieces {
				groups[i] = 1
			}
		}
	case even:
		for i := range groups {
			groups[i] /= n
		}
	case pieces < writes:
		shareExtra(groups, writes, pieces)
	case pieces-writes <= mostUnderWay && writes >= 4*mostUnderWay:
		// A write under way, not announced yet, leaves a line for each of the others: spreading one line over all
		// would misplace half of them.
	case pieces%writes != 0 && len(t.data()) >= writes*blockBytes:
		shareBytes(groups, t, writes)
	default:
		shareLines(groups, writes, pieces)
	}
	return groups
}

// shareExtra is for fewer lines than writes: each group has one line, and those of several writes the rest,
// by how many more writes they have. Like the others it makes lines of the writes in groups.
func shareExtra(groups []int, writes, pieces int) {
	extra, weight := pieces-len(groups), writes-len(groups)
	sum, given := 0, 0
	for i, g := range groups {
		sum += g - 1
		upTo := (2*sum*extra + weight) / (2 * weight)
		groups[i] = 1 + upTo - given
		given = upTo
	}
}

// shareLines is for more lines than writes: as evenly as it goes.
func shareLines(groups []int, writes, pieces int) {
	sum, given := 0, 0
	for i, g := range groups {
		sum += g
		upTo := (2*sum*pieces + writes) / (2 * writes)
		groups[i] = upTo - given
		given = upTo
	}
}

// blockBytes is from how many bytes in a write on a program is thought to fill a buffer, whatever lines are in it.
const blockBytes = 1 << 10

// shareBytes is for writes of a buffer each: the same number of bytes for every write, and the rest of the
// line it ends in.
func shareBytes(groups []int, t *stream, writes int) {
	b := t.data()
	sum, at := 0, 0
	for i, g := range groups {
		sum += g
		end := len(b) * sum / writes
		groups[i] = 0
		if end <= at {
			continue
		}
		if n := bytes.IndexByte(b[end-1:], '\n'); n >= 0 {
			end += n
		} else {
			end = len(b)
		}
		groups[i] = bytes.Count(b[at:end], newline)
		at = end
	}
}
