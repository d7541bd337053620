package prelude

import (
	"errors"

	"github.com/dop251/goja"
)

// amendObject adds what Object lacks: Object.groupBy.
func (r *realm) amendObject(object *goja.Object) error {
	return r.method(object, "groupBy", 2, func(call goja.FunctionCall) goja.Value {
		p := borrow()
		defer p.release()
		groups := r.vm.CreateObject(nil)
		key := func(v goja.Value) goja.Value { return r.propertyKey(v) }
		r.group(p, call, key, func(key, members goja.Value) { r.put(p, groups, key, members) })
		return groups
	})
}

// amendMap adds what Map lacks: Map.groupBy.
func (r *realm) amendMap(object *goja.Object) error {
	return r.method(object, "groupBy", 2, func(call goja.FunctionCall) goja.Value {
		p := borrow()
		defer p.release()
		groups, err := r.vm.New(r.intrinsic.Get("Map"))
		must(err)
		key := func(v goja.Value) goja.Value { return v }
		r.group(p, call, key, func(key, members goja.Value) { p.mapSet(on(groups, key, members)) })
		return groups
	})
}

// group is the GroupBy of ECMAScript: it calls the callback for every item and hands over the groups, in
// the order in which their keys came up.
func (r *realm) group(p *pristine, call goja.FunctionCall, makeKey func(goja.Value) goja.Value, add func(key, members goja.Value)) {
	items := call.Argument(0)
	if goja.IsUndefined(items) || goja.IsNull(items) {
		panic(r.vm.NewTypeError("groupBy: the items must be iterable, got %s", typeOf(items)))
	}
	callback := r.callable(call.Argument(1), "groupBy: the callback")
	// A Map of the second VM compares keys as the language does; its values are indices into the groups.
	index, err := p.vm.New(p.mapClass)
	must(err)
	var members [][]any
	position := 0
	r.vm.ForOf(items, func(item goja.Value) bool {
		key, err := callback(goja.Undefined(), item, r.vm.ToValue(position))
		must(err)
		key = makeKey(key)
		position++
		if at := p.mapGet(on(index, key)); !goja.IsUndefined(at) {
			i := at.ToInteger()
			members[i] = append(members[i], item)
			return true
		}
		p.mapSet(on(index, key, p.vm.ToValue(len(members))))
		members = append(members, []any{item})
		return true
	})
	p.eachEntry(index, func(key, at goja.Value) { add(key, r.vm.NewArray(members[at.ToInteger()]...)) })
}

// propertyKey is ToPropertyKey of ECMAScript.
func (r *realm) propertyKey(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		if _, symbol := v.(*goja.Symbol); symbol {
			return v
		}
		return r.text(v)
	}
	if convert := o.GetSymbol(goja.SymToPrimitive); convert != nil && !goja.IsUndefined(convert) && !goja.IsNull(convert) {
		primitive, err := r.callable(convert, "[Symbol.toPrimitive]")(o, r.vm.ToValue("string"))
		must(err)
		if _, still := primitive.(*goja.Object); still {
			panic(r.vm.NewTypeError("cannot convert an object to a property key"))
		}
		return r.propertyKey(primitive)
	}
	return r.text(o)
}

// amendSymbol adds the well-known symbols of newer editions.
func (r *realm) amendSymbol(class *goja.Object) error {
	var errs []error
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		errs = append(errs, class.DefineDataProperty(name, r.symbol(name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	}
	return errors.Join(errs...)
}

// symbol is a well-known symbol that the engine lacks.
func (r *realm) symbol(name string) *goja.Symbol {
	if r.symbols == nil {
		r.symbols = make(map[string]*goja.Symbol)
	}
	if r.symbols[name] == nil {
		r.symbols[name] = goja.NewSymbol("Symbol." + name)
	}
	return r.symbols[name]
}
