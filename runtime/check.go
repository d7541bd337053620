package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/rewrite"
	"github.com/responses-as-code/gg/runtime/source"
)

// Checked is what Check found.
type Checked struct {
	Problems []Problem // in the order of their places; a program without any will start
	Notices  []string  // what was removed from the text
}

// Check accepts and compiles a program without running it, and reports every problem it can find: those
// that keep it from starting, and functions of gg that do not exist. A program that hides what it calls
// (`gg[name]`) is not seen through.
func Check(session gg.Session, p Program) Checked {
	if p.Name == "" {
		p.Name = "program.js"
	}
	a, err := accept(p, session.Settings().WithDefaults(), session.Catalogue(), nil)
	checked := Checked{Notices: a.notices}
	if err != nil {
		checked.Problems = problemsOf(err)
		return checked
	}
	checked.Problems = unknownNames(a, session.Catalogue())
	return checked
}

func problemsOf(err error) []Problem {
	var list source.Errors
	var limit *source.LimitError
	switch {
	case errors.As(err, &list):
		var problems []Problem
		for _, e := range list {
			problems = append(problems, Problem{Line: e.Line, Column: e.Column, Message: e.Message, Hint: e.Hint})
		}
		return problems
	case errors.As(err, &limit):
		return []Problem{{Line: max(1, limit.Position.Line), Column: max(1, limit.Position.Column), Message: limit.Error()}}
	}
	return []Problem{{Line: 1, Column: 1, Message: err.Error()}}
}

// unknownNames finds `gg.module.name` and `gg.name` that the catalogue does not have, in a program that
// does not declare a `gg` of its own.
func unknownNames(a *accepted, catalogue *gg.Catalogue) []Problem {
	known := knownNames(catalogue)
	declared := false
	var problems []Problem
	report := func(at ast.Identifier, path, name string, names []string) {
		if slices.Contains(names, name) || slices.Contains(inherited, name) {
			return
		}
		site := a.site(offsetOf(at.Idx))
		p := Problem{Line: site.Line, Column: site.Column, Message: fmt.Sprintf("`%s.%s` does not exist", path, name)}
		if near, ok := gg.Nearest(name, names); ok {
			p.Hint = fmt.Sprintf("did you mean `%s.%s`?", path, near)
		}
		problems = append(problems, p)
	}
	rewrite.Visit(a.tree, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Binding:
			if id, ok := n.Target.(*ast.Identifier); ok && id.Name == "gg" {
				declared = true
			}
		case *ast.DotExpression:
			name := n.Identifier.Name.String()
			if isGlobal(n.Left) {
				report(n.Identifier, "gg", name, known("gg"))
			}
			if owner, ok := n.Left.(*ast.DotExpression); ok && isGlobal(owner.Left) {
				module := owner.Identifier.Name.String()
				if names := known("gg:" + module); len(names) > 0 {
					report(n.Identifier, "gg."+module, name, names)
				}
			}
		}
	})
	if declared {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return strings.Compare(fmt.Sprintf("%09d%09d", a.Line, a.Column), fmt.Sprintf("%09d%09d", b.Line, b.Column))
	})
	return problems
}

// inherited are the names that every object answers to.
var inherited = []string{"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "then", "toJSON", "inspect", "default"}

func isGlobal(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && id.Name == "gg"
}
