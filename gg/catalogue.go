package gg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Catalogue is every function that programs of a host see, in the order they are listed. It does not
// change and is safe for concurrent use.
type Catalogue struct {
	functions []*Function
	byName    map[string]*Function
	modules   []Module
}

// Module is a group of functions under one name.
type Module struct {
	Name      string // `shell`
	Brief     string // one line
	Functions []*Function
}

// NewCatalogue makes a catalogue of functions. briefs says in a line what each module is for; a module
// that it leaves out is described by the names of its functions. The error names every defect: a name
// that is taken or is none, a function without a brief or with one of several lines, a parameter given by
// position that does not exist, a type or a schema that cannot be used.
func NewCatalogue(briefs map[string]string, functions ...*Function) (*Catalogue, error) {
	c := &Catalogue{functions: slices.Clone(functions), byName: make(map[string]*Function, len(functions))}
	var defects []error
	for i, f := range functions {
		if f == nil || f.arguments == nil {
			defects = append(defects, fmt.Errorf("function %d of the list is not made by Func or RawFunc", i+1))
			continue
		}
		defects = append(defects, f.defects()...)
		if c.byName[f.Name] != nil {
			defects = append(defects, fmt.Errorf("function %q: name is taken", f.Name))
			continue
		}
		c.byName[f.Name] = f
		if f.Module() != "" {
			c.add(f, briefs)
		}
	}
	for i := range c.modules {
		m := &c.modules[i]
		if c.byName[m.Name] != nil {
			defects = append(defects, fmt.Errorf("function %q: name is taken by the module", m.Name))
		}
		if m.Brief == "" {
			var names []string
			for _, f := range m.Functions {
				names = append(names, f.Base())
			}
			m.Brief = strings.Join(names, ", ")
		}
	}
	if len(defects) > 0 {
		return nil, errors.Join(defects...)
	}
	return c, nil
}

func (c *Catalogue) add(f *Function, briefs map[string]string) {
	for i := range c.modules {
		if c.modules[i].Name == f.Module() {
			c.modules[i].Functions = append(c.modules[i].Functions, f)
			return
		}
	}
	c.modules = append(c.modules, Module{Name: f.Module(), Brief: briefs[f.Module()], Functions: []*Function{f}})
}

// Functions lists the functions in order.
func (c *Catalogue) Functions() []*Function { return slices.Clone(c.functions) }

// Lookup finds a function by its full name, nil when there is none.
func (c *Catalogue) Lookup(name string) *Function { return c.byName[name] }

// Modules lists the modules in the order of their first functions.
func (c *Catalogue) Modules() []Module {
	modules := slices.Clone(c.modules)
	for i := range modules {
		modules[i].Functions = slices.Clone(modules[i].Functions)
	}
	return modules
}

// Module finds a module by its name.
func (c *Catalogue) Module(name string) (Module, bool) {
	for _, m := range c.modules {
		if m.Name == name {
			m.Functions = slices.Clone(m.Functions)
			return m, true
		}
	}
	return Module{}, false
}

// Names lists the full names of all functions.
func (c *Catalogue) Names() []string {
	var names []string
	for _, f := range c.functions {
		names = append(names, f.Name)
	}
	return names
}

// validName reports whether a function may be called so: one identifier, or two with a dot between them, of
// ASCII letters and digits, the first letter small.
func validName(name string) bool {
	parts := strings.Split(name, ".")
	for _, part := range parts {
		rest := strings.TrimLeft(part, "abcdefghijklmnopqrstuvwxyz")
		if rest == part || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			return false
		}
	}
	return len(parts) <= 2
}

// reserved names belong to gg itself, or would break what every object of the language has.
var reserved = []string{"args", "ApiError", "then", "toJSON", "inspect", "default", "constructor"}

func (f *Function) defects() []error {
	var defects []error
	report := func(format string, args ...any) {
		defects = append(defects, fmt.Errorf("function %q: "+format, append([]any{f.Name}, args...)...))
	}
	if !validName(f.Name) {
		report("name must be `module.name`")
	}
	for part := range strings.SplitSeq(f.Name, ".") {
		if slices.Contains(reserved, part) {
			report("name %q is reserved", part)
		}
	}
	if first, _, _ := strings.Cut(f.Name, "."); slices.Contains(reservedWords, first) {
		report("name %q is a reserved word", first)
	}
	if strings.TrimSpace(f.Brief) == "" || strings.ContainsAny(f.Brief, "\r\n") {
		report("brief must be one line of text")
	}
	if f.Handler == nil && !f.Local {
		report("no handler")
	}
	for i, name := range f.Positional {
		switch {
		case !slices.Contains(f.parameters, name):
			report("positional parameter %q is not in the schema", name)
		case slices.Contains(f.Positional[:i], name):
			report("positional parameter %q is named twice", name)
		}
	}
	if f.lazy {
		return defects
	}
	if c, err := f.checker(); err != nil {
		report("%w", err)
	} else if f.raw { // what is derived from a Go type needs no proof
		if _, err := c.judge(c.schema); err != nil {
			report("schema: %w", err)
		}
	}
	if _, err := f.Result(); err != nil {
		report("result: %w", err)
	}
	return defects
}

// Parameters describes the parameters of a function in order: first those given by position, then the
// options.
func (f *Function) Parameters() ([]Parameter, error) {
	schema, err := f.Arguments()
	if err != nil {
		return nil, err
	}
	var list []Parameter
	for _, name := range f.Positional {
		property := schema.Properties[name]
		if property == nil {
			return nil, fmt.Errorf("function %q: parameter %q is not in the schema", f.Name, name)
		}
		list = append(list, Parameter{name, property, slices.Contains(schema.Required, name), true})
	}
	for _, name := range propertyNames(schema) {
		if !slices.Contains(f.Positional, name) {
			list = append(list, Parameter{name, schema.Properties[name], slices.Contains(schema.Required, name), false})
		}
	}
	return list, nil
}

// Parameter is one parameter of a function.
type Parameter struct {
	Name       string
	Schema     *jsonschema.Schema
	Required   bool
	Positional bool
}
