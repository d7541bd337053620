package gg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Function is one function of the catalogue: what programs call, what is documented, what becomes a
// tool. Make one with Func or RawFunc; it must not be changed once it is in a catalogue.
type Function struct {
	Name       string   // `shell.shell`: module, dot, name; or a name alone for one of gg itself: `sleep`
	Brief      string   // one line for the listing
	Detail     string   // the rest of its page
	Positional []string // parameters given by position, in order; all others are options of a last object
	Async      bool     // a program gets a Promise
	Errors     []Failure
	Example    string // a program that runs
	Local      bool   // the VM's own (`sleep`): documented like any other, never called through the door

	// Handler does the call. args has been checked against the schema. An error that is no *Error reaches
	// the program with the code `other`, a deadline that passed with `limit-exceeded`.
	Handler func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)

	raw  bool // its schema was written by hand
	lazy bool // see Lazy

	parameters []string // names, known before the schema is made
	arguments  func() (*jsonschema.Schema, error)
	result     func() (*jsonschema.Schema, error)
	checker    func() (*checker, error)
}

// Failure documents one way in which a function fails.
type Failure struct {
	Code Code
	When string
}

// Option sets a field of a Function.
type Option func(*Function)

// Async makes the function return a Promise to the program; calls of it run side by side.
func Async() Option { return func(f *Function) { f.Async = true } }

// Local marks a function that the VM provides by itself.
func Local() Option { return func(f *Function) { f.Local = true } }

// Lazy leaves the types of a function unjudged until they are needed: for functions whose schemas a test has
// derived. It saves the start of a process some 30 µs a function.
func Lazy() Option { return func(f *Function) { f.lazy = true } }

// Detail sets the body of the function's page.
func Detail(text string) Option { return func(f *Function) { f.Detail = text } }

// Positional names the parameters that are given by position. By default those that are required are.
func Positional(names ...string) Option { return func(f *Function) { f.Positional = names } }

// Fails documents a failure.
func Fails(code Code, when string) Option {
	return func(f *Function) { f.Errors = append(f.Errors, Failure{code, when}) }
}

// Example sets a program that shows the function at work.
func Example(program string) Option { return func(f *Function) { f.Example = program } }

// ReturnsOneOf says that the function returns a value of one of several types, each given by a value of
// it. A property of constant text (`gg:"const=text"`) tells them apart.
func ReturnsOneOf(values ...any) Option {
	return func(f *Function) {
		f.result = sync.OnceValues(func() (*jsonschema.Schema, error) {
			union := &jsonschema.Schema{}
			for _, v := range values {
				s, err := schemaOf(reflect.TypeOf(v), asResult)
				if err != nil {
					return nil, err
				}
				union.OneOf = append(union.OneOf, s)
			}
			return union, nil
		})
	}
}

// Func makes a function of a Go function. In is a struct: each field is a parameter, named by its `json`
// tag, described by its `jsonschema` tag and restricted by its `gg` tag (see SchemaTag); a pointer, or
// `omitempty`, makes it optional. Out is what the program gets, as plain data; an empty struct is
// undefined. A panic in fn fails the call with the code `other`, in a host that catches it as gg/local does.
//
//	gg.Func("crm.find", "finds a customer", func(ctx context.Context, in struct {
//		Name string `json:"name" jsonschema:"the customer's name" gg:"nonempty"`
//	}) (Customer, error) { … })
func Func[In, Out any](name, brief string, fn func(ctx context.Context, in In) (Out, error), options ...Option) *Function {
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	f := &Function{
		Name:  name,
		Brief: brief,
		Handler: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			var value In
			if err := json.Unmarshal(args, &value); err != nil {
				return nil, misfit(err)
			}
			result, err := fn(ctx, value)
			if err != nil {
				return nil, err
			}
			return marshalResult(result)
		},
		arguments: sync.OnceValues(func() (*jsonschema.Schema, error) { return schemaOf(in, asArgument) }),
		result:    sync.OnceValues(func() (*jsonschema.Schema, error) { return schemaOf(out, asResult) }),
	}
	if fn == nil { // as a local function may have it
		f.Handler = nil
	}
	f.parameters, f.Positional = parameterNames(in)
	return f.finish(options)
}

// misfit words what the schema of a Go type cannot say and encoding/json refuses: a number too large for a
// float32, a text that is no time.
func misfit(err error) *Error {
	if unfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && unfit.Field != "" {
		e := Errorf(InvalidArgument, "%s must fit %s, got %s", pathText(strings.Split(unfit.Field, ".")), unfit.Type, unfit.Value)
		e.Cause = err
		return e
	}
	return Errorf(InvalidArgument, "%w", err)
}

