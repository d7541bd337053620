package prelude

import (
	"encoding/hex"
	"errors"

	"github.com/dop251/goja"
)

// performance makes the object of that name: a clock that begins with the program.
func (r *realm) performance() goja.Value {
	o := r.vm.NewObject()
	now := func() goja.Value { return r.vm.ToValue(float64(r.host.Now().Sub(r.start)) / 1e6) }
	origin := r.vm.ToValue(float64(r.start.UnixMicro()) / 1e3)
	must(errors.Join(
		r.method(o, "now", 0, func(goja.FunctionCall) goja.Value { return now() }),
		r.getter(o, "timeOrigin", func() goja.Value { return origin }),
		r.method(o, "toJSON", 0, func(goja.FunctionCall) goja.Value {
			return r.object("timeOrigin", origin)
		}),
		r.tag(o, "Performance"),
	))
	return o
}

// maxRandom is how many bytes crypto.getRandomValues gives at once, as the Web Cryptography API has it.
const maxRandom = 65536

// crypto makes the object of that name, as far as it is about random values.
func (r *realm) crypto() goja.Value {
	o := r.vm.NewObject()
	must(errors.Join(
		r.method(o, "randomUUID", 0, func(goja.FunctionCall) goja.Value {
			var b [16]byte
			r.host.Read(b[:])
			b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80 // version 4, RFC 9562
			s := hex.EncodeToString(b[:])
			return r.vm.ToValue(s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:])
		}),
		r.method(o, "getRandomValues", 1, r.getRandomValues),
		r.getter(o, "subtle", func() goja.Value {
			panic(r.vm.NewTypeError("crypto.subtle does not exist here: use gg.shell.shell(command), such as gg.shell.shell(\"sha256sum file\")"))
		}),
		r.tag(o, "Crypto"),
	))
	for _, name := range []string{"createHash", "createHmac", "randomBytes", "createCipheriv"} {
		must(r.getter(o, name, func() goja.Value {
			line := "use gg.shell.shell(command), such as gg.shell.shell(\"sha256sum file\")"
			if name == "randomBytes" {
				line = "use crypto.getRandomValues(new Uint8Array(n))"
			}
			panic(r.vm.NewTypeError("crypto.%s does not exist here: %s", name, line))
		}))
	}
	return o
}

func (r *realm) tag(o *goja.Object, name string) error {
	return o.DefineDataPropertySymbol(goja.SymToStringTag, r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

func (r *realm) getRandomValues(call goja.FunctionCall) goja.Value {
	if len(call.Arguments) == 0 {
		panic(r.vm.NewTypeError("crypto.getRandomValues: an integer typed array is needed"))
	}
	p := borrow()
	defer p.release()
	o, ok := call.Argument(0).(*goja.Object)
	integers := ok && o.ExportType() != typeProxy && p.isTypedArray(o)
	if integers {
		switch p.arrayTag(on(o)).String() {
		case "Float32Array", "Float64Array":
			integers = false
		}
	}
	if !integers {
		panic(r.newDOMException("crypto.getRandomValues: an integer typed array is needed, got "+typeOf(call.Argument(0)), "TypeMismatchError"))
	}
	memory, _ := p.bytes(o)
	if len(memory) > maxRandom {
		panic(r.newDOMException("crypto.getRandomValues: at most 65536 bytes at once", "QuotaExceededError"))
	}
	r.host.Read(memory)
	return o
}

// amendError adds what Error has in V8 and programs call without asking: captureStackTrace.
func (r *realm) amendError(class *goja.Object) error {
	return r.method(class, "captureStackTrace", 2, func(call goja.FunctionCall) goja.Value {
		o, ok := call.Argument(0).(*goja.Object)
		if !ok {
			panic(r.vm.NewTypeError("Error.captureStackTrace: an object is needed, got %s", typeOf(call.Argument(0))))
		}
		var b goja.StringBuilder
		b.WriteString(r.text(o))
		for _, frame := range r.vm.CaptureCallStack(0, nil)[1:] { // without this one
			b.WriteUTF8String("\n\tat ")
			frame.WriteToValueBuilder(&b)
		}
		b.WriteRune('\n')
		must(r.hide(o, r.vm.ToValue("stack"), b.String()))
		return goja.Undefined()
	})
}

// amendArrayBuffer adds what the prototype lacks: transfer, transferToFixedLength and detached.
func (r *realm) amendArrayBuffer(class *goja.Object) error {
	prototype := class.Get("prototype").(*goja.Object)
	memory := func(v goja.Value, method string) goja.ArrayBuffer {
		if o, ok := v.(*goja.Object); ok && o.ExportType() == typeBuffer {
			return o.Export().(goja.ArrayBuffer)
		}
		panic(r.vm.NewTypeError("ArrayBuffer.prototype.%s: `this` must be an ArrayBuffer, got %s", method, typeOf(v)))
	}
	var errs []error
	for _, name := range []string{"transfer", "transferToFixedLength"} {
		errs = append(errs, r.method(prototype, name, 0, func(call goja.FunctionCall) goja.Value {
			from := memory(call.This, name)
			size := int64(len(from.Bytes()))
			if v := call.Argument(0); !goja.IsUndefined(v) {
				size = v.ToInteger()
			}
			if from.Detached() {
				panic(r.vm.NewTypeError("ArrayBuffer.prototype.%s: the buffer is detached", name))
			}
			to, err := r.vm.New(r.intrinsic.Get("ArrayBuffer"), r.vm.ToValue(size))
			must(err)
			copy(to.Export().(goja.ArrayBuffer).Bytes(), from.Bytes())
			from.Detach()
			return to
		}))
	}
	get := r.function("get detached", 0, func(call goja.FunctionCall) goja.Value {
		return r.vm.ToValue(memory(call.This, "detached").Detached())
	})
	errs = append(errs, prototype.DefineAccessorProperty("detached", get, nil, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return errors.Join(errs...)
}
