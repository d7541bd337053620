package prelude

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/dop251/goja"
)

// numberKind is a kind of number that a Buffer reads and writes.
type numberKind struct {
	name   string // of the methods, behind read and write
	alias  string // another name, "" for none
	size   int    // in bytes; 0: the program says, 1 to 6
	signed bool
	float  bool
	big    bool // a BigInt
}

// littleEndian reports whether the least byte comes first. A single byte has no order.
func (k numberKind) littleEndian() bool { return k.name[len(k.name)-2:] == "LE" }

// defineNumbers defines readUInt8, writeInt32BE and so on.
func (r *realm) defineNumbers(prototype *goja.Object) error {
	kinds := []numberKind{
		{name: "UInt8", alias: "Uint8", size: 1}, {name: "Int8", size: 1, signed: true},
	}
	for _, order := range []string{"LE", "BE"} {
		kinds = append(kinds,
			numberKind{name: "UInt16" + order, alias: "Uint16" + order, size: 2},
			numberKind{name: "Int16" + order, size: 2, signed: true},
			numberKind{name: "UInt32" + order, alias: "Uint32" + order, size: 4},
			numberKind{name: "Int32" + order, size: 4, signed: true},
			numberKind{name: "UInt" + order, alias: "Uint" + order},
			numberKind{name: "Int" + order, signed: true},
			numberKind{name: "BigUInt64" + order, alias: "BigUint64" + order, size: 8, big: true},
			numberKind{name: "BigInt64" + order, size: 8, big: true, signed: true},
			numberKind{name: "Float" + order, size: 4, float: true},
			numberKind{name: "Double" + order, size: 8, float: true},
		)
	}
	var errs []error
	for _, kind := range kinds {
		read := func(call goja.FunctionCall) goja.Value { return r.readNumber(kind, call) }
		write := func(call goja.FunctionCall) goja.Value { return r.writeNumber(kind, call) }
		errs = append(errs, r.method(prototype, "read"+kind.name, 1, read), r.method(prototype, "write"+kind.name, 2, write))
		if kind.alias != "" {
			errs = append(errs, r.method(prototype, "read"+kind.alias, 1, read), r.method(prototype, "write"+kind.alias, 2, write))
		}
	}
	return errors.Join(errs...)
}

// number finds the memory of a number: the argument at `at` is its offset, the next one its size where the
// kind has none.
func (r *realm) number(k numberKind, verb string, call goja.FunctionCall, at int) []byte {
	p := borrow()
	defer p.release()
	memory, ok := p.bytes(call.This)
	if !ok {
		panic(r.vm.NewTypeError("Buffer.%s%s: `this` must be a Buffer, got %s", verb, k.name, typeOf(call.This)))
	}
	size := k.size
	if size == 0 {
		size = r.whole(k, verb, "byteLength", call.Argument(at+1), 1, 6)
	}
	offset := call.Argument(at)
	if goja.IsUndefined(offset) {
		offset = r.vm.ToValue(0)
	}
	if len(memory) < size {
		panic(r.newRangeError(fmt.Sprintf("Buffer.%s%s: the Buffer has %d bytes, %d are needed", verb, k.name, len(memory), size)))
	}
	from := r.whole(k, verb, "offset", offset, 0, len(memory)-size)
	return memory[from : from+size]
}

// whole reads a whole number between two bounds.
func (r *realm) whole(k numberKind, verb, what string, v goja.Value, least, most int) int {
	if !goja.IsNumber(v) {
		panic(r.vm.NewTypeError("Buffer.%s%s: `%s` must be a number, got %s", verb, k.name, what, typeOf(v)))
	}
	if f := v.ToFloat(); f != math.Trunc(f) || f < float64(least) || f > float64(most) {
		panic(r.newRangeError(fmt.Sprintf("Buffer.%s%s: `%s` must be a whole number %d..%d, got %s", verb, k.name, what, least, most, v)))
	}
	return int(v.ToInteger())
}

func (r *realm) readNumber(k numberKind, call goja.FunctionCall) goja.Value {
	memory := r.number(k, "read", call, 0)
	bits := load(memory, k.littleEndian())
	width := uint(8 * len(memory))
	switch {
	case k.float && width == 32:
		return r.vm.ToValue(float64(math.Float32frombits(uint32(bits))))
	case k.float:
		return r.vm.ToValue(math.Float64frombits(bits))
	case k.big && k.signed:
		return r.vm.ToValue(big.NewInt(int64(bits)))
	case k.big:
		return r.vm.ToValue(new(big.Int).SetUint64(bits))
	case k.signed:
		return r.vm.ToValue(int64(bits<<(64-width)) >> (64 - width))
	}
	return r.vm.ToValue(int64(bits))
}

func (r *realm) writeNumber(k numberKind, call goja.FunctionCall) goja.Value {
	v := call.Argument(0)
	bits := uint64(0)
	memory := r.number(k, "write", call, 1)
	width := uint(8 * len(memory))
	refuse := func(least, most any) {
		panic(r.newRangeError(fmt.Sprintf("Buffer.write%s: the value must be %v..%v, got %s", k.name, least, most, v)))
	}
	switch {
	case k.big:
		n, ok := v.Export().(*big.Int)
		if !ok || !goja.IsBigInt(v) {
			panic(r.vm.NewTypeError("Buffer.write%s: the value must be a BigInt, got %s", k.name, typeOf(v)))
		}
		switch {
		case k.signed && !n.IsInt64():
			refuse(math.MinInt64, math.MaxInt64)
		case !k.signed && !n.IsUint64():
			refuse(0, uint64(math.MaxUint64))
		case k.signed:
			bits = uint64(n.Int64())
		default:
			bits = n.Uint64()
		}
	case k.float && width == 32:
		bits = uint64(math.Float32bits(float32(v.ToFloat())))
	case k.float:
		bits = math.Float64bits(v.ToFloat())
	default:
		least, most := int64(0), int64(1)<<width-1
		if k.signed {
			least, most = -1<<(width-1), 1<<(width-1)-1
		}
		f := v.ToFloat()
		if f < float64(least) || f > float64(most) {
			refuse(least, most)
		}
		if f == f {
			bits = uint64(int64(f))
		}
	}
	store(memory, bits, k.littleEndian())
	// It returns where the next number would go.
	return r.vm.ToValue(call.Argument(1).ToInteger() + int64(len(memory)))
}

// load reads up to eight bytes.
func load(memory []byte, littleEndian bool) (bits uint64) {
	for i := range memory {
		if littleEndian {
			i = len(memory) - 1 - i
		}
		bits = bits<<8 | uint64(memory[i])
	}
	return bits
}

// store writes up to eight bytes.
func store(memory []byte, bits uint64, littleEndian bool) {
	for i := range memory {
		at := i
		if !littleEndian {
			at = len(memory) - 1 - i
		}
		memory[at] = byte(bits)
		bits >>= 8
	}
}
