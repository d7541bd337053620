package bindings

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// cutMark stands for what was too deep or too much.
const cutMark = "[…]"

// closing is the part of the room kept for what follows once the rest is used up: a bracket for every open container, a
// mark, and the number that was being written.
const closing = 2*MaxExportDepth + 64

// exporter is one walk over a value. Its methods run under protect; program code runs inside read and call only.
type exporter struct {
	vm    *goja.Runtime
	in    *intrinsics
	plain *goja.Object // Object.prototype, whatever became of that name

	out         jsonText
	path        []pathStep
	open        map[*goja.Object]int // containers being written, with the length of their path
	indexed     map[*goja.Object]bool
	conversions []Conversion
	omitted     int
	steps       int
}

func newExporter(vm *goja.Runtime, maxBytes int) *exporter {
	return &exporter{
		vm:      vm,
		in:      pristine.Get().(*intrinsics),
		plain:   vm.NewObject().Prototype(),
		out:     jsonText{room: maxBytes - closing},
		open:    map[*goja.Object]int{},
		indexed: map[*goja.Object]bool{},
	}
}

// place says where a value stands, which decides what becomes of undefined, functions and symbols.
type place int

const (
	whole place = iota
	inObject
	inArray
)

func (x *exporter) export(v goja.Value) Exported {
	present := x.value(v, whole)
	out := Exported{Present: present, Conversions: x.conversions, Omitted: x.omitted}
	if present {
		out.JSON = x.out.buf
	}
	return out
}

// value writes v and reports whether it wrote anything; it does not where v is dropped.
func (x *exporter) value(v goja.Value, at place) bool {
	x.step()
	switch v := v.(type) {
	case nil:
		return x.absent("undefined", at)
	case *goja.Object:
		return x.object(v, at)
	case goja.String:
		x.text(v)
	case *goja.Symbol:
		return x.nameless(symbolText(v), at)
	default:
		return x.primitive(v, at)
	}
	return true
}

func (x *exporter) primitive(v goja.Value, at place) bool {
	switch {
	case goja.IsUndefined(v):
		return x.absent("undefined", at)
	case goja.IsNull(v):
		x.out.raw("null")
	case goja.IsNumber(v):
		x.number(v)
	case goja.IsBigInt(v):
		x.bigint(v.Export().(*big.Int))
	default:
		x.out.raw(v.String()) // true or false
	}
	return true
}

// absent writes what stands for a value JSON has no word for.
func (x *exporter) absent(what string, at place) bool {
	switch at {
	case inObject:
		x.note(what, "dropped")
		return false
	case inArray:
		x.note(what, "null")
		x.out.raw("null")
		return true
	default:
		return false
	}
}

// nameless writes a function or symbol: as the whole value its name is worth something, inside data it is not data.
func (x *exporter) nameless(what string, at place) bool {
	if at != whole {
		return x.absent(what, at)
	}
	x.mark(what, "["+what+"]")
	return true
}

func (x *exporter) number(v goja.Value) {
	text := v.String()
	switch text {
	case "NaN", "Infinity", "-Infinity":
		x.mark(text, text)
		return
	case "0":
		if math.Signbit(v.ToFloat()) {
			x.note("-0", "0")
		}
	}
	x.out.raw(text)
}

func (x *exporter) bigint(n *big.Int) {
	// Four bits make more than one decimal digit: what cannot fit is not converted first.
	if n.BitLen() > 4*x.out.left() {
		x.note("BigInt of "+strconv.Itoa(n.BitLen())+" bits", strconv.Quote(cutMark))
		x.out.text(cutMark, true)
		return
	}
	x.note("BigInt", "decimal string")
	x.out.text(n.String(), true)
}

// text writes a JavaScript string.
func (x *exporter) text(s goja.String) {
	total := s.Length()
	short, whole := head(s, x.out.left())
	text := short.String()
	if strings.ContainsRune(text, '\uFFFD') && hasLoneSurrogate(short) {
		x.note("lone surrogate", "U+FFFD")
	}
	if !x.out.text(text, whole) {
		x.note("string of "+strconv.Itoa(total)+" characters", "cut with "+cutMark)
	}
}

