package prelude

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"
)

// TestPartsUseNothingOfPrograms reads the parts in JavaScript: no name but their own, no protocol and no method
// that a program could have put something else in the place of.
func TestPartsUseNothingOfPrograms(t *testing.T) {
	forbidden := regexp.MustCompile(`\w\[\w+\.length\] =|\w\[0\] ===|for \((?:const|let|var) [^;]* of |\.\.\.|(?:const|let|var) \[|\.(?:push|pop|shift|concat|splice|join|map|filter|forEach|call|apply|bind|then|charAt|startsWith|hasOwnProperty|defineProperty)\(`)
	for p := range partCount {
		tree, err := parser.ParseFile(nil, sourceName, p.source(), 0, parser.WithDisableSourceMaps)
		require.NoError(t, err)
		code := regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(p.source(), "")
		require.Empty(t, forbidden.FindAllString(code, -1), "part %d", p)
		require.Empty(t, freeNames(tree), "part %d", p)
	}
}

// freeNames are the names in a tree that nothing in it declares, roughly: scopes do not count.
func freeNames(tree *ast.Program) []string {
	declared := map[string]bool{"undefined": true, "NaN": true, "Infinity": true, "arguments": true}
	used := map[string]bool{}
	var walk func(v reflect.Value)
	declare := func(n any) { // a binding or a pattern
		for _, name := range identifiers(reflect.ValueOf(n)) {
			declared[name] = true
		}
	}
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			if v.IsNil() {
				return
			}
			switch n := v.Interface().(type) {
			case *ast.Identifier:
				used[n.Name.String()] = true
			case *ast.Binding:
				declare(n.Target)
				if n.Initializer != nil {
					walk(reflect.ValueOf(n.Initializer))
				}
				return
			case *ast.CatchStatement:
				if n.Parameter != nil {
					declare(n.Parameter)
				}
			case *ast.ForDeclaration:
				declare(n.Target)
			case *ast.FunctionLiteral:
				if n.Name != nil {
					declare(n.Name)
				}
			case *ast.ClassLiteral:
				if n.Name != nil {
					declare(n.Name)
				}
			case *ast.DotExpression:
				walk(reflect.ValueOf(n.Left))
				return
			case *ast.MetaProperty, *ast.PrivateIdentifier, *ast.PrivateDotExpression:
				return
			case *ast.MethodDefinition:
				if n.Computed {
					walk(reflect.ValueOf(n.Key))
				}
				walk(reflect.ValueOf(n.Body))
				return
			case *ast.FieldDefinition:
				if n.Initializer != nil {
					walk(reflect.ValueOf(n.Initializer))
				}
				return
			case *ast.PropertyKeyed:
				if n.Computed {
					walk(reflect.ValueOf(n.Key))
				}
				walk(reflect.ValueOf(n.Value))
				return
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" && f.Name != "File" {
					if name, ok := v.Field(i).Interface().(ast.Identifier); ok {
						used[name.Name.String()] = true
						continue
					}
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(tree))
	var free []string
	for name := range used {
		if !declared[name] {
			free = append(free, name)
		}
	}
	slices.Sort(free)
	return free
}

// identifiers are the names in a binding pattern.
func identifiers(v reflect.Value) []string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if n, ok := v.Interface().(*ast.Identifier); ok {
			return []string{n.Name.String()}
		}
		return identifiers(v.Elem())
	case reflect.Slice:
		var names []string
		for i := range v.Len() {
			names = append(names, identifiers(v.Index(i))...)
		}
		return names
	case reflect.Struct:
		if n, ok := v.Interface().(ast.Identifier); ok {
			return []string{n.Name.String()}
		}
		var names []string
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				names = append(names, identifiers(v.Field(i))...)
			}
		}
		return names
	}
	return nil
}
