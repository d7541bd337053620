package prelude

import (
	"unicode/utf16"

	"github.com/dop251/goja"
)

// text is ToString of ECMAScript. The engine's own leaves numbers as they are.
func (r *realm) text(v goja.Value) goja.String {
	switch v := v.(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		panic(r.vm.NewTypeError("a Symbol is no string"))
	case *goja.Object:
		return r.text(v.ToString())
	}
	return r.vm.ToValue(v.String()).(goja.String)
}

// units gives the code units of a string that is not well-formed, nil for one that is.
func units(text goja.String) []uint16 {
	lone := false
	all := make([]uint16, text.Length())
	for i := range all {
		all[i] = text.CharAt(i)
		lone = lone || utf16.IsSurrogate(rune(all[i]))
	}
	if !lone {
		return nil
	}
	for i := 0; i < len(all); i++ {
		if !utf16.IsSurrogate(rune(all[i])) {
			continue
		}
		if i+1 < len(all) && utf16.DecodeRune(rune(all[i]), rune(all[i+1])) != 0xFFFD {
			i++
			continue
		}
		return all
	}
	return nil
}

func (r *realm) isWellFormed(call goja.FunctionCall) goja.Value {
	return r.vm.ToValue(units(r.thisString(call, "isWellFormed")) == nil)
}

func (r *realm) toWellFormed(call goja.FunctionCall) goja.Value {
	this := r.thisString(call, "toWellFormed")
	all := units(this)
	if all == nil {
		return this
	}
	return r.vm.ToValue(string(utf16.Decode(all)))
}
