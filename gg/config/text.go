package config

import (
	"maps"
	"slices"
	"strings"
)

// textRule is what the text of a string must be.
type textRule int

const (
	anyText      textRule = iota
	filledText            // not empty, without the NUL that ends a string of the system
	pathText              // a path, not in the notation of a shell
	envName               // the name of a variable
	settableName          // of one that is not gg's own
	envValue              // the value of a variable
)

// mark is the variable by which the shell finds the processes of a call again.
const mark = "GG_CALL"

// problem says what is wrong with a text, if anything.
func (r textRule) problem(text string) string {
	switch {
	case r == anyText:
		return ""
	case text == "" && r != envValue:
		return "must not be empty"
	case strings.ContainsRune(text, 0):
		return "must not contain U+0000"
	case r == pathText && (text == "~" || strings.HasPrefix(text, "~/")):
		// Taken literally it would be a directory called ~ in the workspace.
		return "`~` is not expanded; write the path out"
	case (r == envName || r == settableName) && strings.Contains(text, "="):
		return "must be the name of a variable, without `=`"
	case r == settableName && text == mark:
		return "set by gg itself"
	}
	return ""
}

// text is a string.
type text struct {
	field *string
	rules textRule
}

func (s *text) rule() string { return "must be a string" }

func (s *text) judge(j *judgement, at string, n *node) {
	if n.kind != stringKind {
		j.refuse(at, n, s.rule())
	} else if problem := s.rules.problem(n.text); problem != "" {
		j.refuse(at, n, problem)
	} else {
		*s.field = n.text
	}
}

func (s *text) fill() {}

func (s *text) write(to []byte) ([]byte, bool) {
	if *s.field == "" {
		return to, false
	}
	return appendQuoted(to, *s.field), true
}

// texts is a list of strings with at least as many as least says (0 or 1).
type texts struct {
	field *[]string
	rules textRule
	least int
}

func (s *texts) rule() string { return "must be a list of strings" }

func (s *texts) judge(j *judgement, at string, n *node) {
	if n.kind != arrayKind {
		j.refuse(at, n, s.rule())
		return
	}
	if len(n.items) < s.least {
		j.refuse(at, n, "must not be empty")
		return
	}
	list := make([]string, len(n.items))
	for i, item := range n.items {
		element := text{&list[i], s.rules}
		element.judge(j, index(at, i), item)
	}
	*s.field = list
}

func (s *texts) fill() {}

func (s *texts) write(to []byte) ([]byte, bool) {
	if *s.field == nil {
		return to, false
	}
	to = append(to, '[')
	for i, element := range *s.field {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendQuoted(to, element)
	}
	return append(to, ']'), true
}

// variables is an object of environment variables.
type variables struct {
	field *map[string]string
}

func (s *variables) rule() string { return "must be an object" }

func (s *variables) judge(j *judgement, at string, n *node) {
	if n.kind != objectKind {
		j.refuse(at, n, s.rule())
		return
	}
	set := make(map[string]string, len(n.members))
	for _, m := range j.once(at, n) {
		if problem := settableName.problem(m.name); problem != "" {
			j.refuseKey(join(at, m.name), m, problem)
			continue
		}
		var value string
		element := text{&value, envValue}
		element.judge(j, join(at, m.name), m.value)
		set[m.name] = value
	}
	*s.field = set
}

func (s *variables) fill() {}

func (s *variables) write(to []byte) ([]byte, bool) {
	if *s.field == nil {
		return to, false
	}
	to = append(to, '{')
	for i, name := range slices.Sorted(maps.Keys(*s.field)) {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendQuoted(to, name), ':')
		to = appendQuoted(to, (*s.field)[name])
	}
	return append(to, '}'), true
}

// functions is the list of functions that a capability is narrowed to.
type functions struct {
	field *[]string
	id    string
}

func (s *functions) rule() string { return "must be a list of strings" }

func (s *functions) judge(j *judgement, at string, n *node) {
	list := texts{s.field, filledText, 0}
	list.judge(j, at, n)
	if n.kind != arrayKind || j.known == nil || s.id == "" {
		return
	}
	known := j.known[s.id]
	for i, item := range n.items {
		if item.kind != stringKind || filledText.problem(item.text) != "" || slices.Contains(known, item.text) {
			continue
		}
		name := item.text[strings.LastIndexByte(item.text, '.')+1:] // written with its module, perhaps
		j.refuseName(index(at, i), item, "not a function of "+quote(s.id)+"; "+meant(name, known))
	}
}

func (s *functions) fill() {}

func (s *functions) write(to []byte) ([]byte, bool) {
	return (&texts{s.field, filledText, 0}).write(to)
}
