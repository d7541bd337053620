package gg

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// typeWriter writes JSON Schemas as TypeScript types. The zero writer writes them on one line and calls a
// named type by its name; package documentation needs no more.
type typeWriter struct {
	root     *jsonschema.Schema // holds the definitions that references lead to
	anything string             // the type of what has no schema; `unknown` when empty

	// declared gives the name that a type is declared under; the type's own when nil.
	declared func(name string, root, s *jsonschema.Schema) string
	// members writes the members of an object, each a line of its own; nil writes them on one line.
	members func(w *typeWriter, s *jsonschema.Schema, depth int) string
}

// precedence says where a type needs parentheses.
type precedence int

const (
	primary      precedence = iota
	intersection            // A & B
	union                   // A | B
)

// write returns the type of what a schema admits. depth is that of the text around it.
func (w *typeWriter) write(s *jsonschema.Schema, depth int) string {
	text, _ := w.typeOf(s, depth)
	return text
}

func (w *typeWriter) typeOf(s *jsonschema.Schema, depth int) (string, precedence) {
	switch {
	case s == nil:
		return w.any(), primary
	case s.Ref != "":
		return w.reference(s), primary
	case AcceptsFunction(s):
		return "string | Function", union
	case s.Const != nil:
		return literal(*s.Const), primary
	case len(s.Enum) > 0:
		var members []string
		for _, value := range s.Enum {
			members = append(members, literal(value))
		}
		return joinTypes(members)
	}
	if name, ok := typeName(s); ok {
		named := *s
		named.Description, named.Default = "", nil // they are of the place it stands in, not of the type
		return w.declare(name, &named), primary
	}
	if members := Alternatives(s); len(members) > 0 {
		var texts []string
		for _, member := range members {
			texts = append(texts, w.write(member, depth))
		}
		return joinTypes(texts)
	}
	if len(s.AllOf) > 0 {
		return w.allOf(s, depth)
	}
	var texts []string
	for _, t := range schemaTypes(s) {
		if t != "null" {
			texts = append(texts, w.ofType(t, s, depth))
		}
	}
	if slices.Contains(schemaTypes(s), "null") {
		texts = append(texts, "null")
	}
	switch {
	case len(texts) > 0:
		return joinTypes(texts)
	case len(s.Properties) > 0:
		return w.object(s, depth), primary
	case refusesAll(s):
		return "never", primary
	}
	return w.any(), primary
}

func (w *typeWriter) any() string {
	if w.anything == "" {
		return "unknown"
	}
	return w.anything
}

func (w *typeWriter) ofType(t string, s *jsonschema.Schema, depth int) string {
	switch t {
	case "integer":
		return "number"
	case "array":
		return w.array(s, depth)
	case "object":
		return w.object(s, depth)
	}
	return t // string, number, boolean
}

func (w *typeWriter) allOf(s *jsonschema.Schema, depth int) (string, precedence) {
	parts := slices.Clone(s.AllOf)
	if s.Type != "" || len(s.Properties) > 0 {
		own := *s
		own.AllOf = nil
		parts = append(parts, &own)
	}
	var texts []string
	for _, part := range parts {
		text, p := w.typeOf(part, depth)
		if p == union {
			text = "(" + text + ")"
		}
		if text != w.any() && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
		return w.any(), primary
	case 1:
		return texts[0], primary
	}
	return strings.Join(texts, " & "), intersection
}

func (w *typeWriter) array(s *jsonschema.Schema, depth int) string {
	if len(s.PrefixItems) > 0 {
		return w.tuple(s, depth)
	}
	item, p := w.typeOf(s.Items, depth)
	if p != primary {
		item = "(" + item + ")"
	}
	return item + "[]"
}

