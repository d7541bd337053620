package bindings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// installConsole defines the global `console`. What a program writes there is for the operator; the
// model never sees it.
//
// The object is made when it is first asked for; then it is a property like any other.
func (g *Globals) installConsole() error {
	global := g.vm.GlobalObject()
	define := func(value goja.Value) {
		must(nil, global.DefineDataProperty("console", value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	get := g.native("console", 0, func(goja.FunctionCall) goja.Value {
		console := g.console()
		define(console)
		return console
	})
	set := g.native("console", 1, func(call goja.FunctionCall) goja.Value {
		define(call.Argument(0))
		return goja.Undefined()
	})
	return global.DefineAccessorProperty("console", get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// console makes the object.
func (g *Globals) console() *goja.Object {
	g.counters, g.consoleTimers = map[string]int{}, map[string]float64{}
	console := g.vm.NewObject()
	define := func(name string, length int, f func(args []goja.Value)) {
		value := g.native(name, length, func(call goja.FunctionCall) goja.Value {
			f(call.Arguments)
			return goja.Undefined()
		})
		must(nil, console.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	for _, level := range []string{"log", "info", "warn", "error", "debug"} {
		define(level, 0, func(args []goja.Value) { g.print(level, Format(g.vm, args)) })
	}
	define("trace", 0, func(args []goja.Value) {
		at := g.site()
		g.print("error", strings.TrimRight("Trace: "+Format(g.vm, args), " ")+fmt.Sprintf("\n    at %d:%d", at.Line, at.Column))
	})
	define("dir", 0, func(args []goja.Value) { g.print("log", Inspect(g.vm, argument(args, 0))) })
	define("table", 1, func(args []goja.Value) { g.print("log", Table(g.vm, argument(args, 0), argument(args, 1))) })
	define("assert", 0, func(args []goja.Value) {
		if argument(args, 0).ToBoolean() {
			return
		}
		if len(args) > 1 {
			g.print("error", "Assertion failed: "+Format(g.vm, args[1:]))
			return
		}
		g.print("error", "Assertion failed")
	})
	define("count", 0, func(args []goja.Value) {
		label := labelOf(args)
		g.counters[label]++
		g.print("log", label+": "+strconv.Itoa(g.counters[label]))
	})
	define("countReset", 0, func(args []goja.Value) { delete(g.counters, labelOf(args)) })
	group := func(args []goja.Value) {
		if len(args) > 0 {
			g.print("log", Format(g.vm, args))
		}
		g.group += "  "
	}
	define("group", 0, group)
	define("groupCollapsed", 0, group)
	define("groupEnd", 0, func([]goja.Value) { g.group = strings.TrimSuffix(g.group, "  ") })
	elapsed := func(args []goja.Value) {
		label := labelOf(args)
		if started, ok := g.consoleTimers[label]; ok {
			rest := ""
			if len(args) > 1 {
				rest = " " + Format(g.vm, args[1:])
			}
			g.print("log", fmt.Sprintf("%s: %gms%s", label, g.config.Now()-started, rest))
		}
	}
	define("time", 0, func(args []goja.Value) { g.consoleTimers[labelOf(args)] = g.config.Now() })
	define("timeLog", 0, elapsed)
	define("timeEnd", 0, func(args []goja.Value) {
		elapsed(args)
		delete(g.consoleTimers, labelOf(args))
	})
	return console
}

func (g *Globals) print(level, text string) {
	if g.group != "" {
		text = g.group + strings.ReplaceAll(text, "\n", "\n"+g.group)
	}
	g.config.Console(level, text, g.site())
}

func argument(args []goja.Value, i int) goja.Value {
	if i < len(args) {
		return args[i]
	}
	return goja.Undefined()
}

func labelOf(args []goja.Value) string {
	if len(args) == 0 || goja.IsUndefined(args[0]) {
		return "default"
	}
	return args[0].String()
}
