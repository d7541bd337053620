package prelude

import (
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/dop251/goja"
)

var (
	typeProxy   = reflect.TypeFor[goja.Proxy]()
	typePromise = reflect.TypeFor[*goja.Promise]()
	typeBuffer  = reflect.TypeFor[goja.ArrayBuffer]()
	typeMap     = reflect.TypeFor[[][2]any]()
	typeSet     = reflect.TypeFor[[]any]()
	typeTime    = reflect.TypeFor[time.Time]()
	typeBigInt  = reflect.TypeFor[*big.Int]()
	typeString  = reflect.TypeFor[string]()
)

// maxCloneDepth is how deep structuredClone follows references before it gives up as a recursive function
// would: a frame of the walk takes less than 1 KiB of Go stack, and a Go stack that outgrows its bound takes
// the process with it.
const maxCloneDepth = 10_000

// structuredClone is the function of that name of the HTML standard.
func (r *realm) structuredClone(call goja.FunctionCall) goja.Value {
	if len(call.Arguments) == 0 {
		panic(r.vm.NewTypeError("structuredClone: the value argument must be specified"))
	}
	p := borrow()
	defer p.release()
	c := &cloner{realm: r, pristine: p, seen: make(map[*goja.Object]*goja.Object)}
	c.take(call.Argument(1))
	result := c.value(call.Arguments[0], 0)
	for _, buffer := range c.transfer {
		buffer.Detach()
	}
	return result
}

// cloner copies one graph of values.
type cloner struct {
	*realm
	*pristine

	seen     map[*goja.Object]*goja.Object
	transfer []goja.ArrayBuffer // given away in the end
}

// take reads the option that says which buffers go over to the copy.
func (c *cloner) take(options goja.Value) {
	o, ok := options.(*goja.Object)
	if !ok {
		return
	}
	list := o.Get("transfer")
	if list == nil || goja.IsUndefined(list) {
		return
	}
	c.realm.vm.ForOf(list, func(v goja.Value) bool {
		buffer, ok := goja.ArrayBuffer{}, false
		if o, isObject := v.(*goja.Object); isObject && o.ExportType() == typeBuffer {
			buffer, ok = o.Export().(goja.ArrayBuffer)
		}
		if !ok {
			panic(c.realm.vm.NewTypeError("structuredClone: only an ArrayBuffer can be transferred, got %s", c.name(v)))
		}
		c.transfer = append(c.transfer, buffer)
		return true
	})
}

// refuse throws the error of a value that has no copy.
func (c *cloner) refuse(v goja.Value) {
	panic(c.newDOMException(c.name(v)+" could not be cloned", "DataCloneError"))
}

// name shows a value in an error without running any of its code.
func (c *cloner) name(v goja.Value) string {
	o, ok := v.(*goja.Object)
	switch {
	case !ok:
		if _, symbol := v.(*goja.Symbol); symbol {
			return "Symbol(" + v.String() + ")"
		}
		return v.String()
	case o.ExportType() == typeProxy:
		return "a Proxy"
	case o.ExportType() == typePromise:
		return "a Promise"
	}
	if _, function := goja.AssertFunction(o); function {
		name, _ := c.get(on(nil, o, c.pristine.vm.ToValue("name"))).(goja.String)
		if name == nil || name.Length() == 0 {
			return "a function"
		}
		return fmt.Sprintf("function %q", name.String())
	}
	return "#<" + o.ClassName() + ">"
}

// value copies one value.
func (c *cloner) value(v goja.Value, depth int) goja.Value {
	c.breathe()
	o, ok := v.(*goja.Object)
	if !ok {
		if _, symbol := v.(*goja.Symbol); symbol {
			c.refuse(v)
		}
		return v
	}
	if copied, ok := c.seen[o]; ok {
		return copied
	}
	if depth > maxCloneDepth {
		panic(c.newRangeError(fmt.Sprintf("structuredClone: objects are nested more than %d deep", maxCloneDepth)))
	}
	switch exported := o.ExportType(); exported {
	case typeProxy, typePromise:
		c.refuse(o)
	case typeTime:
		return c.remember(o, c.build("Date", c.timeOf(on(o))))
	case typeBuffer:
		return c.buffer(o)
	case typeBigInt:
		return c.remember(o, c.realm.vm.ToValue(o.Export()).ToObject(c.realm.vm))
	case typeMap:
		return c.mapOf(o, depth)
	default:
		class := o.ClassName()
		switch {
		case exported != nil && exported.Kind() == reflect.Func, class == "Arguments":
			c.refuse(o)
		case exported == typeSet && class != "Array":
			return c.setOf(o, depth)
		case exported == typeString && class == "Object":
			c.refuse(o) // a wrapped Symbol
		}
		switch class {
		case "Array":
			return c.array(o, depth)
		case "Error":
			return c.error(o, depth)
		case "RegExp":
			return c.remember(o, c.regExp(o))
		case "Number", "Boolean":
			return c.remember(o, c.realm.vm.ToValue(o.Export()).ToObject(c.realm.vm))
		case "String":
			return c.remember(o, c.stringOf(on(o)).ToObject(c.realm.vm))
		}
	}
	if c.isView(on(nil, o)).ToBoolean() {
		return c.view(o)
	}
	c.refuseOpaque(o)
	copied := c.remember(o, c.realm.vm.NewObject())
	c.properties(o, copied, depth)
	return copied
}

