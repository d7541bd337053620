package gg

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// checker judges the arguments of one function. Whether they are right is the JSON Schema library's
// word; how a fault is told to the program is ours, and the same for every function (see explain).
type checker struct {
	schema  *jsonschema.Schema
	options []string // the parameters that are not given by position
	closed  bool     // see isClosedList
	judges  sync.Map // *jsonschema.Schema, the whole or a part of it -> *jsonschema.Resolved
}

func newChecker(f *Function) (*checker, error) {
	schema, err := f.Arguments()
	if err != nil {
		return nil, err
	}
	c := &checker{schema: schema, closed: isClosedList(schema)}
	for _, name := range propertyNames(schema) {
		if !slices.Contains(f.Positional, name) {
			c.options = append(c.options, name)
		}
	}
	return c, nil
}

// isClosedList reports whether a schema lists properties that have nothing to do with each other, and
// admits no other: all schemas of Go types do.
func isClosedList(s *jsonschema.Schema) bool {
	rest := *s
	rest.Type, rest.Title, rest.Description = "", "", ""
	rest.Properties, rest.PropertyOrder, rest.Required, rest.AdditionalProperties = nil, nil, nil, nil
	return s.Type == "object" && refusesAll(s.AdditionalProperties) && reflect.ValueOf(rest).IsZero()
}

// judge makes the library ready to judge values by the schema of the function, or by a part of it.
func (c *checker) judge(schema *jsonschema.Schema) (*jsonschema.Resolved, error) {
	if known, ok := c.judges.Load(schema); ok {
		return known.(*jsonschema.Resolved), nil
	}
	of := schema
	if schema != c.schema && len(c.schema.Defs)+len(c.schema.Definitions) > 0 {
		of = &jsonschema.Schema{
			Schema: c.schema.Schema, Defs: c.schema.Defs, Definitions: c.schema.Definitions,
			AllOf: []*jsonschema.Schema{schema},
		}
	}
	resolved, err := of.CloneSchemas().Resolve(nil)
	if err != nil {
		return nil, err
	}
	c.judges.Store(schema, resolved)
	return resolved, nil
}

// Check judges args, a JSON object by parameter name, and returns what was judged: the same arguments,
// without optional ones that are null (null means absent), with the last of several members of one name,
// and with whole numbers written as such (1 for 1.0, 0 for -0), so that a Go integer takes them. The
// error is an *Error with the code invalid-argument and one line that names the parameter, the rule and
// what was given. Without args the object is empty.
func (f *Function) Check(args json.RawMessage) (json.RawMessage, error) {
	c, err := f.checker()
	if err != nil {
		return nil, Errorf(Other, "%w", err)
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if c.accepts(args) {
		return args, nil
	}
	return c.tidy(args)
}

// accepts is the short way, for arguments that are right and have nothing about them that tidy would
// change. It decodes numbers to float64, which is what the library compares.
func (c *checker) accepts(args json.RawMessage) bool {
	members, ordinary := survey(args)
	if !ordinary {
		return false
	}
	var object map[string]any
	if json.Unmarshal(args, &object) != nil || object == nil {
		return false
	}
	return countMembers(object) == members && c.valid(object)
}

// valid reports whether the library accepts an object. Of a closed list it judges each value by itself,
// which takes half the time; names need no judge.
func (c *checker) valid(object map[string]any) bool {
	if !c.closed {
		return c.accepted(c.schema, object)
	}
	for name, value := range object {
		property := c.schema.Properties[name]
		if property == nil || !c.accepted(property, value) {
			return false
		}
	}
	for _, name := range c.schema.Required {
		if _, given := object[name]; !given {
			return false
		}
	}
	return true
}

func (c *checker) accepted(schema *jsonschema.Schema, value any) bool {
	judge, err := c.judge(schema)
	return err == nil && judge.Validate(value) == nil
}

// survey reads the outline of a JSON text without judging its syntax: how many members its objects have
// as written, and whether it is free of null and of numbers that are not a plain row of digits (1.0,
// 1e3, -0).
func survey(text []byte) (members int, ordinary bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case ':':
			members++
		case 'n', '.', 'E': // of the three names of JSON, only null has an n
			return 0, false
		case 'e': // an exponent, unless it ends true or false
			if i > 0 && '0' <= text[i-1] && text[i-1] <= '9' {
				return 0, false
			}
		case '-':
			if i+1 < len(text) && text[i+1] == '0' {
				return 0, false
			}
		}
	}
	return members, true
}

