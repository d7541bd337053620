package bindings

import (
	"maps"
	"slices"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

type member struct {
	name  string
	value goja.Value
}

// silent lists the names that every object is asked for by the language, by JSON.stringify, await,
// inspection or interop: for those a module object answers as any object does.
var silent = []string{
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
	"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
	"then", "toJSON", "inspect", "default",
}

// module makes a frozen object of members that throws when it is asked for a name it does not have.
// path is its own name, for the message: `gg.views`.
func (g *Globals) module(path string, members []member) *goja.Object {
	target := g.vm.NewObject()
	values := make(map[string]goja.Value, len(members))
	names := make([]string, 0, len(members))
	for _, m := range members {
		must(nil, target.DefineDataProperty(m.name, m.value, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE))
		values[m.name] = m.value
		names = append(names, m.name)
	}
	must(g.freeze(goja.Undefined(), target))
	missing := func(name string) goja.Value {
		message := path + "." + name + " does not exist"
		if near, ok := gg.Nearest(name, names); ok {
			message += "; did you mean " + path + "." + near + "?"
		} else if other := g.elsewhere(name); other != "" {
			message += "; did you mean " + other + "?"
		}
		panic(g.vm.NewTypeError(message))
	}
	return g.vm.ToValue(g.vm.NewProxy(target, &goja.ProxyTrapConfig{
		Get: func(_ *goja.Object, name string, _ goja.Value) goja.Value {
			if value, ok := values[name]; ok {
				return value
			}
			if slices.Contains(silent, name) {
				return target.Get(name)
			}
			return missing(name)
		},
		GetIdx: func(_ *goja.Object, index int, _ goja.Value) goja.Value {
			return missing(g.vm.ToValue(index).String())
		},
	})).ToObject(g.vm)
}

// elsewhere finds a function of that very name in any module: `gg.openFile` is `gg.views.openFile`.
func (g *Globals) elsewhere(name string) string {
	for _, f := range g.config.Catalogue.Functions() {
		if f.Base() == name {
			return "gg." + f.Name
		}
	}
	return ""
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
