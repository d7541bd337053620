package bindings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// shape is how one object is going to be written: what stands before its brackets, the brackets, what is in it besides
// properties, and its properties.
type shape struct {
	base       string
	open, shut string
	list       bool // in square brackets: may be put into columns
	numeric    bool // a list of numbers only
	contents   func(level int) []string
	keys       []goja.Value
}

// object writes an object that stands level containers deep.
func (x *inspector) object(o *goja.Object, level int) string {
	if o = unwrapped(o); o == nil {
		return "<Revoked Proxy>"
	}
	if slices.Contains(x.seen, o) {
		if x.circular == nil {
			x.circular = map[*goja.Object]int{}
		}
		number, ok := x.circular[o]
		if !ok {
			number = len(x.circular) + 1
			x.circular[o] = number
		}
		return "[Circular *" + strconv.Itoa(number) + "]"
	}
	text, s := x.describe(o, level)
	if s == nil {
		x.written += len(text)
		return text
	}
	if level > x.depth {
		return text
	}
	level++
	x.seen = append(x.seen, o)
	x.deepest = level
	var parts []string
	if s.contents != nil {
		parts = s.contents(level)
	}
	for i, key := range s.keys {
		if x.full() {
			parts = append(parts, "... "+strconv.Itoa(len(s.keys)-i)+" more "+plural("property", "properties", len(s.keys)-i))
			break
		}
		parts = append(parts, x.property(o, key, level))
	}
	x.seen = x.seen[:len(x.seen)-1]
	if number, ok := x.circular[o]; ok {
		s.base = strings.TrimSuffix("<ref *"+strconv.Itoa(number)+"> "+s.base, " ")
	}
	return x.layout(parts, s.base, s.open, s.shut, s.list, s.numeric, level)
}

// unwrapped returns the innermost target of a Proxy, or nil if it has been revoked.
func unwrapped(o *goja.Object) *goja.Object {
	for o != nil && isProxy(o) {
		proxy := o.Export().(goja.Proxy)
		if proxy.Handler() == nil {
			return nil
		}
		o = proxy.Target()
	}
	return o
}

