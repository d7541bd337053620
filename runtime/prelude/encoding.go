package prelude

import (
	_ "embed"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

//go:embed encoding.js
var encodingSource string

func (r *realm) encodingNatives() map[string]any {
	return map[string]any{
		// encode(text) makes a Uint8Array of UTF-8
		"encode": func(call goja.FunctionCall) goja.Value { return r.newBytes([]byte(call.Argument(0).String())) },
		// encodeInto(text, array) returns {read, written}
		"encodeInto": r.encodeInto,
		// encodingName(label) is the name of an encoding, or throws a RangeError
		"encodingName": func(call goja.FunctionCall) goja.Value {
			label := call.Argument(0).String()
			name, ok := encodingName(label)
			if !ok {
				panic(r.newRangeError("TextDecoder: the encoding \"" + label + "\" is not known here, only utf-8, utf-16le, utf-16be and windows-1252 (latin1)"))
			}
			return r.vm.ToValue(name)
		},
		// decode(encoding, fatal, bytes, rest, more) returns {text, rest}; text is null where it must not be
		// decoded, rest are the bytes that are not whole yet
		"decode": func(call goja.FunctionCall) goja.Value {
			p := borrow()
			defer p.release()
			var data []byte
			if v := call.Argument(2); !goja.IsUndefined(v) {
				bytes, ok := p.bytes(v)
				if !ok {
					panic(r.vm.NewTypeError("TextDecoder.decode: an ArrayBuffer, a typed array or a DataView is needed, got %s", typeOf(v)))
				}
				data = bytes
			}
			if kept, _ := p.bytes(call.Argument(3)); len(kept) > 0 {
				data = append(append([]byte(nil), kept...), data...)
			}
			units, rest, ok := decodeText(call.Argument(0).String(), data, call.Argument(1).ToBoolean(), call.Argument(4).ToBoolean())
			if !ok {
				return goja.Null()
			}
			result := r.vm.CreateObject(nil) // whose properties no setter of the program's gets to see
			must(result.Set("text", goja.StringFromUTF16(units)))
			must(result.Set("rest", r.newBytes(append([]byte(nil), rest...))))
			return result
		},
	}
}

// newBytes makes a Uint8Array of memory that nobody else uses.
func (r *realm) newBytes(data []byte) *goja.Object {
	o, err := r.vm.New(r.intrinsic.Get("Uint8Array"), r.vm.ToValue(r.vm.NewArrayBuffer(data)))
	must(err)
	return o
}

func (r *realm) encodeInto(call goja.FunctionCall) goja.Value {
	p := borrow()
	defer p.release()
	target, ok := call.Argument(1).(*goja.Object)
	if !ok || target.ExportType() == typeProxy || !p.isTypedArray(target) || p.arrayTag(on(target)).String() != "Uint8Array" {
		panic(r.vm.NewTypeError("TextEncoder.encodeInto: a Uint8Array is needed, got %s", typeOf(call.Argument(1))))
	}
	memory, _ := p.bytes(target)
	read, written := 0, 0
	for _, c := range call.Argument(0).String() {
		size := utf8.RuneLen(c)
		if written+size > len(memory) {
			break
		}
		utf8.EncodeRune(memory[written:], c)
		written += size
		read += utf16.RuneLen(c)
	}
	return r.object("read", r.vm.ToValue(read), "written", r.vm.ToValue(written))
}

// encodingName gives the name of an encoding by one of the labels of the Encoding standard.
func encodingName(label string) (name string, ok bool) {
	switch strings.ToLower(strings.Trim(label, "\t\n\f\r ")) {
	case "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8":
		return "utf-8", true
	case "utf-16le", "utf-16", "ucs-2", "csunicode", "iso-10646-ucs-2", "unicode", "unicodefeff":
		return "utf-16le", true
	case "utf-16be", "unicodefffe":
		return "utf-16be", true
	case "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100", "iso8859-1",
		"iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "windows-1252", "x-cp1252":
		return "windows-1252", true
	}
	return "", false
}

// decodeText decodes data of an encoding that encodingName knows. Bytes that are wrong become U+FFFD, or,
// if fatal, ok is false. If more is to come, the bytes at the end that may be the beginning of a character
// are left over.
func decodeText(encoding string, data []byte, fatal, more bool) (units []uint16, rest []byte, ok bool) {
	switch encoding {
	case "utf-16le", "utf-16be":
		return decodeUTF16(data, encoding == "utf-16be", fatal, more)
	case "windows-1252":
		units = make([]uint16, len(data))
		for i, c := range data {
			units[i] = uint16(c)
			if 0x80 <= c && c < 0xA0 {
				units[i] = windows1252[c-0x80]
			}
		}
		return units, nil, true
	}
	return decodeUTF8(data, fatal, more)
}

// windows1252 are the characters of 0x80 to 0x9F; the rest is Latin 1.
var windows1252 = [32]uint16{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// decodeUTF8 is the UTF-8 decoder of the Encoding standard. It differs from Go's in that one U+FFFD stands
// for a whole beginning of a character.
func decodeUTF8(data []byte, fatal, more bool) (units []uint16, rest []byte, ok bool) {
	units = make([]uint16, 0, len(data))
	for i := 0; i < len(data); {
		if c := data[i]; c < utf8.RuneSelf {
			units = append(units, uint16(c))
			i++
			continue
		}
		if c, size := utf8.DecodeRune(data[i:]); c != utf8.RuneError || size == 3 {
			units = utf16.AppendRune(units, c)
			i += size
			continue
		}
		size := prefixLength(data[i:])
		if i+size == len(data) && more && !utf8.FullRune(data[i:]) {
			return units, data[i:], true
		}
		if fatal {
			return nil, nil, false
		}
		units = append(units, utf8.RuneError)
		i += size
	}
	return units, nil, true
}

// prefixLength is how many bytes at the start of data are the beginning of a character that does not go on,
// at least 1: the maximal subpart of the Unicode standard.
func prefixLength(data []byte) int {
	low, high, want := byte(0x80), byte(0xBF), 0
	switch c := data[0]; {
	case 0xC2 <= c && c <= 0xDF:
		want = 1
	case 0xE0 <= c && c <= 0xEF:
		want = 2
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case 0xF0 <= c && c <= 0xF4:
		want = 3
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for ; n <= want && n < len(data) && low <= data[n] && data[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return n
}

// decodeUTF16 is the UTF-16 decoder of the Encoding standard.
func decodeUTF16(data []byte, bigEndian, fatal, more bool) (units []uint16, rest []byte, ok bool) {
	unit := func(i int) uint16 {
		if bigEndian {
			return uint16(data[i])<<8 | uint16(data[i+1])
		}
		return uint16(data[i+1])<<8 | uint16(data[i])
	}
	wrong := func() bool {
		units = append(units, utf8.RuneError)
		return !fatal
	}
	units = make([]uint16, 0, len(data)/2)
	i := 0
	for ; i+1 < len(data); i += 2 {
		u := unit(i)
		switch {
		case !utf16.IsSurrogate(rune(u)):
			units = append(units, u)
		case u < 0xDC00 && i+3 < len(data) && unit(i+2)&0xFC00 == 0xDC00:
			units = append(units, u, unit(i+2))
			i += 2
		case u < 0xDC00 && i+3 >= len(data) && more:
			return units, data[i:], true
		case u < 0xDC00 && i+3 >= len(data):
			// What is left is wrong as a whole, however long it is.
			if !wrong() {
				return nil, nil, false
			}
			return units, nil, true
		default:
			if !wrong() {
				return nil, nil, false
			}
		}
	}
	if i < len(data) {
		if more {
			return units, data[i:], true
		}
		if !wrong() {
			return nil, nil, false
		}
	}
	return units, nil, true
}
