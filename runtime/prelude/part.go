package prelude

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// sourceName is the file that stack traces name for code of the prelude.
const sourceName = "gg:prelude"

// part is a piece of the prelude that is written in JavaScript: a function expression that takes an object
// of natives and returns an object of what it defines.
type part int

const (
	asyncPart part = iota
	bufferPart
	domExceptionPart
	encodingPart
	iteratorPart
	urlPart
	partCount
)

// source is the part's text.
func (p part) source() string {
	switch p {
	case asyncPart:
		return asyncSource
	case bufferPart:
		return bufferSource
	case domExceptionPart:
		return domExceptionSource
	case encodingPart:
		return encodingSource
	case iteratorPart:
		return iteratorSource
	}
	return urlSource
}

// natives are what the part needs of this VM beside what all parts get: natives, and values.
func (p part) natives(r *realm) map[string]any {
	switch p {
	case asyncPart:
		return r.asyncNatives()
	case bufferPart:
		return r.bufferNatives()
	case domExceptionPart:
		return r.domExceptionNatives()
	case encodingPart:
		return r.encodingNatives()
	case iteratorPart:
		return r.iteratorNatives()
	}
	return r.urlNatives()
}

// programs are the parts that have been compiled, in this process.
var programs [partCount]struct {
	once    sync.Once
	program *goja.Program
}

// compile compiles a part when it is first needed.
func (p part) compile() *goja.Program {
	c := &programs[p]
	c.once.Do(func() {
		// Not goja.Compile: it would follow a source map comment to a file of the host's. There is none here,
		// but the rule is easier to keep than its exceptions.
		tree, err := parser.ParseFile(nil, sourceName, p.source(), 0, parser.WithDisableSourceMaps)
		if err != nil {
			panic(err) // a defect of the package, which its tests find
		}
		hideSource(tree)
		if c.program, err = goja.CompileAST(tree, true); err != nil {
			panic(err)
		}
	})
	return c.program
}

// run gives what a part defines in this VM.
func (r *realm) run(p part) *goja.Object {
	if o := r.parts[p]; o != nil {
		return o
	}
	// RunProgram would run Promise jobs when it returns. Called from within a program it does not; and nobody
	// but a program, or what is done before it starts, gets here.
	outer, err := r.vm.RunProgram(p.compile())
	must(err)
	call, _ := goja.AssertFunction(outer)
	natives := r.vm.CreateObject(nil)
	r.provide(natives, r.common())
	r.provide(natives, p.natives(r))
	result, err := call(goja.Undefined(), natives)
	must(err)
	o := result.(*goja.Object)
	r.parts[p] = o
	return o
}

func (r *realm) provide(natives *goja.Object, values map[string]any) {
	for name, value := range values {
		if f, ok := value.(native); ok {
			value = r.function(name, 0, f)
		}
		must(natives.Set(name, value))
	}
}

// common are the natives that every part gets. They do what JavaScript could do only through properties
// that a program may have changed.
func (r *realm) common() map[string]any {
	p := borrow()
	apply := p.call
	p.release()
	return map[string]any{
		"iterator":    goja.SymIterator,
		"toStringTag": goja.SymToStringTag,
		"Error":       r.intrinsic.Get("Error"),
		// call(f, this, ...arguments)
		"call": func(call goja.FunctionCall) goja.Value {
			r.callable(call.Argument(0), "what is called")
			return apply(goja.FunctionCall{This: call.Arguments[0], Arguments: call.Arguments[1:]})
		},
		"isConstructor": func(call goja.FunctionCall) goja.Value {
			_, ok := goja.AssertConstructor(call.Argument(0))
			return r.vm.ToValue(ok)
		},
		// first(text) is its first code unit, or the empty text
		"first": func(call goja.FunctionCall) goja.Value {
			text := call.Argument(0).(goja.String)
			return text.Substring(0, min(1, text.Length()))
		},
		// tail(text) is text without its first code unit
		"tail": func(call goja.FunctionCall) goja.Value {
			text := call.Argument(0).(goja.String)
			return text.Substring(1, text.Length())
		},
		// define(object, key, value) is CreateDataPropertyOrThrow
		"define": func(call goja.FunctionCall) goja.Value {
			o := call.Argument(0).(*goja.Object)
			must(o.DefineDataProperty(call.Argument(1).String(), call.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
			return goja.Undefined()
		},
		// hide(object, key, value) defines it as methods of the language are, not enumerable
		"hide": func(call goja.FunctionCall) goja.Value {
			o := call.Argument(0).(*goja.Object)
			must(r.hide(o, call.Argument(1), call.Argument(2)))
			return goja.Undefined()
		},
		"typeError": func(call goja.FunctionCall) goja.Value {
			panic(r.vm.NewTypeError("%s", call.Argument(0).String()))
		},
		"rangeError": func(call goja.FunctionCall) goja.Value {
			panic(r.newRangeError(call.Argument(0).String()))
		},
	}
}

func (r *realm) hide(o *goja.Object, key, value goja.Value) error {
	if symbol, ok := key.(*goja.Symbol); ok {
		return o.DefineDataPropertySymbol(symbol, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return o.DefineDataProperty(key.String(), value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}
