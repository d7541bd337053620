// Package rewrite works on the syntax tree of a program between parsing and compiling, so that the
// compiled program does what a response needs and every position it reports is the author's:
//
//   - positions: the parser counts bytes of a text with a wrapper around it; afterwards every node says
//     where it stands in the program itself, in UTF-16 code units, and so does every stack that the engine
//     writes from then on;
//   - completion value: the value of the last statement, as ECMAScript defines it, is kept and returned;
//   - `await` and `throw` tell where they are: a Promise that never settles and a thrown value that is no
//     Error have no position otherwise;
//   - a call is placed at its name, not at its parenthesis;
//   - a text given to eval or Function is looked at before the parser is;
//   - regular expressions that the engine would answer wrongly are built by a constructor that does not.
//
// What it adds to a program are names that no program can write (they begin with a NUL), bound as
// parameters of a function around it:
//
//	(function(␀completion, ␀await, ␀throw, ␀RegExp, ␀gg, ␀source, ␀look) {
//		return async function() { …the program…; return ␀completion }
//	})
//
// The package never looks at text, and what it does not understand it leaves alone.
package rewrite

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"
)

// The hidden names of a program, in the order of the outer function's parameters.
const (
	Completion    = "\x00completion"    // the value so far
	Await         = "\x00await"         // function(value, offset): notes the await, returns the value
	Throw         = "\x00throw"         // function(value, offset, again): notes the throw, returns the value; again: of a variable
	RegExp        = "\x00RegExp"        // the constructor that understands \p{…}
	Host          = "\x00gg"            // the global gg, whatever the program declares under that name
	beforeFinally = "\x00beforeFinally" // the value before a finally block, inside of it
	Source        = "\x00source"        // function(text): refuses a text that eval or Function should not be given

	Look = "\x00look" // function(value, which): sees what an expression gives; for Watched
)

// Hidden lists the hidden names in the order in which the compiled function takes them.
var Hidden = []string{Completion, Await, Throw, RegExp, Host, Source, Look}

// Program is a parsed program inside its wrapper.
type Program struct {
	Tree *ast.Program         // (function(…){return async function(){…}})
	Main *ast.FunctionLiteral // the async function whose body is the program

	// Place maps a position of the parser to an offset in the program: UTF-16 code units from 0.
	Place func(file.Idx) int
	// File counts as Place does: one byte for every UTF-16 code unit.
	File *file.File

	Imports       []Import
	ExportDefault Export

	// Pattern reports whether a regular expression literal has to be made by RegExp, because the engine
	// would answer it wrongly or not say clearly what is wrong with it. Nil: none has.
	Pattern func(pattern, flags string) bool

	UsesRegExp bool // set by Apply: the compiled program calls RegExp
}

// Import binds a name to gg, to a module of it, or to a member of either.
type Import struct {
	Local string   // the name in the program
	Path  []string // from gg: {} for gg itself, {"shell"}, {"views", "openFile"}
}

// Export says what a program exports by default.
type Export struct {
	Name      string // the binding that holds it, empty when there is none
	Parameter bool   // it is no binding of the program, but has to become a parameter around it
}

// Apply rewrites the program's tree in place.
func Apply(p *Program) {
	walk(p.Tree, p.Place, p.replace)
	p.Tree.File = p.File
	p.nameParameters()

	body := p.Main.Body
	lone := loneFunction(body)
	directives := directiveCount(body.List)
	list := completions(body.List[directives:], p.Main.Body.Idx0())
	for i := range directives {
		list = append(list[:i:i], append([]ast.Statement{body.List[i]}, list[i:]...)...)
	}
	if directives > 0 && len(body.List) == directives {
		list = append(list, keep(body.List[directives-1].(*ast.ExpressionStatement).Expression))
	}
	head := append(list[:directives:directives], imports(p.Imports)...)
	list = append(head, list[directives:]...)
	body.List = append(list, result(p, lone))
}

// Watched puts a call of Look around an expression of a program that has been rewritten. place is the
// offset that the engine reports while it goes on from there; it stays what it was.
func Watched(e ast.Expression, which, place int) ast.Expression {
	at := file.Idx(place + 1)
	return call(identifier(Look, at), at, e, number(which, at))
}

// result makes the statement that ends a program: it returns the completion value, or what calling the
// default export or a lone function gives.
func result(p *Program, lone ast.Expression) ast.Statement {
	at := p.Main.Body.RightBrace
	switch {
	case p.ExportDefault.Name != "" && p.exportsClass():
		return &ast.ReturnStatement{Return: at, Argument: identifier(p.ExportDefault.Name, at)}
	case p.ExportDefault.Name != "":
		return &ast.ReturnStatement{Return: at, Argument: callIfFunction(p.ExportDefault.Name, at)}
	case lone != nil:
		return &ast.ReturnStatement{Return: at, Argument: call(lone, at, identifier(Host, at))}
	}
	return &ast.ReturnStatement{Return: at, Argument: identifier(Completion, at)}
}

