package source

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// suspicious is a character outside strings, templates, comments and regular expressions that no program means to
// hold: it looks like another one, or like nothing.
type suspicious struct {
	from int
	r    rune
}

func (s *scanner) suspect(from int, r rune) {
	if len(s.suspicious) < maxFindings {
		s.suspicious = append(s.suspicious, suspicious{from: from, r: r})
	}
}

// joiner notes a zero-width joiner in an identifier, where ECMAScript allows it for scripts that need it. Beside
// an ASCII letter none does: it makes two names that look the same differ.
func (s *scanner) joiner(from int, r rune, size int) {
	if from > 0 && s.text[from-1] < utf8.RuneSelf || from+size < len(s.text) && s.text[from+size] < utf8.RuneSelf {
		s.suspect(from, r)
	}
}

// confusable is what is known of a suspicious character: its Unicode name and what is meant by it, where that is
// certain ("" is: nothing, delete it).
type confusable struct {
	r       rune
	name    string
	instead string
}

// confusables are the characters word processors, chat clients and web pages put where a program has another, in
// order of code point. Any other character beyond ASCII that is no letter is reported by number.
var confusables = [...]confusable{
	{'\u0085', "NEXT LINE", " "},
	{'\u00A0', "NO-BREAK SPACE", " "},
	{'\u00AB', "LEFT-POINTING DOUBLE ANGLE QUOTATION MARK", `"`},
	{'\u00AC', "NOT SIGN", "!"},
	{'\u00AD', "SOFT HYPHEN", ""},
	{'\u00B4', "ACUTE ACCENT", "'"},
	{'\u00BB', "RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK", `"`},
	{'\u00D7', "MULTIPLICATION SIGN", "*"},
	{'\u00F7', "DIVISION SIGN", "/"},
	{'\u037E', "GREEK QUESTION MARK", ";"},
	{'\u1680', "OGHAM SPACE MARK", " "},
	{'\u2000', "EN QUAD", " "},
	{'\u2001', "EM QUAD", " "},
	{'\u2002', "EN SPACE", " "},
	{'\u2003', "EM SPACE", " "},
	{'\u2004', "THREE-PER-EM SPACE", " "},
	{'\u2005', "FOUR-PER-EM SPACE", " "},
	{'\u2006', "SIX-PER-EM SPACE", " "},
	{'\u2007', "FIGURE SPACE", " "},
	{'\u2008', "PUNCTUATION SPACE", " "},
	{'\u2009', "THIN SPACE", " "},
	{'\u200A', "HAIR SPACE", " "},
	{'\u200B', "ZERO WIDTH SPACE", ""},
	{'\u200C', "ZERO WIDTH NON-JOINER", ""},
	{'\u200D', "ZERO WIDTH JOINER", ""},
	{'\u200E', "LEFT-TO-RIGHT MARK", ""},
	{'\u200F', "RIGHT-TO-LEFT MARK", ""},
	{'\u2010', "HYPHEN", "-"},
	{'\u2011', "NON-BREAKING HYPHEN", "-"},
	{'\u2012', "FIGURE DASH", "-"},
	{'\u2013', "EN DASH", "-"},
	{'\u2014', "EM DASH", "-"},
	{'\u2018', "LEFT SINGLE QUOTATION MARK", "'"},
	{'\u2019', "RIGHT SINGLE QUOTATION MARK", "'"},
	{'\u201A', "SINGLE LOW-9 QUOTATION MARK", "'"},
	{'\u201B', "SINGLE HIGH-REVERSED-9 QUOTATION MARK", "'"},
	{'\u201C', "LEFT DOUBLE QUOTATION MARK", `"`},
	{'\u201D', "RIGHT DOUBLE QUOTATION MARK", `"`},
	{'\u201E', "DOUBLE LOW-9 QUOTATION MARK", `"`},
	{'\u201F', "DOUBLE HIGH-REVERSED-9 QUOTATION MARK", `"`},
	{'\u2026', "HORIZONTAL ELLIPSIS", "..."},
	{'\u202A', "LEFT-TO-RIGHT EMBEDDING", ""},
	{'\u202B', "RIGHT-TO-LEFT EMBEDDING", ""},
	{'\u202C', "POP DIRECTIONAL FORMATTING", ""},
	{'\u202D', "LEFT-TO-RIGHT OVERRIDE", ""},
	{'\u202E', "RIGHT-TO-LEFT OVERRIDE", ""},
	{'\u202F', "NARROW NO-BREAK SPACE", " "},
	{'\u2032', "PRIME", "'"},
	{'\u2033', "DOUBLE PRIME", `"`},
	{'\u2039', "SINGLE LEFT-POINTING ANGLE QUOTATION MARK", "'"},
	{'\u203A', "SINGLE RIGHT-POINTING ANGLE QUOTATION MARK", "'"},
	{'\u205F', "MEDIUM MATHEMATICAL SPACE", " "},
	{'\u2060', "WORD JOINER", ""},
	{'\u2066', "LEFT-TO-RIGHT ISOLATE", ""},
	{'\u2067', "RIGHT-TO-LEFT ISOLATE", ""},
	{'\u2068', "FIRST STRONG ISOLATE", ""},
	{'\u2069', "POP DIRECTIONAL ISOLATE", ""},
	{'\u2192', "RIGHTWARDS ARROW", "=>"},
	{'\u21D2', "RIGHTWARDS DOUBLE ARROW", "=>"},
	{'\u2212', "MINUS SIGN", "-"},
	{'\u2217', "ASTERISK OPERATOR", "*"},
	{'\u2227', "LOGICAL AND", "&&"},
	{'\u2228', "LOGICAL OR", "||"},
	{'\u2260', "NOT EQUAL TO", "!="},
	{'\u2264', "LESS-THAN OR EQUAL TO", "<="},
	{'\u2265', "GREATER-THAN OR EQUAL TO", ">="},
	{'\u3000', "IDEOGRAPHIC SPACE", " "},
	{'\u3001', "IDEOGRAPHIC COMMA", ","},
	{'\u3010', "LEFT BLACK LENTICULAR BRACKET", "["},
	{'\u3011', "RIGHT BLACK LENTICULAR BRACKET", "]"},
	{'\u301D', "REVERSED DOUBLE PRIME QUOTATION MARK", `"`},
	{'\u301E', "DOUBLE PRIME QUOTATION MARK", `"`},
	{'\uFEFF', "ZERO WIDTH NO-BREAK SPACE", ""},
	{'\uFF01', "FULLWIDTH EXCLAMATION MARK", "!"},
	{'\uFF02', "FULLWIDTH QUOTATION MARK", `"`},
	{'\uFF07', "FULLWIDTH APOSTROPHE", "'"},
	{'\uFF08', "FULLWIDTH LEFT PARENTHESIS", "("},
	{'\uFF09', "FULLWIDTH RIGHT PARENTHESIS", ")"},
	{'\uFF0B', "FULLWIDTH PLUS SIGN", "+"},
	{'\uFF0C', "FULLWIDTH COMMA", ","},
	{'\uFF0D', "FULLWIDTH HYPHEN-MINUS", "-"},
	{'\uFF0E', "FULLWIDTH FULL STOP", "."},
	{'\uFF0F', "FULLWIDTH SOLIDUS", "/"},
	{'\uFF1A', "FULLWIDTH COLON", ":"},
	{'\uFF1B', "FULLWIDTH SEMICOLON", ";"},
	{'\uFF1C', "FULLWIDTH LESS-THAN SIGN", "<"},
	{'\uFF1D', "FULLWIDTH EQUALS SIGN", "="},
	{'\uFF1E', "FULLWIDTH GREATER-THAN SIGN", ">"},
	{'\uFF1F', "FULLWIDTH QUESTION MARK", "?"},
	{'\uFF3B', "FULLWIDTH LEFT SQUARE BRACKET", "["},
	{'\uFF3D', "FULLWIDTH RIGHT SQUARE BRACKET", "]"},
	{'\uFF40', "FULLWIDTH GRAVE ACCENT", "`"},
	{'\uFF5B', "FULLWIDTH LEFT CURLY BRACKET", "{"},
	{'\uFF5C', "FULLWIDTH VERTICAL LINE", "|"},
	{'\uFF5D', "FULLWIDTH RIGHT CURLY BRACKET", "}"},
	{'\uFF5E', "FULLWIDTH TILDE", "~"},
}