// mark writes text as a string in place of what it stands for, and notes it.
func (x *exporter) mark(from, text string) {
	x.note(from, strconv.Quote(text))
	x.out.text(text, true)
}

func (x *exporter) note(from, to string) {
	if len(x.conversions) == MaxConversions {
		x.omitted++
		return
	}
	x.conversions = append(x.conversions, Conversion{Path: pathText(x.path), From: from, To: to})
}

// step counts a step of the walk and now and then looks for an interrupt.
func (x *exporter) step() {
	if x.steps++; x.steps%pollEvery == 0 {
		poll(x.vm)
	}
}

// read runs get, which may run program code. Where that throws, it notes so, writes "[Threw: message]" and returns false;
// who names the code that threw.
func (x *exporter) read(who string, get func()) bool {
	ex := x.vm.Try(get)
	if ex == nil {
		return true
	}
	x.mark("throwing "+who, "[Threw: "+thrownText(x.in, ex)+"]")
	return false
}

// object writes an object of any kind.
func (x *exporter) object(o *goja.Object, at place) bool {
	if length, ok := x.open[o]; ok {
		x.mark("cycle", "[Circular "+pathText(x.path[:length])+"]")
		return true
	}
	kind := kindOf(x.in, o)
	switch kind {
	case kindFunction:
		return x.nameless(functionTitle(x.in, o), at)
	case kindNumber, kindBoolean, kindString, kindBigInt, kindSymbol:
		v := unbox(x.vm, x.in, o, kind)
		x.note(kind.String()+" object", "its value")
		return x.value(v, at)
	case kindDate:
		x.date(o)
		return true
	case kindRegExp:
		x.mark("RegExp", patternText(x.vm, x.in, o))
		return true
	case kindPromise:
		x.mark("Promise", "[Promise]")
		return true
	case kindOpaque:
		class := opaqueClass(x.in, o)
		x.mark(class, "["+class+"]")
		return true
	}
	if len(x.open) == MaxExportDepth {
		x.mark("nesting deeper than "+strconv.Itoa(MaxExportDepth), cutMark)
		return true
	}
	x.open[o] = len(x.path)
	defer delete(x.open, o)
	switch kind {
	case kindArray:
		x.array(o)
	case kindTypedArray:
		x.typedArray(o)
	case kindArrayBuffer:
		x.note("ArrayBuffer", "array")
		x.bytes(o.Export().(goja.ArrayBuffer).Bytes())
	case kindDataView:
		var view []byte
		if x.read("DataView", func() { _ = x.vm.ExportTo(o, &view) }) {
			x.note("DataView", "array")
			x.bytes(view)
		}
	case kindMap:
		x.mapping(o)
	case kindSet:
		x.set(o)
	case kindRawJSON:
		x.rawJSON(o)
	case kindProxy:
		return x.proxy(o, at)
	default:
		if converted, done := x.toJSON(o); done {
			return true
		} else if converted != nil {
			return x.value(converted, at)
		}
		if kind == kindError {
			x.failure(o)
		} else {
			x.members(o)
		}
	}
	return true
}

// toJSON calls the method of that name, if o has one that is not Object.prototype's, and returns what it made, or nil if
// there is none. Where it threw, that has been written and done is true.
func (x *exporter) toJSON(o *goja.Object) (converted goja.Value, done bool) {
	if !x.inherits(o, "toJSON") {
		return nil, false
	}
	var method goja.Value
	if !x.read("getter", func() { method = o.Get("toJSON") }) {
		return nil, true
	}
	call, ok := callable(method)
	if !ok {
		return nil, false
	}
	arguments := goja.FunctionCall{This: o, Arguments: []goja.Value{x.vm.ToValue(lastName(x.path))}}
	if !x.read("toJSON", func() { converted = orUndefined(call(arguments)) }) {
		return nil, true
	}
	if converted == o {
		return nil, false
	}
	x.note(titleOf(x.in, o), "result of its toJSON")
	return converted, false
}

