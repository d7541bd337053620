package gg

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaTag is the struct tag that restricts a parameter beyond its Go type. It holds words separated by
// commas:
//
//	positive      a number greater than 0
//	min=N, max=N  bounds, included
//	nonempty      text (or a list) of at least one character (or element)
//	enum=a|b|c    one of these texts
//	const=a       this text; tells the members of a union apart
//	function      a function of the catalogue may be given in place of its name
//	default=V     what leaving it out means, for its documentation; the Go code is what does it
const SchemaTag = "gg"

// MaxSafeInteger is the largest whole number that a program can pass without loss: 2⁵³-1, as in
// ECMAScript. It bounds whole numbers that have no bound of their own.
const MaxSafeInteger = 1<<53 - 1

// AcceptsFunction reports whether a parameter takes a function of the catalogue in place of its name.
func AcceptsFunction(s *jsonschema.Schema) bool {
	return s != nil && s.Format == functionFormat
}

const functionFormat = "gg-function"

// schemaOf derives a JSON Schema from a Go type. A type's name becomes the title of its schema.
func schemaOf(t reflect.Type, use schemaUse) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: jsonTypes()})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	return s, refine(s, t, use)
}

// schemaUse says which way a value goes.
type schemaUse int

const (
	asArgument schemaUse = iota
	asResult
)

// jsonTypes are the types that encoding/json writes otherwise than their kind suggests, and that the
// library does not know.
func jsonTypes() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[json.Number]():     {Type: "number"},
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
	}
}

// refine adds titles and what the gg tags say, and makes of the types that the library gives Go what a
// program is to know about them:
//   - null is absent. It is taken out of arguments before they are judged, so no type has it; a pointer is
//     optional. In a result, only a pointer that is not left out when nil can be null.
//   - a whole number fits into a float64 without loss, which is all that a program can pass.
func refine(s *jsonschema.Schema, t reflect.Type, use schemaUse) error {
	if nullable := len(s.Types) == 2 && s.Types[0] == "null"; nullable && (use == asArgument || t.Kind() != reflect.Pointer) {
		s.Type, s.Types = s.Types[1], nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		if s.Properties == nil {
			return nil
		}
		s.Title = t.Name()
		return refineFields(s, t, use)
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			return refine(s.Items, t.Elem(), use)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return refine(s.AdditionalProperties, t.Elem(), use)
		}
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		if s.Type == "integer" && use == asArgument {
			s.Maximum = jsonschema.Ptr[float64](MaxSafeInteger)
			if s.Minimum == nil {
				s.Minimum = jsonschema.Ptr[float64](-MaxSafeInteger)
			}
		}
	}
	return nil
}

func refineFields(s *jsonschema.Schema, t reflect.Type, use schemaUse) error {
	var defects []error
	for _, field := range reflect.VisibleFields(t) {
		name, optional := fieldName(field)
		property := s.Properties[name]
		if field.Anonymous || name == "" || property == nil {
			continue
		}
		of := field.Type
		if optional && of.Kind() == reflect.Pointer && use == asResult {
			property.Type, property.Types = schemaTypes(property)[len(schemaTypes(property))-1], nil // nil is left out
		}
		if err := refine(property, of, use); err != nil {
			defects = append(defects, err)
			continue
		}
		if use == asArgument && of.Kind() == reflect.Pointer {
			s.Required = slices.DeleteFunc(s.Required, func(required string) bool { return required == name })
		}
		if err := restrict(property, field.Tag.Get(SchemaTag)); err != nil {
			defects = append(defects, fmt.Errorf("field %s of %s: %w", field.Name, t, err))
		}
	}
	return errors.Join(defects...)
}

// fieldName is the name of a struct field in JSON, empty when it has none there, and whether its zero
// value is left out.
func fieldName(field reflect.StructField) (name string, optional bool) {
	tag := field.Tag.Get("json")
	if !field.IsExported() || tag == "-" {
		return "", false
	}
	name, rest, _ := strings.Cut(tag, ",")
	if name == "" {
		name = field.Name
	}
	for option := range strings.SplitSeq(rest, ",") {
		optional = optional || option == "omitempty" || option == "omitzero"
	}
	return name, optional
}

func restrict(s *jsonschema.Schema, tag string) error {
	if tag == "" {
		return nil
	}
	for word := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "positive":
			s.ExclusiveMinimum, s.Minimum = jsonschema.Ptr(0.0), nil
		case "min", "max":
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("%s tag: %q is not a number", SchemaTag, value)
			}
			if name == "min" {
				s.Minimum = &n
			} else {
				s.Maximum = &n
			}
		case "nonempty":
			if s.Type == "array" {
				s.MinItems = jsonschema.Ptr(1)
			} else {
				s.MinLength = jsonschema.Ptr(1)
			}
		case "enum":
			for text := range strings.SplitSeq(value, "|") {
				s.Enum = append(s.Enum, text)
			}
		case "const":
			s.Const = jsonschema.Ptr[any](value)
		case "function":
			s.Format = functionFormat
		case "default":
			s.Default = defaultValue(s, value)
		default:
			return fmt.Errorf("%s tag: unknown word %q", SchemaTag, name)
		}
	}
	return nil
}

// defaultValue is the JSON of a default: a text where the schema wants one, else what it looks like.
func defaultValue(s *jsonschema.Schema, text string) json.RawMessage {
	if s.Type != "string" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return json.RawMessage(quote(text))
}

// parameterNames lists the parameters of an argument struct in their order, and those of them that must
// be given. It says what schemaOf would, without its cost: nothing else is needed to make a function.
func parameterNames(t reflect.Type) (all, required []string) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	for _, field := range reflect.VisibleFields(t) {
		name, optional := fieldName(field)
		if field.Anonymous || name == "" {
			continue
		}
		all = append(all, name)
		if !optional && field.Type.Kind() != reflect.Pointer {
			required = append(required, name)
		}
	}
	return all, required
}
