package runtime

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/prelude"
	"github.com/responses-as-code/gg/runtime/rewrite"
)

// wording is one of the engine's messages that say too little: which value it was, and what it is called
// in the program.
type wording struct {
	kind, before, after string
	alternative         string // of after
}

var (
	readOfNothing  = wording{"TypeError", "Cannot read property '", "' of undefined", "' of undefined or null"}
	noSuchMember   = wording{"TypeError", "Object has no member '", "'", ""}
	notAnObject    = wording{"TypeError", "Value is not an object: ", "", ""}
	notCallable    = wording{"TypeError", "proxy target is not a function", "", ""} // the modules of gg are Proxies
	notIterable    = wording{"TypeError", "object is not iterable", "", ""}
	nothingToWrite = wording{"TypeError", "Cannot convert undefined or null to object", "", ""}
	notInitialised = wording{"ReferenceError", "Cannot access a variable before initialization", "", ""}
	notDefined     = wording{"ReferenceError", "", " is not defined", ""}
	noSuchFunction = wording{"TypeError", "gg.", " does not exist", ""} // our own: the place is missing
)

// match reports whether a failure is worded so, and what the message names.
func (w wording) match(f *Failure) (named string, ok bool) {
	rest, ok := strings.CutPrefix(f.Message, w.before)
	if !ok || f.Kind != w.kind {
		return "", false
	}
	if w == noSuchFunction {
		rest, _, ok = strings.Cut(rest, w.after)
		return rest[strings.LastIndexByte(rest, '.')+1:], ok
	}
	if named, ok := strings.CutSuffix(rest, w.alternative); ok && w.alternative != "" {
		return named, true
	}
	return strings.CutSuffix(rest, w.after)
}

// explain rewords a failure of the engine so that it names the part of the program that is to blame, adds
// a hint where there is a certain one, and returns the exact place: the engine points at the last thing
// that worked. builtin says that a function of the language made the error.
func (e *execution) explain(f *Failure, site gg.Site, builtin bool) gg.Site {
	x := &explainer{e: e, at: e.accepted.offset(site), found: -1}
	for _, c := range []struct {
		wording
		reword func(f *Failure, named string)
	}{
		{readOfNothing, x.readOfNothing},
		{noSuchMember, x.noSuchMember},
		{notAnObject, x.notAFunction},
		{notCallable, func(f *Failure, _ string) { x.notAFunction(f, "an object") }},
		{noSuchFunction, func(_ *Failure, named string) { x.noSuchFunction(named) }},
		{notIterable, x.notIterable},
		{nothingToWrite, x.nothingToWrite},
		{notInitialised, x.notInitialised},
		{notDefined, x.notDefined},
	} {
		if named, ok := c.match(f); ok && !(builtin && c.wording == notAnObject) {
			c.reword(f, named)
			break
		}
	}
	if x.found < 0 {
		return site
	}
	return e.accepted.site(x.found)
}

// explainer looks for the node that a failure is about.
type explainer struct {
	e     *execution
	at    int // where the engine says
	found int // where it is, -1 when that is the same
}

// readOfNothing explains the reading of a property of null or undefined.
func (x *explainer) readOfNothing(f *Failure, property string) {
	node := x.member(property)
	if node == nil {
		f.Message = fmt.Sprintf("Cannot read property `%s` of null or undefined", property)
		return
	}
	if dot, ok := node.node.(*ast.DotExpression); ok {
		property = dot.Identifier.Name.String()
	}
	object := x.text(node.left)
	x.found = node.name
	seen := x.e.diagnose(node)
	what := "null or undefined"
	if seen.known {
		what = seen.object
	}
	f.Message = fmt.Sprintf("Cannot read property `%s` of %s", property, what)
	f.Hint = fmt.Sprintf("`%s` is %s", object, what)
	if owner, ok := node.left.(*ast.DotExpression); ok && len(seen.keys) > 0 {
		f.Hint += fmt.Sprintf("; `%s` has keys `%s`", x.text(owner.Left), keyList(seen.keys))
		if near, ok := gg.Nearest(owner.Identifier.Name.String(), seen.keys); ok && near != owner.Identifier.Name.String() {
			f.Hint += fmt.Sprintf(": did you mean `%s`?", near)
		}
	}
}

