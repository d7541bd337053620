package bindings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/responses-as-code/gg/gg"
)

// maxArgumentDepth is how deep objects and arrays inside arguments may nest.
const maxArgumentDepth = 64

// arguments makes the JSON object of a call from what a program passed: the positional parameters by
// their names, and the properties of a last options object. Nothing is converted that JSON cannot hold:
// the second result words the refusal. Whether the arguments are right is for the schema to say, later.
// Reading getters and Proxies runs program code, whose exceptions pass through.
func (g *Globals) arguments(f *gg.Function, given []goja.Value) (json.RawMessage, *gg.Error) {
	schema, err := f.Arguments()
	if err != nil {
		return nil, gg.Errorf(gg.Other, "%w", err)
	}
	w := &argumentWriter{globals: g, function: f}
	w.out.WriteByte('{')
	for i, name := range f.Positional {
		if i < len(given) && !goja.IsUndefined(given[i]) {
			w.property(name, given[i], schema.Properties[name])
		}
	}
	if most := w.most(schema); most < len(given) && !blank(given[most:]) {
		w.refuse(gg.Errorf(gg.InvalidArgument, "expected at most %d arguments, got %d", most, len(given)))
	} else if rest := len(f.Positional); rest < len(given) {
		w.options(given[rest], schema)
	}
	w.out.WriteByte('}')
	if w.refused != nil {
		return nil, w.refused
	}
	return json.RawMessage(w.out.String()), nil
}

// argumentWriter writes the arguments of one call as JSON, and stops at the first that is none.
type argumentWriter struct {
	globals  *Globals
	function *gg.Function
	out      strings.Builder
	line     bytes.Buffer // of text
	path     []string
	above    []*goja.Object // the objects we are inside of
	refused  *gg.Error
}

func (w *argumentWriter) most(schema *jsonschema.Schema) int {
	if len(schema.Properties) > len(w.function.Positional) {
		return len(w.function.Positional) + 1
	}
	return len(w.function.Positional)
}

// blank reports whether all of what was given beyond the parameters is nothing, as good as not given.
func blank(values []goja.Value) bool {
	for _, v := range values {
		o, isObject := v.(*goja.Object)
		if !goja.IsUndefined(v) && !goja.IsNull(v) && !(isObject && o.ClassName() == "Object" && len(o.Keys()) == 0) {
			return false
		}
	}
	return true
}

// refuse keeps the first refusal.
func (w *argumentWriter) refuse(err *gg.Error) {
	if w.refused == nil {
		w.refused = err
	}
}

func (w *argumentWriter) mismatch(got string) { w.refuse(w.function.Mismatch(w.path, got)) }

// options writes the members of the options object as parameters of their own.
func (w *argumentWriter) options(v goja.Value, schema *jsonschema.Schema) {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return
	}
	o, ok := v.(*goja.Object)
	if !ok || !w.globals.isPlain(o) {
		w.refuse(gg.NotOptions(optionsText(v, w.globals)))
		return
	}
	for _, name := range o.Keys() {
		if slices.Contains(w.function.Positional, name) {
			w.refuse(gg.Errorf(gg.InvalidArgument, "`%s` is given by position, not as an option", name))
			return
		}
		w.property(name, o.Get(name), schema.Properties[name])
	}
}

// property writes one member of an object, unless it is undefined and may be left out.
func (w *argumentWriter) property(name string, v goja.Value, schema *jsonschema.Schema) {
	if w.refused != nil {
		return
	}
	w.path = append(w.path, name)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	if goja.IsUndefined(v) {
		if schema == nil && len(w.above) > 0 {
			w.mismatch("undefined")
		}
		return
	}
	if w.out.Len() > 1 && !strings.HasSuffix(w.out.String()[w.out.Len()-1:], "{") {
		w.out.WriteByte(',')
	}
	w.text(name)
	w.out.WriteByte(':')
	w.value(v, schema)
}

