package policy

import (
	"cmp"
	"slices"
)

// StreamStats is what is known about the whole of one stream, decoded on its own.
// All counts are exact at any size.
type StreamStats struct {
	// Bytes is how many bytes were written to the stream.
	Bytes int64

	// Lines is how many lines they make; an unterminated last line is one.
	Lines int64

	// P50, P95 and P99 are percentiles of the lines' lengths in characters: of the
	// lengths in ascending order the one with the rank (p*Lines+50)/100, rounded
	// down, counted from 1. They are 0 without lines.
	//
	// The length of a line does not count its '\n', nor one '\r' right before it.
	P50, P95, P99 int64

	// Longest has the longest lines, at most five, the longest first and the
	// earlier first among equals.
	Longest []Line
}

// Line is the length of one line of a stream.
type Line struct {
	Number int64 // from 1
	Chars  int64 // characters, counted as for StreamStats.P50
}

// lineStats follows one stream.
type lineStats struct {
	carry
	bytes   int64
	lines   int64 // ended ones
	open    int64 // complete characters since the last line end
	cr      bool  // the last byte was '\r'
	lengths histogram
	longest longest
}

// resume completes a held character with the beginning of b and returns how many
// bytes of b that took.
func (s *lineStats) resume(b []byte) int {
	used, chars := s.carry.resume(b)
	s.open += int64(chars)
	return used
}

func (s *lineStats) hold(b []byte) {
	s.carry.hold(b)
	s.cr = false
}

func (s *lineStats) add(p *piece, b []byte) {
	crBefore := s.cr && b[0] == '\n'
	s.cr = b[len(b)-1] == '\r'
	if p.lines == 0 {
		s.open += int64(p.chars)
		return
	}

	end := int64(p.ends[0])
	length := s.open + end>>1 - end&1
	if crBefore {
		length--
	}
	s.lines++
	s.longest.add(Line{s.lines, length})

	// Lines of the same length often come in a row. They are counted in a register:
	// counting each in memory would wait for the count before it to get there.
	start := end>>1 + 1
	lines, floor := s.lines, s.longest.floor()
	run, times := length, int64(1)
	for _, e := range p.ends[1:p.lines] {
		end := int64(e)
		length := end>>1 - end&1 - start
		start = end>>1 + 1
		lines++
		if length > floor {
			s.longest.add(Line{lines, length})
			floor = s.longest.floor()
		}
		if length != run {
			s.lengths.add(run, times)
			run, times = length, 0
		}
		times++
	}
	s.lengths.add(run, times)
	s.lines = lines
	s.open = int64(p.chars) - start
}

// stats counts a line that is still open as it would at the end of the stream.
func (s *lineStats) stats() StreamStats {
	st := StreamStats{Bytes: s.bytes, Lines: s.lines}
	longest, lengths := s.longest, s.lengths.counts()
	if open := s.open + int64(s.held); open > 0 {
		st.Lines++
		longest.add(Line{st.Lines, open})
		lengths = append(lengths, lengthCount{open, 1})
	}
	if st.Lines == 0 {
		return st
	}
	slices.SortFunc(lengths, func(a, b lengthCount) int { return cmp.Compare(a.chars, b.chars) })
	st.P50 = percentile(lengths, st.Lines, 50)
	st.P95 = percentile(lengths, st.Lines, 95)
	st.P99 = percentile(lengths, st.Lines, 99)
	st.Longest = slices.Clone(longest.lines[:longest.n])
	return st
}
