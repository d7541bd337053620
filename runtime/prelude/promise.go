package prelude

import (
	_ "embed"
	"errors"

	"github.com/dop251/goja"
)

// amendPromise adds what Promise lacks: withResolvers and try.
func (r *realm) amendPromise(promise *goja.Object) error {
	return errors.Join(
		r.method(promise, "withResolvers", 0, func(call goja.FunctionCall) goja.Value {
			c := r.newCapability(call.This)
			return r.object("promise", c.promise, "resolve", c.resolve, "reject", c.reject)
		}),
		r.method(promise, "try", 1, func(call goja.FunctionCall) goja.Value {
			c := r.newCapability(call.This)
			settle := c.resolve
			var result goja.Value
			callback, ok := goja.AssertFunction(call.Argument(0))
			if !ok {
				settle, result = c.reject, r.vm.NewTypeError("Promise.try: the callback must be a function, got %s", typeOf(call.Argument(0)))
			} else if value, err := callback(goja.Undefined(), call.Arguments[1:]...); err != nil {
				var thrown *goja.Exception
				if !errors.As(err, &thrown) {
					panic(err) // the program is being stopped
				}
				settle, result = c.reject, thrown.Value()
			} else {
				result = value
			}
			f, _ := goja.AssertFunction(settle)
			_, err := f(goja.Undefined(), result)
			must(err)
			return c.promise
		}),
	)
}

// capability is the PromiseCapability record of ECMAScript.
type capability struct {
	promise         *goja.Object
	resolve, reject goja.Value
}

// newCapability makes a Promise of a class together with the functions that settle it.
func (r *realm) newCapability(class goja.Value) capability {
	if _, ok := goja.AssertConstructor(class); !ok {
		panic(r.vm.NewTypeError("a Promise class is needed as `this`, got %s", typeOf(class)))
	}
	c := capability{resolve: goja.Undefined(), reject: goja.Undefined()}
	executor := r.function("", 2, func(call goja.FunctionCall) goja.Value {
		if !goja.IsUndefined(c.resolve) || !goja.IsUndefined(c.reject) {
			panic(r.vm.NewTypeError("the executor of a Promise was called twice"))
		}
		c.resolve, c.reject = call.Argument(0), call.Argument(1)
		return goja.Undefined()
	})
	var err error
	c.promise, err = r.vm.New(class, executor)
	must(err)
	r.callable(c.resolve, "the resolve function of a Promise")
	r.callable(c.reject, "the reject function of a Promise")
	return c
}

// queueMicrotask is the function of that name of the HTML standard.
func (r *realm) queueMicrotask(call goja.FunctionCall) goja.Value {
	callback := r.callable(call.Argument(0), "queueMicrotask: the callback")
	if r.host.Enqueue != nil {
		r.host.Enqueue(callback)
		return goja.Undefined()
	}
	run, _ := goja.AssertFunction(r.run(asyncPart).Get("run"))
	_, err := run(goja.Undefined(), call.Arguments[0])
	must(err)
	return goja.Undefined()
}

// asyncNatives are for what needs `await`: Array.fromAsync and the microtask.
func (r *realm) asyncNatives() map[string]any {
	return map[string]any{"asyncIterator": r.symbol("asyncIterator")}
}

//go:embed async.js
var asyncSource string

// amendArray adds what Array lacks: Array.fromAsync.
func (r *realm) amendArray(array *goja.Object) error {
	return r.method(array, "fromAsync", 1, func(call goja.FunctionCall) goja.Value {
		f, _ := goja.AssertFunction(r.run(asyncPart).Get("fromAsync"))
		result, err := f(call.This, call.Argument(0), call.Argument(1), call.Argument(2))
		must(err)
		return result
	})
}