// exportsClass reports whether the default export is declared as a class: that one is not called.
func (p *Program) exportsClass() bool {
	for _, statement := range p.Main.Body.List {
		if class, ok := statement.(*ast.ClassDeclaration); ok && class.Class.Name != nil && class.Class.Name.Name.String() == p.ExportDefault.Name {
			return true
		}
	}
	return false
}

// loneFunction finds the function of a program that is nothing but one function, and takes it out of the
// body when it is an expression.
func loneFunction(body *ast.BlockStatement) ast.Expression {
	var only ast.Statement
	for _, statement := range body.List[directiveCount(body.List):] {
		if _, empty := statement.(*ast.EmptyStatement); empty {
			continue
		}
		if only != nil {
			return nil
		}
		only = statement
	}
	switch s := only.(type) {
	case *ast.FunctionDeclaration:
		if s.Function.Generator {
			return nil
		}
		return &ast.Identifier{Name: s.Function.Name.Name, Idx: s.Function.Name.Idx}
	case *ast.ExpressionStatement:
		switch f := s.Expression.(type) {
		case *ast.FunctionLiteral:
			if f.Generator {
				return nil
			}
		case *ast.ArrowFunctionLiteral:
		default:
			return nil
		}
		body.List = body.List[:directiveCount(body.List)]
		return s.Expression
	}
	return nil
}

// directiveCount is the length of the directive prologue that matters: up to the last "use strict".
func directiveCount(list []ast.Statement) int {
	count := 0
	for i, statement := range list {
		expression, ok := statement.(*ast.ExpressionStatement)
		if !ok {
			break
		}
		text, ok := expression.Expression.(*ast.StringLiteral)
		if !ok {
			break
		}
		if text.Value == "use strict" {
			count = i + 1
		}
	}
	return count
}

// imports declares the imported names as constants.
func imports(list []Import) []ast.Statement {
	var statements []ast.Statement
	at := file.Idx(1)
	for _, i := range list {
		var value ast.Expression = identifier(Host, at)
		for _, member := range i.Path {
			value = &ast.DotExpression{Left: value, Identifier: *identifier(member, at)}
		}
		statements = append(statements, &ast.LexicalDeclaration{
			Idx: at, Token: constToken, List: []*ast.Binding{{Target: identifier(i.Local, at), Initializer: value}},
		})
	}
	return statements
}

// replace does what has to be done at one node: in place, or by giving another node for it.
func (p *Program) replace(node ast.Node) ast.Node {
	switch n := node.(type) {
	case *ast.AwaitExpression:
		n.Argument = call(identifier(Await, n.Await), n.Await, n.Argument, number(int(n.Await)-1, n.Await))
	case *ast.ThrowStatement:
		again := 0
		if _, variable := n.Argument.(*ast.Identifier); variable {
			again = 1
		}
		n.Argument = call(identifier(Throw, n.Throw), n.Argument.Idx0(), n.Argument, number(int(n.Throw)-1, n.Throw), number(again, n.Throw))
	case *ast.CallExpression:
		switch callee := n.Callee.(type) {
		case *ast.DotExpression:
			n.LeftParenthesis = callee.Identifier.Idx
		case *ast.Identifier:
			n.LeftParenthesis = callee.Idx
			if callee.Name == "eval" || callee.Name == "Function" {
				vet(n.ArgumentList, callee.Idx)
			}
		}
	case *ast.NewExpression:
		if callee, ok := n.Callee.(*ast.Identifier); ok && callee.Name == "Function" {
			vet(n.ArgumentList, callee.Idx)
		}
	case *ast.RegExpLiteral:
		if p.Pattern != nil && p.Pattern(n.Pattern, n.Flags) {
			p.UsesRegExp = true
			return &ast.NewExpression{
				New: n.Idx, Callee: identifier(RegExp, n.Idx), LeftParenthesis: n.Idx, RightParenthesis: n.Idx,
				ArgumentList: []ast.Expression{text(n.Pattern, n.Idx), text(n.Flags, n.Idx)},
			}
		}
	}
	return nil
}

// nameParameters gives the function around the program its parameters.
func (p *Program) nameParameters() {
	outer := p.Tree.Body[0].(*ast.ExpressionStatement).Expression.(*ast.FunctionLiteral)
	names := Hidden
	if p.ExportDefault.Parameter {
		names = append(names[:len(names):len(names)], p.ExportDefault.Name)
	}
	outer.ParameterList.List = nil
	for _, name := range names {
		outer.ParameterList.List = append(outer.ParameterList.List, &ast.Binding{Target: identifier(name, outer.Function)})
	}
}

// vet passes the last of the arguments, which is a program's text, through Source.
func vet(arguments []ast.Expression, at file.Idx) {
	last := len(arguments) - 1
	if last < 0 {
		return
	}
	if _, spread := arguments[last].(*ast.SpreadElement); !spread {
		arguments[last] = call(identifier(Source, at), at, arguments[last])
	}
}

func name(s string) unistring.String { return unistring.NewFromString(s) }
