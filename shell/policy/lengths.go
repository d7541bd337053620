package policy

// shortLengths is the number of line lengths, from 0, that have a counter in an
// array. Lines in logs are rarely longer, and a longer one takes more time to read
// than a map does to count it.
const shortLengths = 256

// A histogram counts line lengths. It keeps every length apart, so percentiles are
// exact; there are never more than the square root of twice the output's size.
type histogram struct {
	short [shortLengths]int64
	long  map[int64]int64
}

// add counts so many lines of a length.
func (h *histogram) add(length, lines int64) {
	if length < shortLengths {
		h.short[length] += lines
		return
	}
	if h.long == nil {
		h.long = make(map[int64]int64)
	}
	h.long[length] += lines
}

// lengthCount says how many lines have a length.
type lengthCount struct{ chars, lines int64 }

// counts returns the lengths that occur, in no order.
func (h *histogram) counts() []lengthCount {
	var counts []lengthCount
	for chars, lines := range h.short {
		if lines > 0 {
			counts = append(counts, lengthCount{int64(chars), lines})
		}
	}
	for chars, lines := range h.long {
		counts = append(counts, lengthCount{chars, lines})
	}
	return counts
}

// percentile returns the p-th percentile, for p from 50 to 100, of n lines, at least
// one, with the given lengths in ascending order.
func percentile(lengths []lengthCount, n, p int64) int64 {
	rank := (p*n + 50) / 100 // from 1 to n, for 50 <= p <= 100
	i := 0
	for ; rank > lengths[i].lines; i++ {
		rank -= lengths[i].lines
	}
	return lengths[i].chars
}

// longest keeps the longest lines of those added in the order of their numbers:
// the longest first, the earlier first among equals.
type longest struct {
	lines [5]Line
	n     int
}

// floor returns the length a line must exceed to be kept.
func (l *longest) floor() int64 {
	if l.n < len(l.lines) {
		return -1
	}
	return l.lines[len(l.lines)-1].Chars
}

func (l *longest) add(line Line) {
	if line.Chars <= l.floor() {
		return
	}
	if l.n < len(l.lines) {
		l.n++
	}
	i := l.n - 1
	for ; i > 0 && l.lines[i-1].Chars < line.Chars; i-- {
		l.lines[i] = l.lines[i-1]
	}
	l.lines[i] = line
}
