package bindings

import (
	"sync"

	"github.com/dop251/goja"
)

// native is a built-in function of the engine as its Go implementation. Called directly it touches no call stack, runs no
// pending promise job on its way out, and panics where JavaScript would throw.
type native = func(goja.FunctionCall) goja.Value

// intrinsics are the built-ins of a second, empty VM in which no program has ever run. They are pristine, therefore, and
// goja's accept any object as receiver or argument, also one of another VM. Reading a program's values through them makes a
// redefined Map.prototype.forEach invisible, and so is a setter put on Object.prototype to catch descriptors: the objects a
// built-in creates on its way (descriptors, iterator results, lists of keys) belong to the VM the built-in is from.
//
// But for reflectGet, only built-ins that run no code of the receiver are kept here, and reflectGet hands a getter nothing
// but its own object: no value of the second VM ever reaches a program.
type intrinsics struct {
	vm *goja.Runtime

	descriptor native // Object.getOwnPropertyDescriptor(o, key); never for a Proxy
	ownKeys    native // Reflect.ownKeys(o); never for a Proxy
	hasOwn     native // Object.hasOwn(o, key); never for a Proxy
	enumerable native // Object.prototype.propertyIsEnumerable; never for a Proxy
	reflectGet native // Reflect.get(o, key), for keys that Go strings cannot spell; runs the getter
	isArray    native // Array.isArray(o); throws for a revoked Proxy
	isView     native // ArrayBuffer.isView(o)

	mapEntries, mapNext native
	setValues, setNext  native
	symbolOf, stringOf  native // valueOf of the wrapper objects

	mapSize, setSize     native
	functionText         native // Function.prototype.toString; of the engine's own functions it reads the name
	parseInt, parseFloat native // which run toString of an object

	arrayTag, arrayBuffer native // getters of %TypedArray%.prototype
	source                native // getter of RegExp.prototype
	flags                 []flagGetter

	viewBuffer, viewLength, viewOffset native // getters of DataView.prototype
}

type flagGetter struct {
	letter byte
	get    native
}

// pristine keeps intrinsics for use again; they take about 50 microseconds to collect. One user at a time.
var pristine = sync.Pool{New: func() any { return collectIntrinsics() }}

func collectIntrinsics() *intrinsics {
	vm := goja.New()
	object := func(names ...string) *goja.Object {
		from := vm.GlobalObject()
		for _, name := range names {
			from = from.Get(name).(*goja.Object)
		}
		return from
	}
	method := func(names ...string) native { return object(names...).Export().(native) }
	in := &intrinsics{
		vm:         vm,
		descriptor: method("Object", "getOwnPropertyDescriptor"),
		ownKeys:    method("Reflect", "ownKeys"),
		hasOwn:     method("Object", "hasOwn"),
		enumerable: method("Object", "prototype", "propertyIsEnumerable"),
		reflectGet: method("Reflect", "get"),
		isArray:    method("Array", "isArray"),
		isView:     method("ArrayBuffer", "isView"),
		mapEntries: method("Map", "prototype", "entries"),
		setValues:  method("Set", "prototype", "values"),
		symbolOf:   method("Symbol", "prototype", "valueOf"),
		stringOf:   method("String", "prototype", "valueOf"),

		functionText: method("Function", "prototype", "toString"),
		parseInt:     method("parseInt"),
		parseFloat:   method("parseFloat"),
	}
	next := func(class string, open native) native {
		collection, err := vm.New(object(class))
		if err != nil {
			panic(err) // an empty collection of an untouched VM
		}
		iterator := open(goja.FunctionCall{This: collection}).(*goja.Object)
		return iterator.Get("next").Export().(native)
	}
	in.mapNext = next("Map", in.mapEntries)
	in.setNext = next("Set", in.setValues)
	getter := func(from *goja.Object, key goja.Value) native {
		return in.property(from, key).Get("get").Export().(native)
	}
	typedArray := object("Uint8Array").Prototype().Get("prototype").(*goja.Object)
	in.arrayTag = getter(typedArray, goja.SymToStringTag)
	in.arrayBuffer = getter(typedArray, vm.ToValue("buffer"))
	in.mapSize = getter(object("Map", "prototype"), vm.ToValue("size"))
	in.setSize = getter(object("Set", "prototype"), vm.ToValue("size"))
	view := object("DataView", "prototype")
	in.viewBuffer = getter(view, vm.ToValue("buffer"))
	in.viewLength = getter(view, vm.ToValue("byteLength"))
	in.viewOffset = getter(view, vm.ToValue("byteOffset"))
	pattern := object("RegExp", "prototype")
	in.source = getter(pattern, vm.ToValue("source"))
	for _, flag := range []struct {
		letter byte
		name   string
	}{{'g', "global"}, {'i', "ignoreCase"}, {'m', "multiline"}, {'s', "dotAll"}, {'u', "unicode"}, {'y', "sticky"}} {
		in.flags = append(in.flags, flagGetter{flag.letter, getter(pattern, vm.ToValue(flag.name))})
	}
	return in
}

