package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/responses-as-code/gg/gg"
)

// snake writes a name in camelCase as a tool's: `timeoutSecs` becomes `timeout_secs`, `parseURL` `parse_url`.
func snake(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if unicode.IsUpper(r) {
			afterSmall := i > 0 && !unicode.IsUpper(runes[i-1])
			beforeSmall := i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if (afterSmall || beforeSmall) && runes[i-1] != '_' {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// snakes writes names as a tool's, in a new slice.
func snakes(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, snake(name))
	}
	return out
}

// dialect is the arguments of a function as its tool takes them.
type dialect struct {
	function *jsonschema.Schema // names in camelCase
	schema   json.RawMessage    // the same in snake_case
	checker  *gg.Function       // words refusals with those names
}

func newDialect(f *gg.Function) (*dialect, error) {
	arguments, err := f.Arguments()
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", f.Name, err)
	}
	renamed := arguments.CloneSchemas()
	if err := rename(renamed); err != nil {
		return nil, fmt.Errorf("function %q: %w", f.Name, err)
	}
	schema, err := json.Marshal(renamed)
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", f.Name, err)
	}
	return &dialect{arguments, schema, gg.RawFunc(f.Name, f.Brief, schema, nil)}, nil
}

// rename gives every property of a schema, and of the schemas in it, its name in snake_case. Titles go: they
// are names of Go types, which a model need not know. So does leave to give a function in place of its name.
func rename(s *jsonschema.Schema) error {
	if s == nil {
		return nil
	}
	s.Title = ""
	if gg.AcceptsFunction(s) {
		s.Format = ""
	}
	if s.Properties != nil {
		properties := make(map[string]*jsonschema.Schema, len(s.Properties))
		for name, property := range s.Properties {
			if properties[snake(name)] != nil {
				return fmt.Errorf("two parameters are %q in snake_case", snake(name))
			}
			properties[snake(name)] = property
		}
		s.Properties = properties
	}
	s.PropertyOrder, s.Required = snakes(s.PropertyOrder), snakes(s.Required)
	for _, inner := range inside(s) {
		if err := rename(inner); err != nil {
			return err
		}
	}
	return nil
}

// inside lists the schemas that s is made of, one level deep.
func inside(s *jsonschema.Schema) []*jsonschema.Schema {
	list := []*jsonschema.Schema{s.Items, s.AdditionalProperties, s.Not, s.If, s.Then, s.Else, s.Contains}
	for _, group := range [][]*jsonschema.Schema{s.PrefixItems, s.AllOf, s.AnyOf, s.OneOf} {
		list = append(list, group...)
	}
	for _, group := range []map[string]*jsonschema.Schema{s.Properties, s.PatternProperties, s.Defs, s.Definitions} {
		for _, inner := range group {
			list = append(list, inner)
		}
	}
	return list
}

// translate checks what a model gave and returns it under the function's own names. The error is an *gg.Error
// in the function's own words.
func (d *dialect) translate(args json.RawMessage) (json.RawMessage, error) {
	checked, err := d.checker.Check(args)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(checked))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, gg.Errorf(gg.InvalidArgument, "arguments are not JSON: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d.restore(d.function, value)); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// restore gives the members of a value their names of the function's schema.
func (d *dialect) restore(s *jsonschema.Schema, value any) any {
	s = gg.Definition(d.function, s)
	if s == nil {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for given, item := range v {
			name, property := d.property(s, given)
			out[name] = d.restore(property, item)
		}
		return out
	case []any:
		for i, item := range v {
			v[i] = d.restore(d.items(s), item)
		}
	}
	return value
}

// property finds the property that a tool calls by a name; a member that is none keeps its name.
func (d *dialect) property(s *jsonschema.Schema, given string) (string, *jsonschema.Schema) {
	for name, property := range s.Properties {
		if snake(name) == given {
			return name, property
		}
	}
	for _, part := range d.parts(s) {
		if name, property := d.property(part, given); property != nil {
			return name, property
		}
	}
	return given, s.AdditionalProperties
}

func (d *dialect) items(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Items != nil {
		return s.Items
	}
	for _, part := range d.parts(s) {
		if part.Items != nil {
			return part.Items
		}
	}
	return nil
}

// parts lists the schemas beside s that describe the same value: some of them or all.
func (d *dialect) parts(s *jsonschema.Schema) []*jsonschema.Schema {
	list := append(gg.Alternatives(s), s.AllOf...)
	for i, part := range list {
		list[i] = gg.Definition(d.function, part)
	}
	return list
}
