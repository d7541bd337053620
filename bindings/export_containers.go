package bindings

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

func (x *exporter) array(o *goja.Object) {
	length := int(o.Get("length").ToInteger()) // an array's own length: never a getter
	inherited := x.indexedPrototype(o.Prototype())
	x.out.raw("[")
	for i := 0; i < length; i++ {
		name := strconv.Itoa(i)
		more := x.element(i, func() goja.Value {
			if inherited && !x.in.has(o, x.in.vm.ToValue(name)) {
				return nil
			}
			return o.Get(name)
		})
		if !more {
			break
		}
	}
	x.out.raw("]")
}

// indexedPrototype reports whether a hole in an array with this prototype could be answered by inherited elements. Then
// each element has to be asked for twice.
func (x *exporter) indexedPrototype(proto *goja.Object) bool {
	for ; proto != nil; proto = proto.Prototype() {
		x.step()
		if isProxy(proto) {
			return true
		}
		indexed, known := x.indexed[proto]
		if !known {
			for _, name := range proto.GetOwnPropertyNames() {
				if name != "" && name[0] >= '0' && name[0] <= '9' {
					indexed = true
				}
			}
			x.indexed[proto] = indexed
		}
		if indexed {
			return true
		}
	}
	return false
}

func (x *exporter) set(o *goja.Object) {
	x.note("Set", "array")
	x.out.raw("[")
	i := 0
	x.in.eachMember(o, func(v goja.Value) bool {
		i++
		return x.element(i-1, func() goja.Value { return v })
	})
	x.out.raw("]")
}

func (x *exporter) mapping(o *goja.Object) {
	names := true
	x.in.eachEntry(o, func(key, _ goja.Value) bool {
		x.step()
		names = goja.IsString(key)
		return names
	})
	if names {
		x.note("Map", "object")
		x.out.raw("{")
		x.in.eachEntry(o, func(key, v goja.Value) bool {
			x.step()
			return x.member(key.String(), func() goja.Value { return v })
		})
		x.out.raw("}")
		return
	}
	x.note("Map", "array of [key, value]")
	x.out.raw("[")
	i := 0
	x.in.eachEntry(o, func(key, v goja.Value) bool {
		if !x.out.item() {
			x.note("more than "+strconv.Itoa(MaxExportBytes)+" bytes", strconv.Quote(cutMark))
			return false
		}
		x.path = append(x.path, pathStep{index: i})
		x.out.raw("[")
		if x.element(0, func() goja.Value { return key }) {
			x.element(1, func() goja.Value { return v })
		}
		x.out.raw("]")
		x.path = x.path[:len(x.path)-1]
		i++
		return !x.out.full
	})
	x.out.raw("]")
}

func (x *exporter) typedArray(o *goja.Object) {
	class, _ := x.in.typedArray(o)
	x.note(class, "array")
	if x.in.detached(o) {
		x.out.raw("[]")
		return
	}
	items := reflect.ValueOf(o.Export()) // a slice over the array's own memory
	bigint := strings.HasPrefix(class, "Big")
	x.out.raw("[")
	for i := range items.Len() {
		if !x.element(i, func() goja.Value { return numberValue(x.vm, items.Index(i), bigint) }) {
			break
		}
	}
	x.out.raw("]")
}

func (x *exporter) bytes(data []byte) {
	x.out.raw("[")
	for i, b := range data {
		if !x.element(i, func() goja.Value { return x.vm.ToValue(int64(b)) }) {
			break
		}
	}
	x.out.raw("]")
}

// rawJSON writes what JSON.rawJSON made, as JSON.stringify does.
func (x *exporter) rawJSON(o *goja.Object) {
	text := o.Get("rawJSON").String() // an own property of a frozen object
	if len(text) > x.out.left() {
		x.mark("raw JSON of "+strconv.Itoa(len(text))+" bytes", cutMark)
		return
	}
	x.out.raw(text)
}

// proxy writes what the traps of a Proxy make of it.
func (x *exporter) proxy(o *goja.Object, at place) bool {
	var list, callable bool
	ok := x.read("Proxy", func() {
		list = x.in.isArray(goja.FunctionCall{Arguments: []goja.Value{o}}).ToBoolean()
		callable = o.ClassName() == "Function"
	})
	switch {
	case !ok:
	case callable:
		return x.nameless("Function", at)
	case list:
		var length int64
		if x.read("Proxy", func() { length = o.Get("length").ToInteger() }) {
			x.out.raw("[")
			for i := int64(0); i < length; i++ {
				name := strconv.FormatInt(i, 10)
				if !x.element(int(i), func() goja.Value { return orUndefined(o.Get(name)) }) {
					break
				}
			}
			x.out.raw("]")
		}
	default:
		if converted, done := x.toJSON(o); done {
			return true
		} else if converted != nil {
			return x.value(converted, at)
		}
		x.members(o)
	}
	return true
}
