package source

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// The wrapper around a program: an outer function whose parameters are hidden bindings, which a declaration of the
// program may shadow as it would a global, and an inner one that makes `await` and `return` legal. All of it stands
// on a line of its own before the program, and one after it.
const (
	wrapperOpen  = "(function("
	wrapperBody  = "){return async function(){\n"
	wrapperClose = "\n}})"
	wrapperLines = 1 // lines before the program's first
)

// Tree is a parsed program.
type Tree struct {
	// Source is the program that was parsed.
	Source *Program

	// Program is the whole AST, wrapper included: one statement, a function expression that takes the hidden
	// parameters and returns the program as an async function. It may be changed and compiled.
	Program *ast.Program

	// Body is the program as the inner async function; its statements are the program's own.
	Body *ast.FunctionLiteral

	// Parameters are the names the outer function takes, in order: those given to Parse, then the hidden name of
	// a default export that is an expression.
	Parameters []string

	prefix int // bytes before the program in what the engine was given
}

// Parse hands a program to the engine's parser. The names given become parameters of a function around it: what
// the runtime passes there is visible to the program like a global, and `arguments` is not it.
//
// The error is [Errors] with every problem that can be found: refused imports, characters that look like others,
// brackets that do not close, syntax errors in esbuild's wording, and each use of a feature the engine lacks,
// including those its parser takes but its compiler does not, or runs wrongly. White space other than ASCII's is
// refused although ECMAScript allows it: in a program it is never meant.
func Parse(p *Program, params ...string) (*Tree, error) {
	tree, err := p.parse(params)
	if err != nil {
		return nil, p.errors(p.explain(err))
	}
	found := append(problems(nil), p.problems...)
	if len(p.scan.issues) == 0 {
		// The scanner agrees with the parser about what is a literal, so what it saw outside them is there.
		for _, c := range p.scan.suspicious {
			found = append(found, c.problem(p.Original))
		}
		found = append(found, p.unsupported(func(t featureText) bool { return t.parses })...)
	}
	found = append(found, tree.collisions()...)
	if len(found) > 0 {
		return nil, p.errors(found)
	}
	return tree, nil
}

// engineError is what the engine's parser has against a program.
type engineError struct {
	from    int // offset in the program
	message string
}

func (e *engineError) Error() string { return e.message }

// parse wraps and parses, and checks that the program stayed inside its wrapper.
func (p *Program) parse(params []string) (tree *Tree, err error) {
	if p.Default.Kind == DefaultExpression {
		params = append(params[:len(params):len(params)], p.Default.Name)
	}
	t := &Tree{Source: p, Parameters: params}
	prefix := wrapperOpen + strings.Join(params, ",") + wrapperBody
	t.prefix = len(prefix)
	defer func() {
		// The parser panics on some malformed literals where it disagrees with itself about their length.
		if r := recover(); r != nil {
			tree, err = nil, &engineError{message: fmt.Sprintf("the engine's parser stopped: %v", r)}
		}
	}()
	// Without WithDisableSourceMaps a last line `//# sourceMappingURL=file:///…` opens that path on the host.
	t.Program, err = parser.ParseFile(nil, "", prefix+p.Text+wrapperClose, 0, parser.WithDisableSourceMaps)
	if err != nil {
		var list parser.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			first := list[0]
			return nil, &engineError{from: p.engineOffset(first.Position.Line, first.Position.Column), message: first.Message}
		}
		return nil, &engineError{message: err.Error()}
	}
	if escaped := t.unwrap(); escaped >= 0 {
		return nil, &engineError{from: escaped, message: `Unexpected "}"`}
	}
	return t, nil
}

// engineOffset returns the offset in the program of a position in what the engine was given.
func (p *Program) engineOffset(line, column int) int {
	if line <= wrapperLines {
		return 0
	}
	return p.Original.byteOffset(line-wrapperLines, column-1)
}