// describe decides how o is written. Without a shape the text is all there is to say; with one it is what stands for o where
// it is nested too deep.
func (x *inspector) describe(o *goja.Object, level int) (string, *shape) {
	kind := kindOf(x.in, o)
	constructor, known := x.constructor(o, level)
	tag := x.tag(o)
	prefix := func(fallback, size string) string { return prefixOf(constructor, known, tag, fallback, size) }
	named := func(base, class string) string {
		if p := prefix(class, ""); p != class+" " {
			return p + base
		}
		return base
	}
	s := &shape{open: "{", shut: "}"}
	alone := "" // the text if there are no properties
	switch kind {
	case kindArray:
		length := int(o.Get("length").ToInteger())
		class := ""
		if constructor != "Array" || tag != "" {
			class = prefix("Array", "("+strconv.Itoa(length)+")")
		}
		s.open, s.shut, s.list = class+"[", "]", true
		s.keys = x.namedKeys(o, length)
		if length > 0 {
			s.contents = func(level int) []string { return x.array(o, length, level, s) }
		}
		alone = s.open + "]"
	case kindTypedArray:
		class, _ := x.in.typedArray(o)
		items := x.typedItems(o)
		s.keys = x.namedKeys(o, items.Len())
		if constructor == "Buffer" && class == "Uint8Array" {
			return bufferText(items.Bytes()), nil
		}
		if tag == "" {
			tag = class
		}
		s.open, s.shut, s.list, s.numeric = prefix(class, "("+strconv.Itoa(items.Len())+")")+"[", "]", true, true
		if items.Len() > 0 {
			s.contents = func(int) []string { return x.numbers(items, strings.HasPrefix(class, "Big")) }
		}
		alone = s.open + "]"
	case kindSet:
		size := x.in.sizeOf(o, x.in.setSize)
		s.open = prefix("Set", "("+strconv.Itoa(size)+")") + "{"
		s.keys = x.keys(o)
		if size > 0 {
			s.contents = func(level int) []string { return x.members(o, size, level) }
		}
		alone = s.open + "}"
	case kindMap:
		size := x.in.sizeOf(o, x.in.mapSize)
		s.open = prefix("Map", "("+strconv.Itoa(size)+")") + "{"
		s.keys = x.keys(o)
		if size > 0 {
			s.contents = func(level int) []string { return x.entries(o, size, level) }
		}
		alone = s.open + "}"
	case kindFunction:
		s.base = x.function(o, constructor, known, tag)
		s.keys = x.keys(o)
		alone = s.base
	case kindRegExp:
		s.base = named(patternText(x.vm, x.in, o), "RegExp")
		s.keys = x.keys(o)
		if level > x.depth {
			return s.base, nil
		}
		alone = s.base
	case kindDate:
		text := "Invalid Date"
		if t, ok := o.Export().(time.Time); ok {
			text = isoTime(t)
		}
		s.base = named(text, "Date")
		s.keys = x.keys(o)
		alone = s.base
	case kindError:
		s.base, s.keys = x.errorBase(o, constructor, known, tag)
		alone = s.base
	case kindNumber, kindString, kindBoolean, kindBigInt, kindSymbol:
		value := unbox(x.vm, x.in, o, kind)
		s.base = "[" + kind.String()
		if !known {
			s.base += " (null prototype)"
		} else if constructor != kind.String() {
			s.base += " (" + constructor + ")"
		}
		s.base += ": " + x.primitive(value) + "]"
		if tag != "" && tag != constructor {
			s.base += " [" + tag + "]"
		}
		if text, ok := value.(goja.String); ok {
			s.keys = x.namedKeys(o, text.Length())
		} else {
			s.keys = x.keys(o)
		}
		alone = s.base
	case kindArrayBuffer:
		s.open = prefix("ArrayBuffer", "") + "{"
		s.keys = x.keys(o)
		s.contents = func(int) []string { return bufferParts(o.Export().(goja.ArrayBuffer)) }
	case kindDataView:
		s.open = prefix("DataView", "") + "{"
		s.keys = x.keys(o)
		s.contents = func(level int) []string { return x.view(o, level) }
	case kindPromise:
		s.open = prefix("Promise", "") + "{"
		s.keys = x.keys(o)
		s.contents = func(level int) []string { return []string{x.promise(o.Export().(*goja.Promise), level)} }
	case kindOpaque:
		s.open = prefix("Object", "") + "{"
		alone = s.open + "}"
		if strings.HasPrefix(tag, "Weak") {
			s.contents = func(int) []string { return []string{"<items unknown>"} }
		}
	default:
		s.keys = x.keys(o)
		switch {
		case o.ClassName() == "Arguments":
			s.open = "[Arguments] {"
		case constructor != "Object" || tag != "":
			s.open = prefix("Object", "") + "{"
		}
		alone = s.open + "}"
	}
	if len(s.keys) == 0 && s.contents == nil {
		return alone, nil
	}
	if level > x.depth {
		class := strings.TrimSuffix(prefix(internalName(kind), ""), " ")
		if known {
			class = "[" + class + "]"
		}
		return class, s
	}
	return "", s
}

func plural(one, several string, n int) string {
	if n == 1 {
		return one
	}
	return several
}

// prefixOf writes what stands before an opening bracket: `Foo `, `Map(2) `, `Foo [tag] `, `[Object: null prototype] `.
func prefixOf(constructor string, known bool, tag, fallback, size string) string {
	switch {
	case !known && tag != "" && fallback != tag:
		return "[" + fallback + size + ": null prototype] [" + tag + "] "
	case !known:
		return "[" + fallback + size + ": null prototype] "
	case tag != "" && constructor != tag:
		return constructor + size + " [" + tag + "] "
	default:
		return constructor + size + " "
	}
}

// internalName is what the engine calls an object that has no constructor to be called after.
func internalName(k kind) string {
	switch k {
	case kindArray:
		return "Array"
	case kindFunction:
		return "Function"
	case kindError:
		return "Error"
	case kindMap:
		return "Map"
	case kindSet:
		return "Set"
	case kindDate:
		return "Date"
	case kindRegExp:
		return "RegExp"
	case kindPromise:
		return "Promise"
	default:
		return k.String()
	}
}

// tag returns the Symbol.toStringTag of o, unless it is an enumerable property of o itself, which is shown as such.
func (x *inspector) tag(o *goja.Object) string {
	tag, ok := chainData(x.in, o, goja.SymToStringTag).(goja.String)
	if !ok {
		return ""
	}
	if x.in.has(o, goja.SymToStringTag) && x.in.isEnumerable(o, goja.SymToStringTag) {
		return ""
	}
	return shortText(tag)
}

// shortText is for names: at most 200 characters.
func shortText(s goja.String) string {
	short, _ := head(s, 200)
	return short.String()
}

