package prelude

import (
	"errors"
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
	text     string       // as it is written: of group and lookAround, what opens it
	set      codePoints   // character and class: what it matches (of [^…], what it does not)
	negated  bool         // class: it matches what set leaves out
	rewrite  bool         // class: the engine would misread text, so it is written from set
	body     *patternTree // group and lookAround
	repeated string       // the quantifier
	optional bool         // the quantifier allows none
	repeats  bool         // the quantifier allows more than one
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
		last := &tree.alternatives[len(tree.alternatives)-1]
		if high, low, ok := p.halves(t); ok {
			*last = append(*last, high)
			t = low
		}
		p.quantifier(&t)
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
	return term{kind: character, text: p.text[start:p.at], set: single(r)}, nil
}

// halves takes a character beyond the Basic Multilingual Plane apart. Without the flag u it is two units, the second of which is what
// a quantifier repeats.
func (p *patternParser) halves(t term) (high, low term, ok bool) {
	if p.unicode || t.kind != character || t.set[0].first <= lastUnit {
		return t, t, false
	}
	a, b := utf16.EncodeRune(t.set[0].first)
	return unit(a), unit(b), true
}

func unit(r rune) term {
	return term{kind: character, text: `\u` + hexUnit(r), set: single(r)}
}

// rune reads a character of the pattern.
func (p *patternParser) rune() rune {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return r
}

// single is the set of one character.
func single(r rune) codePoints { return codePoints{{r, r}} }

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

// quantifier reads what repeats a term, if anything does.
func (p *patternParser) quantifier(t *term) {
	start := p.at
	switch {
	case p.take("*"):
		t.optional, t.repeats = true, true
	case p.take("+"):
		t.repeats = true
	case p.take("?"):
		t.optional = true
	case p.take("{"):
		inside, _, closed := strings.Cut(p.text[p.at:], "}")
		least, most, ranged := strings.Cut(inside, ",")
		if !closed || !isDigits(least) || ranged && most != "" && !isDigits(most) {
			p.at = start // a brace like any other character
			return
		}
		if !ranged {
			most = least
		}
		t.optional = strings.Trim(least, "0") == ""
		t.repeats = most == "" || strings.TrimLeft(most, "0") != "" && strings.TrimLeft(most, "0") != "1"
		p.at += len(inside) + len("}")
	default:
		return
	}
	p.take("?")
	t.repeated = p.text[start:p.at]
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
