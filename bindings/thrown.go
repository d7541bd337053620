package bindings

import (
	"strconv"

	"github.com/dop251/goja"
)

// Thrown is what is known of a value that a program threw.
type Thrown struct {
	Name    string       // of an Error: `TypeError`; of anything else “”
	Message string       // of an Error its message, of anything else the value itself: text as it is, objects as JSON
	Stack   string       // of an Error, as the engine wrote it
	Cause   goja.Value   // of an Error, nil when it has none
	Errors  []goja.Value // of an AggregateError, at most 20
}

// Thrown reads a value that a program threw. Of an Error it reads data properties, its own and inherited
// ones; where a program has put getters or a Proxy in their place they count as absent, so that reading
// never fails. Other objects are exported like a program's value, which may run getters. The error is the
// stop of the program, if that happened meanwhile.
func (g *Globals) Thrown(v goja.Value) (Thrown, error) {
	o, ok := v.(*goja.Object)
	if !ok {
		return Thrown{Message: primitiveText(v)}, nil
	}
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	if kindOf(in, o) != kindError {
		exported, err := Export(g.vm, v)
		if err != nil {
			return Thrown{}, err
		}
		return Thrown{Message: string(exported.JSON)}, nil
	}
	t := Thrown{Name: "Error"}
	err := protect(g.vm, func() {
		if name, ok := inheritedData(in, o, "name").(goja.String); ok {
			t.Name = limited(name)
		}
		if message := inheritedData(in, o, "message"); message != nil && !goja.IsUndefined(message) {
			if _, isObject := message.(*goja.Object); !isObject {
				t.Message = primitiveText(message)
			}
		}
		if stack, ok := dataProperty(in, o, "stack").(goja.String); ok {
			t.Stack = stack.String()
		}
		if cause := dataProperty(in, o, "cause"); cause != nil && !goja.IsUndefined(cause) {
			t.Cause = cause
		}
		if list, ok := dataProperty(in, o, "errors").(*goja.Object); ok && kindOf(in, list) == kindArray {
			const most = 20
			for i := range min(int(list.Get("length").ToInteger()), most) {
				t.Errors = append(t.Errors, orUndefined(list.Get(g.vm.ToValue(i).String())))
			}
		}
	})
	if stop, ok := fatal(err); ok {
		return Thrown{}, stop
	}
	return t, nil
}

// thrownBytes bounds the text that is read of an Error's name or message.
const thrownBytes = 16 << 10

func limited(s goja.String) string {
	short, whole := head(s, thrownBytes)
	if !whole {
		return short.String() + "…"
	}
	return short.String()
}

func primitiveText(v goja.Value) string {
	switch v := v.(type) {
	case nil:
		return "undefined"
	case goja.String:
		return limited(v)
	case *goja.Symbol:
		return "Symbol(" + v.String() + ")"
	default:
		if goja.IsBigInt(v) {
			return v.String() + "n"
		}
		return v.String()
	}
}

// Brief says in a few words what a value is, for a hint: `null`, `an array of 3`, `a string "abc"`.
func Brief(vm *goja.Runtime, v goja.Value) string {
	o, ok := v.(*goja.Object)
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case !ok && goja.IsString(v):
		short, whole := head(v.(goja.String), 40)
		if !whole {
			return "a string " + strconv.Quote(short.String()) + "…"
		}
		return "a string " + strconv.Quote(short.String())
	case !ok && goja.IsNumber(v):
		return "the number " + v.String()
	case !ok:
		return primitiveText(v)
	}
	in := pristine.Get().(*intrinsics)
	defer pristine.Put(in)
	switch kindOf(in, o) {
	case kindArray:
		return "an array of " + o.Get("length").String()
	case kindFunction:
		return "a function"
	case kindPromise:
		return "a Promise: write `await` in front of it"
	case kindObject:
		if title := titleOf(in, o); title != "Object" && title != "object" {
			return "a " + title
		}
		return "an object"
	}
	return "a " + o.ClassName()
}
