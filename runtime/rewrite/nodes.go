package rewrite

import (
	"strconv"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
)

const (
	assignToken = token.ASSIGN
	constToken  = token.CONST
)

func identifier(s string, at file.Idx) *ast.Identifier {
	return &ast.Identifier{Name: name(s), Idx: at}
}

func number(n int, at file.Idx) *ast.NumberLiteral {
	return &ast.NumberLiteral{Idx: at, Literal: strconv.Itoa(n), Value: int64(n)}
}

func text(s string, at file.Idx) *ast.StringLiteral {
	return &ast.StringLiteral{Idx: at, Literal: strconv.Quote(s), Value: name(s)}
}

func call(callee ast.Expression, at file.Idx, args ...ast.Expression) *ast.CallExpression {
	return &ast.CallExpression{Callee: callee, LeftParenthesis: at, RightParenthesis: at, ArgumentList: args}
}

// undefined is `void 0`: the program may have a variable of the other name.
func undefined(at file.Idx) ast.Expression {
	return &ast.UnaryExpression{Operator: token.VOID, Idx: at, Operand: number(0, at)}
}

// callIfFunction is `typeof f === "function" ? f(gg) : f`.
func callIfFunction(f string, at file.Idx) ast.Expression {
	return &ast.ConditionalExpression{
		Test: &ast.BinaryExpression{
			Operator: token.STRICT_EQUAL, Comparison: true,
			Left:  &ast.UnaryExpression{Operator: token.TYPEOF, Idx: at, Operand: identifier(f, at)},
			Right: text("function", at),
		},
		Consequent: call(identifier(f, at), at, identifier(Host, at)),
		Alternate:  identifier(f, at),
	}
}
