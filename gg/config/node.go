package config

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the JSON type of a node. The zero kind is a word that is not JSON; it has been reported by the
// reader, and no document that has one is judged.
type kind int

const (
	brokenKind kind = iota
	nullKind
	boolKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

// node is a value of the document and the place where it stands.
type node struct {
	kind    kind
	start   int    // offset of its first byte
	end     int    // offset of the closing bracket of an array or object
	text    string // decoded text of a string; raw text of a number, bool or null
	items   []*node
	members []member
}

// member is one key of an object with its value, in document order; a key given twice is there twice.
type member struct {
	start int
	name  string
	value *node
}

// member returns the first value of a key, nil where the key is absent.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// shownLength bounds, in characters, how much of a value or a name one line of a refusal shows.
const shownLength = 60

// shown is the node as a line of a refusal shows it: compact JSON, without what would break the line,
// and cut when it is long.
func (n *node) shown() string {
	var text strings.Builder
	n.print(&text)
	return printable(text.String())
}

// print writes compact JSON and stops soon after what is shown in any case.
func (n *node) print(to *strings.Builder) {
	if to.Len() > utf8.UTFMax*shownLength {
		return
	}
	switch n.kind {
	case stringKind:
		to.WriteString(string(appendQuoted(nil, n.text)))
	case arrayKind:
		to.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				to.WriteByte(',')
			}
			item.print(to)
		}
		to.WriteByte(']')
	case objectKind:
		to.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				to.WriteByte(',')
			}
			to.WriteString(string(appendQuoted(nil, m.name)))
			to.WriteByte(':')
			m.value.print(to)
		}
		to.WriteByte('}')
	default:
		to.WriteString(n.text)
	}
}

// quote is printable text between backticks.
func quote(text string) string { return "`" + printable(text) + "`" }

// quoteAll quotes names and joins them with commas.
func quoteAll[T ~string](names []T) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(string(name))
	}
	return strings.Join(quoted, ", ")
}

// printable is text in one line: cut where it is longer than shownLength, then escaped.
func printable(text string) string {
	count := 0
	for i := range text {
		if count == shownLength {
			return escaped(text[:i]) + "…"
		}
		count++
	}
	return escaped(text)
}

// escaped is text with every character escaped that could break a line or steer a terminal.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&out, `\u{%x}`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// appendQuoted appends text as a JSON string. Bytes that are not UTF-8 are left as they are, for the
// reader to refuse; encoding/json would replace them.
func appendQuoted(to []byte, text string) []byte {
	to = append(to, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c < 0x20:
			to = fmt.Appendf(to, `\u%04x`, c)
		default:
			to = append(to, c)
		}
	}
	return append(to, '"')
}
