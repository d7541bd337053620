package prelude

import (
	"sync"

	"github.com/dop251/goja"
)

// pristine are built-ins of a second, empty VM in which no program has ever run. Goja's accept objects of
// any VM, so that they read and write a program's values whatever the program has done to its prototypes.
// What they create on their way (lists of keys, descriptors, iterator results) belongs to the second VM and
// must not reach a program; where they throw, the error would be the second VM's, and so they are called
// only where they cannot.
type pristine struct {
	vm *goja.Runtime

	ownKeys    native // Reflect.ownKeys(o); never for a Proxy
	enumerable native // Object.prototype.propertyIsEnumerable
	hasOwn     native // Object.hasOwn(o, key)
	get        native // Reflect.get(o, key); runs a getter
	define     native // Reflect.defineProperty(o, key, descriptor)

	mapClass                            *goja.Object
	mapEntries, mapNext, mapGet, mapSet native
	setValues, setNext, setAdd          native

	call native // Function.prototype.call; it needs no VM, and may be kept

	symbolOf, stringOf native // valueOf of the wrapper objects
	timeOf             native // Date.prototype.valueOf
	isView             native // ArrayBuffer.isView

	arrayTag, arrayBuffer, arrayOffset, arrayBytes, arrayLength native // getters of %TypedArray%.prototype
	viewBuffer, viewOffset, viewBytes                           native // getters of DataView.prototype

	localeCompare, toLowerCase, toUpperCase native
}

// pristines keeps them for use again: they take a tenth of a millisecond to collect. One user at a time.
var pristines = sync.Pool{New: func() any { return collectPristine() }}

// borrow takes pristine built-ins; the caller calls release when done, also when JavaScript throws.
func borrow() *pristine      { return pristines.Get().(*pristine) }
func (p *pristine) release() { pristines.Put(p) }

func collectPristine() *pristine {
	vm := goja.New()
	object := func(names ...string) *goja.Object {
		from := vm.GlobalObject()
		for _, name := range names {
			from = from.Get(name).(*goja.Object)
		}
		return from
	}
	method := func(names ...string) native { return object(names...).Export().(native) }
	describe := method("Object", "getOwnPropertyDescriptor")
	getter := func(from *goja.Object, key goja.Value) native {
		found := describe(goja.FunctionCall{Arguments: []goja.Value{from, key}}).(*goja.Object)
		return found.Get("get").Export().(native)
	}
	next := func(class string, open native) native {
		collection, err := vm.New(object(class))
		must(err) // an empty collection of an untouched VM
		return open(goja.FunctionCall{This: collection}).(*goja.Object).Get("next").Export().(native)
	}
	array := object("Uint8Array").Prototype().Get("prototype").(*goja.Object)
	view := object("DataView", "prototype")
	p := &pristine{
		vm:         vm,
		ownKeys:    method("Reflect", "ownKeys"),
		enumerable: method("Object", "prototype", "propertyIsEnumerable"),
		hasOwn:     method("Object", "hasOwn"),
		get:        method("Reflect", "get"),
		define:     method("Reflect", "defineProperty"),
		mapEntries: method("Map", "prototype", "entries"),
		mapClass:   object("Map"),
		mapGet:     method("Map", "prototype", "get"),
		mapSet:     method("Map", "prototype", "set"),
		setValues:  method("Set", "prototype", "values"),
		setAdd:     method("Set", "prototype", "add"),
		call:       method("Function", "prototype", "call"),
		symbolOf:   method("Symbol", "prototype", "valueOf"),
		stringOf:   method("String", "prototype", "valueOf"),
		timeOf:     method("Date", "prototype", "valueOf"),
		isView:     method("ArrayBuffer", "isView"),

		arrayTag:    getter(array, goja.SymToStringTag),
		arrayBuffer: getter(array, vm.ToValue("buffer")),
		arrayOffset: getter(array, vm.ToValue("byteOffset")),
		arrayBytes:  getter(array, vm.ToValue("byteLength")),
		arrayLength: getter(array, vm.ToValue("length")),
		viewBuffer:  getter(view, vm.ToValue("buffer")),
		viewOffset:  getter(view, vm.ToValue("byteOffset")),
		viewBytes:   getter(view, vm.ToValue("byteLength")),

		localeCompare: method("String", "prototype", "localeCompare"),
		toLowerCase:   method("String", "prototype", "toLowerCase"),
		toUpperCase:   method("String", "prototype", "toUpperCase"),
	}
	p.mapNext = next("Map", p.mapEntries)
	p.setNext = next("Set", p.setValues)
	return p
}

func on(this goja.Value, arguments ...goja.Value) goja.FunctionCall {
	return goja.FunctionCall{This: this, Arguments: arguments}
}

// keys lists the enumerable properties of o itself whose keys are strings. o is no Proxy.
func (p *pristine) keys(o *goja.Object) []goja.Value {
	all := p.ownKeys(on(nil, o)).(*goja.Object)
	keys := make([]goja.Value, 0, all.Get("length").ToInteger())
	p.each(all, func(key goja.Value) {
		if _, symbol := key.(*goja.Symbol); !symbol && p.enumerable(on(o, key)).ToBoolean() {
			keys = append(keys, key)
		}
	})
	return keys
}

// each calls visit for the elements of an array that built-ins of p made.
func (p *pristine) each(array *goja.Object, visit func(goja.Value)) {
	for i := range array.Get("length").ToInteger() {
		visit(p.get(on(nil, array, p.vm.ToValue(i))))
	}
}

// eachEntry calls visit for the entries of a Map, in order, those included that visit adds.
func (p *pristine) eachEntry(m *goja.Object, visit func(key, value goja.Value)) {
	iterator := p.mapEntries(on(m))
	for {
		entry, ok := step(p.mapNext, iterator)
		if !ok {
			return
		}
		pair := entry.(*goja.Object)
		visit(pair.Get("0"), pair.Get("1"))
	}
}

// eachMember calls visit for the members of a Set, in order, those included that visit adds.
func (p *pristine) eachMember(s *goja.Object, visit func(goja.Value)) {
	iterator := p.setValues(on(s))
	for {
		member, ok := step(p.setNext, iterator)
		if !ok {
			return
		}
		visit(member)
	}
}

func step(next native, iterator goja.Value) (goja.Value, bool) {
	result := next(on(iterator)).(*goja.Object)
	if result.Get("done").ToBoolean() {
		return nil, false
	}
	return result.Get("value"), true
}

// bytes gives the memory under an ArrayBuffer, a typed array or a DataView, which stays the program's.
func (p *pristine) bytes(v goja.Value) ([]byte, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() == typeProxy {
		return nil, false
	}
	if buffer, ok := o.Export().(goja.ArrayBuffer); ok {
		return buffer.Bytes(), true
	}
	if !p.isView(on(nil, o)).ToBoolean() {
		return nil, false
	}
	buffer, offset, size := p.viewBuffer, p.viewOffset, p.viewBytes
	if p.isTypedArray(o) {
		buffer, offset, size = p.arrayBuffer, p.arrayOffset, p.arrayBytes
	}
	memory := buffer(on(o)).Export().(goja.ArrayBuffer)
	if memory.Detached() {
		return nil, true
	}
	from := offset(on(o)).ToInteger()
	return memory.Bytes()[from : from+size(on(o)).ToInteger()], true
}

func (p *pristine) isTypedArray(o *goja.Object) bool { return !goja.IsUndefined(p.arrayTag(on(o))) }
