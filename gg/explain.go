package gg

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// explain words the first thing wrong with a value, in the order the schema declares. It never judges by
// itself: reason asks the library which part is at fault. nil means that nothing is wrong.
func (c *checker) explain(schema *jsonschema.Schema, value any, path []string) *Error {
	schema = c.follow(schema)
	reason := c.reason(schema, value)
	if reason == nil {
		return nil
	}
	const deepest = 64 // as deep as the arguments of a program go
	var fault *Error
	switch v := value.(type) {
	case map[string]any:
		if len(path) < deepest {
			fault = c.explainObject(schema, v, path)
		}
	case []any:
		if len(path) < deepest {
			fault = c.explainArray(schema, v, path)
		}
	case string:
		fault = c.explainText(schema, v, path)
	}
	if fault != nil {
		return fault
	}
	if alternative := c.choose(schema, value); alternative != nil {
		if fault := c.explain(alternative, value, path); fault != nil {
			return fault
		}
	}
	if rule := c.expectation(schema); rule != "" && c.breaks(scalar(schema), value) {
		return Errorf(InvalidArgument, "%s must be %s, got %s", pathText(path), rule, Describe(value))
	}
	if len(path) == 0 {
		return Errorf(InvalidArgument, "arguments are not accepted: %s", innermost(reason))
	}
	return Errorf(InvalidArgument, "%s is not accepted: %s", pathText(path), innermost(reason))
}

func (c *checker) explainObject(schema *jsonschema.Schema, object map[string]any, path []string) *Error {
	known := propertyNames(schema)
	rest := sortedNames(object)
	rest = slices.DeleteFunc(rest, func(name string) bool { return schema.Properties[name] != nil })
	if refusesAll(schema.AdditionalProperties) && len(schema.PatternProperties) == 0 && len(rest) > 0 {
		return c.unknownOption(rest[0], known, path)
	}
	for _, name := range known {
		value, given := object[name]
		if !given {
			if slices.Contains(schema.Required, name) {
				return c.missing(schema.Properties[name], deeper(path, name))
			}
			continue
		}
		if fault := c.explain(schema.Properties[name], value, deeper(path, name)); fault != nil {
			return fault
		}
	}
	for _, name := range schema.Required {
		if _, given := object[name]; !given {
			return c.missing(nil, deeper(path, name))
		}
	}
	if schema.AdditionalProperties != nil && len(schema.PatternProperties) == 0 {
		for _, name := range rest {
			if fault := c.explain(schema.AdditionalProperties, object[name], deeper(path, name)); fault != nil {
				return fault
			}
		}
	}
	return nil
}

func (c *checker) missing(schema *jsonschema.Schema, path []string) *Error {
	if rule := c.expectation(schema); rule != "" {
		return Errorf(InvalidArgument, "%s must be %s, got undefined", pathText(path), rule)
	}
	return Errorf(InvalidArgument, "%s must be given", pathText(path))
}

func (c *checker) unknownOption(name string, known []string, path []string) *Error {
	option := pathText(deeper(path, name))
	if near, ok := Nearest(name, known); ok {
		return Errorf(InvalidArgument, "unknown option %s; did you mean %s?", option, pathText(deeper(path, near)))
	}
	if len(path) == 0 {
		known = c.options
	}
	switch len(known) {
	case 0:
		return Errorf(InvalidArgument, "unknown option %s; there are no options", option)
	case 1:
		return Errorf(InvalidArgument, "unknown option %s; there is `%s`", option, known[0])
	}
	return Errorf(InvalidArgument, "unknown option %s; there are `%s`", option, strings.Join(known, "`, `"))
}

