package gg

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// declarer gathers the named types that declarations need.
type declarer struct {
	interfaces []string          // in the order of their first use
	names      map[string]string // name -> the schema declared under it
}

// aboutParameter says of a parameter what its type does not.
func aboutParameter(s *jsonschema.Schema) string {
	text := s.Description
	notes := rules(s)
	if len(s.Default) > 0 {
		notes = append(notes, "default "+defaultText(s.Default))
	}
	if len(notes) > 0 {
		text = strings.TrimSpace(text + " (" + strings.Join(notes, ", ") + ")")
	}
	return text
}

func (d *declarer) writer(root *jsonschema.Schema, anything string) *typeWriter {
	return &typeWriter{root: root, anything: anything, declared: func(name string, root, s *jsonschema.Schema) string {
		return d.declare(name, root, s, anything)
	}, members: members}
}

// declare gives a type a name of its own, and declares it the first time.
func (d *declarer) declare(name string, root, s *jsonschema.Schema, anything string) string {
	identity := identityOf(root, s, anything)
	for n := 1; ; n++ {
		candidate := name
		if n > 1 {
			candidate += strconv.Itoa(n)
		}
		known, taken := d.names[candidate]
		if taken && known == identity {
			return candidate
		}
		if taken {
			continue
		}
		d.names[candidate] = identity
		at := len(d.interfaces)
		d.interfaces = append(d.interfaces, "") // before those that it leads to
		d.interfaces[at] = d.declaration(candidate, root, s, anything)
		return candidate
	}
}

func (d *declarer) declaration(name string, root, s *jsonschema.Schema, anything string) string {
	w := d.writer(root, anything)
	about := comment("  ", s.Description)
	if s.Type == "object" && len(s.Properties) > 0 && len(s.AllOf) == 0 && len(Alternatives(s)) == 0 {
		return about + "  interface " + name + " " + members(w, s, 1) + "\n"
	}
	untitled := *s
	untitled.Title = ""
	return about + "  type " + name + " = " + w.write(&untitled, 1) + ";\n"
}

// orNull adds null to a type that does not admit it yet: for a parameter, null means absent.
func orNull(text string) string {
	if text == "unknown" || text == "null" || strings.HasSuffix(text, "| null") {
		return text
	}
	return text + " | null"
}

// identityOf is the same for two types that are declared alike: their schemas, and the definitions that
// these may lead to.
func identityOf(root, s *jsonschema.Schema, anything string) string {
	own, err := json.Marshal(s)
	if err != nil {
		own = fmt.Appendf(nil, "%p", s)
	}
	if root == nil || len(root.Defs)+len(root.Definitions) == 0 {
		return anything + string(own)
	}
	definitions, err := json.Marshal([]map[string]*jsonschema.Schema{root.Defs, root.Definitions})
	if err != nil {
		definitions = fmt.Appendf(nil, "%p", root)
	}
	return anything + string(own) + string(definitions)
}

// members writes the members of an object, one a line, with what is to be known about each.
func members(w *typeWriter, s *jsonschema.Schema, depth int) string {
	indent := strings.Repeat("  ", depth+1)
	var b strings.Builder
	b.WriteString("{\n")
	for _, name := range propertyNames(s) {
		property := s.Properties[name]
		required := slices.Contains(s.Required, name)
		text := w.write(property, depth+1)
		about := Definition(w.root, property).Description
		if input := w.any() == "unknown"; input {
			about = aboutParameter(Definition(w.root, property))
			if !required {
				text = orNull(text)
			}
		}
		b.WriteString(comment(indent, about))
		b.WriteString(indent + memberName(name) + mark(!required) + ": " + text + ";\n")
	}
	if open := w.openMembers(s); open != "" {
		b.WriteString(indent + open + ";\n")
	}
	b.WriteString(strings.Repeat("  ", depth) + "}")
	return b.String()
}
