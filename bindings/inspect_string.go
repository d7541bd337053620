package bindings

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// string writes a string inside something: quoted, shortened, and broken after its line ends if it is long.
func (x *inspector) string(s goja.String) string {
	trailer := ""
	if rest := s.Length() - inspectCharacters; rest > 0 {
		s = s.Substring(0, inspectCharacters)
		trailer = more(rest, "character")
	}
	const short = 16 // characters; shorter strings are never broken
	length := s.Length()
	if length <= short || length <= x.width-x.indentation-4 {
		return quoted(s) + trailer
	}
	var lines []string
	start := 0
	for i := range length {
		if s.CharAt(i) == '\n' {
			lines = append(lines, quoted(s.Substring(start, i+1)))
			start = i + 1
		}
	}
	if start < length {
		lines = append(lines, quoted(s.Substring(start, length)))
	}
	return strings.Join(lines, " +\n"+strings.Repeat(" ", x.indentation+2)) + trailer
}

// quoted puts s into the quotes that need the least escaping: single ones, else double ones, else backticks.
func quoted(s goja.String) string {
	text := s.String()
	quote := "'"
	if strings.Contains(text, "'") {
		if !strings.Contains(text, `"`) {
			quote = `"`
		} else if !strings.Contains(text, "`") && !strings.Contains(text, "${") {
			quote = "`"
		}
	}
	return quote + escaped(s, text, quote == "'") + quote
}

// escaped writes control characters, backslashes, lone surrogates and, if quotes is set, single quotes as escapes. text is s
// in UTF-8.
func escaped(s goja.String, text string, quotes bool) string {
	special := func(r rune) bool {
		return r < ' ' || r == '\\' || r == '\'' && quotes || r >= 0x7F && r <= 0x9F || r == unicode.ReplacementChar
	}
	if strings.IndexFunc(text, special) < 0 {
		return text
	}
	var b strings.Builder
	length := s.Length()
	for i := 0; i < length; i++ {
		c := s.CharAt(i)
		switch {
		case isHighSurrogate(c) && i+1 < length && isLowSurrogate(s.CharAt(i+1)):
			i++
			b.WriteRune(utf16.DecodeRune(rune(c), rune(s.CharAt(i))))
		case isHighSurrogate(c), isLowSurrogate(c):
			b.WriteString(`\u` + strconv.FormatUint(uint64(c), 16))
		case !special(rune(c)) || c == unicode.ReplacementChar:
			b.WriteRune(rune(c))
		default:
			b.WriteString(escapeOf(c))
		}
	}
	return b.String()
}

func escapeOf(c uint16) string {
	switch c {
	case '\b':
		return `\b`
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\f':
		return `\f`
	case '\r':
		return `\r`
	case '\'':
		return `\'`
	case '\\':
		return `\\`
	default:
		return `\x` + strings.ToUpper(strconv.FormatUint(0x100|uint64(c), 16)[1:])
	}
}

func symbolLiteral(s *goja.Symbol) string { return "Symbol(" + s.String() + ")" }

// bigintBits is the size up to which a BigInt is written out; converting what is larger takes longer than it is worth.
const bigintBits = 4 * MaxInspectBytes

func bigintLiteral(v goja.Value) string {
	n := v.Export().(*big.Int)
	if n.BitLen() > bigintBits {
		return "[BigInt of " + strconv.Itoa(n.BitLen()) + " bits]"
	}
	return n.String() + "n"
}

// units counts the UTF-16 code units of text, which is what JavaScript calls its length.
func units(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// displayWidth counts the columns of a terminal that text takes: none for control and combining characters, two for East Asian
// wide ones and most emoji.
func displayWidth(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r < ' ' || r >= 0x7F && r <= 0x9F || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide knows the blocks of wide characters, from EastAsianWidth.txt of Unicode.
func isWide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115F || // Hangul Jamo
		r == 0x2329 || r == 0x232A || // angle brackets
		r >= 0x2E80 && r <= 0x3247 && r != 0x303F || // CJK radicals to enclosed letters
		r >= 0x3250 && r <= 0x4DBF ||
		r >= 0x4E00 && r <= 0xA4C6 || // ideographs, Yi
		r >= 0xA960 && r <= 0xA97C ||
		r >= 0xAC00 && r <= 0xD7A3 || // Hangul syllables
		r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFE10 && r <= 0xFE19 ||
		r >= 0xFE30 && r <= 0xFE6B ||
		r >= 0xFF01 && r <= 0xFF60 || // full-width forms
		r >= 0xFFE0 && r <= 0xFFE6 ||
		r >= 0x1B000 && r <= 0x1B001 ||
		r >= 0x1F200 && r <= 0x1F251 ||
		r >= 0x1F300 && r <= 0x1F64F || // pictographs, emoticons
		r >= 0x1F680 && r <= 0x1F6FF ||
		r >= 0x1F900 && r <= 0x1FAFF ||
		r >= 0x20000 && r <= 0x3FFFD)
}
