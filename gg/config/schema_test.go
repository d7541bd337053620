package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write schema.json and the golden files anew")

// TestSchemaFollowsTable derives schema.json from the table of keys.
func TestSchemaFollowsTable(t *testing.T) {
	want := schemaFromTable(t)
	if *update {
		require.NoError(t, os.WriteFile("schema.json", want, 0o644))
		return
	}
	require.Equal(t, string(want), string(Schema()), "run go test ./gg/config -update")
}

// compiled is the shipped schema as an independent judge.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.CompileString("schema.json", string(Schema()))
	require.NoError(t, err)
	return schema
}

// accepts is the judgement of the schema on a JSON text.
func accepts(t testing.TB, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return schema.Validate(value)
}

// pairs is an object whose keys keep their order.
type pairs []pair

type pair struct {
	name  string
	value any
}

func (p pairs) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, member := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		value, err := json.Marshal(member.value)
		if err != nil {
			return nil, err
		}
		out.Write(appendQuoted(nil, member.name))
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func schemaFromTable(t *testing.T) []byte {
	c := new(Config)
	schema := append(pairs{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://raw.githubusercontent.com/responses-as-code/gg/main/gg/config/schema.json"},
		{"title", "Configuration of gg"},
	}, c.keys().schema()...)
	var definitions pairs
	for _, entry := range c.capabilities() {
		definitions = append(definitions, pair{entry.id, entry.object().schema()})
	}
	schema = append(schema, pair{"$defs", definitions})

	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(schema))
	return out.Bytes()
}

func schemaOf(s shape) pairs { return s.(interface{ schema() pairs }).schema() }

func (s *whole[T]) schema() pairs {
	out := pairs{{"type", "integer"}, {"minimum", 1}, {"maximum", s.most}}
	if s.def != 0 {
		out = append(out, pair{"default", s.def})
	}
	return out
}

func (s *boolean) schema() pairs {
	if s.reserved {
		return pairs{{"const", false}}
	}
	out := pairs{{"type", "boolean"}}
	if s.inverted {
		out = append(out, pair{"default", true})
	}
	return out
}

func (s *choice[T]) schema() pairs {
	out := pairs{{"enum", s.names}}
	if s.def != "" {
		out = append(out, pair{"default", s.def})
	}
	return out
}

// schema of a text. \x00 is one of the few escapes that ECMAScript's patterns and Go's share.
func (r textRule) schema() pairs {
	out := pairs{{"type", "string"}}
	switch r {
	case filledText:
		out = append(out, pair{"pattern", `^[^\x00]+$`})
	case pathText:
		out = append(out, pair{"pattern", `^[^\x00]+$`}, pair{"not", pairs{{"pattern", `^~(/|$)`}}})
	case envName:
		out = append(out, pair{"pattern", `^[^=\x00]+$`})
	case settableName:
		out = append(out, pair{"pattern", `^[^=\x00]+$`}, pair{"not", pairs{{"const", mark}}})
	case envValue:
		out = append(out, pair{"pattern", `^[^\x00]*$`})
	}
	return out
}

func (s *text) schema() pairs { return s.rules.schema() }

func (s *texts) schema() pairs {
	out := pairs{{"type", "array"}, {"items", s.rules.schema()}}
	if s.least > 0 {
		out = append(out, pair{"minItems", s.least})
	}
	return out
}

func (s *variables) schema() pairs {
	return pairs{{"type", "object"}, {"propertyNames", settableName.schema()}, {"additionalProperties", envValue.schema()}}
}

func (s *functions) schema() pairs { return (&texts{s.field, filledText, 0}).schema() }

func (later) schema() pairs { return pairs{{"not", pairs{}}} }

func (hooks) schema() pairs { return pairs{{"type", "array"}, {"maxItems", 0}} }

func (s identity) schema() pairs { return pairs{{"const", string(s)}} }

func (s *object) schema() pairs {
	properties := pairs{}
	for _, k := range s.keys {
		described := append(pairs{{"description", k.brief}}, schemaOf(k.shape)...)
		properties = append(properties, pair{k.name, described})
	}
	out := pairs{{"type", "object"}}
	if required := s.required(always); required != nil {
		out = append(out, pair{"required", required})
	}
	out = append(out, pair{"properties", properties}, pair{"additionalProperties", false})
	for _, k := range s.keys {
		if inner, ok := k.shape.(*object); ok && inner.required(whenEnabled) != nil {
			out = append(out,
				pair{"if", pairs{{"properties", pairs{{"enabled", pairs{{"const", true}}}}}}},
				pair{"then", pairs{
					{"required", []string{k.name}},
					{"properties", pairs{{k.name, pairs{{"required", inner.required(whenEnabled)}}}}},
				}})
		}
	}
	return out
}

func (s *object) required(n need) []string {
	var names []string
	for _, k := range s.keys {
		if k.need == n {
			names = append(names, k.name)
		}
	}
	return names
}

// schema of the list: each entry by its id, no id twice.
func (s capabilities) schema() pairs {
	var each, all []pairs
	for _, id := range ids {
		is := pairs{{"properties", pairs{{"id", pairs{{"const", id}}}}}, {"required", []string{"id"}}}
		each = append(each, pairs{{"if", is}, {"then", pairs{{"$ref", "#/$defs/" + id}}}})
		all = append(all, pairs{{"contains", is}, {"minContains", 0}, {"maxContains", 1}})
	}
	return pairs{
		{"type", "array"},
		{"items", pairs{
			{"type", "object"},
			{"required", []string{"id"}},
			{"properties", pairs{{"id", pairs{{"enum", ids}}}}},
			{"allOf", each},
		}},
		{"allOf", all},
	}
}

// TestTable: what an editor shows must say something, and the list of ids is that of the entries.
func TestTable(t *testing.T) {
	c := new(Config)
	c.keys().each("", func(at string, k key) {
		require.Regexp(t, `^\S.*\.$`, k.brief, join(at, k.name))
	})
	var listed []string
	for _, entry := range c.capabilities() {
		listed = append(listed, entry.id)
	}
	require.Equal(t, ids, listed)
}
