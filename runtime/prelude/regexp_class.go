package prelude

import (
	"slices"
	"strings"
)

// class reads a class in brackets.
func (p *patternParser) class() (term, error) {
	start := p.at
	p.at++
	t := term{kind: class, negated: p.take("^")}
	spans := []span{}
	known := true
	for first := true; ; first = false {
		if p.at == len(p.text) {
			return t, errPattern
		}
		if p.take("]") {
			t.rewrite = t.rewrite || first
			break
		}
		low, rewrite, single, err := p.classAtom()
		if err != nil {
			return t, err
		}
		t.rewrite = t.rewrite || rewrite
		known = known && low != nil
		spans = append(spans, low...)
		if !strings.HasPrefix(p.text[p.at:], "-") || strings.HasPrefix(p.text[p.at:], "-]") {
			continue
		}
		p.at++
		if p.at == len(p.text) {
			return t, errPattern
		}
		high, rewrite, singleHigh, err := p.classAtom()
		if err != nil {
			return t, err
		}
		t.rewrite = t.rewrite || rewrite
		known = known && high != nil
		spans = append(spans, high...)
		switch {
		case (!single || !singleHigh) && p.unicode:
			return t, &patternError{"a class at an end of a range in a character class"}
		case !single || !singleHigh:
			spans = append(spans, span{'-', '-'}) // next to a class it means itself
		case low == nil || high == nil:
		case low[0].first > high[0].first:
			return t, &patternError{"range out of order in a character class"}
		default:
			spans = append(spans, span{low[0].first, high[0].first})
		}
	}
	t.text = p.text[start:p.at]
	if !known {
		return t, nil
	}
	// Of [\Dx] one of the engines makes [^\dx], since it turns \D around before it adds the rest.
	t.rewrite = t.rewrite || strings.Contains(t.text, `\D`) && len(t.text) > len(`[\D]`)
	t.set = newCodePoints(spans)
	if p.ignoreCase && p.unicode {
		t.set = t.set.folded()
	}
	t.rewrite = t.rewrite || t.set.splitsSurrogates() || p.ignoreCase && t.set.foldsAstray()
	return t, nil
}

// classAtom reads a character or an escape in a class.
func (p *patternParser) classAtom() (set codePoints, rewrite, single bool, err error) {
	if p.text[p.at] != '\\' {
		set := p.single(p.rune())
		return set, false, true, nil
	}
	if p.take(`\b`) {
		return p.single('\b'), false, true, nil
	}
	if p.unicode && p.take(`\-`) {
		return p.single('-'), false, true, nil
	}
	start := p.at
	set, rewrite, isClass, err := p.escapedSet()
	if err == nil && !isClass && p.identityLetter(start) != "" {
		rewrite = true
	}
	return slices.Clip(set), rewrite, !isClass, err
}
