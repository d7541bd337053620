package config

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/responses-as-code/gg/gg"
)

// judgement collects what is wrong with a document.
type judgement struct {
	table    *object // the keys there are, to tell where a misplaced one belongs
	known    Functions
	enabled  bool // whether the capability being judged is
	findings []finding

	places map[string][]string // by the name of a key the paths of the objects that have it; made when needed
}

// finding is a defect whose place is still an offset.
type finding struct {
	offset int
	defect Defect
}

func (j *judgement) add(offset int, d Defect) { j.findings = append(j.findings, finding{offset, d}) }

// refuse reports a value that is not what it must be.
func (j *judgement) refuse(at string, n *node, problem string) {
	if at == "" {
		at = "configuration" // all of it
	}
	j.add(n.start, Defect{Path: at, Value: n.shown(), Problem: problem})
}

// refuseName reports a string that is not one of the names there are. It is shown without its quotes.
func (j *judgement) refuseName(at string, n *node, problem string) {
	shown := n.shown()
	if n.kind == stringKind && n.text != "" {
		shown = printable(n.text)
	}
	j.add(n.start, Defect{Path: at, Value: shown, Problem: problem})
}

// refuseKey reports a key that must not be there, whatever its value.
func (j *judgement) refuseKey(at string, m member, problem string) {
	j.add(m.start, Defect{Path: at, Problem: problem})
}

// lack reports a key that is absent from n.
func (j *judgement) lack(at string, n *node, rule string) {
	j.add(n.end, Defect{Path: at, Missing: true, Problem: rule})
}

// once returns the members of an object, each key once, and reports every key that is given again.
func (j *judgement) once(at string, n *node) []member {
	first := make(map[string]bool, len(n.members))
	var members []member
	for _, m := range n.members {
		if first[m.name] {
			j.refuseKey(join(at, m.name), m, "given twice")
			continue
		}
		first[m.name] = true
		members = append(members, m)
	}
	return members
}

// unknownKey says what to write instead of a key that the object at the path at does not have: the place
// where the key does belong, the key that was probably meant, or those that there are.
func (j *judgement) unknownKey(at, name string, s *object) string {
	if place := j.belongs(at, name); place != "" {
		return "unknown key; it belongs " + place
	}
	if len(s.keys) == 0 {
		return "unknown key; " + quote(at) + " has none"
	}
	return "unknown key; " + meant(name, s.names())
}

// belongs returns the one place where a key is known, as `in` and the place, else nothing. A place in the
// capability that is being judged goes before all others.
func (j *judgement) belongs(at, name string) string {
	if j.places == nil {
		j.places = make(map[string][]string)
		j.table.each("", func(place string, k key) { j.places[k.name] = append(j.places[k.name], place) })
	}
	places := j.places[name]
	if scope, _, _ := strings.Cut(at, "."); scope != "" {
		var near []string
		for _, place := range places {
			if place == scope || strings.HasPrefix(place, scope+".") {
				near = append(near, place)
			}
		}
		if len(near) > 0 {
			places = near
		}
	}
	switch {
	case len(places) != 1:
		return ""
	case places[0] == "":
		return "at the top level"
	default:
		return "in " + quote(places[0])
	}
}

// meant says which of the known names an unknown one stands for, or which there are.
func meant(name string, known []string) string {
	if near, ok := gg.Nearest(name, known); ok {
		return "did you mean " + quote(near) + "?"
	}
	if len(known) == 0 {
		return "it has none"
	}
	return "gg recognizes " + quoteAll(known)
}

// join is the path of a key in the object at the path at.
func join(at, name string) string {
	switch {
	case !isPlain(name):
		return at + "[" + printable(string(appendQuoted(nil, name))) + "]"
	case at == "":
		return name
	default:
		return at + "." + name
	}
}

// isPlain reports whether a key needs no quotes in a path.
func isPlain(name string) bool {
	for i, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= shownLength
}

// index is the path of an element in the list at the path at.
func index(at string, i int) string { return fmt.Sprintf("%s[%d]", at, i) }

// refusal is the error for everything found, in document order.
func (j *judgement) refusal(name string, data []byte) *Error {
	slices.SortStableFunc(j.findings, func(a, b finding) int { return cmp.Compare(a.offset, b.offset) })
	e := &Error{Name: name}
	p := position{line: 1, column: 1}
	for _, f := range j.findings {
		p.advance(data, f.offset)
		f.defect.Line, f.defect.Column = p.line, p.column
		e.Defects = append(e.Defects, f.defect)
	}
	return e
}

// notJSON is the error for a text that could not be read.
func notJSON(name string, data []byte, faults []fault) *Error {
	var j judgement
	for _, f := range faults {
		j.add(f.offset, Defect{Problem: f.problem})
	}
	e := j.refusal(name, data)
	for i, d := range e.Defects {
		e.Defects[i].Path = strings.TrimPrefix(fmt.Sprintf("%s:%d:%d", escaped(name), d.Line, d.Column), ":")
	}
	return e
}

// position is a place in a text, moved forward only.
type position struct {
	offset, line, column int
}

// advance moves to an offset. Columns count UTF-16 code units, as those of programs do.
func (p *position) advance(data []byte, offset int) {
	passed := data[p.offset:offset]
	p.offset = offset
	if lines := bytes.Count(passed, []byte("\n")); lines > 0 {
		p.line += lines
		p.column = 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	for len(passed) > 0 {
		r, size := utf8.DecodeRune(passed)
		if p.column++; r > 0xFFFF {
			p.column++
		}
		passed = passed[size:]
	}
}
