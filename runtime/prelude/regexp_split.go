package prelude

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// split is RegExp.prototype[Symbol.split]. The engine's is used but for patterns that may match nothing or something: there it
// takes the empty match behind another one for a separator.
func (x *regExps) split(call goja.FunctionCall, engine goja.Callable) goja.Value {
	if re, ok := call.This.(*goja.Object); ok && isRegExp(re) {
		pattern, emptyToo := x.pattern(re)
		if emptyToo && re.Get("constructor") == x.constructor && x.constructor.GetSymbol(goja.SymSpecies) == x.constructor {
			return x.splitAtMatches(call, pattern, x.flagsOf(re))
		}
	}
	result, err := engine(call.This, call.Arguments...)
	must(err)
	return result
}

// splitAtMatches splits at every match that is not an empty one behind the last: what ECMAScript finds by trying at each place.
func (x *regExps) splitAtMatches(call goja.FunctionCall, pattern, flags string) goja.Value {
	text := x.toString(call.Argument(0))
	most := float64(math.MaxUint32)
	if limit := call.Argument(1); !goja.IsUndefined(limit) {
		most = math.Mod(math.Trunc(limit.ToFloat()), 1<<32) // ToUint32
		if most < 0 {
			most += 1 << 32
		}
	}
	re := x.create(pattern, strings.NewReplacer("g", "", "y", "").Replace(flags)+"g")
	var parts []any
	add := func(part goja.Value) bool {
		if !(float64(len(parts)) < most) { // NaN is none
			return false
		}
		parts = append(parts, part)
		return true
	}
	from := 0
	for {
		result, err := x.exec(re, text)
		must(err)
		match, ok := result.(*goja.Object)
		if !ok {
			break
		}
		if text.Length() == 0 {
			return x.vm.NewArray()
		}
		at, end := int(match.Get("index").ToInteger()), int(re.Get("lastIndex").ToInteger())
		if at >= text.Length() {
			break
		}
		if end == at {
			must(re.Set("lastIndex", end+advance(text, end, strings.Contains(flags, "u"))))
		}
		if end == from {
			continue
		}
		if !add(text.Substring(from, at)) {
			return x.vm.NewArray(parts...)
		}
		for i := range int(match.Get("length").ToInteger()) - 1 {
			if !add(match.Get(strconv.Itoa(i + 1))) {
				return x.vm.NewArray(parts...)
			}
		}
		from = end
	}
	add(text.Substring(from, text.Length()))
	return x.vm.NewArray(parts...)
}

// advance is the length of the character at a place: two code units for a pair of surrogates with the flag u.
func advance(text goja.String, at int, unicode bool) int {
	if unicode && at+1 < text.Length() && utf16.DecodeRune(rune(text.CharAt(at)), rune(text.CharAt(at+1))) != utf8.RuneError {
		return 2
	}
	return 1
}