func (c *checker) explainArray(schema *jsonschema.Schema, list []any, path []string) *Error {
	switch n := len(list); {
	case schema.MinItems != nil && n == 0 && *schema.MinItems > 0:
		return Errorf(InvalidArgument, "%s must not be empty", pathText(path))
	case schema.MinItems != nil && n < *schema.MinItems:
		return Errorf(InvalidArgument, "%s must have at least %s, got %d", pathText(path), counted(*schema.MinItems, "element"), n)
	case schema.MaxItems != nil && n > *schema.MaxItems:
		return Errorf(InvalidArgument, "%s must have at most %s, got %d", pathText(path), counted(*schema.MaxItems, "element"), n)
	}
	for i, item := range list {
		of := schema.Items
		if i < len(schema.PrefixItems) {
			of = schema.PrefixItems[i]
		}
		if fault := c.explain(of, item, deeper(path, index(i))); fault != nil {
			return fault
		}
	}
	return nil
}

// explainText looks at what is asked of a string beyond being one. Lengths are in characters.
func (c *checker) explainText(schema *jsonschema.Schema, text string, path []string) *Error {
	switch n := utf8.RuneCountInString(text); {
	case schema.MinLength != nil && n == 0 && *schema.MinLength > 0:
		return Errorf(InvalidArgument, "%s must not be empty", pathText(path))
	case schema.MinLength != nil && n < *schema.MinLength:
		return Errorf(InvalidArgument, "%s must have at least %s, got %d", pathText(path), counted(*schema.MinLength, "character"), n)
	case schema.MaxLength != nil && n > *schema.MaxLength:
		return Errorf(InvalidArgument, "%s must have at most %s, got %d", pathText(path), counted(*schema.MaxLength, "character"), n)
	case schema.Pattern != "" && c.breaks(jsonschema.Schema{Pattern: schema.Pattern}, text):
		return Errorf(InvalidArgument, "%s must match %s, got %s", pathText(path), schema.Pattern, Describe(text))
	}
	return nil
}

// reason is why the library refuses a value, nil when it does not, or when it cannot judge this part of
// the schema without the rest.
func (c *checker) reason(part *jsonschema.Schema, value any) error {
	if part == nil {
		return nil
	}
	judge, err := c.judge(part)
	if err != nil {
		return nil
	}
	return judge.Validate(plain(value))
}

// breaks reports whether a value breaks rules that were taken out of the schema of a function.
func (c *checker) breaks(rules jsonschema.Schema, value any) bool {
	rules.Schema, rules.Defs, rules.Definitions = c.schema.Schema, c.schema.Defs, c.schema.Definitions
	judge, err := rules.CloneSchemas().Resolve(nil)
	return err == nil && judge.Validate(plain(value)) != nil
}

// scalar is the part of a schema that expectation words.
func scalar(s *jsonschema.Schema) jsonschema.Schema {
	return jsonschema.Schema{
		Type: s.Type, Types: s.Types, Enum: s.Enum, Const: s.Const, AnyOf: s.AnyOf, OneOf: s.OneOf,
		Minimum: s.Minimum, Maximum: s.Maximum, ExclusiveMinimum: s.ExclusiveMinimum, ExclusiveMaximum: s.ExclusiveMaximum,
	}
}

// choose picks the member of a union that a value was meant for: the only one of its type, or among
// those the only one whose constant members are the value's. nil when there is not just one.
func (c *checker) choose(schema *jsonschema.Schema, value any) *jsonschema.Schema {
	var ofType, ofKind []*jsonschema.Schema
	for _, alternative := range Alternatives(schema) {
		alternative = c.follow(alternative)
		if alternative == nil || c.breaks(jsonschema.Schema{Type: alternative.Type, Types: alternative.Types}, value) {
			continue
		}
		ofType = append(ofType, alternative)
		if object, ok := value.(map[string]any); ok && c.sameConstants(alternative, object) {
			ofKind = append(ofKind, alternative)
		}
	}
	if len(ofType) > 1 {
		ofType = ofKind
	}
	if len(ofType) != 1 {
		return nil
	}
	return ofType[0]
}

func (c *checker) sameConstants(schema *jsonschema.Schema, object map[string]any) bool {
	for name, property := range schema.Properties {
		if property = c.follow(property); property.Const != nil && !reflect.DeepEqual(*property.Const, plain(object[name])) {
			return false
		}
	}
	return true
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }
