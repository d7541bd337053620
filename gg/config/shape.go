package config

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// shape is what the value of a key looks like, bound to the field of a Config it is read into.
type shape interface {
	// judge reads n, found at the path at, into the field, or refuses it.
	judge(j *judgement, at string, n *node)
	// rule says what a value must be.
	rule() string
	// fill gives the field its default where it is zero.
	fill()
	// write appends the field as JSON. It reports false, and appends nothing, where the field is zero.
	write(to []byte) ([]byte, bool)
}

// notYet is the refusal of what a later version will take.
const notYet = "not in this version"

// whole is a count: a whole number from 1 to most, stored in units of unit. A def of 0 leaves an absent
// count at zero.
type whole[T ~int | ~int64] struct {
	field *T
	unit  T
	most  int64
	def   int64
}

func (s *whole[T]) rule() string { return "must be a whole number of at least 1" }

func (s *whole[T]) judge(j *judgement, at string, n *node) {
	if n.kind != numberKind {
		j.refuse(at, n, s.rule())
		return
	}
	switch value, fit := count(n.text, s.most); fit {
	case fits:
		*s.field = T(value) * s.unit
	case excess:
		j.refuse(at, n, "must be a whole number of at most "+strconv.FormatInt(s.most, 10))
	default:
		j.refuse(at, n, s.rule())
	}
}

func (s *whole[T]) fill() {
	if *s.field == 0 {
		*s.field = T(s.def) * s.unit
	}
}

func (s *whole[T]) write(to []byte) ([]byte, bool) {
	if *s.field == 0 {
		return to, false
	}
	if *s.field%s.unit != 0 { // a duration between two whole ones, for the reader to refuse
		exact := big.NewRat(int64(*s.field), int64(s.unit)).FloatString(13) // a nanosecond is 3e-13 hours
		return append(to, strings.TrimRight(exact, "0")...), true
	}
	return strconv.AppendInt(to, int64(*s.field/s.unit), 10), true
}

// boolean is true or false. The field of an inverted one says the opposite, so that zero is the default.
// A reserved one cannot be true in this version.
type boolean struct {
	field    *bool
	inverted bool
	reserved bool
}

func (s *boolean) rule() string { return "must be true or false" }

func (s *boolean) judge(j *judgement, at string, n *node) {
	value := n.text == "true"
	switch {
	case n.kind != boolKind:
		j.refuse(at, n, s.rule())
	case value && s.reserved:
		j.refuse(at, n, notYet)
	default:
		*s.field = value != s.inverted
	}
}

func (s *boolean) fill() {}

func (s *boolean) write(to []byte) ([]byte, bool) {
	return strconv.AppendBool(to, *s.field != s.inverted), true
}

// choice is one of a few names. noun is what they are, with its article. An empty def leaves an absent
// choice empty.
type choice[T ~string] struct {
	field *T
	noun  string
	names []T
	def   T
}

func (s *choice[T]) rule() string { return "must be one of " + quoteAll(s.names) }

func (s *choice[T]) judge(j *judgement, at string, n *node) {
	if n.kind != stringKind || !slices.Contains(s.names, T(n.text)) {
		j.refuseName(at, n, "not "+s.noun+"; gg recognizes "+quoteAll(s.names))
		return
	}
	*s.field = T(n.text)
}

func (s *choice[T]) fill() {
	if *s.field == "" {
		*s.field = s.def
	}
}

func (s *choice[T]) write(to []byte) ([]byte, bool) {
	if *s.field == "" {
		return to, false
	}
	return appendQuoted(to, string(*s.field)), true
}

// later is a key that a later version will take.
type later struct{}

func (later) rule() string                           { return notYet }
func (later) judge(j *judgement, at string, n *node) { j.refuse(at, n, notYet) }
func (later) fill()                                  {}
func (later) write(to []byte) ([]byte, bool)         { return to, false }

// hooks is the list of hooks, which is empty in this version.
type hooks struct{}

func (hooks) rule() string { return "must be a list" }

func (s hooks) judge(j *judgement, at string, n *node) {
	switch {
	case n.kind != arrayKind:
		j.refuse(at, n, s.rule())
	case len(n.items) > 0:
		j.refuse(at, n, notYet)
	}
}

func (hooks) fill() {}

func (hooks) write(to []byte) ([]byte, bool) { return append(to, "[]"...), true }
