package prelude

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// hideSource makes every function of a tree show itself as native code, as functions of the language do: its
// text would be of no use to anybody who prints one.
func hideSource(tree ast.Node) { hide(reflect.ValueOf(tree), "") }

// hide walks what v leads to. Name is the property that v is the value of, if it is that of one.
func hide(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Interface:
		hide(v.Elem(), name)
	case reflect.Slice:
		for i := range v.Len() {
			hide(v.Index(i), "")
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *ast.FunctionLiteral:
			if n.Name != nil {
				name = n.Name.Name.String()
			}
			n.Source = nativeSource(name)
		case *ast.ArrowFunctionLiteral:
			n.Source = nativeSource(name)
		case *ast.ClassLiteral:
			if n.Name != nil {
				name = n.Name.Name.String()
			}
			n.Source = nativeSource(name)
		case *ast.MethodDefinition:
			hide(reflect.ValueOf(n.Body), keyName(n.Key))
			return
		case *ast.PropertyKeyed:
			hide(reflect.ValueOf(n.Value), keyName(n.Key))
			return
		}
		hide(v.Elem(), name)
	case reflect.Struct:
		for i := range v.NumField() {
			// DeclarationList holds nodes of the body a second time; File leads out of the tree.
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" && f.Name != "File" {
				hide(v.Field(i), "")
			}
		}
	}
}

func keyName(key ast.Expression) string {
	switch key := key.(type) {
	case *ast.Identifier:
		return key.Name.String()
	case *ast.StringLiteral:
		return key.Value.String()
	case *ast.DotExpression:
		return "[Symbol." + key.Identifier.Name.String() + "]"
	}
	return ""
}

func nativeSource(name string) string { return "function " + name + "() { [native code] }" }