// refuseOpaque refuses objects that keep all they have where nobody can read it.
func (c *cloner) refuseOpaque(o *goja.Object) {
	proto := o.Prototype()
	if proto == nil || proto.Prototype() == nil {
		return // a plain object
	}
	tag, ok := o.GetSymbol(goja.SymToStringTag).(goja.String)
	if !ok {
		return
	}
	switch name := tag.String(); name {
	case "WeakMap", "WeakSet", "Generator", "AsyncGenerator", "Array Iterator", "Map Iterator", "Set Iterator",
		"String Iterator", "RegExp String Iterator", "Iterator Helper":
		panic(c.newDOMException("#<"+name+"> could not be cloned", "DataCloneError"))
	}
}

func (c *cloner) remember(o, copied *goja.Object) *goja.Object {
	c.seen[o] = copied
	return copied
}

// build makes an object of one of the engine's classes, whatever the program calls by that name.
func (c *cloner) build(class string, arguments ...goja.Value) *goja.Object {
	o, err := c.realm.vm.New(c.intrinsic.Get(class), arguments...)
	must(err)
	return o
}

// properties copies the enumerable properties that o itself has.
func (c *cloner) properties(o, copied *goja.Object, depth int) {
	for _, key := range c.keys(o) {
		// A getter that ran before may have taken it away.
		if c.hasOwn(on(nil, o, key)).ToBoolean() {
			c.put(c.pristine, copied, key, c.value(c.get(on(nil, o, key)), depth+1))
		}
	}
}

func (c *cloner) array(o *goja.Object, depth int) goja.Value {
	copied := c.remember(o, c.realm.vm.NewArray())
	must(copied.Set("length", o.Get("length")))
	c.properties(o, copied, depth)
	return copied
}

func (c *cloner) mapOf(o *goja.Object, depth int) goja.Value {
	copied := c.remember(o, c.build("Map"))
	var entries []goja.Value
	c.eachEntry(o, func(key, value goja.Value) { entries = append(entries, key, value) })
	for i := 0; i < len(entries); i += 2 {
		c.mapSet(on(copied, c.value(entries[i], depth+1), c.value(entries[i+1], depth+1)))
	}
	return copied
}

func (c *cloner) setOf(o *goja.Object, depth int) goja.Value {
	copied := c.remember(o, c.build("Set"))
	var members []goja.Value
	c.eachMember(o, func(member goja.Value) { members = append(members, member) })
	for _, member := range members {
		c.setAdd(on(copied, c.value(member, depth+1)))
	}
	return copied
}

// error copies an Error: its class among those of the language, message, stack and cause.
func (c *cloner) error(o *goja.Object, depth int) goja.Value {
	class := "Error"
	if name := o.Get("name"); name != nil {
		switch s := name.String(); s {
		case "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError":
			class = s
		}
	}
	own := func(name string) goja.Value {
		key := c.pristine.vm.ToValue(name)
		if !c.hasOwn(on(nil, o, key)).ToBoolean() {
			return nil
		}
		return c.get(on(nil, o, key))
	}
	var arguments []goja.Value
	if message := own("message"); message != nil {
		arguments = append(arguments, c.text(message))
	}
	copied := c.remember(o, c.build(class, arguments...))
	hidden := func(name string, v goja.Value) {
		must(copied.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	if stack, ok := o.Get("stack").(goja.String); ok {
		hidden("stack", stack)
	}
	if cause := own("cause"); cause != nil {
		hidden("cause", c.value(cause, depth+1))
	}
	return copied
}

// regExp copies a regular expression through the constructor that programs use, which knows the pattern as
// it was written.
func (c *cloner) regExp(o *goja.Object) *goja.Object {
	prototype := c.intrinsic.Get("RegExp").(*goja.Object).Get("prototype").(*goja.Object)
	copied, err := c.realm.vm.New(prototype.Get("constructor"), o.Get("source"), o.Get("flags"))
	must(err)
	return copied
}

func (c *cloner) buffer(o *goja.Object) *goja.Object {
	memory := o.Export().(goja.ArrayBuffer)
	if memory.Detached() {
		panic(c.newDOMException("an ArrayBuffer that is detached could not be cloned", "DataCloneError"))
	}
	copied := c.realm.vm.NewArrayBuffer(append([]byte(nil), memory.Bytes()...))
	return c.remember(o, c.realm.vm.ToValue(copied).(*goja.Object))
}

// view copies a typed array or a DataView together with all of the memory under it, which copies of other
// views of the same memory share.
func (c *cloner) view(o *goja.Object) goja.Value {
	class, offset, length, memory := "DataView", c.viewOffset, c.viewBytes, c.viewBuffer
	if c.isTypedArray(o) {
		class = c.arrayTag(on(o)).String()
		offset, length, memory = c.arrayOffset, c.arrayLength, c.arrayBuffer
	}
	under := memory(on(o)).(*goja.Object)
	copied, ok := c.seen[under]
	if !ok {
		copied = c.buffer(under)
	}
	return c.remember(o, c.build(class, copied, offset(on(o)), length(on(o))))
}
