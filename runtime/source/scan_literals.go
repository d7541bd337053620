package source

import (
	"strings"
	"unicode/utf8"
)

// number scans a number, with a BigInt suffix or whatever else is glued to it.
func (s *scanner) number() {
	start := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c == '.' {
			// A second point is a property: 1..toString().
			if strings.ContainsRune(s.text[start:s.pos], '.') {
				break
			}
			s.pos++
			continue
		}
		if !s.partAt(s.pos) {
			break
		}
		s.pos++
		if (c == 'e' || c == 'E') && s.pos < len(s.text) && !isRadixPrefixed(s.text[start:s.pos]) &&
			(s.text[s.pos] == '+' || s.text[s.pos] == '-') {
			s.pos++
		}
		if c >= utf8.RuneSelf {
			for s.pos < len(s.text) && !utf8.RuneStart(s.text[s.pos]) {
				s.pos++
			}
		}
	}
	if literal := s.text[start:s.pos]; len(literal) > 1 && literal[0] == '0' && literal[1]-'0' < 10 && strings.ContainsAny(literal, "89") {
		s.use(LegacyDecimal, start)
	}
	s.emit(tokenNumber, start, s.begins())
	s.top().read(literal)
	s.operand = true
}

// isRadixPrefixed reports whether a number is in hexadecimal, where `e` is a digit.
func isRadixPrefixed(literal string) bool {
	return len(literal) > 1 && literal[0] == '0' && (literal[1]|0x20 == 'x')
}

// str scans a string literal. One that its line ends is ended there too, so that what follows is still read.
func (s *scanner) str(quote byte) {
	start := s.pos
	i := start + 1
	for i < len(s.text) {
		c := s.text[i]
		if c == quote {
			i++
			s.pos = i
			s.emit(tokenString, start, s.begins())
			s.top().read(literal)
			s.operand = true
			return
		}
		if c == '\n' || c == '\r' {
			break
		}
		if c == '\\' && i+1 < len(s.text) {
			i++
			if n := lineTerminator(s.text[i:]); n > 0 {
				i += n
				continue
			}
		}
		i++
	}
	s.pos = min(i, len(s.text))
	s.report(issue{kind: unterminatedString, open: start, from: start})
	s.emit(tokenString, start, s.begins())
	s.top().read(literal)
	s.operand = true
}

// template scans template text from from up to the closing backtick or the next `${`. The token began at start,
// with the opening backtick or the `}` of a substitution.
func (s *scanner) template(start, from int) {
	opening := start
	fresh := false
	if s.text[start] == '`' {
		// A template after an operand, on whatever line, is tagged by it.
		if fresh = s.boundary == statement; fresh {
			s.top().restart()
		}
		s.link()
		s.top().read(plain)
	} else {
		opening = int(s.closed.template)
	}
	for i := from; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == '`':
			s.pos = i + 1
			s.emit(tokenTemplate, start, fresh)
			s.operand = true
			return
		case c == '$' && i+1 < len(s.text) && s.text[i+1] == '{':
			s.pos = i + 2
			s.emit(tokenTemplate, start, fresh)
			s.push(frame{open: '$', at: int32(i), template: int32(opening), role: roleExpression})
			return
		}
	}
	s.pos = len(s.text)
	s.report(issue{kind: unterminatedTemplate, open: opening, from: opening})
	s.unclosedLiteral()
	s.emit(tokenTemplate, start, fresh)
	s.operand = true
}

// unclosedLiteral drops what is open where a literal swallowed the rest of the text: whatever else does not
// close is a consequence.
func (s *scanner) unclosedLiteral() { s.frames = s.frames[:1] }

// regExp scans a regular expression, if one closes on its line. Where none does, the slash is a division after all
// or the parser has more to say about it.
func (s *scanner) regExp() bool {
	start := s.pos
	if start < s.noRegExpBefore {
		return false
	}
	class, i := false, start+1
scan:
	for ; ; i++ {
		if i >= len(s.text) {
			break
		}
		switch c := s.text[i]; {
		case c == '\\':
			i++
			if i >= len(s.text) || lineTerminator(s.text[i:]) > 0 {
				break scan
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			s.pos = i + 1
			s.skipPart()
			s.emit(tokenRegExp, start, s.begins())
			s.top().read(plain)
			s.operand = true
			s.regExpFeatures(start, i, s.pos)
			return true
		case c == '\n' || c == '\r' || c == 0xE2 && lineTerminator(s.text[i:]) > 0:
			break scan
		}
	}
	// Remembered, so that a line of slashes costs one reading and not one for each.
	s.noRegExpBefore = i
	return false
}
