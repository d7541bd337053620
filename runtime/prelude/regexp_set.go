package prelude

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// span is a run of code points, both ends included.
type span struct{ first, last rune }

// codePoints is a set of code points: spans in order that neither overlap nor touch. A value is never changed
// once it is made, so sets may share memory.
type codePoints []span

const (
	lastUnit       = 0xFFFF // what a pattern without the flag u sees are UTF-16 code units
	firstSurrogate = 0xD800
	lastSurrogate  = 0xDFFF
)

// The sets behind \d, \s and \w as ECMAScript defines them.
var (
	digits         = codePoints{{'0', '9'}}
	wordCharacters = codePoints{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	foldedWords    = codePoints{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {0x17F, 0x17F}, {0x212A, 0x212A}} // with the flag i
	whiteSpace     = codePoints{
		{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
		{0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF},
	}
)

// wordsFor is \w as the engines take it under the flag i: with the flag u that is right.
func wordsFor(ignoreCase bool) codePoints {
	if ignoreCase {
		return foldedWords
	}
	return wordCharacters
}

// lastOf is the last character that a text can have: a code point with the flag u, else a code unit.
func lastOf(unicode bool) rune {
	if unicode {
		return utf8.MaxRune
	}
	return lastUnit
}

// newCodePoints makes a set of spans in any order. It keeps and sorts the slice.
func newCodePoints(spans []span) codePoints {
	slices.SortFunc(spans, func(a, b span) int { return int(a.first - b.first) })
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 && s.first <= joined[n-1].last+1 {
			joined[n-1].last = max(joined[n-1].last, s.last)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// complement is what the set leaves out of 0 to top.
func (set codePoints) complement(top rune) codePoints {
	out := make(codePoints, 0, len(set)+1)
	next := rune(0)
	for _, s := range set {
		if s.first > next {
			out = append(out, span{next, s.first - 1})
		}
		next = s.last + 1
	}
	if next <= top {
		out = append(out, span{next, top})
	}
	return out
}

// has reports whether r is in the set.
func (set codePoints) has(r rune) bool {
	i, _ := slices.BinarySearchFunc(set, r, func(s span, r rune) int { return int(s.last - r) })
	return i < len(set) && set[i].first <= r
}

// overlaps reports whether the sets have a code point in common.
func (set codePoints) overlaps(other codePoints) bool {
	for i, j := 0, 0; i < len(set) && j < len(other); {
		switch {
		case set[i].last < other[j].first:
			i++
		case other[j].last < set[i].first:
			j++
		default:
			return true
		}
	}
	return false
}

// folded adds to the set whatever the flags iu take for one of its members.
func (set codePoints) folded() codePoints {
	var added []span
	for _, orbit := range unicodeData().folds {
		members := 0
		for _, r := range orbit {
			if set.has(r) {
				members++
			}
		}
		if members == 0 || members == len(orbit) {
			continue
		}
		for _, r := range orbit {
			added = append(added, span{r, r})
		}
	}
	if added == nil {
		return set
	}
	return newCodePoints(append(added, set...))
}

// foldsAstray reports whether the linear engine would take the set, under the flag i, for one that has a letter of ASCII in it. It
// holds İ and ı, which have no other case in ECMAScript, for an i; and without the flag u no character beyond ASCII is the other
// case of one of ASCII, which ſ and the kelvin sign are for it.
func (set codePoints) foldsAstray(unicode bool) bool {
	const kelvin = 0x212A
	return (set.has('İ') || set.has('ı')) && !set.has('i') && !set.has('I') ||
		!unicode && (set.has('ſ') && !set.has('s') && !set.has('S') || set.has(kelvin) && !set.has('k') && !set.has('K'))
}

// splitsSurrogates reports whether a span begins or ends among the surrogates.
func (set codePoints) splitsSurrogates() bool {
	inside := func(r rune) bool { return firstSurrogate <= r && r <= lastSurrogate }
	return slices.ContainsFunc(set, func(s span) bool { return inside(s.first) || inside(s.last) })
}

// write spells the set, or what it leaves out, as a class. Both engines behind goja read what it writes alike: no character of
// ASCII but letters and digits stands for itself. Others do, for the sake of length: the engine reads a pattern whenever somebody asks
// for its source.
func (set codePoints) write(out *strings.Builder, negated, unicode bool) {
	if len(set) == 0 { // both engines have their troubles with [] and [^]
		negated = !negated
		set = codePoints{{0, lastOf(unicode)}}
	}
	out.WriteByte('[')
	if negated {
		out.WriteByte('^')
	}
	for _, s := range set {
		writeClassRune(out, s.first, unicode)
		if s.last > s.first {
			if s.last > s.first+1 {
				out.WriteByte('-')
			}
			writeClassRune(out, s.last, unicode)
		}
	}
	out.WriteByte(']')
}

func writeClassRune(out *strings.Builder, r rune, unicode bool) {
	switch {
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', r >= 0xA0 && utf8.ValidRune(r) && r != utf8.RuneError && r&^1 != 0x2028:
		out.WriteRune(r)
	case unicode:
		out.WriteString(`\u{`)
		out.WriteString(strconv.FormatInt(int64(r), 16))
		out.WriteByte('}')
	default:
		out.WriteString(`\u`)
		out.WriteString(hexUnit(r))
	}
}

// hexUnit writes a code unit in the four digits of a \u escape.
func hexUnit(r rune) string {
	digits := strconv.FormatInt(int64(r), 16)
	return "0000"[len(digits):] + digits
}
