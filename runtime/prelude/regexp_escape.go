package prelude

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape reads a backslash and what belongs to it, outside of a class.
func (p *patternParser) escape() (term, error) {
	start := p.at
	p.at++
	if p.at == len(p.text) {
		return term{}, errPattern
	}
	switch c := p.text[p.at]; {
	case c == 'b':
		p.at++
		return term{kind: boundary, text: `\b`}, nil
	case c == 'B':
		p.at++
		return term{kind: insideOrOut, text: `\B`}, nil
	case c == 'k' && (p.unicode || p.named):
		end := strings.IndexByte(p.text[p.at:], '>')
		if !strings.HasPrefix(p.text[p.at:], "k<") || end < 0 {
			return term{}, errPattern
		}
		p.at += end + 1
		return term{kind: backReference, text: p.text[start:p.at]}, nil
	case '1' <= c && c <= '9':
		digits := p.at
		for p.at < len(p.text) && isDigits(p.text[p.at:p.at+1]) {
			p.at++
		}
		if n, err := strconv.Atoi(p.text[digits:p.at]); err == nil && n <= p.groups || p.unicode {
			return term{kind: backReference, text: p.text[start:p.at]}, nil
		}
		p.at = digits
	}
	p.at = start
	set, rewrite, isClass, err := p.escapedSet()
	if err != nil {
		return term{}, err
	}
	t := term{kind: character, text: p.text[start:p.at], set: set, rewrite: rewrite}
	if isClass {
		t.kind = class
	}
	if rewrite && p.ignoreCase {
		t.set = set.folded()
	}
	return t, nil
}

// escapedSet reads an escape that stands for a character or a set of them, in a class or out of it.
func (p *patternParser) escapedSet() (set codePoints, rewrite, isClass bool, err error) {
	start := p.at
	p.at++
	if p.at == len(p.text) {
		return nil, false, false, errPattern
	}
	r := p.rune()
	words, top := wordsFor(p.ignoreCase), lastOf(p.unicode)
	switch r {
	case 'd':
		return digits, false, true, nil
	case 'D':
		return digits.complement(top), false, true, nil
	case 's':
		return whiteSpace, false, true, nil
	case 'S':
		return whiteSpace.complement(top), false, true, nil
	case 'w':
		return words, false, true, nil
	case 'W':
		return words.complement(top), false, true, nil
	case 'p', 'P':
		if p.unicode {
			set, err := p.property(start)
			if r == 'P' && err == nil {
				set = set.complement(utf8.MaxRune)
			}
			return set, true, true, err
		}
	}
	r, err = p.escapedRune(r)
	if err != nil {
		return nil, false, false, err
	}
	return single(r), false, false, nil
}

// escapedRune returns the character of an escape, of which the backslash and r have been read.
func (p *patternParser) escapedRune(r rune) (rune, error) {
	switch r {
	case 't':
		return '\t', nil
	case 'n':
		return '\n', nil
	case 'v':
		return '\v', nil
	case 'f':
		return '\f', nil
	case 'r':
		return '\r', nil
	case 'c':
		if p.at < len(p.text) && isLetter(p.text[p.at]) {
			p.at++
			return rune(p.text[p.at-1] % 32), nil
		}
		if p.unicode {
			return 0, errPattern
		}
		p.at-- // the backslash is one itself
		return '\\', nil
	case 'x':
		if n, ok := p.hex(2); ok {
			return n, nil
		}
	case 'u':
		if n, ok := p.codePoint(); ok {
			return n, nil
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return p.octal(r)
	}
	if p.unicode && r < utf8.RuneSelf && (isLetter(byte(r)) || '0' <= r && r <= '9') {
		return 0, &patternError{"invalid escape \\" + string(r)}
	}
	return r, nil
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// hex reads exactly so many hexadecimal digits, or nothing.
func (p *patternParser) hex(digits int) (rune, bool) {
	if p.at+digits > len(p.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+digits], 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += digits
	return rune(n), true
}

// codePoint reads what follows \u. With the flag u it may be in braces, and a pair of surrogates is one.
func (p *patternParser) codePoint() (rune, bool) {
	if p.unicode && strings.HasPrefix(p.text[p.at:], "{") {
		digits, _, closed := strings.Cut(p.text[p.at+1:], "}")
		n, err := strconv.ParseUint(digits, 16, 32)
		if !closed || err != nil || n > utf8.MaxRune {
			return 0, false
		}
		p.at += len(digits) + 2
		return rune(n), true
	}
	n, ok := p.hex(4)
	if !ok || !p.unicode || !utf16.IsSurrogate(n) {
		return n, ok
	}
	after := p.at
	if p.take(`\u`) {
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(n, low); pair != utf8.RuneError {
				return pair, true
			}
		}
	}
	p.at = after
	return n, true
}

// octal reads an escape of the old kind, of which the first digit has been read: at most three digits, at most \377.
func (p *patternParser) octal(r rune) (rune, error) {
	n := r - '0'
	for digits := 1; digits < 3 && p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '7' && n*8 <= 0377; digits++ {
		if p.unicode {
			return 0, errPattern
		}
		n = n*8 + rune(p.text[p.at]-'0')
		p.at++
	}
	if p.unicode && r != '0' {
		return 0, errPattern
	}
	return n, nil
}
