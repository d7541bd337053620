package rewrite

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// completions rewrites a list of statements so that Completion holds its completion value (ECMA-262,
// UpdateEmpty): an expression statement gives its value; if, loops, switch, try and with give that of
// the statement in them that ran last, undefined when none did; declarations and empty statements leave
// the earlier value. Only statements whose value can be the last one are touched: a loop that is
// followed by an expression runs as it was written.
func completions(list []ast.Statement, at file.Idx) []ast.Statement {
	return completionList(list, at, false)
}

// completionList does so for a list that is left early by break or continue (abrupt), or not.
func completionList(list []ast.Statement, at file.Idx, abrupt bool) []ast.Statement {
	first := 0
	if !abrupt {
		for i := len(list) - 1; i >= 0; i-- {
			if givesValue(list[i]) {
				first = i
				break
			}
		}
	}
	out := make([]ast.Statement, 0, len(list)+2)
	out = append(out, list[:min(first, len(list))]...)
	for _, statement := range list[min(first, len(list)):] {
		if isCompound(statement) {
			out = append(out, keep(undefined(at)))
		}
		out = append(out, completion(statement, abrupt))
	}
	return out
}

// completion rewrites one statement; where it stands alone (the branch of an if), compound ones are
// wrapped together with the reset they need.
func completion(statement ast.Statement, abrupt bool) ast.Statement {
	switch s := statement.(type) {
	case *ast.ExpressionStatement:
		return keep(s.Expression)
	case *ast.BlockStatement:
		s.List = completionList(s.List, s.LeftBrace, abrupt)
	case *ast.IfStatement:
		s.Consequent = branch(s.Consequent, abrupt)
		if s.Alternate != nil {
			s.Alternate = branch(s.Alternate, abrupt)
		}
	case *ast.ForStatement:
		s.Body = branch(s.Body, true)
	case *ast.ForInStatement:
		s.Body = branch(s.Body, true)
	case *ast.ForOfStatement:
		s.Body = branch(s.Body, true)
	case *ast.WhileStatement:
		s.Body = branch(s.Body, true)
	case *ast.DoWhileStatement:
		s.Body = branch(s.Body, true)
	case *ast.WithStatement:
		s.Body = branch(s.Body, abrupt)
	case *ast.LabelledStatement:
		s.Statement = completion(s.Statement, true)
	case *ast.SwitchStatement:
		for _, c := range s.Body {
			c.Consequent = completionList(c.Consequent, c.Case, true)
		}
	case *ast.TryStatement:
		s.Body.List = completionList(s.Body.List, s.Body.LeftBrace, abrupt)
		if s.Catch != nil {
			// The value of a try block that threw is not the statement's.
			s.Catch.Body.List = append([]ast.Statement{keep(undefined(s.Catch.Catch))},
				completionList(s.Catch.Body.List, s.Catch.Body.LeftBrace, abrupt)...)
		}
		if s.Finally != nil && leavesAbruptly(s.Finally) {
			s.Finally.List = finalCompletion(s.Finally)
		}
	}
	return statement
}

// finalCompletion rewrites a finally block that may be left by break or continue: only then its own value
// counts, so the value so far is put aside and taken back at the end.
func finalCompletion(block *ast.BlockStatement) []ast.Statement {
	at := block.LeftBrace
	aside := &ast.LexicalDeclaration{Idx: at, Token: constToken, List: []*ast.Binding{{
		Target: identifier(beforeFinally, at), Initializer: identifier(Completion, at),
	}}}
	list := append([]ast.Statement{aside, keep(undefined(at))}, completionList(block.List, at, true)...)
	return append(list, keep(identifier(beforeFinally, at)))
}

// leavesAbruptly reports whether a block holds a break or continue, not looking into functions.
func leavesAbruptly(block *ast.BlockStatement) bool {
	found := false
	Visit(block, func(n ast.Node) {
		if _, ok := n.(*ast.BranchStatement); ok {
			found = true
		}
	})
	return found
}

func branch(statement ast.Statement, abrupt bool) ast.Statement {
	if !isCompound(statement) {
		return completion(statement, abrupt)
	}
	at := statement.Idx0()
	return &ast.BlockStatement{LeftBrace: at, RightBrace: at, List: completionList([]ast.Statement{statement}, at, abrupt)}
}

// isCompound reports whether a statement's value is undefined when nothing in it gives one.
func isCompound(statement ast.Statement) bool {
	switch s := statement.(type) {
	case *ast.LabelledStatement:
		return isCompound(s.Statement)
	case *ast.IfStatement, *ast.ForStatement, *ast.ForInStatement, *ast.ForOfStatement, *ast.WhileStatement,
		*ast.DoWhileStatement, *ast.WithStatement, *ast.SwitchStatement, *ast.TryStatement:
		return true
	}
	return false
}

// givesValue reports whether a statement always replaces the completion value before it.
func givesValue(statement ast.Statement) bool {
	switch s := statement.(type) {
	case *ast.ExpressionStatement:
		return true
	case *ast.BlockStatement:
		for _, inner := range s.List {
			if givesValue(inner) {
				return true
			}
		}
		return false
	}
	return isCompound(statement)
}

// keep assigns the value of an expression to Completion. An anonymous function is put in a sequence, or
// the assignment would give it a name.
func keep(value ast.Expression) ast.Statement {
	at := value.Idx0()
	switch value.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		value = &ast.SequenceExpression{Sequence: []ast.Expression{number(0, at), value}}
	}
	return &ast.ExpressionStatement{Expression: &ast.AssignExpression{
		Operator: assignToken, Left: identifier(Completion, at), Right: value,
	}}
}
