package prelude

import (
	"strings"
)

// patternWriter spells a pattern so that the engine takes it for what it is in ECMAScript, and finds out on the way whether it has to
// be the engine that backtracks.
type patternWriter struct {
	out                            strings.Builder
	unicode, multiline, ignoreCase bool // flags u, m and i

	backtrack  bool // the linear engine would answer wrongly
	nextShadow rune // where to look for the next one, see shadowed
}

func (w *patternWriter) tree(tree *patternTree) {
	for i, alternative := range tree.alternatives {
		if i > 0 {
			w.out.WriteByte('|')
		}
		for _, t := range alternative {
			w.term(t)
			w.out.WriteString(t.repeated)
		}
	}
}

func (w *patternWriter) term(t term) {
	switch t.kind {
	case boundary:
		if w.unicode && w.ignoreCase { // the engine's \w has ſ and the kelvin sign then, as it should, its \b has not
			t.text = boundaryByWord
		}
	case insideOrOut:
		if w.unicode && w.ignoreCase {
			t.text = insideOrOutByWord
		}
	case lineStart, lineEnd:
		// The linear engine knows no line terminator but \n.
		w.backtrack = w.backtrack || w.multiline
	case character, class:
		w.set(t)
		return
	case group, lookAround:
		// The linear engine keeps what a group matched in an earlier round.
		w.backtrack = w.backtrack || t.repeats && (t.body.captures() || t.captures() && t.body.mayMatchNothing())
		w.out.WriteString(t.text)
		w.tree(t.body)
		w.out.WriteByte(')')
		return
	}
	w.out.WriteString(t.text)
}

// \b and \B by way of \w.
const (
	boundaryByWord    = `(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`
	insideOrOutByWord = `(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))`
)

// set writes a character or a class: as it stands where the engine reads it rightly.
func (w *patternWriter) set(t term) {
	w.backtrack = w.backtrack || w.ignoreCase && t.set.foldsAstray(w.unicode)
	switch {
	case t.set.splitsSurrogates() && t.negated:
		w.out.WriteString("(?:(?!")
		w.shadowed(t.set)
		w.out.WriteByte(')')
		codePoints{}.write(&w.out, true, w.unicode)
		w.out.WriteByte(')')
	case t.set.splitsSurrogates():
		w.shadowed(t.set)
	case t.rewrite:
		t.set.write(&w.out, t.negated, w.unicode)
	default:
		w.out.WriteString(t.text)
	}
}

// shadowed writes a set that begins or ends among the surrogates. The engine that backtracks has texts in its books in which all
// surrogates look the same: it takes one such set for another, and searches for the texts that a pattern may begin with in
// vain. So the set gets a shadow of its own, characters that it does not have, which make it another one and too large to list
// what it may begin with; and a look-ahead keeps them from matching.
func (w *patternWriter) shadowed(set codePoints) {
	shadow := w.shadow(set)
	if len(shadow) == 0 {
		set.write(&w.out, false, w.unicode)
		return
	}
	w.out.WriteString("(?:(?!")
	shadow.write(&w.out, false, w.unicode)
	w.out.WriteByte(')')
	newCodePoints(append(shadow[:1:1], set...)).write(&w.out, false, w.unicode)
	w.out.WriteByte(')')
}

// shadow finds characters that the set leaves room for, other ones each time: in the area for private use as long as there are any,
// then among the ideographs.
func (w *patternWriter) shadow(set codePoints) codePoints {
	const (
		size                     = 0x20 // more than the engine lists
		private, privateEnd      = 0xE000, 0xF900
		ideographs, ideographEnd = 0x4E00, 0xA000
	)
	for first := max(w.nextShadow, private); first != ideographEnd; first += 2 * size {
		if first == privateEnd {
			first = ideographs
		}
		if !set.overlaps(codePoints{{first - 1, first + size}}) {
			w.nextShadow = first + 2*size
			return codePoints{{first, first + size - 1}}
		}
	}
	return nil
}

// captures reports whether the term is a group that captures.
func (t term) captures() bool {
	return t.kind == group && t.text != "(?:"
}

// captures reports whether there is a capturing group in the pattern.
func (tree *patternTree) captures() bool {
	for _, alternative := range tree.alternatives {
		for _, t := range alternative {
			if t.captures() || t.body != nil && t.body.captures() {
				return true
			}
		}
	}
	return false
}

// mayMatchNothing reports whether the pattern can match the empty text.
func (tree *patternTree) mayMatchNothing() bool {
	for _, alternative := range tree.alternatives {
		if alternative.mayMatchNothing() {
			return true
		}
	}
	return false
}

func (s sequence) mayMatchNothing() bool {
	for _, t := range s {
		switch t.kind {
		case character, class, dot:
			if !t.optional {
				return false
			}
		case group:
			if !t.optional && !t.body.mayMatchNothing() {
				return false
			}
		}
	}
	return true
}

// mayMatchSomething reports whether the pattern can match a text that is not empty.
func (tree *patternTree) mayMatchSomething() bool {
	for _, alternative := range tree.alternatives {
		for _, t := range alternative {
			switch t.kind {
			case character, class, dot, backReference:
				return true
			case group:
				if t.body.mayMatchSomething() {
					return true
				}
			}
		}
	}
	return false
}
