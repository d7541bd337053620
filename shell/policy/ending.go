package policy

import "math/bits"

// ending follows the joined output and knows at any moment where its last
// maxLines lines and its last maxChars characters begin, also when that is far
// before the bytes that are kept.
type ending struct {
	carry
	maxLines, maxChars int
	chars              int64 // complete characters so far

	// The characters before the start of each of the last lines, oldest first, in
	// a ring: modulo 1<<32, which is exact because a start further back than
	// maxChars is dropped. A line that begins there cannot decide. Four bytes a
	// line are 512 KiB at the most; gaps of variable length would need less but
	// must be decoded one by one.
	starts      []uint32 // length: a power of two, or 0
	first, next uint32   // positions in starts, modulo its length
}

func newEnding(p Policy) ending { return ending{maxLines: p.MaxLines, maxChars: p.MaxChars} }

// limit is how many starts are kept: one for each line, and one for the line that
// has not begun when the output ends in a newline. More than maxChars+1 cannot be
// within maxChars.
func (e *ending) limit() int { return min(e.maxLines, e.maxChars) + 1 }

// resume completes a held character with the beginning of b and returns how many
// bytes of b that took.
func (e *ending) resume(b []byte) int {
	used, chars := e.carry.resume(b)
	e.advance(chars)
	return used
}

func (e *ending) add(p *piece, _ []byte) {
	ends := p.ends[:p.lines]
	ends = ends[max(0, len(ends)-e.limit()):]
	e.grow(len(ends))
	if len(ends) > 0 {
		after := uint32(e.chars) + 1
		next, mask := e.next, uint32(len(e.starts)-1)
		for _, end := range ends {
			e.starts[next&mask] = after + uint32(end>>1)
			next++
		}
		e.next = next
		if over := int(e.next-e.first) - e.limit(); over > 0 {
			e.first += uint32(over)
		}
	}
	e.advance(p.chars)
}

// advance counts characters and drops the starts that fall behind maxChars.
func (e *ending) advance(chars int) {
	e.chars += int64(chars)
	for e.first != e.next && e.back(e.first) > e.maxChars {
		e.first++
	}
}

// back returns the number of complete characters since the start at position i.
func (e *ending) back(i uint32) int {
	return int(uint32(e.chars) - e.starts[i&uint32(len(e.starts)-1)])
}

// grow makes room for n more starts, or for as many as there can be.
func (e *ending) grow(n int) {
	need := min(int(e.next-e.first)+n, e.limit())
	if need <= len(e.starts) {
		return
	}
	size := max(64, 1<<bits.Len(uint(need-1)))
	starts := make([]uint32, size)
	for i := e.first; i != e.next; i++ {
		starts[i&uint32(size-1)] = e.starts[i&uint32(len(e.starts)-1)]
	}
	e.starts = starts
}

// A cut is the ceiling that decides where the shown output begins.
type cut uint8

const (
	noCut    cut = iota // the output satisfies both ceilings
	cutLines            // the last maxLines lines
	cutChars            // the last maxChars characters
)

// keep returns how many characters at the end satisfy both ceilings and which of
// them decided: the one that keeps less, or the lines if both keep the same.
func (e *ending) keep() (chars int64, by cut) {
	chars = e.chars + int64(e.held)
	if chars > int64(e.maxChars) {
		chars, by = int64(e.maxChars), cutChars
	}
	// With a newline at the end, the last start is that of no line.
	older := e.maxLines - 1
	if e.first != e.next && e.held == 0 && e.back(e.next-1) == 0 {
		older++
	}
	// A start that is not there is that of no line, or one that was dropped
	// because the characters keep less.
	if older < int(e.next-e.first) {
		if back := int64(e.back(e.next-1-uint32(older)) + e.held); back <= chars {
			return back, cutLines
		}
	}
	return chars, by
}
