package prelude

import (
	"strings"
)

// patternWriter spells a pattern so that both engines behind goja take it for what it is in ECMAScript.
type patternWriter struct {
	out                                      strings.Builder
	unicode, multiline, matchAny, ignoreCase bool // flags u, m, s and i
	words                                    codePoints
	shadows                                  map[string]rune // classes that split the surrogates, as written, and what tells them apart
}

func (w *patternWriter) tree(tree *patternTree) {
	for i, alternative := range tree.alternatives {
		if i > 0 {
			w.out.WriteByte('|')
		}
		for j := range alternative {
			w.term(alternative, j)
			w.out.WriteString(alternative[j].repeated)
		}
	}
}

const (
	// Where a line begins or ends besides where the engine thinks it does: it knows \n only.
	multilineStart = `(?:^|(?<=[\r\u2028\u2029]))`
	multilineEnd   = `(?:$|(?=[\r\u2028\u2029]))`

	notLineTerminator = `[^\n\r\u2028\u2029]`
)

func (w *patternWriter) term(s sequence, i int) {
	switch t := s[i]; t.kind {
	case lineStart:
		if w.multiline {
			w.out.WriteString(multilineStart)
			return
		}
		w.out.WriteString(t.text)
	case lineEnd:
		if w.multiline {
			w.out.WriteString(multilineEnd)
			return
		}
		w.out.WriteString(t.text)
	case dot:
		if !w.matchAny {
			w.out.WriteString(notLineTerminator)
			return
		}
		w.out.WriteString(t.text)
	case boundary, insideOrOut:
		w.boundary(s, i)
	case group, lookAround:
		w.out.WriteString(t.text)
		w.tree(t.body)
		w.out.WriteByte(')')
	case class:
		w.class(t)
	default:
		w.out.WriteString(t.text)
	}
}

// class writes a class: as it stands where the engines read it rightly.
func (w *patternWriter) class(t term) {
	if !t.rewrite || t.set == nil {
		w.out.WriteString(t.text)
		return
	}
	if !t.negated && t.set.splitsSurrogates() {
		w.shadowed(t.set)
		return
	}
	if w.ignoreCase && t.set.foldsAstray() {
		t.set = t.set.folded().complement(lastOf(w.unicode))
		t.negated = !t.negated
	}
	t.set.write(&w.out, t.negated, w.unicode)
}

// shadowed writes a class that begins or ends among the surrogates. The engine files classes under a text in which all surrogates
// look the same, so that of two such classes in a pattern it uses the first for both. Each but the first gets a
// character of its own that does not occur in it, and a look-ahead that keeps this character from matching.
func (w *patternWriter) shadowed(set codePoints) {
	var written strings.Builder
	set.write(&written, false, w.unicode)
	shadow, known := w.shadows[written.String()]
	if !known {
		if len(w.shadows) > 0 {
			shadow = freeCharacter(set, 2*rune(len(w.shadows)))
		}
		if w.shadows == nil {
			w.shadows = map[string]rune{}
		}
		w.shadows[written.String()] = shadow
	}
	if shadow == 0 {
		w.out.WriteString(written.String())
		return
	}
	w.out.WriteString("(?:(?!")
	writeClassRune(&w.out, shadow, w.unicode)
	w.out.WriteByte(')')
	newCodePoints(append([]span{{shadow, shadow}}, set...)).write(&w.out, false, w.unicode)
	w.out.WriteByte(')')
}

// freeCharacter finds a control character from which on the set has room, or 0.
func freeCharacter(set codePoints, from rune) rune {
	for r := from + 1; r < firstSurrogate; r += 2 {
		if !set.overlaps(codePoints{{r - 1, r + 1}}) {
			return r
		}
	}
	return 0
}

// boundary writes \b or \B. One of the engines holds every letter of Unicode for a word character there. Where the term before or
// after it leaves no doubt which side is a word, looking at the other side is enough.
func (w *patternWriter) boundary(s sequence, i int) {
	inside := s[i].kind == insideOrOut
	after := sideUnknown
	if i+1 < len(s) {
		after = w.side(s[i+1], true)
	}
	before := sideUnknown
	if i > 0 {
		before = w.side(s[i-1], false)
	}
	switch {
	case after == sideWord && !inside, after == sideOther && inside:
		w.out.WriteString(`(?<!\w)`)
	case after == sideWord, after == sideOther:
		w.out.WriteString(`(?<=\w)`)
	case before == sideWord && !inside, before == sideOther && inside:
		w.out.WriteString(`(?!\w)`)
	case before == sideWord, before == sideOther:
		w.out.WriteString(`(?=\w)`)
	case inside:
		w.out.WriteString(`(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))`)
	default:
		w.out.WriteString(`(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`)
	}
}

// side is what a term begins or ends with.
type side uint8

const (
	sideUnknown side = iota // it may match nothing, or either
	sideWord                // always a word character
	sideOther               // never a word character
)

func (w *patternWriter) side(t term, first bool) side {
	if t.atLeast == 0 {
		return sideUnknown
	}
	switch t.kind {
	case character, class:
		if t.set == nil {
			return sideUnknown
		}
		set := t.set
		if t.negated {
			set = set.complement(lastOf(w.unicode))
		}
		switch {
		case len(set) == 0:
		case w.words.contains(set):
			return sideWord
		case !w.words.overlaps(set):
			return sideOther
		}
	case group:
		return w.sideOfTree(t.body, first)
	}
	return sideUnknown
}

func (w *patternWriter) sideOfTree(tree *patternTree, first bool) side {
	all := sideUnknown
	for i, alternative := range tree.alternatives {
		if len(alternative) == 0 {
			return sideUnknown
		}
		edge := alternative[0]
		if !first {
			edge = alternative[len(alternative)-1]
		}
		one := w.side(edge, first)
		if one == sideUnknown || i > 0 && one != all {
			return sideUnknown
		}
		all = one
	}
	return all
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
			if t.atLeast > 0 {
				return false
			}
		case group:
			if t.atLeast > 0 && !t.body.mayMatchNothing() {
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
