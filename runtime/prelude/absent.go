package prelude

import (
	"strings"

	"github.com/dop251/goja"
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
	name := strings.TrimPrefix(specifier, "node:")
	switch name {
	case "gg":
		return "gg is a global, and `import * as gg from \"gg\"` works"
	case "fs", "fs/promises", "fs-extra", "graceful-fs":
		return "use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir"
	case "glob", "fast-glob", "globby":
		return "use gg.files.glob"
	case "readline", "readline/promises":
		return "use gg.files.readTextFile(path).split(\"\\n\")"
	case "child_process", "execa", "shelljs", "zx", "cross-spawn":
		return "use gg.shell.shell(command)"
	case "worker_threads", "cluster":
		return "use gg.shell.shell(command); a program has one thread"
	case "process":
		return "use gg.args for arguments and gg.shell.shell(command) for the environment"
	case "os":
		return "use gg.shell.shell(command), such as gg.shell.shell(\"uname -a\")"
	case "path", "path/posix":
		return "join paths as strings; relative ones start at the workspace"
	case "http", "https", "http2", "axios", "node-fetch", "undici", "got", "ky", "request", "superagent":
		return insteadOf("fetch")
	case "net", "tls", "dgram", "dns", "dns/promises", "ws":
		return "a program has no network; use gg.shell.shell(command)"
	case "timers":
		return "setTimeout and setInterval are global"
	case "timers/promises":
		return "use `await gg.sleep(ms)`"
	case "perf_hooks":
		return "performance is global"
	case "util":
		return "use console.log, structuredClone and plain JavaScript; TextDecoder is global"
	case "events", "async_hooks":
		return "use plain functions and Promises"
	case "stream", "stream/promises":
		return "use gg.files.readTextFile with offset and limit"
	case "buffer":
		return "Buffer is global"
	case "string_decoder":
		return "TextDecoder is global"
	case "url":
		return "URL and URLSearchParams are global"
	case "querystring":
		return "URLSearchParams is global"
	case "assert", "assert/strict", "test":
		return "use `if (!condition) throw new Error(message)`"
	case "crypto":
		return "crypto.randomUUID is global; for hashes use gg.shell.shell(command), such as gg.shell.shell(\"sha256sum file\")"
	case "zlib":
		return "use gg.shell.shell(command), such as gg.shell.shell(\"gzip -d file\")"
	}
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") {
		return "a program is one file: put the code into it, or read the file with gg.files.readTextFile"
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
