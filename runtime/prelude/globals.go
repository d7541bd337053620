package prelude

import (
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// realm is one VM as the prelude sees it.
type realm struct {
	vm    *goja.Runtime
	host  Host
	start time.Time // zero of performance.now

	global    *goja.Object            // the global object, as programs know it
	intrinsic *goja.Object            // the engine's own global object, which holds what it came with
	parts     [partCount]*goja.Object // what those that have run define
	iterators *goja.Object            // %Iterator.prototype%
	pending   *goja.Object            // stands behind it until the helpers are made

	symbols    map[string]*goja.Symbol // the well-known ones that the engine lacks
	descriptor *goja.Object            // of an ordinary property, for put
	writing    []*goja.Object          // the arrays that toLocaleString is in
	steps      int                     // of breathe
}

// install puts the realm's objects in place. It touches as little as it can: making any of the engine's
// constructors takes microseconds.
func (r *realm) install() error {
	r.intrinsic = r.vm.GlobalObject()
	r.global = r.vm.NewObject()
	behind := r.vm.NewDynamicObject((*lazyGlobals)(r))
	err := errors.Join(
		behind.SetPrototype(r.intrinsic),
		r.global.SetPrototype(behind),
	)
	if err != nil {
		return err
	}
	r.vm.SetGlobalObject(r.global)
	return errors.Join(r.installLocale(), r.installIterators())
}

// lazyGlobals stands between the global object of programs, which is empty at first, and that of the engine.
// It is asked for every name that nobody has used yet, makes its value, and moves it to the global object as
// an ordinary property; it is never asked for that name again. A program can notice in two ways: a name that
// nobody has used yet is no own property of globalThis, and strict code that assigns to one before it reads
// it gets a ReferenceError (sloppy code may).
type lazyGlobals realm

// Get makes the value of a global, or returns nil for a name that does not exist.
func (l *lazyGlobals) Get(name string) goja.Value {
	r := (*realm)(l)
	if define := added(name); define != nil {
		value := define(r)
		r.keep(name, value, goja.FLAG_TRUE)
		return value
	}
	if !ofEngine(name) {
		return nil
	}
	value := r.intrinsic.Get(name)
	if value == nil {
		return nil // the program got hold of the engine's own object, and deleted it
	}
	if amend := amended(name); amend != nil {
		must(amend(r, value.(*goja.Object)))
	}
	writable := goja.FLAG_TRUE
	if name == "undefined" || name == "NaN" || name == "Infinity" {
		writable = goja.FLAG_FALSE
	}
	r.keep(name, value, writable)
	return value
}

// keep makes a global an ordinary property of the global object.
func (r *realm) keep(name string, value goja.Value, writable goja.Flag) {
	must(r.global.DefineDataProperty(name, value, writable, writable, goja.FLAG_FALSE))
}

// Has reports whether the prelude adds a global; those of the engine are found one object further on.
func (l *lazyGlobals) Has(name string) bool { return added(name) != nil }

// Set is never reached: assigning to a global makes a property of the global object.
func (l *lazyGlobals) Set(string, goja.Value) bool { return false }

// Delete takes nothing away: a global that was deleted comes back.
func (l *lazyGlobals) Delete(string) bool { return true }

// Keys lists nothing: globals of the language are not enumerable.
func (l *lazyGlobals) Keys() []string { return nil }

// added says how to make a global that the engine lacks. It is a switch and no map, because a map would be
// built whenever the binary starts.
func added(name string) func(*realm) goja.Value {
	switch name {
	case "structuredClone":
		return func(r *realm) goja.Value { return r.function(name, 1, r.structuredClone) }
	case "queueMicrotask":
		return func(r *realm) goja.Value { return r.function(name, 1, r.queueMicrotask) }
	case "atob":
		return func(r *realm) goja.Value { return r.function(name, 1, r.atob) }
	case "btoa":
		return func(r *realm) goja.Value { return r.function(name, 1, r.btoa) }
	case "DOMException":
		return fromPart(domExceptionPart, name)
	case "Iterator":
		return (*realm).iterator
	case "TextEncoder", "TextDecoder":
		return fromPart(encodingPart, name)
	case "URL", "URLSearchParams":
		return fromPart(urlPart, name)
	case "Buffer":
		return fromPart(bufferPart, name)
	case "performance":
		return (*realm).performance
	case "crypto":
		return (*realm).crypto
	}
	return absent(name)
}

func fromPart(p part, name string) func(*realm) goja.Value {
	return func(r *realm) goja.Value { return r.run(p).Get(name) }
}

// amended says what has to be added to a global of the engine before a program sees it.
func amended(name string) func(*realm, *goja.Object) error {
	switch name {
	case "Object":
		return (*realm).amendObject
	case "Map":
		return (*realm).amendMap
	case "Promise":
		return (*realm).amendPromise
	case "Array":
		return (*realm).amendArray
	case "Symbol":
		return (*realm).amendSymbol
	case "Error":
		return (*realm).amendError
	case "ArrayBuffer":
		return (*realm).amendArrayBuffer
	case "Date":
		return (*realm).amendDate
	}
	return nil
}

// ofEngine reports whether the engine defines a global of this name.
func ofEngine(name string) bool {
	switch name {
	case "Object", "Function", "Array", "String", "Number", "BigInt", "RegExp", "Date", "Boolean", "Proxy", "Reflect",
		"Error", "AggregateError", "TypeError", "ReferenceError", "SyntaxError", "RangeError", "EvalError", "URIError", "GoError",
		"eval", "Math", "JSON", "Symbol", "WeakSet", "WeakMap", "Map", "Set", "Promise",
		"ArrayBuffer", "DataView", "Uint8Array", "Uint8ClampedArray", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array",
		"Int32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
		"globalThis", "NaN", "undefined", "Infinity", "isNaN", "parseInt", "parseFloat", "isFinite",
		"decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "unescape":
		return true
	}
	return false
}

// native is a function of the engine's, or one for it: what is not there among its arguments is undefined,
// and it panics with a value where JavaScript throws it.
type native = func(goja.FunctionCall) goja.Value

// function makes a function object of a native, with the name and length that JavaScript expects.
func (r *realm) function(name string, length int, f native) *goja.Object {
	o := r.vm.ToValue(f).(*goja.Object)
	must(o.DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	if length > 0 {
		must(o.DefineDataProperty("length", r.vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	return o
}

// method defines a method as the language's own are: replaceable, and not enumerable.
func (r *realm) method(of *goja.Object, name string, length int, f native) error {
	return of.DefineDataProperty(name, r.function(name, length, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// getter defines an accessor property without a setter.
func (r *realm) getter(of *goja.Object, name string, get func() goja.Value) error {
	f := r.function("get "+name, 0, func(goja.FunctionCall) goja.Value { return get() })
	return of.DefineAccessorProperty(name, f, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// object makes a plain object of names and values in turn. It runs no setter.
func (r *realm) object(fields ...any) *goja.Object {
	o := r.vm.NewObject()
	for i := 0; i < len(fields); i += 2 {
		must(o.DefineDataProperty(fields[i].(string), fields[i+1].(goja.Value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	return o
}

// newRangeError makes a RangeError. It is the engine's, whatever the program has made of that name.
func (r *realm) newRangeError(message string) *goja.Object {
	o, err := r.vm.New(r.intrinsic.Get("RangeError"), r.vm.ToValue(message))
	must(err)
	return o
}

// newDOMException makes a DOMException of one of the names of the Web IDL standard.
func (r *realm) newDOMException(message, name string) *goja.Object {
	o, err := r.vm.New(r.run(domExceptionPart).Get("DOMException"), r.vm.ToValue(message), r.vm.ToValue(name))
	must(err)
	return o
}

// callable takes a function out of an argument, or throws a TypeError.
func (r *realm) callable(v goja.Value, what string) goja.Callable {
	f, ok := goja.AssertFunction(v)
	if !ok {
		panic(r.vm.NewTypeError("%s must be a function, got %s", what, typeOf(v)))
	}
	return f
}

// typeOf is what the operator typeof gives, but for null, which is "null".
func typeOf(v goja.Value) string {
	switch v := v.(type) {
	case nil:
		return "undefined"
	case *goja.Symbol:
		return "symbol"
	case *goja.Object:
		if _, ok := goja.AssertFunction(v); ok {
			return "function"
		}
		return "object"
	}
	switch {
	case goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case goja.IsString(v):
		return "string"
	case goja.IsBigInt(v):
		return "bigint"
	case goja.IsNumber(v):
		return "number"
	}
	return "boolean"
}

// put defines an ordinary property of o, whose key may be any string or symbol. It runs no setter. O can be
// extended, and is no Proxy.
func (r *realm) put(p *pristine, o *goja.Object, key, value goja.Value) {
	if r.descriptor == nil {
		r.descriptor = r.vm.CreateObject(nil)
		for _, name := range []string{"value", "writable", "enumerable", "configurable"} {
			must(r.descriptor.Set(name, true))
		}
	}
	must(r.descriptor.Set("value", value))
	p.define(on(nil, o, key, r.descriptor))
	must(r.descriptor.Set("value", nil)) // it holds on to nothing
}

// breathe is called in every turn of a loop whose length is the program's choice. From time to time it runs
// a piece of JavaScript, however empty, because only that notices that the program has been stopped.
func (r *realm) breathe() {
	if r.steps++; r.steps%4096 == 0 {
		_, err := r.vm.RunProgram(emptyProgram())
		must(err)
	}
}

var emptyProgram = sync.OnceValue(func() *goja.Program {
	program, err := goja.CompileAST(&ast.Program{File: file.NewFile(sourceName, "", 1)}, true)
	must(err)
	return program
})

// must passes on what JavaScript threw, or what stopped it, from inside of a native function.
func must(err error) {
	if err == nil {
		return
	}
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		panic(thrown) // also out of several errors
	}
	panic(err)
}