// RawFunc makes a function whose arguments are described by a JSON Schema (draft 2020-12) of type
// object, for arguments that no Go struct describes. fn gets the arguments as they came, checked.
func RawFunc(name, brief string, schema json.RawMessage, fn func(ctx context.Context, args json.RawMessage) (any, error), options ...Option) *Function {
	f := &Function{
		Name:  name,
		Brief: brief,
		raw:   true,
		Handler: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			result, err := fn(ctx, args)
			if err != nil {
				return nil, err
			}
			return marshalResult(result)
		},
		arguments: sync.OnceValues(func() (*jsonschema.Schema, error) {
			var s jsonschema.Schema
			if err := json.Unmarshal(schema, &s); err != nil {
				return nil, fmt.Errorf("schema of %q: %w", name, err)
			}
			if s.Type != "object" {
				return nil, fmt.Errorf("schema of %q: type must be \"object\", got %q", name, s.Type)
			}
			return &s, nil
		}),
		result: sync.OnceValues(func() (*jsonschema.Schema, error) { return &jsonschema.Schema{}, nil }),
	}
	if fn == nil { // as a local function may have it
		f.Handler = nil
	}
	var outline struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if json.Unmarshal(schema, &outline) == nil {
		f.parameters, f.Positional = slices.Sorted(maps.Keys(outline.Properties)), outline.Required
	}
	return f.finish(options)
}

func (f *Function) finish(options []Option) *Function {
	for _, option := range options {
		option(f)
	}
	f.checker = sync.OnceValues(func() (*checker, error) { return newChecker(f) })
	return f
}

// Module is the part of the name before the dot, empty for a function of gg itself.
func (f *Function) Module() string {
	module, _, found := cutLast(f.Name, '.')
	if !found {
		return ""
	}
	return module
}

// Base is the part of the name after the dot.
func (f *Function) Base() string {
	_, base, found := cutLast(f.Name, '.')
	if !found {
		return f.Name
	}
	return base
}

// callBriefChars is the most of a call that its brief shows: enough to recognise it in a line.
const callBriefChars = 80

// CallBrief tells a call from others in one line of at most 80 characters: by the first text among its
// positional arguments, or else by all of them.
func (f *Function) CallBrief(args json.RawMessage) string {
	var byName map[string]json.RawMessage
	if json.Unmarshal(args, &byName) != nil || len(byName) == 0 {
		return ""
	}
	for _, name := range f.Positional {
		var text string
		if raw, ok := byName[name]; ok && json.Unmarshal(raw, &text) == nil {
			return oneLine(text, callBriefChars)
		}
	}
	return oneLine(string(args), callBriefChars)
}

// oneLine shortens a text to n characters in one line. It looks at no more of a long text than it shows.
func oneLine(text string, n int) string {
	const mostBytesOfACharacter = 4
	cut := len(text) > (n+1)*mostBytesOfACharacter
	if cut {
		text = strings.ToValidUTF8(text[:(n+1)*mostBytesOfACharacter], "")
	}
	characters := []rune(strings.Join(strings.Fields(text), " "))
	if len(characters) <= n && !cut {
		return string(characters)
	}
	return string(characters[:min(len(characters), n-1)]) + "…"
}

// Arguments is the JSON Schema of the function's arguments, an object by parameter name.
func (f *Function) Arguments() (*jsonschema.Schema, error) { return f.arguments() }

// Result is the JSON Schema of what the function returns.
func (f *Function) Result() (*jsonschema.Schema, error) { return f.result() }

// Invoke checks the arguments of a call, does it, and gathers what it put in front of the model. The
// error, if any, is an *Error with operation and site filled in.
func (f *Function) Invoke(ctx context.Context, call Call) (Result, error) {
	args, err := f.Check(call.Args)
	if err != nil {
		return Result{}, located(err, call)
	}
	gathered := &effects{}
	value, err := f.Handler(context.WithValue(ctx, effectsKey{}, gathered), args)
	gathered.mu.Lock()
	defer gathered.mu.Unlock()
	result := Result{Value: value, Views: gathered.views, Blobs: gathered.blobs}
	if err != nil {
		result.Value = nil
		return result, located(err, call)
	}
	return result, nil
}

// located makes an *Error of err that says which call it was. It never changes the error it was given:
// that one may be shared.
func located(err error, call Call) error {
	e := *AsError(err)
	e.Operation, e.Site = call.Op, call.Site
	return &e
}

type effectsKey struct{}

// effects is what one call has put in front of the model so far.
type effects struct {
	mu    sync.Mutex
	views []ViewChange
	blobs []Blob
}

// marshalResult writes a result as JSON without HTML escapes; a struct without fields is undefined.
func marshalResult(v any) (json.RawMessage, error) {
	if t := reflect.TypeOf(v); t == nil || t.Kind() == reflect.Struct && t.NumField() == 0 {
		return nil, nil
	}
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// cutLast cuts s around its last sep.
func cutLast(s string, sep byte) (before, after string, found bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == sep {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}
