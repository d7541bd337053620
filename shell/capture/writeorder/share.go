package writeorder

import (
	"bytes"

	"github.com/responses-as-code/gg/shell/policy"
)

// placeByShare places everything, where lines and writes are not in one proportion: the lines of each stream
// are shared out among its groups, and no group ends within a line. Where data was left in a pipe, that many
// announcements are left with it.
func (w *Window) placeByShare(sink Sink, c certainty) {
	var shares [2][]int // the lines of each group of a stream
	var use [2]int      // how many announcements the data is from
	for i := range w.streams {
		t := &w.streams[i]
		use[i] = t.writes
		if c.isBusy() && t.left > 0 && !t.empty() {
			use[i] = t.writes * len(t.data()) / (len(t.data()) + t.left)
		}
		shares[i] = w.share(t, use[i])
		t.mayBeLate = t.mayBeLate || !t.empty()
	}
	var kept []group
	for _, g := range w.order {
		s := g.stream()
		used := min(use[s], g.writes())
		use[s] -= used
		kept = join(kept, groupOf(s, g.writes()-used))
		switch {
		case used == 0:
			continue
		case len(shares[s]) == 1: // the last one has the rest
			w.emit(sink, s, len(w.streams[s].data()))
		default:
			w.emitLines(sink, s, shares[s][0])
		}
		shares[s] = shares[s][1:]
		w.forget(s, used)
	}
	for i := range w.streams {
		w.emit(sink, policy.Stream(i), len(w.streams[i].data()))
	}
	w.order = append(w.order[:0], kept...)
}

// share returns how many lines each group of t takes of those that its first writes announcements are for.
func (w *Window) share(t *stream, writes int) []int {
	var groups []int // their writes
	n := t.believed().writes
	pieces := t.pieces()
	even := n > 1 && writes == pieces*n
	for _, g := range w.order {
		if left := writes - sum(groups); &w.streams[g.stream()] == t && left > 0 {
			groups = append(groups, min(g.writes(), left))
			even = even && g.writes()%n == 0
		}
	}
	switch {
	case writes == 0: // no group, and nothing to divide by
		return nil
	case pieces <= len(groups):
		return shareAmongFew(groups, pieces)
	case even:
		return shareLines(groups, writes, pieces)
	case pieces < writes:
		return shareExtra(groups, writes, pieces)
	case pieces-writes <= mostUnderWay && writes >= 4*mostUnderWay:
		// A write that was under way leaves a line for each of the others: spreading one line over all would
		// misplace half of them.
		return groups
	case pieces%writes != 0 && len(t.data()) >= writes*blockBytes:
		return shareBytes(groups, t, writes)
	}
	return shareLines(groups, writes, pieces)
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// shareAmongFew is for no more lines than groups: a line each as far as they go.
func shareAmongFew(groups []int, pieces int) []int {
	lines := make([]int, len(groups))
	for i := range pieces {
		lines[i] = 1
	}
	return lines
}

// shareExtra is for fewer lines than writes: each group has one line, and those of several writes the rest,
// by how many more writes they have.
func shareExtra(groups []int, writes, pieces int) []int {
	lines := make([]int, len(groups))
	extra, weight := pieces-len(groups), writes-len(groups)
	sum, given := 0, 0
	for i, g := range groups {
		sum += g - 1
		upTo := (2*sum*extra + weight) / (2 * weight)
		lines[i] = 1 + upTo - given
		given = upTo
	}
	return lines
}

// shareLines is as evenly as it goes.
func shareLines(groups []int, writes, pieces int) []int {
	lines := make([]int, len(groups))
	sum, given := 0, 0
	for i, g := range groups {
		sum += g
		upTo := (2*sum*pieces + writes) / (2 * writes)
		lines[i] = upTo - given
		given = upTo
	}
	return lines
}

// blockBytes is from how many bytes in a write on a program is thought to fill a buffer, whatever lines are in it.
const blockBytes = 1 << 10

// shareBytes is for writes of a buffer each: the same number of bytes for every write, and the rest of the
// line it ends in.
func shareBytes(groups []int, t *stream, writes int) []int {
	lines := make([]int, len(groups))
	b := t.data()
	sum, at := 0, 0
	for i, g := range groups {
		sum += g
		end := len(b) * sum / writes
		if end <= at {
			continue
		}
		if n := bytes.IndexByte(b[end-1:], '\n'); n >= 0 {
			end += n
		} else {
			end = len(b)
		}
		lines[i] = bytes.Count(b[at:end], newline)
		at = end
	}
	return lines
}
