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
	place  func(file.Idx) int
	visit  func(ast.Node) ast.Node
	scopes []scope // the functions we are inside of
}

// scope is a function that is being walked.
type scope struct {
	function *ast.FunctionLiteral // nil for an arrow function
	used     bool                 // an arrow function in it uses its `arguments`
}

// enter opens the scope of a function, and leave closes it.
func (w *walker) enter(f *ast.FunctionLiteral) { w.scopes = append(w.scopes, scope{function: f}) }

// leave closes a scope. The engine forgets to make the `arguments` of a function that only its arrow
// functions use: it reads beyond its stack. A mention in the function itself makes them.
func (w *walker) leave() {
	last := w.scopes[len(w.scopes)-1]
	w.scopes = w.scopes[:len(w.scopes)-1]
	if !last.used {
		return
	}
	list := last.function.Body.List
	directives := directiveCount(list)
	mention := &ast.ExpressionStatement{Expression: identifier("arguments", last.function.Body.LeftBrace)}
	last.function.Body.List = append(append(append([]ast.Statement{}, list[:directives]...), mention), list[directives:]...)
}

// identifierSeen notes the use of `arguments` in an arrow function.
func (w *walker) identifierSeen(id *ast.Identifier) {
	if id.Name != "arguments" || len(w.scopes) == 0 || w.scopes[len(w.scopes)-1].function != nil {
		return
	}
	for i := len(w.scopes) - 1; i >= 0; i-- {
		if w.scopes[i].function != nil {
			w.scopes[i].used = true
			return
		}
	}
}

var (
	idxType  = reflect.TypeFor[file.Idx]()
	nodeType = reflect.TypeFor[ast.Node]()

	functionType = reflect.TypeFor[*ast.FunctionLiteral]()
	arrowType    = reflect.TypeFor[*ast.ArrowFunctionLiteral]()
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
		if id, ok := node.Interface().(*ast.Identifier); ok {
			w.identifierSeen(id)
		}
		if n, ok := node.Interface().(ast.Node); ok {
			if other := w.visit(n); other != nil {
				v.Set(reflect.ValueOf(other))
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch v.Type() {
		case functionType:
			w.enter(v.Interface().(*ast.FunctionLiteral))
			defer w.leave()
		case arrowType:
			w.enter(nil)
			defer w.leave()
		}
		w.structure(v.Elem())
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