// noSuchMember explains the call of a method that is not there.
func (x *explainer) noSuchMember(f *Failure, property string) {
	node := x.member(property)
	if node == nil {
		f.Message = fmt.Sprintf("`%s` is not a function", property)
		return
	}
	x.found = node.name
	if dot, ok := node.node.(*ast.DotExpression); ok {
		property = dot.Identifier.Name.String()
	}
	name := x.text(node.left) + "." + property
	f.Message = fmt.Sprintf("`%s` is not a function", name)
	seen := x.e.diagnose(node)
	if !seen.known {
		return
	}
	if near, ok := gg.Nearest(property, seen.members); ok && near != property {
		f.Hint = fmt.Sprintf("`%s` does not exist; did you mean `%s`?", property, near)
	} else if len(seen.keys) > 0 {
		f.Hint = fmt.Sprintf("`%s` is %s; it has keys `%s`", x.text(node.left), seen.object, keyList(seen.keys))
	} else {
		f.Hint = fmt.Sprintf("`%s` is %s", x.text(node.left), seen.object)
	}
}

// noSuchFunction finds the name that gg does not have: the first one in or after the place that the engine
// knows, which is what it evaluated before.
func (x *explainer) noSuchFunction(name string) {
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		if dot, ok := n.(*ast.DotExpression); ok && dot.Identifier.Name.String() == name {
			if at := offsetOf(dot.Identifier.Idx); at >= x.at && (x.found < 0 || at < x.found) {
				x.found = at
			}
		}
	})
}

// notAFunction explains the call of a value that is no function.
func (x *explainer) notAFunction(f *Failure, value string) {
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		var callee ast.Expression
		switch n := n.(type) {
		case *ast.CallExpression:
			if offsetOf(n.LeftParenthesis) != x.at {
				return
			}
			callee = n.Callee
		case *ast.NewExpression:
			if offsetOf(n.New) != x.at {
				return
			}
			callee = n.Callee
		default:
			return
		}
		if id, ok := callee.(*ast.Identifier); ok && strings.HasPrefix(id.Name.String(), "\x00") {
			return
		}
		if id, ok := callee.(*ast.Identifier); ok {
			if _, callable := goja.AssertFunction(x.e.vm.Get(id.Name.String())); callable {
				return // the language's own: something inside of it failed
			}
		}
		name := x.text(callee)
		x.found = x.at
		f.Message = fmt.Sprintf("`%s` is not a function, it is %s", name, value)
		if module, ok := x.e.session.Catalogue().Module(strings.TrimPrefix(name, "gg.")); ok {
			f.Message = fmt.Sprintf("`%s` is a module, not a function", name)
			f.Hint = fmt.Sprintf("call one of its functions: `%s.%s`", name, module.Functions[0].Base())
		}
	})
}

func (x *explainer) notIterable(f *Failure, _ string) {
	f.Message = "the value is not iterable"
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		if of, ok := n.(*ast.ForOfStatement); ok && lastOffset(of.Source) == x.at {
			f.Message = fmt.Sprintf("`%s` is not iterable", x.text(of.Source))
		}
	})
}

func (x *explainer) nothingToWrite(f *Failure, _ string) {
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		assign, ok := n.(*ast.AssignExpression)
		if !ok {
			return
		}
		if target, ok := assign.Left.(*ast.DotExpression); ok && (offsetOf(target.Identifier.Idx) == x.at || lastOffset(target.Left) == x.at) {
			what := "null or undefined"
			if seen := x.e.diagnose(&memberNode{target, target.Left, offsetOf(target.Identifier.Idx)}); seen.known {
				what = seen.object
			}
			f.Message = fmt.Sprintf("Cannot set property `%s` of %s", target.Identifier.Name.String(), what)
			f.Hint = fmt.Sprintf("`%s` is %s", x.text(target.Left), what)
			x.found = offsetOf(target.Identifier.Idx)
		}
	})
}

