package bindings

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// format writes the arguments of console.log.
func (x *inspector) format(args []goja.Value) string {
	var out strings.Builder
	next := 0
	if template, ok := argument0(args).(goja.String); ok {
		next = 1
		text := template.String()
		if len(args) == 1 {
			return text
		}
		for {
			i := strings.IndexByte(text, '%')
			if i < 0 || i == len(text)-1 {
				break
			}
			verb := text[i+1]
			switch {
			case verb == '%':
				out.WriteString(text[:i+1])
			case next < len(args) && strings.IndexByte("sdifjoOc", verb) >= 0:
				out.WriteString(text[:i])
				out.WriteString(x.placeholder(verb, args[next]))
				next++
			default:
				out.WriteString(text[:i+2])
			}
			text = text[i+2:]
		}
		out.WriteString(text)
	}
	for i := next; i < len(args); i++ {
		if i > 0 {
			out.WriteByte(' ')
		}
		if text, ok := args[i].(goja.String); ok {
			out.WriteString(text.String())
		} else {
			out.WriteString(x.top(args[i], inspectDepth))
		}
	}
	return out.String()
}

func argument0(args []goja.Value) goja.Value {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (x *inspector) placeholder(verb byte, v goja.Value) string {
	if goja.IsBigInt(v) && strings.IndexByte("sdi", verb) >= 0 {
		return bigintLiteral(v)
	}
	_, isSymbol := v.(*goja.Symbol)
	if isSymbol && strings.IndexByte("dif", verb) >= 0 {
		return "NaN"
	}
	convert := func(number native) string {
		text := "NaN"
		x.vm.Try(func() { text = numberLiteral(number(goja.FunctionCall{Arguments: []goja.Value{v}})) })
		return text
	}
	switch verb {
	case 's':
		return x.asString(v)
	case 'd':
		return convert(func(call goja.FunctionCall) goja.Value { return call.Arguments[0].ToNumber() })
	case 'i':
		return convert(x.in.parseInt)
	case 'f':
		return convert(x.in.parseFloat)
	case 'j':
		return x.asJSON(v)
	case 'o':
		return x.top(v, 4)
	case 'O':
		return x.top(v, inspectDepth)
	default: // c, which styles the text in a browser
		return ""
	}
}

// asString is for %s: what String(v) makes of a primitive, a function, or an object with a toString of its own.
func (x *inspector) asString(v goja.Value) string {
	o, ok := v.(*goja.Object)
	switch {
	case !ok:
		if text, ok := v.(goja.String); ok {
			return text.String()
		}
		return x.primitive(v)
	case isProxy(o):
		return x.top(o, 0)
	case isFunction(o):
		return x.source(o)
	case x.hasOwnWords(o):
		text := ""
		if x.vm.Try(func() { text = o.String() }) == nil {
			return text
		}
	}
	return x.top(o, 0)
}

// hasOwnWords reports whether o has a toString that is not one of the language's own classes.
func (x *inspector) hasOwnWords(o *goja.Object) bool {
	name := x.in.vm.ToValue("toString")
	for holder := o; holder != nil && holder != x.plain && !isProxy(holder); holder = holder.Prototype() {
		x.step(1)
		if !x.in.has(holder, name) && !x.in.has(holder, goja.SymToPrimitive) {
			continue
		}
		if holder == o {
			return true
		}
		constructor, ok := dataProperty(x.in, holder, "constructor").(*goja.Object)
		return !ok || !slices.Contains(languageClasses, titleName(x.in, constructor))
	}
	return false
}

// languageClasses are the classes with a toString or Symbol.toPrimitive that says less than inspecting does.
var languageClasses = []string{"Object", "Array", "Date", "RegExp", "Error", "Function", "Number", "String", "Boolean", "Symbol", "BigInt",
	"TypedArray", "Uint8Array", "URL", "URLSearchParams"}

// asJSON is for %j: the value as it would leave the VM, within the bounds of a console line.
func (x *inspector) asJSON(v goja.Value) string {
	walk := newExporter(x.vm, MaxInspectBytes)
	defer pristine.Put(walk.in)
	out := walk.export(v)
	if !out.Present {
		return "undefined"
	}
	return string(out.JSON)
}
