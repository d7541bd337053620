package prelude

import (
	_ "embed"
	"sort"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
)

//go:embed url.js
var urlSource string

func (r *realm) urlNatives() map[string]any {
	parts := func(u *urlRecord) goja.Value {
		if u == nil {
			return goja.Null()
		}
		o := r.vm.CreateObject(nil)
		for _, part := range urlParts {
			must(o.Set(part, u.part(part)))
		}
		return o
	}
	return map[string]any{
		"iterators": r.iterators,
		// parse(text, base) returns the parts of a URL, or null
		"parse": func(call goja.FunctionCall) goja.Value {
			var base *urlRecord
			if v := call.Argument(1); !goja.IsUndefined(v) {
				if base = parseURL(v.String(), nil); base == nil {
					return goja.Null()
				}
			}
			return parts(parseURL(call.Argument(0).String(), base))
		},
		// change(href, part, value) returns the parts with one of them changed, or null where it cannot be
		"change": func(call goja.FunctionCall) goja.Value {
			u := parseURL(call.Argument(0).String(), nil)
			if u == nil || !u.change(call.Argument(1).String(), call.Argument(2).String()) {
				return goja.Null()
			}
			return parts(u)
		},
		// invalid(text, base) throws
		"invalid": func(call goja.FunctionCall) goja.Value {
			message := "invalid URL " + quote(call.Argument(0).String())
			if base := call.Argument(1); !goja.IsUndefined(base) {
				message += " with base " + quote(base.String())
			}
			err := r.vm.NewTypeError("%s", message)
			must(err.Set("code", "ERR_INVALID_URL"))
			must(err.Set("input", call.Argument(0)))
			panic(err)
		},
		// decodeForm(text) returns an array of names and values, in turn
		"decodeForm": func(call goja.FunctionCall) goja.Value {
			return r.stringArray(decodeForm(call.Argument(0).String()))
		},
		// encodeForm(list) undoes decodeForm
		"encodeForm": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(encodeForm(r.strings(call.Argument(0))))
		},
		// sortForm(list) returns it sorted by name
		"sortForm": func(call goja.FunctionCall) goja.Value {
			return r.stringArray(sortForm(r.strings(call.Argument(0))))
		},
		// each(iterable, visit) goes over it as for-of does
		"each": func(call goja.FunctionCall) goja.Value {
			visit := r.callable(call.Argument(1), "what visits")
			r.vm.ForOf(call.Argument(0), func(v goja.Value) bool {
				_, err := visit(goja.Undefined(), v)
				must(err)
				return true
			})
			return goja.Undefined()
		},
		// keys(object) are those of its enumerable properties that are strings
		"keys": func(call goja.FunctionCall) goja.Value {
			o := call.Argument(0).(*goja.Object)
			keys := []any{}
			if o.ExportType() == typeProxy {
				for _, key := range o.Keys() {
					keys = append(keys, key)
				}
				return r.vm.NewArray(keys...)
			}
			p := borrow()
			defer p.release()
			for _, key := range p.keys(o) {
				keys = append(keys, key)
			}
			return r.vm.NewArray(keys...)
		},
		// text(value) is a string without lone surrogates
		"text": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.text(call.Argument(0)).String())
		},
	}
}

// quote puts a text of any length into an error.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return `"` + s + `"`
}

func (r *realm) stringArray(list []string) goja.Value {
	items := make([]any, len(list))
	for i, s := range list {
		items[i] = s
	}
	return r.vm.NewArray(items...)
}

// strings reads an array of strings that code of the prelude made.
func (r *realm) strings(v goja.Value) []string {
	p := borrow()
	defer p.release()
	var list []string
	p.each(v.(*goja.Object), func(item goja.Value) { list = append(list, item.String()) })
	return list
}

// decodeForm is the application/x-www-form-urlencoded parser of the URL standard: names and values in turn.
func decodeForm(s string) []string {
	var list []string
	for _, field := range strings.Split(s, "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		list = append(list, decodeFormText(name), decodeFormText(value))
	}
	return list
}

func decodeFormText(s string) string {
	units, _, _ := decodeUTF8([]byte(percentDecode(strings.ReplaceAll(s, "+", " "))), false, false)
	if len(units) > 0 && units[0] == 0xFEFF {
		units = units[1:]
	}
	return string(utf16.Decode(units))
}

// encodeForm is the application/x-www-form-urlencoded serializer of the URL standard.
func encodeForm(list []string) string {
	var b strings.Builder
	for i := 0; i+1 < len(list); i += 2 {
		if i > 0 {
			b.WriteByte('&')
		}
		writeFormText(&b, list[i])
		b.WriteByte('=')
		writeFormText(&b, list[i+1])
	}
	return b.String()
}

func writeFormText(b *strings.Builder, s string) {
	for _, c := range []byte(s) {
		switch {
		case c == ' ':
			b.WriteByte('+')
		case c == '*', c == '-', c == '.', c == '_', '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			b.WriteByte(c)
		default:
			writePercent(b, c)
		}
	}
}

// sortForm sorts by the code units of the names, and leaves fields of one name in their order.
func sortForm(list []string) []string {
	type field struct {
		units       []uint16
		name, value string
	}
	var fields []field
	for i := 0; i+1 < len(list); i += 2 {
		fields = append(fields, field{utf16.Encode([]rune(list[i])), list[i], list[i+1]})
	}
	sort.SliceStable(fields, func(i, j int) bool {
		a, b := fields[i].units, fields[j].units
		for k := 0; k < len(a) && k < len(b); k++ {
			if a[k] != b[k] {
				return a[k] < b[k]
			}
		}
		return len(a) < len(b)
	})
	sorted := make([]string, 0, len(list))
	for _, f := range fields {
		sorted = append(sorted, f.name, f.value)
	}
	return sorted
}
