package bindings

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

// apiError makes the class gg.ApiError: an Error with operation, code and site. Programs may construct
// one as well, and extend it.
func (g *Globals) apiError() *goja.Object {
	if g.apiErrorClass != nil {
		return g.apiErrorClass
	}
	g.apiErrorPrototype = g.vm.CreateObject(g.errorConstructor.Get("prototype").ToObject(g.vm))
	constructor := g.vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		o, err := g.vm.New(g.errorConstructor, call.Arguments...)
		must(nil, err)
		prototype := g.apiErrorPrototype
		if call.NewTarget != nil {
			if p, ok := call.NewTarget.Get("prototype").(*goja.Object); ok {
				prototype = p
			}
		}
		must(nil, o.SetPrototype(prototype))
		return o
	}).ToObject(g.vm)
	hidden := func(o *goja.Object, name string, value goja.Value) {
		must(nil, o.DefineDataProperty(name, value, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	}
	hidden(constructor, "name", g.vm.ToValue("ApiError"))
	hidden(constructor, "prototype", g.apiErrorPrototype)
	hidden(g.apiErrorPrototype, "constructor", constructor)
	hidden(g.apiErrorPrototype, "name", g.vm.ToValue("ApiError"))
	hidden(g.apiErrorPrototype, "toJSON", g.native("toJSON", 0, func(call goja.FunctionCall) goja.Value {
		this := call.This.ToObject(g.vm)
		out := g.vm.NewObject()
		for _, name := range append([]string{"operation", "code", "message", "site"}, this.Keys()...) {
			if value := this.Get(name); value != nil && !goja.IsUndefined(value) {
				must(nil, out.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
			}
		}
		return out
	}))
	must(g.freeze(goja.Undefined(), constructor))
	g.apiErrorClass = constructor
	return constructor
}

// newApiError makes the error object of a failed call. Its place is where the call stands.
func (g *Globals) newApiError(failure *gg.Error) *goja.Object {
	g.apiError() // the class, and with it the prototype
	o, err := g.vm.New(g.errorConstructor, g.vm.ToValue(failure.Message))
	must(nil, err)
	must(nil, o.SetPrototype(g.apiErrorPrototype))
	set := func(name string, value goja.Value) {
		must(nil, o.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	set("operation", g.vm.ToValue(failure.Operation))
	set("code", g.vm.ToValue(string(failure.Code)))
	site := g.vm.NewObject()
	must(nil, site.DefineDataProperty("line", g.vm.ToValue(failure.Site.Line), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	must(nil, site.DefineDataProperty("column", g.vm.ToValue(failure.Site.Column), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	set("site", site)
	for _, name := range slices.Sorted(maps.Keys(failure.Data)) {
		set(name, must(g.parse(goja.Undefined(), g.vm.ToValue(string(failure.Data[name])))))
	}
	if failure.Hint != "" {
		set("hint", g.vm.ToValue(failure.Hint))
	}
	return o
}

// Failure reads a value that a program threw as the failed call it may be. It reads own data properties
// only, so no code of the program runs.
func (g *Globals) Failure(thrown goja.Value) (*gg.Error, bool) {
	o, ok := thrown.(*goja.Object)
	if !ok || !g.isApiError(o) {
		return nil, false
	}
	failure := &gg.Error{Operation: g.ownText(o, "operation"), Code: gg.Code(g.ownText(o, "code")), Message: g.ownText(o, "message"), Hint: g.ownText(o, "hint")}
	if site, ok := g.own(o, "site").(*goja.Object); ok && g.kind(site) == kindObject {
		failure.Site = gg.Site{Line: g.ownNumber(site, "line"), Column: g.ownNumber(site, "column")}
	}
	if output := g.ownText(o, "output"); output != "" {
		text, _ := json.Marshal(output) // a string always encodes
		failure.Data = map[string]json.RawMessage{"output": text}
	}
	return failure, true
}
