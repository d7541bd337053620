package prelude

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/runtime/source"
)

// absent says how to make a global that cannot exist here: something that throws what to call instead as
// soon as it is used. `typeof` is no use, so that programs can look before they leap.
func absent(name string) func(*realm) goja.Value {
	switch name {
	case "require":
		return (*realm).require
	case "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "alert", "prompt", "confirm":
		return func(r *realm) goja.Value {
			f := r.vm.ToValue(func(goja.ConstructorCall) *goja.Object {
				panic(r.vm.NewTypeError("%s does not work here: %s", name, insteadOf(name)))
			}).(*goja.Object)
			must(f.DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
			return f
		}
	case "process", "Deno", "Bun", "__dirname", "__filename":
		return func(r *realm) goja.Value { return r.vm.NewDynamicObject(&absentObject{vm: r.vm, name: name}) }
	}
	return nil
}

// require makes the function that programs for Node begin with. `require.main === module` may be asked.
func (r *realm) require() goja.Value {
	f := r.function("require", 1, func(call goja.FunctionCall) goja.Value {
		specifier := call.Argument(0).String()
		panic(r.vm.NewTypeError("require(%q) does not work here: %s", specifier, insteadOfModule(specifier)))
	})
	must(r.getter(f, "resolve", func() goja.Value {
		panic(r.vm.NewTypeError("require.resolve does not work here: a program is one file"))
	}))
	return f
}

// insteadOfModule says what to call instead of a module of Node's, or of a package.
func insteadOfModule(specifier string) string {
	if specifier == "gg" {
		return "gg is a global, and `import * as gg from \"gg\"` works"
	}
	if line, ok := source.Instead(specifier); ok {
		return line
	}
	return "a program has no packages: write it in plain JavaScript, or run a command with gg.shell.shell"
}

// insteadOf says what to call instead of a global function or object.
func insteadOf(name string) string {
	switch name {
	case "fetch", "XMLHttpRequest", "WebSocket", "EventSource":
		return "a program has no network; use gg.shell.shell(\"curl …\")"
	case "importScripts":
		return "a program is one file; read others with gg.files.readTextFile"
	case "alert":
		return "use console.log, or gg.views.openText to show something"
	case "prompt", "confirm":
		return "nobody is there to answer; gg.args holds what the caller passed"
	case "__dirname", "__filename":
		return "a program is no file; relative paths start at the workspace"
	case "process.env":
		return "ask the shell, such as gg.shell.shell(\"printenv HOME\")"
	case "process.argv":
		return "gg.args holds what the caller passed"
	case "process.exit", "process.exitCode", "process.abort", "process.kill":
		return "end a program with `return`, or fail it with `throw`"
	case "process.cwd", "process.chdir":
		return "relative paths start at the workspace, and so do commands"
	case "process.stdout", "process.stderr":
		return "use console.log, or gg.views.openText to show something"
	case "process.stdin":
		return "a program has no input; gg.args holds what the caller passed"
	case "process.nextTick":
		return "use queueMicrotask(f)"
	case "process.hrtime", "process.uptime":
		return "use performance.now()"
	case "process.on", "process.once", "process.emit", "process.emitWarning":
		return "a program has no process events; use try … catch"
	case "process.memoryUsage", "process.cpuUsage":
		return "use gg.budget.remaining()"
	case "process.platform", "process.arch", "process.release", "process.version", "process.versions":
		return "a program does not run in Node; ask the shell, such as gg.shell.shell(\"uname -a\")"
	}
	switch object, member, _ := strings.Cut(name, "."); object {
	case "process":
		return "a program has no process of its own; use gg.args for arguments and gg.shell.shell(command) for the rest"
	default:
		switch member {
		case "env", "exit", "cwd":
			return insteadOf("process." + member)
		case "args", "argv":
			return insteadOf("process.argv")
		case "serve", "connect", "listen":
			return insteadOf("fetch")
		case "$", "spawn", "spawnSync", "Command", "run":
			return "use gg.shell.shell(command)"
		}
		return "use gg.files for files and gg.shell.shell(command) for commands"
	}
}

// absentObject is an object of another host. It has no property, and says so when one is used.
type absentObject struct {
	vm   *goja.Runtime
	name string
}

func (a *absentObject) refuse(member string) {
	name := a.name
	if !strings.HasPrefix(name, "__") { // those are strings
		name += "." + member
	}
	panic(a.vm.NewTypeError("%s does not exist here: %s", name, insteadOf(name)))
}

// Get throws, but for what is read of any object in order to print it, to await it, or to find out what it is.
func (a *absentObject) Get(member string) goja.Value {
	switch member {
	case "toString", "valueOf":
		if !strings.HasPrefix(a.name, "__") {
			return nil
		}
	case "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "__proto__",
		"then", "toJSON", "inspect", "default":
		return nil
	}
	a.refuse(member)
	return nil
}

// Set throws as well: assigning process.exitCode would have no effect.
func (a *absentObject) Set(member string, _ goja.Value) bool {
	a.refuse(member)
	return false
}

// Has is honest: there is nothing.
func (a *absentObject) Has(string) bool { return false }

// Delete has nothing to do.
func (a *absentObject) Delete(string) bool { return true }

// Keys is honest: there is nothing.
func (a *absentObject) Keys() []string { return nil }