// lookUp finds what is known of r.
func lookUp(r rune) (confusable, bool) {
	for _, c := range confusables {
		if c.r == r {
			return c, true
		}
	}
	return confusable{}, false
}

// problem words a suspicious character.
func (c suspicious) problem(t *Text) problem {
	place := t.Position(c.from)
	known, ok := lookUp(c.r)
	var message string
	switch {
	case !ok:
		message = fmt.Sprintf("U+%04X at %s cannot stand outside strings and comments", c.r, place)
	case known.instead == "":
		message = fmt.Sprintf("U+%04X %s at %s: delete it", c.r, known.name, place)
	case known.instead == " ":
		message = fmt.Sprintf("U+%04X %s at %s: use a plain space instead", c.r, known.name, place)
	default:
		message = fmt.Sprintf("U+%04X %s at %s: use %s instead", c.r, known.name, place, known.instead)
	}
	return problem{from: c.from, message: message}
}

// repairCharacters returns text with every suspicious character replaced by what is meant, padded to the same
// length, so that what else is wrong can be found behind it.
func repairCharacters(text string, found []suspicious) string {
	b := []byte(text)
	for _, c := range found {
		size := max(utf8.RuneLen(c.r), 1)
		known, _ := lookUp(c.r)
		instead := known.instead
		if len(instead) > size {
			instead = ""
		}
		copy(b[c.from:], instead+strings.Repeat(" ", size-len(instead)))
	}
	return string(b)
}
