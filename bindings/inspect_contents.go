package bindings

import (
	"cmp"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// array writes the elements of an array; runs of holes are counted as one.
func (x *inspector) array(o *goja.Object, length, level int, s *shape) []string {
	var parts []string
	s.numeric = true
	next := 0 // the element that comes next
	add := func(key goja.Value) {
		value := ownData(x.in, o, key)
		if value == nil || !goja.IsNumber(value) && !goja.IsBigInt(value) {
			s.numeric = false
		}
		x.part("")
		parts = append(parts, x.propertyValue(o, key, level))
		next++
	}
	empty := func(n int) {
		parts = append(parts, "<"+count(n, "empty item")+">")
		s.numeric = false
		next += n
	}
	for next < min(length, x.items) && !x.full() {
		key := x.in.vm.ToValue(strconv.Itoa(next))
		if !x.in.has(o, key) {
			break
		}
		add(key)
	}
	if next < min(length, x.items) && !x.full() {
		// There is a hole. Go on by the keys that exist, which may be few in a long array.
		for _, key := range o.Keys() {
			x.step(1)
			if len(parts) == x.items || x.full() || !isIndex(key) {
				break
			}
			index, _ := strconv.Atoi(key)
			if index < next {
				continue
			}
			if index > next {
				if empty(index - next); len(parts) == x.items {
					break
				}
			}
			add(x.in.vm.ToValue(key))
		}
		if rest := length - next; rest > 0 && len(parts) < x.items && !x.full() {
			empty(rest)
		}
	}
	if next < length {
		parts = append(parts, more(length-next, "item"))
		s.numeric = s.numeric && length > x.items
	}
	return parts
}

// members writes the members of a Set.
func (x *inspector) members(o *goja.Object, size, level int) []string {
	return x.collect(size, func(visit func(text func() string) bool) {
		x.in.eachMember(o, func(v goja.Value) bool {
			return visit(func() string { return x.value(v, level) })
		})
	})
}

// entries writes the entries of a Map.
func (x *inspector) entries(o *goja.Object, size, level int) []string {
	return x.collect(size, func(visit func(text func() string) bool) {
		x.in.eachEntry(o, func(key, v goja.Value) bool {
			return visit(func() string { return x.value(key, level) + " => " + x.value(v, level) })
		})
	})
}

func (x *inspector) collect(size int, each func(visit func(text func() string) bool)) []string {
	var parts []string
	x.indentation += 2
	each(func(text func() string) bool {
		if len(parts) == x.items || x.full() {
			return false
		}
		x.part("")
		parts = append(parts, text())
		return true
	})
	x.indentation -= 2
	if len(parts) < size {
		parts = append(parts, more(size-len(parts), "item"))
	}
	return parts
}

// typedItems returns the elements of a typed array over its own memory, none if its buffer has been given away.
func (x *inspector) typedItems(o *goja.Object) reflect.Value {
	if x.in.detached(o) {
		return reflect.ValueOf([]byte{})
	}
	return reflect.ValueOf(o.Export())
}

func (x *inspector) numbers(items reflect.Value, bigint bool) []string {
	var parts []string
	for i := range min(items.Len(), x.items) {
		text := x.primitive(numberValue(x.vm, items.Index(i), bigint))
		parts = append(parts, text)
		x.written += len(text)
	}
	if rest := items.Len() - len(parts); rest > 0 {
		parts = append(parts, more(rest, "item"))
	}
	return parts
}

func (x *inspector) promise(p *goja.Promise, level int) string {
	if p.State() == goja.PromiseStatePending {
		return "<pending>"
	}
	x.indentation += 2
	text := x.value(p.Result(), level)
	x.indentation -= 2
	if p.State() == goja.PromiseStateRejected {
		return "<rejected> " + text
	}
	return text
}

// bufferParts writes what is in an ArrayBuffer in hexadecimal.
func bufferParts(buffer goja.ArrayBuffer) []string {
	if buffer.Detached() {
		return []string{"(detached)", "byteLength: 0"}
	}
	data := buffer.Bytes()
	return []string{"[Uint8Contents]: <" + hexBytes(data, inspectItems) + ">", "byteLength: " + strconv.Itoa(len(data))}
}

// bufferText writes a Buffer as Node does: the first 50 bytes.
func bufferText(data []byte) string {
	if len(data) == 0 {
		return "<Buffer >"
	}
	return "<Buffer " + hexBytes(data, 50) + ">"
}

func hexBytes(data []byte, most int) string {
	var words []string
	for _, b := range data[:min(len(data), most)] {
		words = append(words, hex.EncodeToString([]byte{b}))
	}
	text := strings.Join(words, " ")
	if rest := len(data) - most; rest > 0 {
		text += " " + more(rest, "byte")
	}
	return text
}

// view writes a DataView.
func (x *inspector) view(o *goja.Object, level int) []string {
	buffer := x.in.viewBuffer(goja.FunctionCall{This: o})
	if data, ok := buffer.Export().(goja.ArrayBuffer); ok && data.Detached() {
		return []string{"(detached)"}
	}
	x.indentation += 2
	text := x.value(buffer, level)
	x.indentation -= 2
	return []string{
		"byteLength: " + x.in.viewLength(goja.FunctionCall{This: o}).String(),
		"byteOffset: " + x.in.viewOffset(goja.FunctionCall{This: o}).String(),
		"buffer: " + text,
	}
}

// function writes a function as `[Function: f]` or `[class A extends B]`.
func (x *inspector) function(o *goja.Object, constructor string, known bool, tag string) string {
	name := titleName(x.in, o)
	source := x.source(o)
	if strings.HasPrefix(source, "class") && strings.HasSuffix(source, "}") {
		base := "[class " + cmp.Or(name, "(anonymous)")
		if known && constructor != "Function" {
			base += " [" + constructor + "]"
		}
		if tag != "" && constructor != tag {
			base += " [" + tag + "]"
		}
		if !known {
			return base + " extends [null prototype]]"
		}
		if parent := o.Prototype(); parent != nil && !isProxy(parent) {
			if super := titleName(x.in, parent); super != "" {
				base += " extends " + super
			}
		}
		return base + "]"
	}
	class := functionClass(source)
	base := "[" + class
	if !known {
		base += " (null prototype)"
	}
	if name != "" {
		base += ": " + name + "]"
	} else {
		base += " (anonymous)]"
	}
	if known && constructor != class && constructor != "Function" {
		base += " " + constructor
	}
	if tag != "" && constructor != tag && tag != class {
		base += " [" + tag + "]"
	}
	return base
}

// source returns the text of a function, or nothing where the engine would run code for it: it composes the text of its own
// functions of their name, which a program can make an accessor.
func (x *inspector) source(o *goja.Object) string {
	if dataProperty(x.in, o, "name") == nil && x.in.has(o, x.in.vm.ToValue("name")) {
		return ""
	}
	text, _ := x.in.functionText(goja.FunctionCall{This: o}).(goja.String)
	if text == nil {
		return ""
	}
	return text.String()
}

// functionClass tells the four classes of functions apart by their text.
func functionClass(source string) string {
	class := "Function"
	rest, async := strings.CutPrefix(source, "async")
	if async && rest != "" && strings.ContainsAny(rest[:1], " \t\n\r(/*") {
		source = strings.TrimLeft(rest, " \t\n\r")
	} else {
		async = false
	}
	if after, ok := strings.CutPrefix(source, "function"); ok {
		source = strings.TrimLeft(after, " \t\n\r")
	}
	if strings.HasPrefix(source, "*") {
		class = "GeneratorFunction"
	}
	if async {
		class = "Async" + class
	}
	return class
}

// errorBase writes an Error without its stack: `TypeError: m`, in brackets unless it stands for itself. Of its properties
// those are left out that the text has already, and the cause and the errors of an AggregateError are added.
func (x *inspector) errorBase(o *goja.Object, constructor string, known bool, tag string) (string, []goja.Value) {
	name, message := "Error", ""
	if text, ok := inheritedData(x.in, o, "name").(goja.String); ok {
		name = shortText(text)
	}
	if text, ok := inheritedData(x.in, o, "message").(goja.String); ok {
		short, _ := head(text, inspectCharacters)
		message = short.String()
	}
	text := name
	if message != "" {
		text = strings.TrimPrefix(name+": "+message, ": ")
	}
	text = withClass(text, name, constructor, known, tag)
	keys := slices.DeleteFunc(x.keys(o), func(key goja.Value) bool {
		name, ok := key.(goja.String)
		return ok && slices.Contains([]string{"name", "message", "stack", "cause", "errors"}, name.String())
	})
	if dataProperty(x.in, o, "cause") != nil {
		keys = append(keys, x.in.vm.ToValue("cause"))
	}
	if dataProperty(x.in, o, "errors") != nil {
		keys = append(keys, x.in.vm.ToValue("errors"))
	}
	if x.standalone != o {
		text = "[" + text + "]"
	}
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", x.indentation)), keys
}

// withClass puts the class of an error where its text says only the name of a class above: `MyError: m` for `Error: m`.
func withClass(text, name, constructor string, known bool, tag string) string {
	length := len(name)
	if known && !(strings.HasSuffix(name, "Error") && strings.HasPrefix(text, name) &&
		(len(text) == length || text[length] == ':' || text[length] == '\n')) {
		return text
	}
	fallback := "Error"
	if !known {
		length = 0
		if i := strings.IndexByte(text, ':'); i > 0 && text[0] >= 'A' && text[0] <= 'Z' {
			fallback, length = text[:i], i
		} else if strings.HasSuffix(text, "Error") {
			fallback, length = text, len(text)
		}
	}
	class := strings.TrimSuffix(prefixOf(constructor, known, tag, fallback, ""), " ")
	switch {
	case class == name:
		return text
	case !strings.Contains(class, name):
		return class + " [" + name + "]" + text[length:]
	case length == 0:
		return class + ": " + text
	default:
		return class + text[length:]
	}
}