func (w *typeWriter) tuple(s *jsonschema.Schema, depth int) string {
	var items []string
	for i, item := range s.PrefixItems {
		text, p := w.typeOf(item, depth)
		if optional := s.MinItems == nil || i >= *s.MinItems; optional {
			if p != primary {
				text = "(" + text + ")"
			}
			text += "?"
		}
		items = append(items, text)
	}
	if !refusesAll(s.Items) {
		text, p := w.typeOf(s.Items, depth)
		if p != primary {
			text = "(" + text + ")"
		}
		items = append(items, "..."+text+"[]")
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (w *typeWriter) object(s *jsonschema.Schema, depth int) string {
	if len(s.Properties) == 0 {
		switch {
		case refusesAll(s.AdditionalProperties):
			return "Record<string, never>"
		case s.AdditionalProperties == nil || len(s.PatternProperties) > 0:
			return "Record<string, " + w.any() + ">"
		}
		return "Record<string, " + w.write(s.AdditionalProperties, depth) + ">"
	}
	if w.members != nil {
		return w.members(w, s, depth)
	}
	var members []string
	for _, name := range propertyNames(s) {
		mark := "?"
		if slices.Contains(s.Required, name) {
			mark = ""
		}
		members = append(members, memberName(name)+mark+": "+w.write(s.Properties[name], depth))
	}
	if open := w.openMembers(s); open != "" {
		members = append(members, open)
	}
	return "{ " + strings.Join(members, "; ") + " }"
}

// openMembers is the index signature of an object that may have more members than its schema names, empty
// for one that may not, or whose schema does not say. Its type covers the named members, as TypeScript
// wants it.
func (w *typeWriter) openMembers(s *jsonschema.Schema) string {
	if len(s.PatternProperties) > 0 || s.AdditionalProperties != nil && !refusesAll(s.AdditionalProperties) {
		return "[name: string]: " + w.any()
	}
	return ""
}

// reference writes what a reference leads to by name, so that a type may contain itself.
func (w *typeWriter) reference(s *jsonschema.Schema) string {
	target := Definition(w.root, s)
	_, name := definitionName(w.root, s.Ref)
	if target == s || name == "" {
		return w.any()
	}
	return w.declare(pascal(name), target)
}

func (w *typeWriter) declare(name string, s *jsonschema.Schema) string {
	if w.declared == nil {
		return name
	}
	return w.declared(name, w.root, s)
}

// typeName is the name of the type that an object schema stands for, where its title is one
// (“ShellResult”, “Page[…]” of a generic type) and not a line of text.
func typeName(s *jsonschema.Schema) (string, bool) {
	name, _, _ := strings.Cut(s.Title, "[")
	if name == "" || len(s.Properties) == 0 || !isIdentifier(name) {
		return "", false
	}
	return pascal(name), true
}

// pascal makes a type's name of any text: “call-site” becomes CallSite.
func pascal(text string) string {
	var b strings.Builder
	up := true
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if b.Len() == 0 && unicode.IsDigit(r) {
			b.WriteByte('T')
		}
		if up {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		up = false
	}
	if b.Len() == 0 {
		return "Unnamed"
	}
	return b.String()
}

func joinTypes(texts []string) (string, precedence) {
	var distinct []string
	for _, text := range texts {
		if !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	if len(distinct) == 1 {
		return distinct[0], primary
	}
	return strings.Join(distinct, " | "), union
}

// literal writes a value as a literal type: JSON but for lists, whose notation is that of tuples in both.
func literal(value any) string {
	if text, ok := value.(string); ok {
		return quote(text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "unknown"
	}
	return string(text)
}

// memberName writes the name of a member as TypeScript takes it.
func memberName(name string) string {
	if isIdentifier(name) {
		return name
	}
	return quote(name)
}

// isNothing reports whether a result is always undefined: the schema of a struct without fields.
func isNothing(s *jsonschema.Schema) bool {
	return s != nil && s.Type == "object" && len(s.Properties) == 0 && refusesAll(s.AdditionalProperties)
}

// takesMore reports whether the arguments of a function may have members that its schema does not name.
func takesMore(s *jsonschema.Schema) bool {
	return !refusesAll(s.AdditionalProperties) && (len(s.Properties) == 0 || s.AdditionalProperties != nil || len(s.PatternProperties) > 0)
}

// reservedWords cannot name a parameter or a variable in ECMAScript's strict mode; a property may.
var reservedWords = []string{
	"arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
	"default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for",
	"function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null",
	"package", "private", "protected", "public", "return", "static", "super", "switch", "this",
	"throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
}

// variableName makes a name that may stand where no reserved word may.
func variableName(name string) string {
	if slices.Contains(reservedWords, name) {
		return name + "_"
	}
	return name
}
