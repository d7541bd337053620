package gg

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Definition is what a schema within root stands for: itself, or what its reference leads to. Only root itself
// (`#`) and its definitions (`#/$defs/name`, `#/definitions/name`) can be referred to; a schema with any other
// reference, or with one that leads nowhere, stands for itself. Nil stands for nil.
func Definition(root, s *jsonschema.Schema) *jsonschema.Schema {
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

// Alternatives lists the schemas of which a value of s has to fit at least one, those of anyOf before those of
// oneOf. There are none when s leaves no choice. The list is the caller's.
func Alternatives(s *jsonschema.Schema) []*jsonschema.Schema { return slices.Concat(s.AnyOf, s.OneOf) }

// follow resolves references to the definitions of the function's schema, which are the only ones that are
// worded.
func (c *checker) follow(s *jsonschema.Schema) *jsonschema.Schema { return Definition(c.schema, s) }

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
	for _, alternative := range Alternatives(s) {
		if found == nil {
			found = c.child(c.follow(alternative), step)
		}
	}
	return c.follow(found)
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
