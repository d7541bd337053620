package source

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// recover blanks what surrounds the program: a byte order mark, one outer Markdown fence with the prose around
// it, and a hashbang on the program's first line, which the engine knows only at offset 0. What was deleted is
// counted in Notices; a hashbang is legal ECMAScript and earns none.
func (p *Program) recover() error {
	b := []byte(p.Text)
	start := 0
	if strings.HasPrefix(p.Text, byteOrderMark) {
		start = len(byteOrderMark)
		blankBytes(b, 0, start)
		p.Notices = append(p.Notices, "removed a byte order mark")
	}
	block, err := findFence(p.Original, string(b))
	if err != nil {
		return err
	}
	if block != nil {
		p.Notices = append(p.Notices, block.notice(p.Original))
		if tagLanguage(block.tag) == TypeScript {
			p.Language = TypeScript
		}
		blankBytes(b, 0, block.from)
		blankBytes(b, block.to, len(b))
		start = block.from
	}
	if strings.HasPrefix(string(b[start:min(start+2, len(b))]), "#!") {
		end := start
		for end < len(b) && lineTerminator(string(b[end:min(end+3, len(b))])) == 0 {
			end++
		}
		blankBytes(b, start, end)
	}
	p.Text = string(b)
	return nil
}

// checkEncoding refuses what is not UTF-8: the engine would replace the bytes, or stop at them with less to say.
func checkEncoding(t *Text) error {
	if utf8.ValidString(t.text) {
		return nil
	}
	if strings.HasPrefix(t.text, "\xFF\xFE") || strings.HasPrefix(t.text, "\xFE\xFF") {
		return Errors{{Line: 1, Column: 1, Message: "the text is encoded as UTF-16, want UTF-8"}}
	}
	offset := 0
	for {
		r, size := utf8.DecodeRuneInString(t.text[offset:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		offset += size
	}
	place := t.Position(offset)
	return Errors{{
		Line: place.Line, Column: place.Column,
		Message: fmt.Sprintf("the text is not UTF-8: byte 0x%02X at %s", t.text[offset], place),
	}}
}

// languageOfName takes the language from a file name's ending.
func languageOfName(name string) Language {
	for _, ending := range [...]string{".ts", ".tsx", ".mts", ".cts"} {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return TypeScript
		}
	}
	return JavaScript
}

// plural returns "1 line", "2 lines".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
