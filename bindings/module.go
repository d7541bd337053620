package bindings

import (
	"maps"
	"slices"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

// member is a property of a module object. It is made when it is first asked for: a program uses few of
// the functions there are.
type member struct {
	name string
	make func() goja.Value
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
	m := &moduleObject{globals: g, path: path, members: members, values: make(map[string]goja.Value), target: g.vm.NewObject()}
	return g.vm.ToValue(g.vm.NewProxy(m.target, &goja.ProxyTrapConfig{
		Get: func(_ *goja.Object, name string, _ goja.Value) goja.Value { return m.get(name) },
		GetIdx: func(_ *goja.Object, index int, _ goja.Value) goja.Value {
			return m.missing(g.vm.ToValue(index).String())
		},
		Has: func(_ *goja.Object, name string) bool { return m.find(name) != nil || m.inherits(name) },

		// Whoever looks at the object as a whole, or tries to change it, meets a frozen one.
		OwnKeys: func(target *goja.Object) *goja.Object {
			m.complete()
			keys := g.vm.NewArray()
			for i, name := range target.GetOwnPropertyNames() {
				must(nil, keys.DefineDataProperty(g.vm.ToValue(i).String(), g.vm.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
			}
			return keys
		},
		GetOwnPropertyDescriptor: func(_ *goja.Object, name string) goja.PropertyDescriptor {
			m.complete()
			if m.find(name) == nil {
				return goja.PropertyDescriptor{}
			}
			return goja.PropertyDescriptor{
				Value: m.get(name), Writable: goja.FLAG_FALSE, Configurable: goja.FLAG_FALSE, Enumerable: goja.FLAG_TRUE,
			}
		},
		IsExtensible:      func(*goja.Object) bool { m.complete(); return false },
		PreventExtensions: func(*goja.Object) bool { m.complete(); return true },
		SetPrototypeOf:    func(*goja.Object, *goja.Object) bool { m.complete(); return false },
		DefineProperty:    func(*goja.Object, string, goja.PropertyDescriptor) bool { return false },
		DeleteProperty: func(_ *goja.Object, name string) bool {
			m.complete()
			return m.find(name) == nil
		},
		Set: func(*goja.Object, string, goja.Value, goja.Value) bool { return false },
	})).ToObject(g.vm)
}

// moduleObject is what stands behind a module object.
type moduleObject struct {
	globals  *Globals
	path     string
	members  []member
	values   map[string]goja.Value // those that have been made
	target   *goja.Object
	finished bool // the target has all members and is frozen
}

func (m *moduleObject) find(name string) *member {
	for i := range m.members {
		if m.members[i].name == name {
			return &m.members[i]
		}
	}
	return nil
}

func (m *moduleObject) inherits(name string) bool {
	return slices.Contains(silent, name) && m.target.Get(name) != nil
}

func (m *moduleObject) get(name string) goja.Value {
	if value, ok := m.values[name]; ok {
		return value
	}
	if member := m.find(name); member != nil {
		value := member.make()
		m.values[name] = value
		return value
	}
	if slices.Contains(silent, name) {
		return m.target.Get(name)
	}
	return m.missing(name)
}

// missing throws: there is no such name.
func (m *moduleObject) missing(name string) goja.Value {
	var names []string
	for _, member := range m.members {
		names = append(names, member.name)
	}
	message := m.path + "." + name + " does not exist"
	if near, ok := gg.Nearest(name, names); ok {
		message += "; did you mean " + m.path + "." + near + "?"
	} else if other := m.globals.elsewhere(name); other != "" {
		message += "; did you mean " + other + "?"
	}
	panic(m.globals.vm.NewTypeError(message))
}

// complete gives the target all members and freezes it.
func (m *moduleObject) complete() {
	if m.finished {
		return
	}
	m.finished = true
	for _, member := range m.members {
		must(nil, m.target.DefineDataProperty(member.name, m.get(member.name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE))
	}
	must(m.globals.freeze(goja.Undefined(), m.target))
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
