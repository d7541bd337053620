package rewrite

import (
	"reflect"
	"sync"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// walk visits every node of a tree, children first. Each position is replaced by what place makes of it
// (offset 0 is position 1), then visit sees the node; where it returns another one, that one takes its
// place. The engine has no walker of its own; this one reads the shape of the nodes from their types, so
// that a kind of node it has never seen is still walked.
func walk(tree *ast.Program, place func(file.Idx) int, visit func(ast.Node) ast.Node) {
	w := &walker{place: place, visit: visit}
	w.structure(reflect.ValueOf(tree).Elem())
}

type walker struct {
	place func(file.Idx) int
	visit func(ast.Node) ast.Node
}

var (
	idxType  = reflect.TypeFor[file.Idx]()
	nodeType = reflect.TypeFor[ast.Node]()
)

// plans remembers for each struct type which of its fields lead anywhere.
var plans sync.Map // reflect.Type -> []int

// plan lists the fields of a node type that hold positions or nodes. DeclarationList is left out: it
// holds the same nodes as the statements, a second time.
func plan(t reflect.Type) []int {
	if known, ok := plans.Load(t); ok {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Name == "DeclarationList" || !field.IsExported() {
			continue
		}
		if leads(field.Type) {
			fields = append(fields, i)
		}
	}
	plans.Store(t, fields)
	return fields
}

// leads reports whether values of a type can hold nodes or positions.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return leads(t.Elem())
	case reflect.Interface:
		return t.Implements(nodeType)
	case reflect.Struct:
		return t.PkgPath() == nodeType.PkgPath()
	}
	return t == idxType
}

func (w *walker) structure(v reflect.Value) {
	for _, i := range plan(v.Type()) {
		w.value(v.Field(i))
	}
}

func (w *walker) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		node := v.Elem()
		w.value(node)
		if n, ok := node.Interface().(ast.Node); ok {
			if other := w.visit(n); other != nil {
				v.Set(reflect.ValueOf(other))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			w.structure(v.Elem())
		}
	case reflect.Struct:
		w.structure(v)
	case reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	default: // a position
		if at := file.Idx(v.Int()); at > 0 {
			v.SetInt(int64(w.place(at)) + 1)
		}
	}
}

// Visit calls visit for every node of a tree, children first, and changes nothing.
func Visit(tree ast.Node, visit func(ast.Node)) {
	v := &visitor{visit: visit}
	v.value(reflect.ValueOf(tree))
	if _, isProgram := tree.(*ast.Program); !isProgram {
		visit(tree)
	}
}

type visitor struct {
	visit func(ast.Node)
}

func (w *visitor) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		w.value(v.Elem())
		if n, ok := v.Interface().(ast.Node); ok {
			w.visit(n)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			w.value(v.Elem())
		}
	case reflect.Struct:
		for _, i := range plan(v.Type()) {
			w.value(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	}
}