// inherits reports whether o or a prototype of it below Object.prototype has the property; a Proxy on the way may.
func (x *exporter) inherits(o *goja.Object, key string) bool {
	name := x.in.vm.ToValue(key)
	for ; o != nil && o != x.plain; o = o.Prototype() {
		x.step()
		if isProxy(o) || x.in.has(o, name) {
			return true
		}
	}
	return false
}

func (x *exporter) date(o *goja.Object) {
	text := "Invalid Date"
	if t, ok := o.Export().(time.Time); ok {
		text = isoTime(t)
	}
	x.mark("Date", text)
}

// failure writes an Error.
func (x *exporter) failure(o *goja.Object) {
	x.note(titleOf(x.in, o), "object")
	x.out.raw("{")
	x.member("name", func() goja.Value { return x.orDefault(o.Get("name"), "Error") })
	x.member("message", func() goja.Value { return x.orDefault(o.Get("message"), "") })
	for _, name := range []string{"cause", "errors"} {
		if x.inherits(o, name) {
			x.member(name, func() goja.Value { return o.Get(name) })
		}
	}
	x.out.raw("}")
}

func (x *exporter) orDefault(v goja.Value, text string) goja.Value {
	if v == nil || goja.IsUndefined(v) {
		return x.vm.ToValue(text)
	}
	return v
}

// members writes the enumerable properties of an object under their string keys.
func (x *exporter) members(o *goja.Object) {
	var keys []objectKey
	if !x.read("Proxy", func() { keys = enumerableKeys(x.in, o) }) {
		return
	}
	x.out.raw("{")
	for _, key := range keys {
		x.step()
		get := func() goja.Value { return o.Get(key.name) }
		if key.value != nil {
			get = func() goja.Value {
				return x.in.reflectGet(goja.FunctionCall{Arguments: []goja.Value{o, key.value}})
			}
		}
		if !x.member(key.name, get) {
			break
		}
		if key.value != nil {
			x.path = append(x.path, pathStep{name: key.name, named: true})
			x.note("lone surrogate in the key", "U+FFFD")
			x.path = x.path[:len(x.path)-1]
		}
	}
	x.out.raw("}")
	if !isProxy(o) && !x.out.full {
		for _, symbol := range o.Symbols() {
			x.path = append(x.path, pathStep{name: symbolText(symbol), symbol: true})
			x.note("symbol key", "dropped")
			x.path = x.path[:len(x.path)-1]
		}
	}
}

// member writes one property, unless its value is dropped, and reports whether there is room for another.
func (x *exporter) member(name string, get func() goja.Value) bool {
	before := x.out.length()
	if !x.out.key(name) {
		x.note("more than "+strconv.Itoa(MaxExportBytes)+" bytes", strconv.Quote(cutMark))
		return false
	}
	x.path = append(x.path, pathStep{name: name, named: true})
	var v goja.Value
	if x.read("getter", func() { v = get() }) && !x.value(v, inObject) {
		x.out.truncate(before)
	}
	x.path = x.path[:len(x.path)-1]
	return !x.out.full
}

// element writes one item of a list and reports whether there is room for another.
func (x *exporter) element(i int, get func() goja.Value) bool {
	x.step()
	if !x.out.item() {
		x.note("more than "+strconv.Itoa(MaxExportBytes)+" bytes", strconv.Quote(cutMark))
		return false
	}
	x.path = append(x.path, pathStep{index: i})
	var v goja.Value
	if x.read("getter", func() { v = get() }) {
		if v == nil {
			x.absent("hole", inArray)
		} else {
			x.value(v, inArray)
		}
	}
	x.path = x.path[:len(x.path)-1]
	return !x.out.full
}
