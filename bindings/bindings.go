// Package bindings puts the catalogue of functions into a VM: the global `gg` with its modules, whose
// functions check their arguments, do the call through whoever runs the program, and hand back plain
// data; `gg.ApiError`, `gg.args`, `gg.sleep` and `console`. It also takes values out of the VM: Export
// for the program's value, Inspect and Format for the console.
//
//	globals, err := bindings.Install(vm, bindings.Config{
//		Catalogue: session.Catalogue(),
//		Program:   "reply.js",
//		Call:      func(call bindings.Call) (gg.Result, error) { … },
//		Start:     func(call bindings.Call, settle func(gg.Result, error) error) { … },
//		…
//	})
//
// Only plain data crosses, in both directions: no Go value is ever wrapped by reflection, objects that
// come back are fresh, and nothing that a program does to Object.prototype, Array.prototype or JSON
// changes what a call is given or gives. The objects a program sees are frozen.
//
// The package does not stop anything and knows no budget: that is the business of the functions in
// Config. A Globals belongs to one VM and, like it, to one goroutine at a time.
package bindings

import (
	"encoding/json"
	"fmt"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

// Call is one call as a program made it.
type Call struct {
	Function *gg.Function
	Args     json.RawMessage // one object by parameter name; nil when Refused is set
	Refused  *gg.Error       // why the arguments could not be made into JSON
	Site     gg.Site
}

// Config is what the bindings need of whoever runs the program. All fields but Args are required.
type Config struct {
	Catalogue *gg.Catalogue
	Program   string            // the file name that the program was compiled under
	Args      map[string]string // `gg.args`

	// Call does a call and waits for it. Every error becomes an exception that the program can catch; to
	// end the program for good, whoever runs it interrupts the VM besides.
	Call func(Call) (gg.Result, error)
	// Start does a call in the background. It must call settle exactly once, on the VM's goroutine, from
	// outside of any running JavaScript; what settle returns is what stopped the program meanwhile.
	Start func(call Call, settle func(gg.Result, error) error)
	// Sleep calls done after ms milliseconds, as Start calls settle; ms is not negative.
	Sleep func(ms float64, done func() error)
	// Now is the program's clock in milliseconds, for console.time.
	Now func() float64
	// Console takes one piece of console output, of one line or more.
	Console func(level, text string, site gg.Site)
}

// Globals are the bindings of one VM.
type Globals struct {
	vm     *goja.Runtime
	config Config
	global *goja.Object // gg

	parse, freeze     goja.Callable // intrinsics, taken before any program code runs
	promiseThen       goja.Callable
	errorConstructor  *goja.Object
	objectPrototype   *goja.Object
	apiErrorClass     *goja.Object // made when it is first needed, and its prototype with it
	apiErrorPrototype *goja.Object

	functions map[*goja.Object]*gg.Function // what each function object calls
	unawaited []*pendingCall

	group         string // indentation of console.group
	counters      map[string]int
	consoleTimers map[string]float64 // label -> start in milliseconds
}

// Install defines the globals `gg` and `console`.
func Install(vm *goja.Runtime, config Config) (*Globals, error) {
	g := &Globals{vm: vm, config: config, functions: make(map[*goja.Object]*gg.Function)}
	if err := g.takeIntrinsics(); err != nil {
		return nil, err
	}
	var members []member
	for _, module := range config.Catalogue.Modules() {
		members = append(members, member{module.Name, func() goja.Value { return g.functionsOf(module) }})
	}
	for _, f := range config.Catalogue.Functions() {
		if f.Module() != "" {
			continue
		}
		make, err := g.topLevel(f)
		if err != nil {
			return nil, err
		}
		members = append(members, member{f.Name, make})
	}
	members = append(members, member{"args", g.args}, member{"ApiError", func() goja.Value { return g.apiError() }})
	g.global = g.module("gg", members)
	if err := vm.GlobalObject().DefineDataProperty("gg", g.global, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE); err != nil {
		return nil, err
	}
	return g, g.installConsole()
}

// functionsOf makes the object of a module.
func (g *Globals) functionsOf(m gg.Module) goja.Value {
	var functions []member
	for _, f := range m.Functions {
		functions = append(functions, member{f.Base(), func() goja.Value { return g.function(f) }})
	}
	return g.module("gg."+m.Name, functions)
}

// Global is the object that programs know as `gg`.
func (g *Globals) Global() goja.Value { return g.global }

// takeIntrinsics keeps what the bindings need of the language before a program can change it.
func (g *Globals) takeIntrinsics() error {
	object, ok := g.vm.Get("Object").(*goja.Object)
	if !ok {
		return fmt.Errorf("the VM has no Object")
	}
	g.objectPrototype = object.Get("prototype").ToObject(g.vm)
	g.freeze, _ = goja.AssertFunction(object.Get("freeze"))
	g.parse, _ = goja.AssertFunction(g.vm.Get("JSON").ToObject(g.vm).Get("parse"))
	g.errorConstructor = g.vm.Get("Error").ToObject(g.vm)
	promise := g.vm.Get("Promise").ToObject(g.vm).Get("prototype").ToObject(g.vm)
	g.promiseThen, _ = goja.AssertFunction(promise.Get("then"))
	return nil
}

// args is `gg.args`: a frozen object of texts.
func (g *Globals) args() goja.Value {
	o := g.vm.NewObject()
	for _, name := range sortedKeys(g.config.Args) {
		must(nil, o.DefineDataProperty(name, g.vm.ToValue(g.config.Args[name]), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE))
	}
	return must(g.freeze(goja.Undefined(), o))
}

// topLevel is how a function of gg itself is made: through the door, or here when it needs no host.
func (g *Globals) topLevel(f *gg.Function) (func() goja.Value, error) {
	switch {
	case !f.Local:
		return func() goja.Value { return g.function(f) }, nil
	case f.Name == "sleep":
		return func() goja.Value { return g.sleep(f) }, nil
	}
	return nil, fmt.Errorf("function %q: the bindings do not provide it", f.Name)
}

// sleep makes `gg.sleep`.
func (g *Globals) sleep(f *gg.Function) goja.Value {
	return g.native(f.Base(), 1, func(call goja.FunctionCall) goja.Value {
		args, refused := g.arguments(f, call.Arguments)
		if refused == nil {
			var err error
			if args, err = f.Check(args); err != nil {
				refused = gg.AsError(err)
			}
		}
		if refused != nil {
			refused.Operation, refused.Site = f.Name, g.site()
			panic(g.newApiError(refused))
		}
		var in struct {
			Ms float64 `json:"ms"`
		}
		if err := json.Unmarshal(args, &in); err != nil {
			panic(g.vm.NewTypeError(err.Error()))
		}
		promise, resolve, _ := g.vm.NewPromise()
		g.config.Sleep(in.Ms, func() error { return resolve(goja.Undefined()) })
		return g.vm.ToValue(promise)
	})
}

// native makes a function with a name of its own: by default its name would be that of the Go function.
func (g *Globals) native(name string, length int, f func(goja.FunctionCall) goja.Value) *goja.Object {
	o := g.vm.ToValue(f).ToObject(g.vm)
	must(nil, o.DefineDataProperty("name", g.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	must(nil, o.DefineDataProperty("length", g.vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	return o
}

// site is where in the program the function being called was called from.
func (g *Globals) site() gg.Site {
	for depth := 8; ; depth *= 4 {
		frames := g.vm.CaptureCallStack(depth, nil)
		for _, frame := range frames {
			if frame.SrcName() == g.config.Program {
				at := frame.Position()
				return gg.Site{Line: at.Line, Column: at.Column}
			}
		}
		if len(frames) < depth {
			return gg.Site{}
		}
	}
}

// Define makes a function of the host's a global of the program, as the language's own are: replaceable,
// not enumerable.
func (g *Globals) Define(name string, f func(goja.FunctionCall) goja.Value) error {
	return g.vm.GlobalObject().DefineDataProperty(name, g.native(name, 1, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}
