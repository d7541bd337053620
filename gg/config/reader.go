package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep arrays and objects may be nested. The deepest key of a configuration lies six
// levels down; the bound is there so that a hostile file cannot exhaust the stack of the reader.
const maxDepth = 64

// reader turns the text of a configuration into nodes. Unlike encoding/json it keeps what a refusal has
// to show: the place of every value, the raw text of every number, the order of keys, and keys that are
// given twice. What people commonly write although it is not JSON (comments, trailing commas, words such
// as True) is noted in faults and read over, so that one pass finds all of it; after anything else the
// rest of the text means nothing, and reading ends.
type reader struct {
	data   []byte
	at     int
	depth  int
	faults []fault

	comments     int // how many were skipped
	firstComment int // where the first one starts
}

// A fault is one place where the text is not JSON.
type fault struct {
	offset  int
	problem string
}

// readDocument reads the one value of data. With any fault the node must not be judged.
func readDocument(data []byte) (*node, []fault) {
	if n, problem := notText(data); problem != "" {
		return nil, []fault{{n, problem}}
	}
	r := &reader{data: data}
	root := r.document()
	if r.comments > 0 {
		r.faults = append(r.faults, fault{r.firstComment, commentProblem(r.comments)})
	}
	return root, r.faults
}

// notText finds the first reason why data is not UTF-8 text of a bearable size.
func notText(data []byte) (offset int, problem string) {
	switch {
	case len(data) > MaxBytes:
		return 0, fmt.Sprintf("larger than %d bytes", MaxBytes)
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return 0, "got UTF-16 text, want UTF-8"
	case utf8.Valid(data):
		return 0, ""
	}
	for {
		r, size := utf8.DecodeRune(data[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset, fmt.Sprintf("not UTF-8: byte 0x%02x", data[offset])
		}
		offset += size
	}
}

func commentProblem(n int) string {
	if n == 1 {
		return "not JSON: a comment"
	}
	return fmt.Sprintf("not JSON: a comment, the first of %d", n)
}

// document returns nil where reading ended early.
func (r *reader) document() *node {
	r.skip()
	if r.at == len(r.data) && r.comments == 0 {
		r.note(0, "empty; a configuration is a JSON object")
		return nil
	}
	root, ok := r.value()
	if !ok {
		return nil
	}
	if r.skip(); r.at < len(r.data) {
		r.note(r.at, "not JSON: got %s after the end of the configuration", r.got())
	}
	return root
}

// fail notes the fault that ends the reading. It returns false for the caller to return.
func (r *reader) fail(offset int, format string, args ...any) bool {
	r.note(offset, format, args...)
	return false
}

// note adds a fault that can be read over.
func (r *reader) note(offset int, format string, args ...any) {
	r.faults = append(r.faults, fault{offset, fmt.Sprintf(format, args...)})
}

// next is the byte at the reading position, 0 at the end. A NUL in the text is told from the end by at.
func (r *reader) next() byte {
	if r.at < len(r.data) {
		return r.data[r.at]
	}
	return 0
}

// got says in a message what stands at the reading position: a whole word, else one character.
func (r *reader) got() string {
	if r.at == len(r.data) {
		return "the end of the file"
	}
	if word := r.word(); word != "" {
		return quote(word)
	}
	c, _ := utf8.DecodeRune(r.data[r.at:])
	return quote(string(c))
}

// word is the run of characters at the reading position that could be meant as a number or a literal.
func (r *reader) word() string {
	end := r.at
	for end < len(r.data) && isWordByte(r.data[end]) {
		end++
	}
	return string(r.data[r.at:end])
}

func isWordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
		c == '+' || c == '-' || c == '.' || c == '_' || c == '$'
}

