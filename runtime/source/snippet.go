package source

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// DefaultSnippetWidth is how many columns of a display a snippet takes, gutter included.
const DefaultSnippetWidth = 100

// Snippet renders the line of a place, with a caret under its column, between the lines before and after it:
//
//	1 | const a = 1;
//	2 | const b = [1, 2
//	  |           ^
//	3 | const c = 3;
//
// Lines longer than that many columns (0: DefaultSnippetWidth; at least 20) are cut to a window around the caret, the
// same for all three, with `…` where something is missing. The caret is placed by display width: East Asian wide
// characters and emoji count 2, combining characters and others without a width 0. Tabs are repeated before the
// caret, so that it stands right whatever a tab is set to. Control characters and those that change the direction
// of writing are shown as symbols, so that a snippet is safe to print. It has no final line terminator; a place
// outside the text is moved to the nearest one inside.
func (t *Text) Snippet(line, column, columns int) string {
	if columns <= 0 {
		columns = DefaultSnippetWidth
	}
	columns = max(columns, 20)
	line = min(max(line, 1), t.Lines())
	first, last := max(line-1, 1), min(line+1, t.Lines())
	digits := len(fmt.Sprint(last))
	room := columns - digits - len(" | ")
	caret := t.cells(line, column)
	from := 0
	if caret >= room {
		from = caret - room/2
	}
	var b strings.Builder
	for n := first; n <= last; n++ {
		text, _ := window(t.Line(n), from, room, -1)
		writeLine(&b, digits, fmt.Sprint(n), text)
		if n == line {
			_, before := window(t.Line(n), from, room, caret)
			writeLine(&b, digits, "", before+"^")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeLine(b *strings.Builder, digits int, gutter, text string) {
	b.WriteString(strings.TrimRight(fmt.Sprintf("%*s | %s", digits, gutter, text), " "))
	b.WriteByte('\n')
}

// cells returns how many display columns stand before a column of a line.
func (t *Text) cells(line, column int) int {
	start := t.lineStart(line)
	end := t.Offset(Position{Line: line, Column: column})
	total := 0
	var d display
	for _, r := range t.text[start:end] {
		total += d.cells(r)
	}
	return total
}

// window returns the part of a line from column from (0-based, in display columns) that fits into room columns, and
// what to print under it before a caret at column caret.
func window(line string, from, room, caret int) (shown, before string) {
	var out, pad strings.Builder
	var d display
	at, end := 0, from+room
	if from > 0 {
		out.WriteString("…")
		pad.WriteByte(' ')
		from++
	}
	cut := false
	for i, r := range line {
		cells := d.cells(r)
		if cells > 0 && at+cells > end-1 && !fits(line[i:], d, at, end) {
			cut = true
			break
		}
		if at >= from || at+cells > from {
			if at < from {
				// Half of a wide character: its other half is under the ellipsis.
				out.WriteByte(' ')
				if at < caret {
					pad.WriteByte(' ')
				}
			} else {
				out.WriteRune(printable(r))
				if at < caret {
					pad.WriteString(padding(r, cells))
				}
			}
		}
		at += cells
	}
	if cut {
		out.WriteString("…")
	}
	return out.String(), pad.String()
}

// fits reports whether the rest of a line, whose first character has been counted by d, ends before column end.
func fits(rest string, d display, at, end int) bool {
	_, size := utf8.DecodeRuneInString(rest)
	at += d.last
	for _, r := range rest[size:] {
		if at > end {
			return false
		}
		at += d.cells(r)
	}
	return at <= end
}

func padding(r rune, cells int) string {
	if r == '\t' {
		return "\t"
	}
	return strings.Repeat(" ", cells)
}

// printable returns what stands for r in a snippet.
func printable(r rune) rune {
	switch {
	case r == '\t':
		return r
	case r < ' ':
		return '\u2400' + r // CONTROL PICTURES
	case r == 0x7F:
		return '\u2421'
	case r >= 0x80 && r < 0xA0, r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069', r == utf8.RuneError:
		return utf8.RuneError
	}
	return r
}

// tabCells is what a tab counts when a long line is cut. Where it stands is up to whoever displays it.
const tabCells = 4

// display counts the columns characters take, one after the other.
type display struct {
	last   int  // columns of the character before
	joined bool // it was a zero-width joiner
}

func (d *display) cells(r rune) int {
	joined := d.joined
	d.joined = r == zeroWidthJoiner
	switch {
	case r == '\t':
		d.last = tabCells
	case printable(r) != r:
		d.last = 1
	case joined && d.last > 1, // the rest of an emoji sequence
		r >= 0x1F3FB && r <= 0x1F3FF && d.last > 1: // a skin tone
		return 0
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11FF: // the latter: conjoining Hangul
		return 0
	default:
		d.last = 1
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			d.last = 2
		}
	}
	return d.last
}
