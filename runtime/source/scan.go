package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scan is what one pass over a text found.
type scan struct {
	text       string
	tokens     []token
	issues     []issue      // brackets and literals that do not close, in order of discovery
	suspicious []suspicious // characters that look like others or like nothing
	features   []feature
	limit      *exceeded // the bound at which the pass stopped, if it did
	stopped    int       // offset of the fence at which the pass stopped, or -1

	conditionals int32 // most conditionals that one expression and those around it hold
}

// maxFindings bounds each list of findings: nobody reads more.
const maxFindings = 100

// boundary says whether a token may begin a statement.
type boundary uint8

const (
	inside    boundary = iota // within an expression
	statement                 // at the start of a statement
	body                      // at the start of the statement an `if (…)`, `else` or label governs
)

// scanner is one pass over a text: single, linear, without recursion. It keeps a stack of open brackets with just
// enough memory to tell a regular expression from a division and a block from an object, in the manner of
// es-module-lexer. Where it cannot tell it guesses, and its guesses are harmless: they choose wording, never
// whether a program is accepted.
type scanner struct {
	*scan
	limits Limits
	pos    int
	frames []frame // frames[0] is the program itself

	prev     token    // the token before
	prevWord string   // its text where it is a word
	operand  bool     // it ends an operand: a division may follow, a regular expression may not
	boundary boundary // what it leaves for the next one to begin
	newline  bool     // a line terminator stands between it and pos
	closed   frame    // the bracket that closed last

	noRegExpBefore int // no regular expression closes between here and this offset

	fence    byte // stop at a closing fence of this character, 0 for none
	fenceLen int  // and at least this length
}

// scanText scans the whole of text, or up to the bound it exceeds.
func scanText(text string, limits Limits) *scan {
	s := newScanner(text, 0, limits)
	s.run()
	return s.scan
}

func newScanner(text string, from int, limits Limits) *scanner {
	return &scanner{
		scan:     &scan{text: text, stopped: -1, tokens: make([]token, 0, 16+(len(text)-from)/4)},
		limits:   limits,
		pos:      from,
		frames:   append(make([]frame, 0, 16), frame{role: roleBlock}),
		boundary: statement,
	}
}

func (s *scanner) run() {
	for s.limit == nil {
		s.skipSpace()
		if s.pos >= len(s.text) {
			s.closeAll()
			return
		}
		if s.fence != 0 && s.text[s.pos] == s.fence && closesFence(s.text, s.pos, s.fence, s.fenceLen) {
			s.stopped = s.pos
			return
		}
		s.next()
	}
}

// next scans one token.
func (s *scanner) next() {
	c := s.text[s.pos]
	switch {
	case c >= utf8.RuneSelf:
		s.unicode()
	case charClass[c]&charStart != 0 || c == '\\':
		s.word()
	case charClass[c]&charDigit != 0 || c == '.' && s.digitAt(s.pos+1):
		s.number()
	case c == '"' || c == '\'':
		s.str(c)
	case c == '`':
		s.template(s.pos, s.pos+1)
	case c == '(' || c == '[' || c == '{':
		s.open(c)
	case c == ')' || c == ']' || c == '}':
		s.close(c)
	case c == '/' && !s.operand && s.regExp():
	case c == '#' && s.partAt(s.pos+1):
		start := s.pos
		s.pos++
		s.skipPart()
		s.emit(tokenPrivate, start, s.begins())
		s.top().read(plain)
		s.operand = true
	default:
		s.punct(c)
	}
}