// unwrap finds the program in the tree. A text can close the wrapper and open another that ends at the wrapper's
// last braces: `}); f(); (function(){return async function(){`. Then it returns the offset of the brace that did;
// else -1.
func (t *Tree) unwrap() int {
	outer := functionOf(t.Program.Body, func(s ast.Statement) ast.Expression {
		if s, ok := s.(*ast.ExpressionStatement); ok {
			return s.Expression
		}
		return nil
	})
	if outer == nil {
		return t.firstBrace()
	}
	inner := functionOf(outer.Body.List, func(s ast.Statement) ast.Expression {
		if s, ok := s.(*ast.ReturnStatement); ok {
			return s.Argument
		}
		return nil
	})
	if inner == nil || int(inner.Body.RightBrace)-1 != t.prefix+len(t.Source.Text)+len("\n") {
		return t.firstBrace()
	}
	t.Body = inner
	return -1
}

// firstBrace returns the offset of the first bracket that closes nothing in the program.
func (t *Tree) firstBrace() int {
	for _, issue := range t.Source.scan.issues {
		if issue.kind == strayCloser {
			return issue.from
		}
	}
	return 0
}

// functionOf returns the function that is the first statement of list.
func functionOf(list []ast.Statement, expression func(ast.Statement) ast.Expression) *ast.FunctionLiteral {
	if len(list) == 0 {
		return nil
	}
	f, _ := expression(list[0]).(*ast.FunctionLiteral)
	return f
}

// Offset returns the offset in the program's text of a node, the nearest one for a node of the wrapper.
func (t *Tree) Offset(idx file.Idx) int {
	return min(max(int(idx)-1-t.prefix, 0), len(t.Source.Text))
}

// Position returns the author's position of a node.
func (t *Tree) Position(idx file.Idx) Position {
	return t.Source.Original.Position(t.Offset(idx))
}

// CompileError turns an error of the engine's compiler, at a 0-based offset in bytes in what it compiled, into
// [Errors]: in esbuild's wording where that finds the same fault, such as a second declaration of a name.
func (t *Tree) CompileError(offset int, message string) Errors {
	p := t.Source
	return p.errors(p.explain(&engineError{from: t.Offset(file.Idx(offset + 1)), message: message}))
}

// collisions reports the imports whose local name the program declares again.
func (t *Tree) collisions() problems {
	imports := t.Source.Imports
	if len(imports) == 0 {
		return nil
	}
	var found problems
	declare := func(id *ast.Identifier) {
		if id == nil {
			return
		}
		for _, i := range imports {
			if i.Local == id.Name.String() {
				found.add(t.Offset(id.Idx), alreadyDeclared(i.Local), fmt.Sprintf("`%s` is imported at %s", i.Local, i.Position))
			}
		}
	}
	bind := func(list []*ast.Binding) {
		for _, b := range list {
			eachName(b.Target, declare)
		}
	}
	for _, s := range t.Body.Body.List {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			bind(s.List)
		case *ast.FunctionDeclaration:
			declare(s.Function.Name)
		case *ast.ClassDeclaration:
			declare(s.Class.Name)
		}
	}
	for _, d := range t.Body.DeclarationList {
		bind(d.List)
	}
	return found
}

// eachName calls declare with every name a binding target binds.
func eachName(target ast.Expression, declare func(*ast.Identifier)) {
	switch target := target.(type) {
	case *ast.Identifier:
		declare(target)
	case *ast.AssignExpression:
		eachName(target.Left, declare)
	case *ast.ArrayPattern:
		for _, element := range target.Elements {
			eachName(element, declare)
		}
		eachName(target.Rest, declare)
	case *ast.ObjectPattern:
		for _, property := range target.Properties {
			switch property := property.(type) {
			case *ast.PropertyShort:
				declare(&property.Name)
			case *ast.PropertyKeyed:
				eachName(property.Value, declare)
			}
		}
		eachName(target.Rest, declare)
	}
}
