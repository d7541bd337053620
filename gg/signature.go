package gg

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Signature is how a function is called, on one line, with the types of TypeScript:
//
//	gg.shell.shell(command: string, options?: { timeoutSecs?: number }): ShellResult
//
// A type that has a name is called by it. A function whose types cannot be described, which no catalogue
// holds, is given as `gg.shell.shell(…)`.
func Signature(f *Function) string {
	call, err := signature(f, &typeWriter{})
	if err != nil {
		return programName(f) + "(…)"
	}
	return programName(f) + call
}

// signature writes the parameters and the result of a function.
func signature(f *Function, w *typeWriter) (string, error) {
	parameters, err := callParameters(f)
	if err != nil {
		return "", err
	}
	w.root, _ = f.Arguments() // callParameters has seen it
	var list []string
	for _, p := range parameters {
		text := w.write(p.Schema, 0)
		if p.undefined {
			text += " | undefined"
		}
		list = append(list, p.Name+mark(p.optional)+": "+text)
	}
	result, err := resultType(f, w)
	if err != nil {
		return "", err
	}
	return "(" + strings.Join(list, ", ") + "): " + result, nil
}

// callParameter is a parameter as it stands in a signature.
type callParameter struct {
	Parameter
	optional  bool // it and all that follow may be left out
	undefined bool // it may be undefined, but not left out: something that follows may not
}

// callParameters lists the parameters of a call: those given by position, then the options, if there are
// any, as one.
func callParameters(f *Function) ([]callParameter, error) {
	arguments, err := f.Arguments()
	if err != nil {
		return nil, err
	}
	parameters, err := f.Parameters()
	if err != nil {
		return nil, err
	}
	var list []callParameter
	for _, p := range parameters {
		if p.Positional {
			list = append(list, callParameter{Parameter: p})
		}
	}
	if options := optionsOf(arguments, parameters); options != nil {
		list = append(list, callParameter{Parameter: Parameter{Name: "options", Schema: options, Required: len(options.Required) > 0}})
	}
	tail := true // whether all that follows may be left out
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		p.undefined = !p.Required && !tail
		tail = tail && !p.Required
		p.optional = tail
	}
	return list, nil
}

func mark(optional bool) string {
	if optional {
		return "?"
	}
	return ""
}

// optionsOf is the schema of the last argument: what is not given by position. nil when there is none.
func optionsOf(arguments *jsonschema.Schema, parameters []Parameter) *jsonschema.Schema {
	options := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: arguments.AdditionalProperties, PatternProperties: arguments.PatternProperties,
	}
	for _, p := range parameters {
		if p.Positional {
			continue
		}
		options.Properties[p.Name] = p.Schema
		options.PropertyOrder = append(options.PropertyOrder, p.Name)
		if p.Required {
			options.Required = append(options.Required, p.Name)
		}
	}
	if len(options.Properties) == 0 && !takesMore(arguments) {
		return nil
	}
	return options
}

// resultType writes what a call gives: void for undefined, a Promise where the function is asynchronous.
func resultType(f *Function, w *typeWriter) (string, error) {
	result, err := f.Result()
	if err != nil {
		return "", err
	}
	text := "void"
	if !isNothing(result) {
		w.root = result
		text = w.write(result, 0)
	}
	if f.Async {
		text = "Promise<" + text + ">"
	}
	return text, nil
}

// programName is what programs call a function by: `gg.shell.shell`.
func programName(f *Function) string { return "gg." + f.Name }
