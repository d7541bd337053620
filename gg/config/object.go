package config

import "slices"

// need says when a key must be there.
type need int

const (
	optional    need = iota
	always           // its absence is refused
	whenEnabled      // its absence from an enabled capability is refused
)

// key is one key of an object.
type key struct {
	name  string
	need  need
	shape shape
	brief string // for the schema
}

// object is an object with a closed set of keys.
type object struct {
	keys []key
}

func (s *object) rule() string { return "must be an object" }

func (s *object) judge(j *judgement, at string, n *node) {
	if n.kind != objectKind {
		j.refuse(at, n, s.rule())
		return
	}
	given := make(map[string]bool, len(n.members))
	for _, m := range j.once(at, n) {
		given[m.name] = true
		if i := s.index(m.name); i >= 0 {
			s.keys[i].shape.judge(j, join(at, m.name), m.value)
		} else {
			j.refuseKey(join(at, m.name), m, j.unknownKey(at, m.name, s))
		}
	}
	for _, k := range s.keys {
		if !given[k.name] {
			k.lack(j, at, n)
		}
	}
}

// lack reports a key that is absent from n: itself where it is needed, otherwise what is needed inside it.
func (k key) lack(j *judgement, at string, n *node) {
	at = join(at, k.name)
	if k.need == always || k.need == whenEnabled && j.enabled {
		j.lack(at, n, k.shape.rule())
	} else if inner, ok := k.shape.(*object); ok {
		for _, k := range inner.keys {
			k.lack(j, at, n)
		}
	}
}

func (s *object) index(name string) int {
	return slices.IndexFunc(s.keys, func(k key) bool { return k.name == name })
}

func (s *object) names() []string {
	names := make([]string, len(s.keys))
	for i, k := range s.keys {
		names[i] = k.name
	}
	return names
}

func (s *object) fill() {
	for _, k := range s.keys {
		k.shape.fill()
	}
}

func (s *object) write(to []byte) ([]byte, bool) {
	start := len(to)
	for _, k := range s.keys {
		before := len(to)
		separator := byte(',')
		if before == start {
			separator = '{'
		}
		to = append(appendQuoted(append(to, separator), k.name), ':')
		var some bool
		if to, some = k.shape.write(to); !some {
			to = to[:before]
		}
	}
	if len(to) == start {
		return to, false
	}
	return append(to, '}'), true
}

// each visits every key in and under the object at the path at.
func (s *object) each(at string, visit func(at string, k key)) {
	for _, k := range s.keys {
		visit(at, k)
		switch inner := k.shape.(type) {
		case *object:
			inner.each(join(at, k.name), visit)
		case capabilities:
			for _, c := range inner {
				c.object().each(c.id, visit)
			}
		}
	}
}
