package prelude

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// patternTree is a pattern taken apart as far as it has to be: what stands where, and what it can match at the least.
type patternTree struct {
	alternatives []sequence
	namedGroup   bool // there is a (?<name>…)
}

// sequence is one alternative: terms after one another.
type sequence []term

type termKind uint8

const (
	character     termKind = iota // one character, as itself or by an escape
	class                         // […], \d, \p{…} …
	dot                           // .
	lineStart                     // ^
	lineEnd                       // $
	boundary                      // \b
	insideOrOut                   // \B
	group                         // (…), (?:…), (?<name>…)
	lookAround                    // (?=…), (?!…), (?<=…), (?<!…)
	backReference                 // \1, \k<name>
)

// term is an atom or an assertion with its quantifier.
type term struct {
	kind     termKind
	text     string       // as it is to be written: of group and lookAround, what opens it
	set      codePoints   // character and class: what it matches (of [^…], what it does not); nil when not known
	negated  bool         // class: it matches what set leaves out
	rewrite  bool         // class: the engine would misread text, so it is written from set
	body     *patternTree // group and lookAround
	repeated string       // the quantifier
	atLeast  int          // the number it begins with; 1 without quantifier
}

// errPattern says that a pattern is none, or none that this parser follows: the engine is left to judge it.
var errPattern = errors.New("not understood")

// maxPatternDepth is how deep groups may be nested before the pattern is left to the engine. No pattern written by hand
// comes near it; without it, a generated one could exhaust the stack.
const maxPatternDepth = 250

type patternParser struct {
	text       string
	at         int
	depth      int
	unicode    bool // flag u
	ignoreCase bool // flag i
	named      bool // the pattern has named groups, so \k is a reference without the flag u too
	groups     int  // the number of capturing groups, which tells \8 from a reference
}

// parsePattern takes a pattern apart. The error is errPattern, or a *patternError that says what is wrong.
func parsePattern(text, flags string) (*patternTree, error) {
	p := &patternParser{text: text, unicode: strings.Contains(flags, "u"), ignoreCase: strings.Contains(flags, "i")}
	p.countGroups()
	tree, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	if p.at != len(p.text) {
		return nil, errPattern // a parenthesis too many
	}
	tree.namedGroup = p.named
	return tree, nil
}

// countGroups looks ahead for what the meaning of an escape depends on.
func (p *patternParser) countGroups() {
	inClass := false
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '(' && !inClass:
			rest := p.text[i+1:]
			if !strings.HasPrefix(rest, "?") {
				p.groups++
			} else if strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!") {
				p.groups++
				p.named = true
			}
		}
	}
}

func (p *patternParser) disjunction() (*patternTree, error) {
	if p.depth++; p.depth > maxPatternDepth {
		return nil, errPattern
	}
	defer func() { p.depth-- }()
	tree := &patternTree{alternatives: []sequence{nil}}
	for p.at < len(p.text) && p.text[p.at] != ')' {
		if p.take("|") {
			tree.alternatives = append(tree.alternatives, nil)
			continue
		}
		t, err := p.term()
		if err != nil {
			return nil, err
		}
		if t.repeated, t.atLeast, err = p.quantifier(); err != nil {
			return nil, err
		}
		last := &tree.alternatives[len(tree.alternatives)-1]
		*last = append(*last, t)
	}
	return tree, nil
}

// take skips the text if it comes next.
func (p *patternParser) take(text string) bool {
	if strings.HasPrefix(p.text[p.at:], text) {
		p.at += len(text)
		return true
	}
	return false
}

func (p *patternParser) term() (term, error) {
	start := p.at
	switch p.text[p.at] {
	case '^':
		p.at++
		return term{kind: lineStart, text: "^"}, nil
	case '$':
		p.at++
		return term{kind: lineEnd, text: "$"}, nil
	case '.':
		p.at++
		return term{kind: dot, text: "."}, nil
	case '*', '+', '?':
		return term{}, errPattern // nothing to repeat
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	}
	r := p.rune()
	return p.character(p.text[start:p.at], p.single(r)), nil
}

// character is the term for one character.
func (p *patternParser) character(text string, set codePoints) term {
	if p.ignoreCase && set.foldsAstray() {
		return term{kind: class, text: text, set: set, rewrite: true}
	}
	return term{kind: character, text: text, set: set}
}

// rune reads a character of the pattern.
func (p *patternParser) rune() rune {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return r
}

// single is the set of one character. Without the flag u a character beyond the Basic Multilingual Plane is two units, of which
// a quantifier or a class takes one; no such set is of use, so it is left unknown.
func (p *patternParser) single(r rune) codePoints {
	if !p.unicode && r > lastUnit {
		return nil
	}
	return codePoints{{r, r}}
}

func (p *patternParser) group() (term, error) {
	start := p.at
	t := term{kind: group}
	switch {
	case p.take("(?:"):
	case p.take("(?="), p.take("(?!"), p.take("(?<="), p.take("(?<!"):
		t.kind = lookAround
	case p.take("(?<"):
		name := strings.IndexByte(p.text[p.at:], '>')
		if name < 0 {
			return t, errPattern
		}
		p.at += name + 1
	case p.take("(?"):
		return t, errPattern
	default:
		p.at++
	}
	t.text = p.text[start:p.at]
	var err error
	if t.body, err = p.disjunction(); err != nil {
		return t, err
	}
	if !p.take(")") {
		return t, errPattern
	}
	return t, nil
}

// quantifier reads what repeats a term, and the least number of times.
func (p *patternParser) quantifier() (text string, atLeast int, err error) {
	start := p.at
	switch {
	case p.take("*"), p.take("?"):
	case p.take("+"):
		atLeast = 1
	case p.take("{"):
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			p.at = start
			return "", 1, nil
		}
		inside := p.text[p.at : p.at+end]
		least, most, ranged := strings.Cut(inside, ",")
		if !isDigits(least) || ranged && most != "" && !isDigits(most) {
			p.at = start // a brace like any other character
			return "", 1, nil
		}
		if atLeast, err = strconv.Atoi(least); err != nil {
			atLeast = 1 // more than an int: more than none is all that matters
		}
		p.at += end + 1
	default:
		return "", 1, nil
	}
	p.take("?")
	return p.text[start:p.at], atLeast, nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

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
	text := p.text[start:p.at]
	if !isClass {
		if letter := p.identityLetter(start); letter != "" {
			text = letter
		}
		return p.character(text, set), nil
	}
	if rewrite && p.ignoreCase {
		set = set.folded()
	}
	return term{kind: class, text: text, set: set, rewrite: rewrite}, nil
}

// identityLetter returns the letter of an escape that stands for the letter itself, such as \A or \z. One of the engines
// takes some of them for something else.
func (p *patternParser) identityLetter(start int) string {
	if p.at-start != 2 {
		return ""
	}
	switch c := p.text[start+1]; {
	case strings.IndexByte("fnrtv", c) >= 0:
		return ""
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return string(c)
	}
	return ""
}

// escapedSet reads an escape that stands for a character or a set of them, in a class or out of it.
func (p *patternParser) escapedSet() (set codePoints, rewrite, isClass bool, err error) {
	start := p.at
	p.at++
	if p.at == len(p.text) {
		return nil, false, false, errPattern
	}
	r := p.rune()
	words, top := wordsFor(p.unicode, p.ignoreCase), lastOf(p.unicode)
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
	return p.single(r), false, false, nil
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