func (s *scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// emit appends the token from start to pos and makes it the previous one. The caller then says what it leaves
// behind; emit itself leaves an expression that goes on.
func (s *scanner) emit(kind tokenKind, start int, fresh bool) {
	depth := min(len(s.frames)-1, 255)
	t := token{start: int32(start), end: int32(s.pos), kind: kind, fresh: fresh, newline: s.newline, depth: uint8(depth)}
	s.tokens = append(s.tokens, t)
	s.prev, s.prevWord = t, ""
	s.newline, s.operand, s.boundary = false, false, inside
}

// begins reports whether the token at pos begins a statement, and if so forgets the expression before it. Only a
// token that can begin an operand asks: after an operand on the line before, it can only be a new statement.
func (s *scanner) begins() bool {
	if s.boundary == statement || s.operand && s.newline {
		s.top().restart()
		return true
	}
	return false
}

// link counts one more operator of the expression or statement at hand.
func (s *scanner) link() {
	f := s.top()
	if f.chain++; f.chain > maxChain && s.limit == nil {
		s.limit = &exceeded{limit: "operators in one expression", use: int(f.chain), bound: maxChain, from: s.pos}
	}
}

func (s *scanner) digitAt(i int) bool {
	return i < len(s.text) && s.text[i]-'0' < 10
}

// partAt reports whether the character at i continues an identifier.
func (s *scanner) partAt(i int) bool {
	if i >= len(s.text) {
		return false
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return charClass[c]&charPart != 0 || c == '\\'
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return isIdentifierPart(r)
}

// isIdentifierStart follows goja, which has the letters of Go's Unicode tables.
func isIdentifierStart(r rune) bool {
	return unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
}

func isIdentifierPart(r rune) bool {
	return isIdentifierStart(r) || r == zeroWidthNonJoiner || r == zeroWidthJoiner ||
		unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}

// skipSpace goes past white space and comments to the next token.
func (s *scanner) skipSpace() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n' || c == '\r':
			s.newline = true
			s.pos++
		case c < utf8.RuneSelf && charClass[c]&charSpace != 0:
			s.pos++
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "//"):
			s.pos = s.lineEnd(s.pos)
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "/*"):
			s.blockComment()
		case c >= utf8.RuneSelf:
			if n := lineTerminator(s.text[s.pos:]); n > 0 {
				s.newline = true
				s.pos += n
				continue
			}
			r, size := utf8.DecodeRuneInString(s.text[s.pos:])
			if !unicode.IsSpace(r) && r != '\uFEFF' {
				return
			}
			s.suspect(s.pos, r)
			s.pos += size
		default:
			return
		}
	}
}

// lineEnd returns the offset of the next line terminator at or after i, or of the end of the text.
func (s *scanner) lineEnd(i int) int {
	for ; i < len(s.text); i++ {
		if c := s.text[i]; c == '\n' || c == '\r' || c == 0xE2 && lineTerminator(s.text[i:]) > 0 {
			return i
		}
	}
	return i
}

func (s *scanner) blockComment() {
	start := s.pos
	length := strings.Index(s.text[start+2:], "*/")
	if length < 0 {
		s.report(issue{kind: unterminatedComment, open: start, from: start})
		s.pos = len(s.text)
		s.unclosedLiteral()
		return
	}
	s.pos = start + 2 + length + 2
	if comment := s.text[start:s.pos]; strings.ContainsAny(comment, "\n\r\u2028\u2029") {
		s.newline = true
	}
}

// unicode scans a token that begins with a character beyond ASCII.
func (s *scanner) unicode() {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	if isIdentifierStart(r) {
		s.word()
		return
	}
	start := s.pos
	s.suspect(start, r)
	s.pos += size
	fresh := s.begins()
	s.emit(tokenBad, start, fresh)
	s.top().read(plain)
	s.operand = true
}

// skipPart goes past the rest of an identifier, its escapes included.
func (s *scanner) skipPart() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c < utf8.RuneSelf && charClass[c]&charPart != 0:
			s.pos++
		case c == '\\':
			s.pos++
			if strings.HasPrefix(s.text[s.pos:], "u{") {
				s.pos += len("u{")
				for s.partAt(s.pos) {
					s.pos++
				}
				if s.pos < len(s.text) && s.text[s.pos] == '}' {
					s.pos++
				}
			}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[s.pos:])
			if !isIdentifierPart(r) {
				return
			}
			if r == zeroWidthJoiner || r == zeroWidthNonJoiner {
				s.joiner(s.pos, r, size)
			}
			s.pos += size
		default:
			return
		}
	}
}
