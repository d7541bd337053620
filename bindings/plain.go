package bindings

import (
	"github.com/dop251/goja"
)

// isArray reports whether o is an array, or a Proxy of one.
func (g *Globals) isArray(o *goja.Object) bool {
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	return in.isArray(goja.FunctionCall{Arguments: []goja.Value{o}}).ToBoolean()
}

// isPlain reports whether o is an object that holds nothing but its own properties: its prototype is
// Object.prototype or null. A Proxy is taken for what its traps say, unless it can be called.
func (g *Globals) isPlain(o *goja.Object) bool {
	switch g.kind(o) {
	case kindProxy:
		_, function := goja.AssertFunction(o)
		return !function && !g.isArray(o)
	case kindObject:
		prototype := o.Prototype()
		return prototype == nil || prototype == g.objectPrototype
	}
	return false
}

// kindOf says what an object is where plain data was expected: `array`, `function`, `Date`, `Customer`.
func (g *Globals) kindOf(o *goja.Object) string {
	switch g.kind(o) {
	case kindArray:
		return "array"
	case kindFunction:
		return "function"
	case kindObject:
		if g.isPlain(o) {
			return "object"
		}
	case kindProxy:
		if _, function := goja.AssertFunction(o); function {
			return "function"
		}
		if g.isArray(o) {
			return "array"
		}
		return "object"
	}
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	return titleOf(in, o)
}

func (g *Globals) kind(o *goja.Object) kind {
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	return kindOf(in, o)
}

// own reads a data property of o itself without running any code of the program, nil when it has none.
func (g *Globals) own(o *goja.Object, name string) goja.Value {
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	return dataProperty(in, o, name)
}

func (g *Globals) ownText(o *goja.Object, name string) string {
	if text, ok := g.own(o, name).(goja.String); ok {
		return text.String()
	}
	return ""
}

func (g *Globals) ownNumber(o *goja.Object, name string) int {
	if n := g.own(o, name); n != nil && goja.IsNumber(n) {
		return int(n.ToInteger())
	}
	return 0
}

// isApiError reports whether o is an Error that inherits from the prototype of gg.ApiError.
func (g *Globals) isApiError(o *goja.Object) bool {
	if g.kind(o) != kindError {
		return false
	}
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if p == g.apiErrorPrototype {
			return true
		}
		if isProxy(p) {
			return false
		}
	}
	return false
}

// must gives back a value that no code of a program could have kept from being made; where it could (a
// getter that throws), the exception goes on to the program.
func must(v goja.Value, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return v
}