// property returns the descriptor of a property of o itself, or nil. o is no Proxy.
func (in *intrinsics) property(o *goja.Object, key goja.Value) *goja.Object {
	desc, _ := in.descriptor(goja.FunctionCall{Arguments: []goja.Value{o, key}}).(*goja.Object)
	return desc
}

// has reports whether o, which is no Proxy, has a property of its own called key.
func (in *intrinsics) has(o *goja.Object, key goja.Value) bool {
	return in.hasOwn(goja.FunctionCall{Arguments: []goja.Value{o, key}}).ToBoolean()
}

// isEnumerable reports whether o, which is no Proxy, has an enumerable property of its own called key.
func (in *intrinsics) isEnumerable(o *goja.Object, key goja.Value) bool {
	return in.enumerable(goja.FunctionCall{This: o, Arguments: []goja.Value{key}}).ToBoolean()
}

// sizeOf asks a Map or Set how many entries it has.
func (in *intrinsics) sizeOf(o *goja.Object, size native) int {
	return int(size(goja.FunctionCall{This: o}).ToInteger())
}

// eachEntry calls visit for the entries of a Map in order until it returns false.
func (in *intrinsics) eachEntry(m *goja.Object, visit func(key, value goja.Value) bool) {
	iterator := in.mapEntries(goja.FunctionCall{This: m})
	for {
		entry, ok := step(in.mapNext, iterator)
		if !ok {
			return
		}
		pair := entry.(*goja.Object)
		if !visit(pair.Get("0"), pair.Get("1")) {
			return
		}
	}
}

// eachMember calls visit for the members of a Set in order until it returns false.
func (in *intrinsics) eachMember(s *goja.Object, visit func(goja.Value) bool) {
	iterator := in.setValues(goja.FunctionCall{This: s})
	for {
		member, ok := step(in.setNext, iterator)
		if !ok || !visit(member) {
			return
		}
	}
}

func step(next native, iterator goja.Value) (goja.Value, bool) {
	result := next(goja.FunctionCall{This: iterator}).(*goja.Object)
	if result.Get("done").ToBoolean() {
		return nil, false
	}
	return result.Get("value"), true
}

// typedArray returns the class name of a typed array (`Uint8Array`), or false for any other object.
func (in *intrinsics) typedArray(o *goja.Object) (string, bool) {
	tag := in.arrayTag(goja.FunctionCall{This: o})
	if goja.IsUndefined(tag) {
		return "", false
	}
	return tag.String(), true
}

// detached reports whether the buffer under a typed array has been given away; its memory must not be read then.
func (in *intrinsics) detached(typedArray *goja.Object) bool {
	buffer, ok := in.arrayBuffer(goja.FunctionCall{This: typedArray}).Export().(goja.ArrayBuffer)
	return !ok || buffer.Detached()
}

// flagsOf returns the flags of a RegExp, in the order of RegExp.prototype.flags.
func (in *intrinsics) flagsOf(pattern *goja.Object) string {
	var letters []byte
	for _, flag := range in.flags {
		if flag.get(goja.FunctionCall{This: pattern}).ToBoolean() {
			letters = append(letters, flag.letter)
		}
	}
	return string(letters)
}
