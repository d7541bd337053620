package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/width"
)

// screen is standard error: lines that stay, and on a terminal one live line below them.
type screen struct {
	out      io.Writer
	columns  func() int
	terminal bool // control characters are shown, not obeyed
	redraws  bool // a line can be drawn again
	colors   bool

	mu   sync.Mutex
	live string // the live line as it is drawn, empty when there is none
}

// The terminal's control sequences.
const (
	eraseLine   = "\r\x1b[K"
	colorDim    = "\x1b[2m"
	colorRed    = "\x1b[31m"
	colorYellow = "\x1b[33m"
	colorReset  = "\x1b[0m"
)

// print writes lines that stay. A standard error that is gone is nobody's to tell.
func (s *screen) print(text string) { s.printIn("", text) }

// printIn is print in a color.
func (s *screen) printIn(color, text string) {
	if s.terminal {
		text = visible(text)
	}
	if s.colors && color != "" {
		text = color + strings.TrimSuffix(text, "\n") + colorReset + "\n"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != "" {
		text = eraseLine + text + s.live
	}
	io.WriteString(s.out, text)
}

// draw replaces the live line.
func (s *screen) draw(line string) {
	line = fit(visible(line), s.columns()-1)
	if s.colors {
		line = colorDim + line + colorReset
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = line
	io.WriteString(s.out, eraseLine+line)
}

// erase takes the live line away.
func (s *screen) erase() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != "" {
		s.live = ""
		io.WriteString(s.out, eraseLine)
	}
}

// visible shows control characters that a terminal would obey. Line ends and tabs stay.
func visible(text string) string {
	hidden := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&b, `\x%02x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fit makes one line of at most so many columns of a text.
func fit(text string, columns int) string {
	text = strings.Join(strings.Fields(text), " ")
	used, end := 0, 0 // end is where there is still room for the mark of a cut
	for i, r := range text {
		if used <= columns-1 {
			end = i
		}
		if used += cells(r); used > columns {
			return text[:end] + "…"
		}
	}
	return text
}

// cells is how many columns a character takes.
func cells(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