func (w *argumentWriter) value(v goja.Value, schema *jsonschema.Schema) {
	switch {
	case v == nil || goja.IsUndefined(v):
		w.mismatch("undefined")
	case goja.IsNull(v):
		w.out.WriteString("null")
	case goja.IsString(v):
		if at, unit := loneSurrogate(v.(goja.String)); at >= 0 {
			w.mismatch(fmt.Sprintf("a string with half a surrogate pair (U+%04X at %d)", unit, at))
			return
		}
		w.text(v.String())
	case goja.IsNumber(v):
		n := v.ToFloat()
		if math.IsNaN(n) || math.IsInf(n, 0) {
			w.mismatch(v.String())
			return
		}
		w.out.WriteString(strconv.FormatFloat(n, 'f', -1, 64))
	case goja.IsBigInt(v):
		w.mismatch("BigInt")
	default:
		if o, ok := v.(*goja.Object); ok {
			w.object(o, schema)
			return
		}
		if _, ok := v.(*goja.Symbol); ok {
			w.mismatch("symbol")
			return
		}
		w.out.WriteString(strconv.FormatBool(v.ToBoolean()))
	}
}

func (w *argumentWriter) object(o *goja.Object, schema *jsonschema.Schema) {
	if gg.AcceptsFunction(schema) {
		if f := w.globals.functions[o]; f != nil {
			w.text(f.Name)
			return
		}
	}
	list := w.globals.isArray(o)
	if !list && !w.globals.isPlain(o) {
		w.mismatch(w.globals.kindOf(o))
		return
	}
	for _, outer := range w.above {
		if outer == o {
			w.mismatch("a cycle")
			return
		}
	}
	if len(w.above) == maxArgumentDepth {
		w.mismatch(fmt.Sprintf("more than %d levels", maxArgumentDepth))
		return
	}
	w.above = append(w.above, o)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	if list {
		w.list(o, schema)
		return
	}
	w.out.WriteByte('{')
	for _, name := range o.Keys() {
		var property *jsonschema.Schema
		if schema != nil {
			property = schema.Properties[name]
		}
		v := o.Get(name)
		if v == nil && strings.ContainsRune(name, '\uFFFD') {
			w.mismatch("a key with half a surrogate pair")
			return
		}
		w.property(name, v, property)
	}
	w.out.WriteByte('}')
}

func (w *argumentWriter) list(o *goja.Object, schema *jsonschema.Schema) {
	w.out.WriteByte('[')
	length := int(o.Get("length").ToInteger())
	for i := 0; i < length && w.refused == nil; i++ {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.path = append(w.path, "["+strconv.Itoa(i)+"]")
		var items *jsonschema.Schema
		if schema != nil {
			items = schema.Items
		}
		w.value(o.Get(strconv.Itoa(i)), items)
		w.path = w.path[:len(w.path)-1]
	}
	w.out.WriteByte(']')
}

// text writes a JSON string.
func (w *argumentWriter) text(s string) {
	encoder := json.NewEncoder(&w.line)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always encodes
	w.out.Write(bytes.TrimSuffix(w.line.Bytes(), []byte("\n")))
	w.line.Reset()
}

// optionsText is what a value given in place of options is called.
func optionsText(v goja.Value, g *Globals) string {
	if o, ok := v.(*goja.Object); ok {
		return g.kindOf(o)
	}
	switch {
	case goja.IsString(v):
		return "string"
	case goja.IsNumber(v):
		return "number"
	case goja.IsBigInt(v):
		return "bigint"
	}
	if _, ok := v.(*goja.Symbol); ok {
		return "symbol"
	}
	return "boolean"
}

// loneSurrogate finds the first half of a surrogate pair that stands alone: its index and itself, or -1.
func loneSurrogate(s goja.String) (index int, unit uint16) {
	for i := 0; i < s.Length(); i++ {
		u := s.CharAt(i)
		if !utf16.IsSurrogate(rune(u)) {
			continue
		}
		if u < 0xDC00 && i+1 < s.Length() {
			if next := s.CharAt(i + 1); next >= 0xDC00 && next <= 0xDFFF {
				i++
				continue
			}
		}
		return i, u
	}
	return -1, 0
}
