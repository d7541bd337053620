package prelude

import (
	"encoding/base64"

	"github.com/dop251/goja"
)

// btoa makes base64 of a string whose every code unit is a byte.
func (r *realm) btoa(call goja.FunctionCall) goja.Value {
	data := r.binary(call, "btoa")
	return r.vm.ToValue(base64.StdEncoding.EncodeToString(data))
}

// atob undoes btoa; it is as lenient as the Infra standard's forgiving-base64 decode, and no more.
func (r *realm) atob(call goja.FunctionCall) goja.Value {
	if len(call.Arguments) == 0 {
		panic(r.vm.NewTypeError("atob: the text must be specified"))
	}
	data, ok := forgivingBase64(r.text(call.Arguments[0]).String())
	if !ok {
		panic(r.newDOMException("atob: the text is not base64", "InvalidCharacterError"))
	}
	units := make([]uint16, len(data))
	for i, c := range data {
		units[i] = uint16(c)
	}
	return goja.StringFromUTF16(units)
}

// binary reads the argument of a function that takes a string of bytes.
func (r *realm) binary(call goja.FunctionCall, name string) []byte {
	if len(call.Arguments) == 0 {
		panic(r.vm.NewTypeError("%s: the text must be specified", name))
	}
	text := r.text(call.Arguments[0])
	data := make([]byte, text.Length())
	for i := range data {
		c := text.CharAt(i)
		if c > 0xFF {
			panic(r.newDOMException(name+": the text has characters beyond U+00FF; encode it first: Buffer.from(text).toString(\"base64\")", "InvalidCharacterError"))
		}
		data[i] = byte(c)
	}
	return data
}

// forgivingBase64 is the algorithm of that name of the Infra standard: white space does not count, padding
// may be missing, and is right where it is there.
func forgivingBase64(s string) ([]byte, bool) {
	clean := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		switch c {
		case '\t', '\n', '\f', '\r', ' ':
		default:
			clean = append(clean, c)
		}
	}
	if len(clean)%4 == 0 {
		for range 2 {
			if n := len(clean); n > 0 && clean[n-1] == '=' {
				clean = clean[:n-1]
			}
		}
	}
	for _, c := range clean {
		if c == '\n' || c == '\r' || c == '=' { // the decoder skips line breaks, of which none is left
			return nil, false
		}
	}
	data, err := base64.RawStdEncoding.DecodeString(string(clean))
	return data, err == nil
}
