package prelude

import (
	"strings"
	"unicode/utf16"
)

// class reads a class in brackets.
func (p *patternParser) class() (term, error) {
	start := p.at
	p.at++
	t := term{kind: class, negated: p.take("^")}
	spans := []span{}
	for !p.take("]") {
		low, err := p.classAtom(&t)
		if err != nil {
			return t, err
		}
		spans = append(spans, low.set...)
		if !strings.HasPrefix(p.text[p.at:], "-") || strings.HasPrefix(p.text[p.at:], "-]") {
			continue
		}
		p.at++
		high, err := p.classAtom(&t)
		if err != nil {
			return t, err
		}
		spans = append(spans, high.set...)
		switch {
		case low.single && high.single && low.last > high.first:
			return t, &patternError{"range out of order in a character class"}
		case low.single && high.single:
			spans = append(spans, span{low.last, high.first})
		case p.unicode:
			return t, &patternError{"a class at an end of a range in a character class"}
		default:
			spans = append(spans, span{'-', '-'}) // next to a class it means itself
		}
	}
	t.text = p.text[start:p.at]
	t.set = newCodePoints(spans)
	if p.ignoreCase && p.unicode {
		t.set = t.set.folded()
	}
	// The linear engine's [^] and [] leave out, or let in, what is beyond U+1FFFF.
	t.rewrite = t.rewrite || len(spans) == 0
	return t, nil
}

// classAtom is a character or an escape in a class.
type classAtom struct {
	set         codePoints
	single      bool // one character; first and last are its halves, if it is two units
	first, last rune
}

// classAtom reads one; t is the class, and is told when it has to be rewritten.
func (p *patternParser) classAtom(t *term) (classAtom, error) {
	if p.at == len(p.text) {
		return classAtom{}, errPattern
	}
	switch {
	case p.take(`\b`):
		return p.one('\b'), nil
	case p.unicode && p.take(`\-`):
		return p.one('-'), nil
	case p.text[p.at] != '\\':
		return p.one(p.rune()), nil
	}
	set, rewrite, isClass, err := p.escapedSet()
	t.rewrite = t.rewrite || rewrite
	if err != nil || isClass {
		return classAtom{set: set}, err
	}
	return p.one(set[0].first), nil
}

// one is the atom of one character.
func (p *patternParser) one(r rune) classAtom {
	if p.unicode || r <= lastUnit {
		return classAtom{set: single(r), single: true, first: r, last: r}
	}
	high, low := utf16.EncodeRune(r)
	return classAtom{set: codePoints{{high, high}, {low, low}}, single: true, first: high, last: low}
}
