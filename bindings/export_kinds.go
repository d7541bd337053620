package bindings

import (
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// kind is what an object is to the engine, whatever its prototype, its constructor or its Symbol.toStringTag say.
type kind int

const (
	kindObject kind = iota
	kindProxy
	kindFunction
	kindArray
	kindError
	kindMap
	kindSet
	kindDate
	kindRegExp
	kindTypedArray
	kindArrayBuffer
	kindDataView
	kindNumber
	kindString
	kindBoolean
	kindBigInt
	kindSymbol
	kindPromise
	kindOpaque // WeakMap, WeakSet, generator or iterator: nothing in it can be read
	kindRawJSON
)

// String names the class of the wrapper objects.
func (k kind) String() string {
	switch k {
	case kindNumber:
		return "Number"
	case kindString:
		return "String"
	case kindBoolean:
		return "Boolean"
	case kindBigInt:
		return "BigInt"
	case kindSymbol:
		return "Symbol"
	default:
		return "Object"
	}
}

var (
	typeProxy       = reflect.TypeFor[goja.Proxy]()
	typePromise     = reflect.TypeFor[*goja.Promise]()
	typeArrayBuffer = reflect.TypeFor[goja.ArrayBuffer]()
	typeMap         = reflect.TypeFor[[][2]any]()
	typeList        = reflect.TypeFor[[]any]()
	typeTime        = reflect.TypeFor[time.Time]()
	typeBigInt      = reflect.TypeFor[*big.Int]()
	typeString      = reflect.TypeFor[string]()
)

func isProxy(o *goja.Object) bool { return o.ExportType() == typeProxy }

// isFunction reports whether o is a function or class; a Proxy of one is not.
func isFunction(o *goja.Object) bool {
	exported := o.ExportType()
	return exported != nil && exported.Kind() == reflect.Func
}

// kindOf finds out what o is without running any code of the program.
func kindOf(in *intrinsics, o *goja.Object) kind {
	class := ""
	switch exported := o.ExportType(); exported {
	case typeProxy:
		return kindProxy
	case typePromise:
		return kindPromise
	case typeArrayBuffer:
		return kindArrayBuffer
	case typeTime:
		return kindDate
	case typeBigInt:
		return kindBigInt
	case typeMap:
		return kindMap
	default:
		if isFunction(o) {
			return kindFunction
		}
		class = o.ClassName()
		if exported == typeList && class != "Array" {
			return kindSet
		}
		if exported == typeString && class == "Object" {
			return kindSymbol
		}
	}
	switch class {
	case "Array":
		return kindArray
	case "Function":
		return kindFunction
	case "Error":
		return kindError
	case "RegExp":
		return kindRegExp
	case "Number":
		return kindNumber
	case "String":
		return kindString
	case "Boolean":
		return kindBoolean
	case "RawJSON":
		return kindRawJSON
	}
	switch {
	case in.isView(goja.FunctionCall{Arguments: []goja.Value{o}}).ToBoolean():
		if _, ok := in.typedArray(o); ok {
			return kindTypedArray
		}
		return kindDataView
	case opaqueClass(in, o) != "":
		return kindOpaque
	default:
		return kindObject
	}
}

// opaqueClass names a built-in object that keeps all it has inside, or returns "". Such objects are known by the tag they
// inherit only; one that has properties of its own has something to show, and one that lies about its tag has not.
func opaqueClass(in *intrinsics, o *goja.Object) string {
	proto := o.Prototype()
	if proto == nil || isProxy(proto) || proto.Prototype() == nil {
		return "" // a plain object
	}
	tag, ok := chainData(in, o, goja.SymToStringTag).(goja.String)
	if !ok {
		return ""
	}
	switch name := tag.String(); name {
	case "WeakMap", "WeakSet", "Generator", "AsyncGenerator", "Array Iterator", "Map Iterator", "Set Iterator",
		"String Iterator", "RegExp String Iterator", "Iterator Helper":
		if len(o.Keys()) == 0 {
			return name
		}
	}
	return ""
}

// unbox returns the primitive in a wrapper object.
func unbox(vm *goja.Runtime, in *intrinsics, o *goja.Object, k kind) goja.Value {
	switch k {
	case kindString:
		return in.stringOf(goja.FunctionCall{This: o})
	case kindSymbol:
		return in.symbolOf(goja.FunctionCall{This: o})
	default:
		return vm.ToValue(o.Export())
	}
}

// numberValue turns an element of a typed array into the value JavaScript would read there.
func numberValue(vm *goja.Runtime, item reflect.Value, bigint bool) goja.Value {
	switch {
	case item.CanFloat():
		return vm.ToValue(item.Float())
	case bigint && item.CanInt():
		return vm.ToValue(big.NewInt(item.Int()))
	case bigint:
		return vm.ToValue(new(big.Int).SetUint64(item.Uint()))
	case item.CanInt():
		return vm.ToValue(item.Int())
	default:
		return vm.ToValue(int64(item.Uint()))
	}
}

// callable returns the code behind a function value.
func callable(v goja.Value) (native, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	if f, ok := o.Export().(native); ok {
		return f, f != nil
	}
	if !isProxy(o) {
		return nil, false
	}
	f, ok := goja.AssertFunction(o)
	return func(call goja.FunctionCall) goja.Value {
		v, err := f(call.This, call.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	}, ok
}

func orUndefined(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// symbolText writes a symbol as `Symbol q`, or `Symbol` if it has no description.
func symbolText(s *goja.Symbol) string {
	if name := s.String(); name != "" {
		return "Symbol " + name
	}
	return "Symbol"
}

// functionTitle writes a function as `Function f`, or `Function` if it has no name.
func functionTitle(in *intrinsics, o *goja.Object) string {
	if name := titleName(in, o); name != "" {
		return "Function " + name
	}
	return "Function"
}

// dataProperty returns the value of a property of o itself, or nil if there is none or it is an accessor. It runs no code.
func dataProperty(in *intrinsics, o *goja.Object, name string) goja.Value {
	return ownData(in, o, in.vm.ToValue(name))
}

// inheritedData is dataProperty along the prototype chain. It ends at an accessor or a Proxy.
func inheritedData(in *intrinsics, o *goja.Object, name string) goja.Value {
	return chainData(in, o, in.vm.ToValue(name))
}

func ownData(in *intrinsics, o *goja.Object, key goja.Value) goja.Value {
	if isProxy(o) {
		return nil
	}
	if desc := in.property(o, key); desc != nil {
		return desc.Get("value")
	}
	return nil
}

// prototypeSteps bounds a look along a prototype chain; no program has a chain this long for a reason.
const prototypeSteps = 1000

func chainData(in *intrinsics, o *goja.Object, key goja.Value) goja.Value {
	for range prototypeSteps {
		if o == nil || isProxy(o) {
			return nil
		}
		if in.has(o, key) {
			return ownData(in, o, key)
		}
		o = o.Prototype()
	}
	return nil
}

// titleOf names the class of an object for a report: its constructor's name, or `object`.
func titleOf(in *intrinsics, o *goja.Object) string {
	if constructor, ok := inheritedData(in, o, "constructor").(*goja.Object); ok {
		if name := titleName(in, constructor); name != "" {
			return name
		}
	}
	return "object"
}

// titleName returns the name of a function, at most 200 characters, or nothing if it is no string.
func titleName(in *intrinsics, function *goja.Object) string {
	if name, ok := dataProperty(in, function, "name").(goja.String); ok {
		short, _ := head(name, 200)
		return short.String()
	}
	return ""
}

// thrownText says what was thrown in a few words. It reads data only.
func thrownText(in *intrinsics, ex *goja.Exception) string {
	switch v := ex.Value().(type) {
	case goja.String:
		short, _ := head(v, 200)
		return brief(short.String())
	case *goja.Symbol:
		return "Symbol(" + brief(v.String()) + ")"
	case *goja.Object:
		if message, ok := inheritedData(in, v, "message").(goja.String); ok {
			short, _ := head(message, 200)
			return brief(short.String())
		}
		return titleOf(in, v)
	case nil:
		return "undefined"
	default:
		if goja.IsBigInt(v) {
			return "BigInt"
		}
		return v.String()
	}
}

// patternText writes a RegExp as it would stand in a program. The source is what its prototype says, because the prelude
// rewrites some patterns and answers with the original there; a program that redefines the getter runs its own code here.
func patternText(vm *goja.Runtime, in *intrinsics, o *goja.Object) string {
	source := in.source(goja.FunctionCall{This: o})
	vm.Try(func() {
		if given, ok := o.Get("source").(goja.String); ok {
			source = given
		}
	})
	return "/" + source.String() + "/" + in.flagsOf(o)
}

// objectKey is an enumerable key. Where Go's UTF-8 cannot spell it, value is the key itself and name what is shown.
type objectKey struct {
	name  string
	value goja.Value
}

// enumerableKeys lists the enumerable string keys of o itself in JavaScript's order. Of a Proxy it runs the traps.
func enumerableKeys(in *intrinsics, o *goja.Object) []objectKey {
	if !isProxy(o) && o.ClassName() == "Error" {
		// Listing them the usual way makes the engine write out the stack, and run a getter of `name` or `message` for it.
		return exactKeys(in, o)
	}
	names := o.Keys()
	keys := make([]objectKey, len(names))
	exact := true
	for i, name := range names {
		keys[i].name = name
		exact = exact && !strings.ContainsRune(name, '\uFFFD')
	}
	if exact || isProxy(o) {
		return keys
	}
	return exactKeys(in, o)
}

// exactKeys is enumerableKeys one by one: slower, and right for every key. The stack of an error is left out.
func exactKeys(in *intrinsics, o *goja.Object) []objectKey {
	var keys []objectKey
	list := in.ownKeys(goja.FunctionCall{Arguments: []goja.Value{o}}).(*goja.Object)
	for i := range int(list.Get("length").ToInteger()) {
		key, ok := list.Get(strconv.Itoa(i)).(goja.String)
		if !ok {
			break // symbols come last
		}
		name := key.String()
		if name == "stack" && o.ClassName() == "Error" || !in.isEnumerable(o, key) {
			continue
		}
		entry := objectKey{name: name}
		if hasLoneSurrogate(key) {
			entry.value = key
		}
		keys = append(keys, entry)
	}
	return keys
}

// isoTime writes a time as Date.prototype.toISOString does.
func isoTime(t time.Time) string {
	t = t.UTC()
	if year := t.Year(); year < 0 || year > 9999 {
		sign := "+"
		if year < 0 {
			sign, year = "-", -year
		}
		digits := strconv.Itoa(1_000_000 + year)
		return sign + digits[1:] + t.Format("-01-02T15:04:05.000Z")
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}
