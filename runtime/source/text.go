package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// byteOrderMark is U+FEFF in UTF-8. At the start of a text it is no part of it.
const byteOrderMark = "\uFEFF"

// Position is a place in a program as its author counts it: Line is 1-based, Column is 1-based and counts UTF-16
// code units, as node and tsc do. The zero value is no place.
type Position struct {
	Line, Column int
}

// String returns the position as line:column.
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// Text is an immutable text with a table of its lines. Lines end at the line terminators of ECMAScript: \n, \r,
// \r\n, U+2028 and U+2029, wherever they stand, as node, tsc, esbuild and goja count them. It is safe for
// concurrent use.
type Text struct {
	text   string
	starts []int32 // offset of each line's first byte
	ascii  bool    // every byte is a column of its own
}

// NewText returns s with its line table. A text has at least one line.
func NewText(s string) *Text {
	t := &Text{text: s, ascii: true, starts: make([]int32, 1, 16+len(s)/32)}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			t.starts = append(t.starts, int32(i+1))
		case c == '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
			t.starts = append(t.starts, int32(i+1))
		case c >= utf8.RuneSelf:
			t.ascii = false
			if n := lineTerminator(s[i:]); n > 0 {
				t.starts = append(t.starts, int32(i+n))
				i += n - 1
			}
		}
	}
	return t
}

// lineTerminator returns the length in bytes of the line terminator s begins with, 0 if it begins with none.
func lineTerminator(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '\n':
		return 1
	case s[0] == '\r':
		if len(s) > 1 && s[1] == '\n' {
			return 2
		}
		return 1
	case s[0] == 0xE2 && (strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")):
		return 3
	}
	return 0
}

// String returns the whole text.
func (t *Text) String() string { return t.text }

// Lines returns the number of lines, at least 1: a text that ends in a line terminator has an empty last line.
func (t *Text) Lines() int { return len(t.starts) }

// Line returns line n (1-based) without its terminator and without a byte order mark; it is empty for a line
// that does not exist.
func (t *Text) Line(n int) string {
	if n < 1 || n > len(t.starts) {
		return ""
	}
	start, end := t.lineStart(n), t.lineEnd(n)
	return t.text[start:end]
}

// lineStart returns the offset of the first column of line n, which must exist.
func (t *Text) lineStart(n int) int {
	start := int(t.starts[n-1])
	if n == 1 && strings.HasPrefix(t.text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return start
}

// lineEnd returns the offset of the terminator of line n, which must exist.
func (t *Text) lineEnd(n int) int {
	if n == len(t.starts) {
		return len(t.text)
	}
	end := int(t.starts[n])
	switch t.text[end-1] {
	case '\n':
		end--
		if end > 0 && t.text[end-1] == '\r' {
			end--
		}
	case '\r':
		end--
	default:
		end -= len("\u2028")
	}
	return end
}

// Position returns the place of the byte at offset. An offset inside a character counts as the character's
// first byte, one outside the text as the nearest one inside; the end of the text is a place.
func (t *Text) Position(offset int) Position {
	offset = min(max(offset, 0), len(t.text))
	line := sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) > offset })
	start := t.lineStart(line)
	if offset <= start {
		return Position{Line: line, Column: 1}
	}
	if t.ascii {
		return Position{Line: line, Column: offset - start + 1}
	}
	column := 1
	for i := start; i < offset; {
		r, size := utf8.DecodeRuneInString(t.text[i:])
		if i+size > offset {
			break
		}
		i += size
		column += utf16Units(r)
	}
	return Position{Line: line, Column: column}
}

// Offset returns the offset in bytes of a place. A column past the end of its line is the line's end, a column
// inside a surrogate pair is the pair's first byte, a line past the end of the text is the text's end.
func (t *Text) Offset(p Position) int {
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(t.starts) {
		return len(t.text)
	}
	start, end := t.lineStart(p.Line), t.lineEnd(p.Line)
	if t.ascii {
		return min(start+max(p.Column-1, 0), end)
	}
	offset := start
	for column := 1; offset < end && column < p.Column; {
		r, size := utf8.DecodeRuneInString(t.text[offset:])
		if column += utf16Units(r); column > p.Column {
			break
		}
		offset += size
	}
	return offset
}

// byteOffset returns the offset of the byte that is column bytes (0-based) after the start of a line, a byte
// order mark included, because to the engine and to esbuild it is text like any other.
func (t *Text) byteOffset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.starts) {
		return len(t.text)
	}
	return min(int(t.starts[line-1])+max(column, 0), t.lineEnd(line))
}

// utf16Units returns how many UTF-16 code units r takes: 2 beyond the Basic Multilingual Plane, else 1.
func utf16Units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// blankBytes replaces b[from:to] by spaces, line terminators kept, so that nothing else moves.
func blankBytes(b []byte, from, to int) {
	for i := from; i < to; i++ {
		switch c := b[i]; {
		case c == '\n' || c == '\r':
		case c == 0xE2 && i+2 < to && b[i+1] == 0x80 && (b[i+2] == 0xA8 || b[i+2] == 0xA9):
			i += 2 // U+2028, U+2029
		default:
			b[i] = ' '
		}
	}
}