// countMembers counts the members of all objects in a decoded value. Fewer than survey counted means
// that one was given twice: the handler must not see the one that was not judged.
func countMembers(value any) int {
	n := 0
	switch v := value.(type) {
	case map[string]any:
		n = len(v)
		for _, item := range v {
			n += countMembers(item)
		}
	case []any:
		for _, item := range v {
			n += countMembers(item)
		}
	}
	return n
}

// tidy is the long way: it keeps numbers as they were written, makes the changes that Check
// promises, and words what is wrong.
func (c *checker) tidy(args json.RawMessage) (json.RawMessage, error) {
	value, err := decode(args)
	if err != nil {
		return nil, Errorf(InvalidArgument, "arguments are not JSON: %w", err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, Errorf(InvalidArgument, "expected an object of arguments, got %s", Describe(value))
	}
	c.dropNulls(c.schema, object)
	judge, err := c.judge(c.schema)
	if err != nil {
		return nil, Errorf(Other, "%w", err)
	}
	if judge.Validate(plain(object)) != nil {
		return nil, c.explain(c.schema, object, nil)
	}
	if fault := tooLarge(object, nil); fault != nil {
		return nil, fault
	}
	var tidied bytes.Buffer
	encoder := json.NewEncoder(&tidied)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(canonical(object)); err != nil {
		return nil, Errorf(InvalidArgument, "%w", err)
	}
	return bytes.TrimSuffix(tidied.Bytes(), []byte("\n")), nil
}

// decode reads one JSON value, and nothing after it, with its numbers as json.Number.
func decode(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("unexpected end")
		}
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the value at byte %d", decoder.InputOffset())
	}
	return value, nil
}

// plain replaces the json.Numbers of a decoded value by float64, which is what the validator judges; a
// number too large for one becomes the largest there is, with its sign, so that bounds are compared.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		f, _ := v.Float64() // an infinity with its error, when out of range
		return min(max(f, -math.MaxFloat64), math.MaxFloat64)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = plain(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plain(item)
		}
		return out
	}
	return value
}

// tooLarge finds the first number that no float64 holds: to a program it would be Infinity, which is
// never passed to a call.
func tooLarge(value any, path []string) *Error {
	switch v := value.(type) {
	case json.Number:
		if f, _ := v.Float64(); math.IsInf(f, 0) {
			return Errorf(InvalidArgument, "%s must be a finite number, got %s", pathText(path), Describe(v))
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if fault := tooLarge(v[name], deeper(path, name)); fault != nil {
				return fault
			}
		}
	case []any:
		for i, item := range v {
			if fault := tooLarge(item, deeper(path, index(i))); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// canonical rewrites the numbers of a value, in place, that are whole but not written so: encoding/json
// takes neither 1.0 nor 1e3 for a Go integer, nor -0 for an unsigned one.
func canonical(value any) any {
	switch v := value.(type) {
	case json.Number:
		if f, _ := v.Float64(); f == math.Trunc(f) && math.Abs(f) <= MaxSafeInteger {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
	case map[string]any:
		for name, item := range v {
			v[name] = canonical(item)
		}
	case []any:
		for i, item := range v {
			v[i] = canonical(item)
		}
	}
	return value
}

// dropNulls takes null members that are optional out of an object and of the objects in it.
func (c *checker) dropNulls(schema *jsonschema.Schema, value any) {
	schema = c.follow(schema)
	if schema == nil {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for name, property := range schema.Properties {
			item, given := v[name]
			if given && item == nil && !slices.Contains(schema.Required, name) {
				delete(v, name)
				continue
			}
			c.dropNulls(property, item)
		}
	case []any:
		for _, item := range v {
			c.dropNulls(schema.Items, item)
		}
	}
	for _, alternative := range Alternatives(schema) {
		c.dropNulls(alternative, value)
	}
}

// Mismatch words the fault of an argument that no JSON can hold, as the schema of the function would have
// worded it: path leads to it (`expect`, `exit`, `[2]`), got describes it (`NaN`, `function`).
func (f *Function) Mismatch(path []string, got string) *Error {
	if c, err := f.checker(); err == nil {
		schema := c.follow(c.schema)
		for _, step := range path {
			schema = c.child(schema, step)
		}
		if rule := c.expectation(schema); rule != "" {
			return Errorf(InvalidArgument, "%s must be %s, got %s", pathText(path), rule, got)
		}
	}
	return Errorf(InvalidArgument, "%s cannot be passed to a call, got %s", pathText(path), got)
}

// NotOptions words the fault of a last argument that is not a plain object; got is its type: `number`,
// `array`.
func NotOptions(got string) *Error {
	return Errorf(InvalidArgument, "expected an options object, got %s", got)
}
