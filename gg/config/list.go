package config

import (
	"slices"

	"github.com/responses-as-code/gg/gg"
)

// capabilities is the list of capabilities, at most one entry for each.
type capabilities []capability

// capability is one of them: the keys it has besides those that all have.
type capability struct {
	id    string
	grant *Grant
	own   []key
}

// object is the whole entry.
func (c capability) object() *object {
	keys := []key{
		{"id", always, identity(c.id), "Which capability this is."},
		{"enabled", always, &boolean{&c.grant.Enabled, false, c.id == runID}, c.enabledBrief()},
		{"functions", optional, &functions{&c.grant.Functions, c.id}, "The functions granted, by their names without the module. Default: all of the capability."},
	}
	return &object{append(keys, c.own...)}
}

func (c capability) enabledBrief() string {
	if c.id == runID {
		return "Whether programs have it. Not in this version: must be false."
	}
	return "Whether programs have it."
}

func (s capabilities) rule() string { return "must be a list of capabilities" }

func (s capabilities) judge(j *judgement, at string, n *node) {
	if n.kind != arrayKind {
		j.refuse(at, n, s.rule())
		return
	}
	first := make(map[string]string, len(ids)) // where each capability stands
	for i, item := range n.items {
		place := index(at, i)
		c, problem := s.entry(item)
		if problem == "" && c.id != "" {
			if earlier := first[c.id]; earlier != "" {
				problem = "already at " + earlier
			} else {
				first[c.id], place = place, c.id
			}
		}
		if problem != "" {
			id := item.member("id")
			j.refuseName(join(place, "id"), id, problem)
		}
		c.judge(j, place, item)
	}
}

// entry tells which capability an entry is. Where its id is not one, problem says so, and the entry is
// judged as what was probably meant. Where nobody can tell, the capability has no id.
func (s capabilities) entry(n *node) (c capability, problem string) {
	untold := capability{grant: new(Grant)}
	id := n.member("id")
	switch {
	case id == nil:
		return untold, "" // its absence is reported with the other keys'
	case id.kind != stringKind:
		return untold, "not a capability; gg recognizes " + quoteAll(ids)
	}
	if i := slices.Index(ids, id.text); i >= 0 {
		return s[i], ""
	}
	problem = "not a capability; " + meant(id.text, ids)
	if near, ok := gg.Nearest(id.text, ids); ok {
		return s[slices.Index(ids, near)], problem
	}
	return untold, problem
}

// judge judges the entry n, found at the path at.
func (c capability) judge(j *judgement, at string, n *node) {
	entry := c.object()
	if c.id == "" {
		entry.keys = append(entry.keys, key{name: "implementation", shape: anything{}}, key{name: "params", shape: anything{}})
	}
	enabled := n.member("enabled")
	// One that says neither is taken to be enabled, so that the refusal names all that is then needed.
	j.enabled = enabled == nil || enabled.text != "false"
	entry.judge(j, at, n)
	j.enabled = false
}

func (s capabilities) fill() {
	for _, c := range s {
		c.object().fill()
	}
}

func (s capabilities) write(to []byte) ([]byte, bool) {
	to = append(to, '[')
	for i, c := range s {
		if i > 0 {
			to = append(to, ',')
		}
		to, _ = c.object().write(to)
	}
	return append(to, ']'), true
}

// identity is the id of an entry, which the list has judged.
type identity string

func (identity) rule() string                     { return "must be one of " + quoteAll(ids) }
func (identity) judge(*judgement, string, *node)  {}
func (identity) fill()                            {}
func (s identity) write(to []byte) ([]byte, bool) { return appendQuoted(to, string(s)), true }

// anything is a value of an entry that names no known capability: nobody can say what it must be.
type anything struct{}

func (anything) rule() string                    { return "" }
func (anything) judge(*judgement, string, *node) {}
func (anything) fill()                           {}
func (anything) write(to []byte) ([]byte, bool)  { return to, false }
