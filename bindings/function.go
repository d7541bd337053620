package bindings

import (
	"errors"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

// function makes the function that programs call for f.
func (g *Globals) function(f *gg.Function) *goja.Object {
	o := g.native(f.Base(), len(f.Positional), func(call goja.FunctionCall) goja.Value {
		args, refused := g.arguments(f, call.Arguments)
		c := Call{Function: f, Args: args, Refused: refused, Site: g.site()}
		if f.Async {
			return g.start(c)
		}
		result, err := g.config.Call(c)
		if err != nil {
			panic(g.thrown(err))
		}
		return g.value(result)
	})
	must(g.freeze(goja.Undefined(), o))
	g.functions[o] = f
	return o
}

// pendingCall is a call whose Promise the program may or may not have looked at.
type pendingCall struct {
	promise *goja.Object
	call    Call
}

// start does a call that returns a Promise.
func (g *Globals) start(c Call) goja.Value {
	promise, resolve, reject := g.vm.NewPromise()
	o := g.vm.ToValue(promise).ToObject(g.vm)
	g.unawaited = append(g.unawaited, &pendingCall{o, c})
	// Whoever looks at the Promise without `await` does so through its `then`.
	must(nil, o.DefineDataProperty("then", g.native("then", 2, func(call goja.FunctionCall) goja.Value {
		g.Awaited(o)
		return must(g.promiseThen(call.This, call.Arguments...))
	}), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	g.config.Start(c, func(result gg.Result, err error) error {
		if err != nil {
			return reject(g.thrown(err))
		}
		return resolve(g.value(result))
	})
	return o
}

// Awaited notes that the program looks at a value, which may be the Promise of a call.
func (g *Globals) Awaited(v goja.Value) {
	for i, pending := range g.unawaited {
		if v == pending.promise {
			g.unawaited = append(g.unawaited[:i], g.unawaited[i+1:]...)
			return
		}
	}
}

// Unawaited lists the calls whose Promises the program never looked at.
func (g *Globals) Unawaited() []Call {
	var calls []Call
	for _, pending := range g.unawaited {
		calls = append(calls, pending.call)
	}
	return calls
}

// value makes a fresh value of a result.
func (g *Globals) value(result gg.Result) goja.Value {
	if len(result.Value) == 0 {
		return goja.Undefined()
	}
	return must(g.parse(goja.Undefined(), g.vm.ToValue(string(result.Value))))
}

// thrown makes what a program catches of a failed call.
func (g *Globals) thrown(err error) goja.Value {
	var failure *gg.Error
	if !errors.As(err, &failure) {
		failure = gg.AsError(err)
	}
	return g.newApiError(failure)
}
