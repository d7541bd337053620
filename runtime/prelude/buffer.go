package prelude

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

//go:embed buffer.js
var bufferSource string

func (r *realm) bufferNatives() map[string]any {
	// with does something to the memory of the first argument.
	with := func(f func(p *pristine, memory []byte, call goja.FunctionCall) goja.Value) native {
		return func(call goja.FunctionCall) goja.Value {
			p := borrow()
			defer p.release()
			memory, ok := p.bytes(call.Argument(0))
			if !ok {
				panic(r.vm.NewTypeError("a Buffer is needed, got %s", typeOf(call.Argument(0))))
			}
			return f(p, memory, call)
		}
	}
	integer := func(call goja.FunctionCall, i int) int { return int(call.Argument(i).ToInteger()) }
	return map[string]any{
		"Uint8Array":  r.intrinsic.Get("Uint8Array"),
		"toPrimitive": goja.SymToPrimitive,
		"isArray": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && o.ExportType() != typeProxy && o.ClassName() == "Array")
		},
		// inherits(prototype, value)
		"inherits": r.inherits,
		// kind(value) is "ArrayBuffer", or the class of a typed array, or "DataView"; else undefined
		"kind": r.kindOfBytes,
		// size(bytes) is how many there are
		"size": with(func(_ *pristine, memory []byte, _ goja.FunctionCall) goja.Value { return r.vm.ToValue(len(memory)) }),
		// encodingOf(name) is how it is called here, or undefined
		"encodingOf": func(call goja.FunctionCall) goja.Value {
			if name := bufferEncoding(call.Argument(0).String()); name != "" {
				return r.vm.ToValue(name)
			}
			return goja.Undefined()
		},
		// fromText(text, encoding) makes an ArrayBuffer
		"fromText": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer(encodeText(call.Argument(0).(goja.String), call.Argument(1).String())))
		},
		// toText(bytes, encoding, start, end)
		"toText": with(func(_ *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			return r.bytesToText(cut(memory, integer(call, 2), integer(call, 3)), call.Argument(1).String())
		}),
		// fill(bytes, value, start, end, encoding)
		"fill": with(func(p *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			memory = cut(memory, integer(call, 2), integer(call, 3))
			pattern := slices.Clone(pattern(p, call.Argument(1), call.Argument(4).String()))
			if len(pattern) == 0 {
				pattern = []byte{0}
			}
			for n := copy(memory, pattern); n > 0 && n < len(memory); n *= 2 {
				copy(memory[n:], memory[:n])
			}
			return goja.Undefined()
		}),
		// index(bytes, value, from, encoding, last) is where value begins, or -1
		"index": with(func(p *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(indexOf(memory, pattern(p, call.Argument(1), call.Argument(3).String()),
				call.Argument(2).ToFloat(), call.Argument(4).ToBoolean()))
		}),
		// compare(a, start, end, b, start, end)
		"compare": with(func(p *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			other, _ := p.bytes(call.Argument(3))
			return r.vm.ToValue(bytes.Compare(cut(memory, integer(call, 1), integer(call, 2)), cut(other, integer(call, 4), integer(call, 5))))
		}),
		// copy(source, target, targetStart, start, end) returns how many bytes were copied
		"copy": with(func(p *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			target, _ := p.bytes(call.Argument(1))
			return r.vm.ToValue(copy(cut(target, integer(call, 2), len(target)), cut(memory, integer(call, 3), integer(call, 4))))
		}),
		// write(bytes, text, offset, length, encoding) writes no part of a character
		"write": with(func(_ *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			offset := integer(call, 2)
			data := encodeText(call.Argument(1).(goja.String), call.Argument(4).String())
			return r.vm.ToValue(copy(memory[offset:], wholeCharacters(data, integer(call, 3), call.Argument(4).String())))
		}),
		// subarray(bytes, start, end)
		"subarray": func(call goja.FunctionCall) goja.Value {
			p := borrow()
			defer p.release()
			return r.subarray(p, call)
		},
		// swap(bytes, size) turns groups of bytes around
		"swap": with(func(_ *pristine, memory []byte, call goja.FunctionCall) goja.Value {
			size := integer(call, 1)
			if len(memory)%size != 0 {
				panic(r.newRangeError("Buffer.swap: the size of the Buffer must be a multiple of " + call.Argument(1).String()))
			}
			for group := range slices.Chunk(memory, size) {
				slices.Reverse(group)
			}
			return goja.Undefined()
		}),
		// numbers(prototype) defines the methods that read and write numbers
		"numbers": func(call goja.FunctionCall) goja.Value {
			must(r.defineNumbers(call.Argument(0).(*goja.Object)))
			return goja.Undefined()
		},
	}
}

// inherits is OrdinaryHasInstance of ECMAScript, for a prototype and a value.
func (r *realm) inherits(call goja.FunctionCall) goja.Value {
	o, ok := call.Argument(1).(*goja.Object)
	for ok {
		if o = o.Prototype(); o == nil {
			break
		}
		if o == call.Argument(0) {
			return r.vm.ToValue(true)
		}
	}
	return r.vm.ToValue(false)
}

func (r *realm) kindOfBytes(call goja.FunctionCall) goja.Value {
	o, ok := call.Argument(0).(*goja.Object)
	if !ok || o.ExportType() == typeProxy {
		return goja.Undefined()
	}
	if o.ExportType() == typeBuffer {
		return r.vm.ToValue("ArrayBuffer")
	}
	p := borrow()
	defer p.release()
	switch {
	case p.isTypedArray(o):
		return p.arrayTag(on(o))
	case p.isView(on(nil, o)).ToBoolean():
		return r.vm.ToValue("DataView")
	}
	return goja.Undefined()
}

