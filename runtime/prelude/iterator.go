package prelude

import (
	_ "embed"

	"github.com/dop251/goja"
)

//go:embed iterator.js
var iteratorSource string

func (r *realm) iteratorNatives() map[string]any {
	return map[string]any{
		"prototype": r.iterators,
		// inherits(prototype, object) is OrdinaryHasInstance
		"inherits": r.inherits,
		// fix(class, prototype) gives a class its prototype for good
		"fix": func(call goja.FunctionCall) goja.Value {
			class := call.Argument(0).(*goja.Object)
			must(class.DefineDataProperty("prototype", call.Argument(1), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
			return goja.Undefined()
		},
	}
}

// installIterators makes the helpers of iterators appear when one of them is first asked for.
func (r *realm) installIterators() error {
	// The shortest way to %Iterator.prototype% that runs no program and makes no constructor: the iterator of
	// a string.
	text := r.vm.ToValue("").ToObject(r.vm)
	iterator := text.GetSymbol(goja.SymIterator).(*goja.Object).Export().(native)(on(text))
	r.iterators = iterator.(*goja.Object).Prototype().Prototype()
	r.pending = r.vm.NewDynamicObject((*lazyHelpers)(r))
	return r.iterators.SetPrototype(r.pending)
}

// lazyHelpers stands behind %Iterator.prototype% until one of its helpers is asked for; then it makes them
// all, and is gone.
type lazyHelpers realm

// Get makes the helpers when name is one of them.
func (l *lazyHelpers) Get(name string) goja.Value {
	if !l.Has(name) {
		return nil
	}
	r := (*realm)(l)
	r.iterator()
	return r.iterators.Get(name)
}

// iterator makes the global Iterator, and the helpers of every iterator with it.
func (r *realm) iterator() goja.Value {
	made := r.run(iteratorPart)
	if r.iterators.Prototype() == r.pending {
		must(r.iterators.SetPrototype(r.pending.Prototype()))
		methods := made.Get("methods").(*goja.Object)
		for _, name := range methods.Keys() {
			must(r.hide(r.iterators, r.vm.ToValue(name), methods.Get(name)))
		}
	}
	return made.Get("Iterator")
}

// Has reports whether an iterator has a helper of this name.
func (l *lazyHelpers) Has(name string) bool {
	switch name {
	case "map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find", "constructor":
		return true
	}
	return false
}

// Set is never reached: assigning to a property makes one of the object it is assigned to.
func (l *lazyHelpers) Set(string, goja.Value) bool { return false }

// Delete takes nothing away.
func (l *lazyHelpers) Delete(string) bool { return true }

// Keys lists nothing: methods are not enumerable.
func (l *lazyHelpers) Keys() []string { return nil }