// constructor names the class of o: the first constructor along its prototypes that it is an instance of. Without any
// prototype there is none and known is false; where no prototype has one, the name tells of the prototype:
// `Object <[Object: null prototype] {}>`.
func (x *inspector) constructor(o *goja.Object, level int) (name string, known bool) {
	var first *goja.Object
	for p, i := o, 0; p != nil; p, i = p.Prototype(), i+1 {
		if isProxy(p) || i == prototypeSteps {
			return internalName(kindOf(x.in, o)) + " <Complex prototype>", true
		}
		if i == 1 {
			first = p
		}
		if p == x.plain && i > 0 {
			return "Object", true
		}
		constructor, ok := dataProperty(x.in, p, "constructor").(*goja.Object)
		if !ok || !isFunction(constructor) || !x.isInstance(o, constructor) {
			continue
		}
		if name := titleName(x.in, constructor); name != "" {
			return name, true
		}
	}
	if first == nil {
		return "", false
	}
	internal := internalName(kindOf(x.in, o))
	if level > x.depth {
		return internal + " <Complex prototype>", true
	}
	if name, known := x.constructor(first, level+1); known {
		return internal + " <" + name + ">", true
	}
	outer := x.depth
	x.depth = -1
	text, _ := x.describe(first, 0)
	x.depth = outer
	return internal + " <" + text + ">", true
}

// isInstance is `o instanceof constructor` without Symbol.hasInstance and other code.
func (x *inspector) isInstance(o, constructor *goja.Object) bool {
	prototype, ok := dataProperty(x.in, constructor, "prototype").(*goja.Object)
	if !ok {
		return false
	}
	for range prototypeSteps {
		if o = o.Prototype(); o == nil || isProxy(o) {
			return false
		}
		if o == prototype {
			return true
		}
	}
	return false
}

// keys lists the enumerable properties of o: names in order, then symbols.
func (x *inspector) keys(o *goja.Object) []goja.Value {
	var keys []goja.Value
	names := enumerableKeys(x.in, o)
	x.step(len(names))
	for _, key := range names {
		if key.value != nil {
			keys = append(keys, key.value)
		} else {
			keys = append(keys, x.in.vm.ToValue(key.name))
		}
	}
	for _, symbol := range o.Symbols() {
		if x.in.isEnumerable(o, symbol) {
			keys = append(keys, symbol)
		}
	}
	return keys
}

// namedKeysLimit is the length up to which a list is searched for properties that are no elements of it.
const namedKeysLimit = 10_000

// namedKeys lists the enumerable properties of a list but its elements.
func (x *inspector) namedKeys(o *goja.Object, length int) []goja.Value {
	if length > namedKeysLimit {
		return nil
	}
	return slices.DeleteFunc(x.keys(o), func(key goja.Value) bool {
		name, ok := key.(goja.String)
		return ok && isIndex(name.String())
	})
}

// isIndex reports whether a property name is that of an element: a whole number in decimal below 2^32 - 1.
func isIndex(name string) bool {
	n, err := strconv.ParseUint(name, 10, 32)
	return err == nil && n < 1<<32-1 && strconv.FormatUint(n, 10) == name
}

// property writes `name: value`.
func (x *inspector) property(o *goja.Object, key goja.Value, level int) string {
	name := ""
	switch key := key.(type) {
	case *goja.Symbol:
		text := x.vm.ToValue(symbolLiteral(key)).(goja.String)
		name = "[" + escaped(text, text.String(), true) + "]"
	case goja.String:
		switch text := key.String(); {
		case text == "__proto__":
			name = "['__proto__']"
		case !x.in.isEnumerable(o, key):
			name = "[" + escaped(key, text, true) + "]"
		case isIdentifier(text) && !strings.Contains(text, "$"):
			name = text
		default:
			name = quoted(key)
		}
	}
	x.part(name + ": ")
	return name + ": " + x.propertyValue(o, key, level)
}

// propertyValue writes the value of a property, or says that there is code in its place.
func (x *inspector) propertyValue(o *goja.Object, key goja.Value, level int) string {
	desc := x.in.property(o, key)
	if desc == nil {
		return "undefined"
	}
	getter, setter := desc.Get("get"), desc.Get("set")
	isCode := func(v goja.Value) bool { return v != nil && !goja.IsUndefined(v) }
	switch {
	case isCode(getter) && isCode(setter):
		return "[Getter/Setter]"
	case isCode(getter):
		return "[Getter]"
	case isCode(setter):
		return "[Setter]"
	}
	x.indentation += 2
	text := x.value(orUndefined(desc.Get("value")), level)
	x.indentation -= 2
	return text
}
