package prelude

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// originalSource is the getter of RegExp.prototype.source.
func (x *regExps) originalSource(call goja.FunctionCall) goja.Value {
	source := x.source(call)
	text := source.String()
	if original, _, ok := originalPattern(text); ok {
		return x.vm.ToValue(escapePattern(original))
	}
	const slash = `\u002f` // what the engine makes of a slash; it leaves a line terminator behind a backslash as it is
	if !strings.Contains(text, slash) && !strings.ContainsAny(text, "\n\r\u2028\u2029") || strings.ContainsRune(text, utf8.RuneError) {
		return source
	}
	return x.vm.ToValue(escapePattern(strings.ReplaceAll(text, slash, "/")))
}

// escapePattern writes a pattern so that it can stand between slashes.
func escapePattern(pattern string) string {
	if pattern == "" {
		return "(?:)"
	}
	var out strings.Builder
	inClass, escaped := false, false
	for _, r := range pattern {
		switch {
		case r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
			if !escaped {
				out.WriteByte('\\')
			}
			out.WriteString(map[rune]string{'\n': "n", '\r': "r", 0x2028: "u2028", 0x2029: "u2029"}[r])
			escaped = false
			continue
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '[':
			inClass = true
		case r == ']':
			inClass = false
		case r == '/' && !inClass:
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// toText is RegExp.prototype.toString. The engine's shows the pattern as it was spelt for it.
func (x *regExps) toText(call goja.FunctionCall) goja.Value {
	re, ok := call.This.(*goja.Object)
	if !ok {
		panic(x.vm.NewTypeError("Method RegExp.prototype.toString called on incompatible receiver %s", typeOf(call.This)))
	}
	return x.vm.ToValue("/" + x.text(orUndefined(re.Get("source"))) + "/" + x.text(orUndefined(re.Get("flags"))))
}

// toString is ToString of ECMAScript.
func (x *regExps) toString(v goja.Value) goja.String {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString() // what the object's own code makes of it: any primitive value
	}
	switch v := v.(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		panic(x.vm.NewTypeError("Cannot convert a Symbol value to a string"))
	}
	return x.vm.ToValue(v.String()).(goja.String)
}

// text is what a value is as a pattern or as flags: undefined is nothing, and a surrogate without its other half, which no Go
// string can hold, is written as an escape.
func (x *regExps) text(v goja.Value) string {
	if goja.IsUndefined(v) {
		return ""
	}
	s := x.toString(v)
	text := s.String()
	if !strings.ContainsRune(text, utf8.RuneError) {
		return text
	}
	var out strings.Builder
	escaping := false // an odd number of backslashes stands in front
	for i := 0; i < s.Length(); i++ {
		r := rune(s.CharAt(i))
		if utf16.IsSurrogate(r) && i+1 < s.Length() {
			if pair := utf16.DecodeRune(r, rune(s.CharAt(i+1))); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		switch {
		case !utf16.IsSurrogate(r):
			escaping = r == '\\' && !escaping
			out.WriteRune(r)
		case escaping:
			escaping = false
			out.WriteByte('u')
			out.WriteString(hexUnit(r))
		default:
			out.WriteString(`\u`)
			out.WriteString(hexUnit(r))
		}
	}
	return out.String()
}
