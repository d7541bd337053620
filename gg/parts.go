package gg

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// follow resolves references to the definitions of the schema itself, which are the only ones that are
// worded; any other stays what it is.
func (c *checker) follow(s *jsonschema.Schema) *jsonschema.Schema {
	return definition(c.schema, s)
}

// definition is what a schema of root stands for: itself, or what its reference leads to.
func definition(root, s *jsonschema.Schema) *jsonschema.Schema {
	for range len(root.Defs) + len(root.Definitions) + 1 { // a chain longer than that is a circle
		if s == nil || s.Ref == "" {
			return s
		}
		target := root
		if s.Ref != "#" {
			defs, name := definitionName(root, s.Ref)
			if target = defs[name]; target == nil {
				return s
			}
		}
		s = target
	}
	return s
}

// definitionName splits a reference to a definition of root: “#/$defs/name”.
func definitionName(root *jsonschema.Schema, ref string) (defs map[string]*jsonschema.Schema, name string) {
	if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
		return root.Defs, name
	}
	if name, ok := strings.CutPrefix(ref, "#/definitions/"); ok {
		return root.Definitions, name
	}
	return nil, ""
}

// child is the part of a schema that a member, or an element (`[2]`), is judged by; nil when there is none.
func (c *checker) child(s *jsonschema.Schema, step string) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	var found *jsonschema.Schema
	switch p := s.Properties[step]; {
	case p != nil:
		found = p
	case strings.HasPrefix(step, "["):
		found = s.Items
	case !refusesAll(s.AdditionalProperties):
		found = s.AdditionalProperties
	}
	for _, alternative := range alternatives(s) {
		if found == nil {
			found = c.child(c.follow(alternative), step)
		}
	}
	return c.follow(found)
}

func alternatives(s *jsonschema.Schema) []*jsonschema.Schema {
	return append(slices.Clip(s.AnyOf), s.OneOf...)
}

func schemaTypes(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// refusesAll reports whether s is the schema `false`.
func refusesAll(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && reflect.ValueOf(*s.Not).IsZero()
}

// propertyNames lists the properties of an object schema in declared order; a schema that came as JSON
// declares none, and is listed by name, what is required first.
func propertyNames(s *jsonschema.Schema) []string {
	names := slices.Clone(s.PropertyOrder)
	for _, name := range s.Required {
		if s.Properties[name] != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