// subarray makes a Buffer of a part of another one, on the same memory. Negative positions count from the
// end.
func (r *realm) subarray(p *pristine, call goja.FunctionCall) goja.Value {
	o := call.Argument(0).(*goja.Object)
	size := p.arrayLength(on(o)).ToInteger()
	relative := func(v goja.Value, otherwise int64) int64 {
		if goja.IsUndefined(v) {
			return otherwise
		}
		n := v.ToInteger()
		if n < 0 {
			n += size
		}
		return min(max(n, 0), size)
	}
	from, to := relative(call.Argument(1), 0), relative(call.Argument(2), size)
	class := r.run(bufferPart).Get("Buffer")
	offset := p.arrayOffset(on(o)).ToInteger() + from
	made, err := r.vm.New(class, p.arrayBuffer(on(o)), r.vm.ToValue(offset), r.vm.ToValue(max(to-from, 0)))
	must(err)
	return made
}

// cut is memory[from:to] where both may be anything.
func cut(memory []byte, from, to int) []byte {
	to = min(to, len(memory))
	if from >= to {
		return nil
	}
	return memory[from:to]
}

// pattern is what to fill with or to look for: a byte, a text, or bytes.
func pattern(p *pristine, v goja.Value, encoding string) []byte {
	if text, ok := v.(goja.String); ok {
		return encodeText(text, encoding)
	}
	if memory, ok := p.bytes(v); ok {
		return memory
	}
	return []byte{byte(v.ToInteger())}
}

// indexOf finds what in memory, from a position on, or up to it.
func indexOf(memory, what []byte, from float64, last bool) int {
	if last {
		if from < 0 {
			return -1
		}
		to := len(memory)
		if from < float64(len(memory)) {
			to = min(int(from)+len(what), len(memory))
		}
		return bytes.LastIndex(memory[:to], what)
	}
	if from > float64(len(memory)) {
		from = float64(len(memory))
	}
	start := int(max(from, 0))
	at := bytes.Index(memory[start:], what)
	if at < 0 {
		return -1
	}
	return start + at
}

// bufferEncoding gives one name to each of Node's encodings, and "" to what is none.
func bufferEncoding(name string) string {
	switch strings.ToLower(name) {
	case "utf8", "utf-8":
		return "utf8"
	case "ucs2", "ucs-2", "utf16le", "utf-16le":
		return "utf16le"
	case "latin1", "binary":
		return "latin1"
	case "ascii":
		return "ascii"
	case "base64":
		return "base64"
	case "base64url":
		return "base64url"
	case "hex":
		return "hex"
	}
	return ""
}

// encodeText makes bytes of a text. Encodings of bytes are read as far as they go, as Node does.
func encodeText(text goja.String, encoding string) []byte {
	switch encoding {
	case "utf16le":
		data := make([]byte, 2*text.Length())
		for i := range text.Length() {
			c := text.CharAt(i)
			data[2*i], data[2*i+1] = byte(c), byte(c>>8)
		}
		return data
	case "latin1", "ascii":
		data := make([]byte, text.Length())
		for i := range data {
			data[i] = byte(text.CharAt(i))
		}
		return data
	case "base64", "base64url":
		return lenientBase64(text.String())
	case "hex":
		s := text.String()
		n := 0
		for n+1 < len(s) && isHex(s[n]) && isHex(s[n+1]) {
			n += 2
		}
		data, _ := hex.DecodeString(s[:n])
		return data
	}
	return []byte(text.String())
}

// lenientBase64 takes either alphabet, leaves out what belongs to neither, and ends where padding begins.
func lenientBase64(s string) []byte {
	clean := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		if c == '=' {
			break
		}
		switch {
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case c == '+', c == '/', isDigit(c), isAlpha(rune(c)):
		default:
			continue
		}
		clean = append(clean, c)
	}
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1] // six bits are no byte
	}
	data, _ := base64.RawStdEncoding.DecodeString(string(clean))
	return data
}

func (r *realm) bytesToText(data []byte, encoding string) goja.Value {
	var units []uint16
	switch encoding {
	case "hex":
		return r.vm.ToValue(hex.EncodeToString(data))
	case "base64":
		return r.vm.ToValue(base64.StdEncoding.EncodeToString(data))
	case "base64url":
		return r.vm.ToValue(base64.RawURLEncoding.EncodeToString(data))
	case "latin1", "ascii":
		units = make([]uint16, len(data))
		for i, c := range data {
			units[i] = uint16(c)
			if encoding == "ascii" {
				units[i] &= 0x7F
			}
		}
	case "utf16le":
		units = make([]uint16, len(data)/2)
		for i := range units {
			units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
		}
	default:
		units, _, _ = decodeUTF8(data, false, false)
	}
	return goja.StringFromUTF16(units)
}

// wholeCharacters cuts data at most bytes, between characters.
func wholeCharacters(data []byte, most int, encoding string) []byte {
	if len(data) <= most {
		return data
	}
	switch encoding {
	case "utf16le":
		return data[:most&^1]
	case "utf8":
		for most > 0 && data[most]&0xC0 == 0x80 {
			most--
		}
	}
	return data[:most]
}
