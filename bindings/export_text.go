package bindings

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// jsonText is JSON being written into a bounded room. Where the room ends it says so once, with cutMark, and is full from
// then on: only closing brackets may follow.
type jsonText struct {
	buf  []byte
	room int // bytes; brackets that close, and one mark, may exceed it
	full bool
}

func (t *jsonText) left() int   { return max(0, t.room-len(t.buf)) }
func (t *jsonText) length() int { return len(t.buf) }

// truncate takes back what was written since length was n.
func (t *jsonText) truncate(n int) { t.buf = t.buf[:n] }

func (t *jsonText) raw(text string) { t.buf = append(t.buf, text...) }

// separate writes the comma in front of all but the first part of a container. A value never ends in an opening bracket.
func (t *jsonText) separate() {
	if last := t.buf[len(t.buf)-1]; last != '[' && last != '{' {
		t.buf = append(t.buf, ',')
	}
}

// item begins an element of a list, or ends the list with the mark and returns false if there is no room.
func (t *jsonText) item() bool {
	if t.full {
		return false
	}
	t.separate()
	if t.left() == 0 {
		t.end()
		return false
	}
	return true
}

// key begins a member of an object, or ends the object with the mark and returns false if there is no room.
func (t *jsonText) key(name string) bool {
	if t.full {
		return false
	}
	t.separate()
	before := len(t.buf)
	if len(name) < t.left() {
		t.buf = appendQuoted(t.buf, name)
		if t.left() > 0 {
			t.buf = append(t.buf, ':')
			return true
		}
	}
	t.truncate(before)
	t.buf = append(appendQuoted(t.buf, cutMark), ':')
	t.end()
	return false
}

func (t *jsonText) end() {
	t.buf = appendQuoted(t.buf, cutMark)
	t.full = true
}

// text writes a string, as much of it as there is room for, and reports whether that was all; whole is false if text is
// itself only the head of one.
func (t *jsonText) text(text string, whole bool) bool {
	if len(text) < t.left() {
		before := len(t.buf)
		t.buf = appendQuoted(t.buf, text)
		if whole && len(t.buf) <= t.room {
			return true
		}
		t.truncate(before)
	}
	// Escaping makes at most six bytes of one; cut first, at a character, so that the escaped text is never much too long.
	end := min(len(text), t.left())
	for {
		for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		before := len(t.buf)
		t.buf = appendQuoted(t.buf, text[:end])
		over := len(t.buf) - t.room
		if over <= 0 || end == 0 {
			break
		}
		t.truncate(before)
		end -= min(end, over/6+1)
	}
	t.buf = append(t.buf[:len(t.buf)-1], cutMark+`"`...)
	t.full = true
	return false
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends a JSON string. What is not UTF-8 becomes U+FFFD; nothing is escaped that need not be.
func appendQuoted(buf []byte, s string) []byte {
	buf = append(buf, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				buf = append(append(buf, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		buf = append(buf, s[start:i]...)
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, `\n`...)
		case '\r':
			buf = append(buf, `\r`...)
		case '\t':
			buf = append(buf, `\t`...)
		default:
			buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(buf, s[start:]...), '"')
}

// pathStep is one step of a path: a name, a symbol, or an index.
type pathStep struct {
	name   string
	index  int
	named  bool
	symbol bool
}

// pathText writes a path from the root `~`: `~.rows[2]["odd name"]`.
func pathText(path []pathStep) string {
	text := []byte{'~'}
	for _, step := range path {
		switch {
		case step.symbol:
			text = append(append(append(text, '['), step.name...), ']')
		case !step.named:
			text = append(strconv.AppendInt(append(text, '['), int64(step.index), 10), ']')
		case isIdentifier(step.name):
			text = append(append(text, '.'), step.name...)
		default:
			text = append(appendQuoted(append(text, '['), step.name), ']')
		}
	}
	return string(text)
}

// lastName is the property name under which the value at the end of path is found.
func lastName(path []pathStep) string {
	if len(path) == 0 {
		return ""
	}
	if last := path[len(path)-1]; last.named {
		return last.name
	} else {
		return strconv.Itoa(last.index)
	}
}

// isIdentifier reports whether a property can be written after a dot; only ASCII names are.
func isIdentifier(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// head returns at most n UTF-16 code units of s without splitting a surrogate pair, and whether that was all.
func head(s goja.String, n int) (goja.String, bool) {
	if s.Length() <= n {
		return s, true
	}
	if n > 0 && isHighSurrogate(s.CharAt(n-1)) {
		n--
	}
	return s.Substring(0, n), false
}

func isHighSurrogate(c uint16) bool { return c >= 0xD800 && c < 0xDC00 }
func isLowSurrogate(c uint16) bool  { return c >= 0xDC00 && c < 0xE000 }

// hasLoneSurrogate reports whether s has a half of a surrogate pair without the other.
func hasLoneSurrogate(s goja.String) bool {
	length := s.Length()
	for i := 0; i < length; i++ {
		switch c := s.CharAt(i); {
		case isHighSurrogate(c) && i+1 < length && isLowSurrogate(s.CharAt(i+1)):
			i++
		case isHighSurrogate(c), isLowSurrogate(c):
			return true
		}
	}
	return false
}

// brief shortens text for a message: at most 200 bytes, cut at a character.
func brief(text string) string {
	const most = 200
	if len(text) <= most {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.ToValidUTF8(text[:end], "\uFFFD") + "…"
}
