package gg

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// expectation says in words what the schema asks for: what stands after “must be”. It is empty where
// anything goes.
func (c *checker) expectation(schema *jsonschema.Schema) string {
	s := c.follow(schema)
	if s == nil {
		return ""
	}
	if s.Const != nil {
		return Describe(*s.Const)
	}
	if len(s.Enum) > 0 {
		var names []string
		for _, e := range s.Enum {
			names = append(names, Describe(e))
		}
		return "one of " + strings.Join(names, ", ")
	}
	var rules []string
	for _, alternative := range Alternatives(s) {
		if rule := c.expectation(alternative); rule != "" && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	if len(rules) == 0 {
		for _, t := range schemaTypes(s) {
			rules = append(rules, typeRule(t, s))
		}
	}
	return strings.Join(rules, " or ")
}

func typeRule(t string, s *jsonschema.Schema) string {
	switch t {
	case "string":
		return "a string"
	case "boolean":
		return "true or false"
	case "object":
		return "an object"
	case "array":
		return "an array"
	case "integer", "number":
		kind := "number"
		if t == "integer" {
			kind = "whole number"
		}
		if positive := s.ExclusiveMinimum != nil && *s.ExclusiveMinimum == 0; positive {
			if s.Maximum == nil || *s.Maximum == MaxSafeInteger {
				return "a positive " + kind
			}
			return "a positive " + kind + " of at most " + numberText(*s.Maximum)
		}
		return "a " + kind + rangeText(s)
	}
	return t // null
}

func rangeText(s *jsonschema.Schema) string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return " " + numberText(*s.Minimum) + ".." + numberText(*s.Maximum)
	case s.Minimum != nil:
		return " of at least " + numberText(*s.Minimum)
	case s.Maximum != nil:
		return " of at most " + numberText(*s.Maximum)
	case s.ExclusiveMinimum != nil:
		return " over " + numberText(*s.ExclusiveMinimum)
	case s.ExclusiveMaximum != nil:
		return " under " + numberText(*s.ExclusiveMaximum)
	}
	return ""
}

// innermost is what an error of the library is about, in one line of at most 200 characters.
func innermost(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return shorten(strings.Join(strings.Fields(err.Error()), " "), 200)
}

// Describe says what a JSON value is, for the end of “…, got X”: numbers, short texts and constants
// themselves, anything else by its type. It is always one line.
func Describe(value any) string {
	const most = 60 // characters of a text that are shown
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return quote(shorten(v, most))
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		if f, err := v.Float64(); err == nil && len(v) > len("-9007199254740991.") {
			return numberText(f) // 1e300 comes as three hundred digits
		}
		return shorten(v.String(), most)
	case float64:
		return numberText(v)
	case []any:
		return "array"
	default:
		return "object"
	}
}

// numberText writes a number as ECMAScript does, in digits up to 21 of them.
func numberText(f float64) string {
	text, _ := json.Marshal(f) // the standard library follows ECMAScript here; only NaN and infinities fail
	if text == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return string(text)
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// shorten cuts a text to n characters and marks the cut.
func shorten(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// quote writes a text as a string literal of JSON in which every character can be seen.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// pathText names a parameter in a message: “`expect.exit`”, “`writable[2]`”. A name that is no
// identifier stands in quotes: “`labels["a b"]`”.
func pathText(path []string) string {
	var b strings.Builder
	b.WriteByte('`')
	for i, step := range path {
		switch {
		case isIndex(step):
			b.WriteString(step)
		case !isIdentifier(step):
			b.WriteString("[" + strings.ReplaceAll(quote(shorten(step, 60)), "`", `\u0060`) + "]")
		case i > 0:
			b.WriteString("." + shorten(step, 60))
		default:
			b.WriteString(shorten(step, 60))
		}
	}
	b.WriteByte('`')
	return b.String()
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

func isIndex(step string) bool {
	if len(step) < 3 || step[0] != '[' || step[len(step)-1] != ']' {
		return false
	}
	return strings.Trim(step[1:len(step)-1], "0123456789") == ""
}

// isIdentifier reports whether a name can be written without quotes in ECMAScript.
func isIdentifier(name string) bool {
	for i, r := range name {
		if r != '$' && r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

func deeper(path []string, step string) []string { return append(slices.Clip(path), step) }