// skip passes white space and comments: //, /* */ and #.
func (r *reader) skip() {
	for r.at < len(r.data) {
		rest := r.data[r.at:]
		switch {
		case rest[0] == ' ', rest[0] == '\t', rest[0] == '\n', rest[0] == '\r':
			r.at++
		case rest[0] == '#', bytes.HasPrefix(rest, []byte("//")):
			r.comment(rest, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			r.comment(rest, "*/")
		default:
			return
		}
	}
}

func (r *reader) comment(rest []byte, end string) {
	if r.comments++; r.comments == 1 {
		r.firstComment = r.at
	}
	if n := bytes.Index(rest[1:], []byte(end)); n >= 0 {
		r.at += 1 + n + len(end)
	} else {
		r.at = len(r.data)
	}
}

func (r *reader) value() (*node, bool) {
	r.skip()
	switch r.next() {
	case '{', '[':
		if r.depth == maxDepth {
			return nil, r.fail(r.at, "nested deeper than %d levels", maxDepth)
		}
		r.depth++
		defer func() { r.depth-- }()
		if r.next() == '{' {
			return r.object()
		}
		return r.array()
	case '"':
		n := &node{kind: stringKind, start: r.at}
		text, ok := r.str()
		n.text = text
		return n, ok
	}
	return r.scalar()
}

// scalar reads a number, true, false or null. Any other word is noted and read over.
func (r *reader) scalar() (*node, bool) {
	word := r.word()
	if word == "" {
		if r.next() == '\'' {
			return nil, r.fail(r.at, "not JSON: got `'`, want a value; a string takes double quotes")
		}
		return nil, r.fail(r.at, "not JSON: got %s, want a value", r.got())
	}
	n := &node{start: r.at, text: word}
	switch {
	case word == "null":
		n.kind = nullKind
	case word == "true", word == "false":
		n.kind = boolKind
	case isNumber(word):
		n.kind = numberKind
	case strings.IndexByte("+-.0123456789", word[0]) >= 0:
		r.note(r.at, "not JSON: got %s, want a number", quote(word))
	default:
		r.note(r.at, "not JSON: got %s, want a value", quote(word))
	}
	r.at += len(word)
	return n, true
}

func (r *reader) array() (*node, bool) {
	n := &node{kind: arrayKind, start: r.at}
	r.at++
	for r.skip(); r.next() != ']'; {
		item, ok := r.value()
		if !ok {
			return nil, false
		}
		n.items = append(n.items, item)
		if !r.separator(']') {
			return nil, false
		}
	}
	n.end = r.at
	r.at++
	return n, true
}

func (r *reader) object() (*node, bool) {
	n := &node{kind: objectKind, start: r.at}
	r.at++
	for r.skip(); r.next() != '}'; {
		if r.next() != '"' {
			return nil, r.fail(r.at, "not JSON: got %s, want a key in double quotes", r.got())
		}
		m := member{start: r.at}
		var ok bool
		if m.name, ok = r.str(); !ok {
			return nil, false
		}
		if r.skip(); r.next() != ':' {
			return nil, r.fail(r.at, "not JSON: got %s, want `:`", r.got())
		}
		r.at++
		if m.value, ok = r.value(); !ok {
			return nil, false
		}
		n.members = append(n.members, m)
		if !r.separator('}') {
			return nil, false
		}
	}
	n.end = r.at
	r.at++
	return n, true
}

// separator passes the comma after an element and stops before the next one or before the bracket.
func (r *reader) separator(bracket byte) bool {
	switch r.skip(); r.next() {
	case bracket:
		return true
	case ',':
		comma := r.at
		r.at++
		if r.skip(); r.next() == bracket {
			r.note(comma, "not JSON: a comma before `%c`", bracket)
		}
		return true
	}
	return r.fail(r.at, "not JSON: got %s, want `,` or `%c`", r.got(), bracket)
}

// str reads a string in double quotes and decodes it.
func (r *reader) str() (string, bool) {
	start := r.at
	r.at++
	var text strings.Builder
	for r.at < len(r.data) {
		c := r.data[r.at]
		switch {
		case c == '"':
			r.at++
			return text.String(), true
		case c == '\n', c == '\r':
			return "", r.fail(r.at, "not JSON: a line break inside a string")
		case c < 0x20:
			return "", r.fail(r.at, "not JSON: control character U+%04X inside a string", c)
		case c == '\\':
			decoded, ok := r.escape()
			if !ok {
				return "", false
			}
			text.WriteRune(decoded)
		default:
			text.WriteByte(c)
			r.at++
		}
	}
	return "", r.fail(start, "not JSON: a string that is never closed")
}

// escapes are the escapes of one character (RFC 8259, section 7).
var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes the escape at the reading position. Half of a surrogate pair stands for no character and
// is refused, where encoding/json would silently put U+FFFD in its place.
func (r *reader) escape() (rune, bool) {
	start := r.at
	r.at++
	if decoded, ok := escapes[r.next()]; ok {
		r.at++
		return decoded, true
	}
	unit, ok := r.hexUnit(start)
	if !ok {
		return 0, false
	}
	if !utf16.IsSurrogate(unit) {
		return unit, true
	}
	if bytes.HasPrefix(r.data[r.at:], []byte(`\u`)) {
		low := r.at
		r.at++
		second, ok := r.hexUnit(low)
		if !ok {
			return 0, false
		}
		if pair := utf16.DecodeRune(unit, second); pair != utf8.RuneError {
			return pair, true
		}
	}
	return 0, r.fail(start, "not JSON: `\\u%04x` is half of a surrogate pair", unit)
}

// hexUnit reads u and four hexadecimal digits, the reading position being behind the backslash at start.
func (r *reader) hexUnit(start int) (rune, bool) {
	end := min(r.at+5, len(r.data))
	if r.next() == 'u' {
		if unit, err := strconv.ParseUint(string(r.data[r.at+1:end]), 16, 16); err == nil && end == r.at+5 {
			r.at = end
			return rune(unit), true
		}
	} else {
		_, size := utf8.DecodeRune(r.data[r.at:])
		end = r.at + size
	}
	return 0, r.fail(start, "not JSON: %s is no escape; a backslash is written `\\\\`", quote(string(r.data[start:end])))
}