// notDefined hints at what a name that does not exist may have been meant to be.
func (x *explainer) notDefined(f *Failure, name string) {
	catalogue := x.e.session.Catalogue()
	if line, ok := prelude.Missing(name); ok {
		f.Hint = line
		return
	}
	if _, ok := catalogue.Module(name); ok {
		f.Hint = fmt.Sprintf("`%s` is a module of gg: write `gg.%s`, or `import { %s } from \"gg\"`", name, name, name)
		return
	}
	for _, function := range catalogue.Functions() {
		if function.Base() == name {
			f.Hint = fmt.Sprintf("write `gg.%s`", function.Name)
			return
		}
	}
	if near, ok := gg.Nearest(name, declaredNames(x.e.accepted.tree)); ok {
		f.Hint = fmt.Sprintf("did you mean `%s`?", near)
	}
}

// declaredNames lists what a program declares: variables, parameters, functions, classes and imports.
func declaredNames(tree *ast.Program) []string {
	var names []string
	add := func(id *ast.Identifier) {
		if id != nil && !strings.HasPrefix(id.Name.String(), "\x00") {
			names = append(names, id.Name.String())
		}
	}
	rewrite.Visit(tree, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.VariableStatement:
			for _, b := range n.List {
				id, _ := b.Target.(*ast.Identifier)
				add(id)
			}
		case *ast.LexicalDeclaration:
			for _, b := range n.List {
				id, _ := b.Target.(*ast.Identifier)
				add(id)
			}
		case *ast.FunctionDeclaration:
			add(n.Function.Name)
		case *ast.ClassDeclaration:
			add(n.Class.Name)
		}
	})
	return names
}

// notInitialised names the variable that was used too early.
func (x *explainer) notInitialised(f *Failure, _ string) {
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		if id, ok := n.(*ast.Identifier); ok && offsetOf(id.Idx) == x.at {
			f.Message = fmt.Sprintf("Cannot access `%s` before initialization", id.Name.String())
		}
	})
}

// memberNode is an expression that reads a property of an object: `left.property`, `left[…]`.
type memberNode struct {
	node ast.Expression
	left ast.Expression
	name int // offset of the property's name
}

// member finds the access of a property that failed. The engine reports the place of the property, or,
// for a method that is called, that of the last thing it evaluated to the left of it. Names that are not
// ASCII reach us garbled: then any name in the right place will do.
func (x *explainer) member(property string) *memberNode {
	garbled := strings.ContainsRune(property, '\uFFFD')
	var exact, near *memberNode
	rewrite.Visit(x.e.accepted.tree, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.DotExpression:
			if n.Identifier.Name.String() != property && !garbled {
				return
			}
			m := &memberNode{n, n.Left, offsetOf(n.Identifier.Idx)}
			if m.name == x.at {
				exact = m
			} else if lastOffset(n.Left) == x.at && near == nil {
				near = m
			}
		case *ast.BracketExpression:
			m := &memberNode{n, n.Left, offsetOf(n.LeftBracket)}
			if m.name == x.at || lastOffset(n.Member) == x.at {
				near = m
			}
		}
	})
	if exact != nil {
		return exact
	}
	return near
}

// lastOffset is the place that the engine reports while it evaluates what follows an expression.
func lastOffset(n ast.Expression) int {
	switch n := n.(type) {
	case *ast.DotExpression:
		return offsetOf(n.Identifier.Idx)
	case *ast.BracketExpression:
		return offsetOf(n.LeftBracket)
	case *ast.CallExpression:
		return offsetOf(n.LeftParenthesis)
	case *ast.OptionalChain:
		return lastOffset(n.Expression)
	case *ast.Optional:
		return lastOffset(n.Expression)
	}
	return offsetOf(n.Idx0())
}

func offsetOf(at file.Idx) int { return int(at) - 1 }
