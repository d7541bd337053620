package prelude

import (
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"
)

// run evaluates a program in a new VM.
func run(t *testing.T, program string) goja.Value {
	t.Helper()
	v, err := newVM(t, Host{}).RunString(program)
	require.NoError(t, err, program)
	return v
}

// TestMessages is what programs are told, word for word.
func TestMessages(t *testing.T) {
	for _, test := range []struct{ program, want string }{
		{`require("fs")`, `TypeError: require("fs") does not work here: use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir`},
		{`require("node:child_process").execSync("ls")`, `TypeError: require("node:child_process") does not work here: use gg.shell.shell(command)`},
		{`require("lodash")`, `TypeError: require("lodash") does not work here: a program has no packages: write it in plain JavaScript, or run a command with gg.shell.shell`},
		{`require("./x")`, `TypeError: require("./x") does not work here: a program is one file: put the code into it, or read the file with gg.files.readTextFile`},
		{`require.resolve("x")`, `TypeError: require.resolve does not work here: a program is one file`},
		{`process.env.HOME`, `TypeError: process.env does not exist here: ask the shell, such as gg.shell.shell("printenv HOME")`},
		{`process.exit(1)`, "TypeError: process.exit does not exist here: end a program with `return`, or fail it with `throw`"},
		{`process.exitCode = 1`, "TypeError: process.exitCode does not exist here: end a program with `return`, or fail it with `throw`"},
		{`process.argv[2]`, `TypeError: process.argv does not exist here: gg.args holds what the caller passed`},
		{`process.stdout.write("x")`, `TypeError: process.stdout does not exist here: use console.log, or gg.views.openText to show something`},
		{`process.cwd()`, `TypeError: process.cwd does not exist here: relative paths start at the workspace, and so do commands`},
		{`process.title`, `TypeError: process.title does not exist here: a program has no process of its own; use gg.args for arguments and gg.shell.shell(command) for the rest`},
		{`fetch("http://a")`, `TypeError: fetch does not work here: a program has no network; use gg.shell.shell("curl …")`},
		{`new XMLHttpRequest()`, `TypeError: XMLHttpRequest does not work here: a program has no network; use gg.shell.shell("curl …")`},
		{"`${__dirname}/x`", `TypeError: __dirname does not exist here: a program is no file; relative paths start at the workspace`},
		{`__filename.split("/")`, `TypeError: __filename does not exist here: a program is no file; relative paths start at the workspace`},
		{`Deno.readTextFile("x")`, `TypeError: Deno.readTextFile does not exist here: use gg.files for files and gg.shell.shell(command) for commands`},
		{`Deno.args`, `TypeError: Deno.args does not exist here: gg.args holds what the caller passed`},
		{`Bun.spawn(["ls"])`, `TypeError: Bun.spawn does not exist here: use gg.shell.shell(command)`},
		{`crypto.subtle.digest("SHA-256", x)`, `TypeError: crypto.subtle does not exist here: use gg.shell.shell(command), such as gg.shell.shell("sha256sum file")`},
		{`crypto.randomBytes(8)`, `TypeError: crypto.randomBytes does not exist here: use crypto.getRandomValues(new Uint8Array(n))`},

		{`(1.5).toLocaleString("de-DE")`, `TypeError: Number.prototype.toLocaleString: locale "de-DE" is not known here, only "en-US"`},
		{`(1.5).toLocaleString("en-US", { style: "currency", currency: "USD" })`, `TypeError: Number.prototype.toLocaleString: options "style", "currency" are not known here: use toFixed`},
		{`(1.5).toLocaleString(undefined, { minimumFractionDigits: 2 })`, `TypeError: Number.prototype.toLocaleString: option "minimumFractionDigits" is not known here: use toFixed`},
		{`[1.5].toLocaleString("de")`, `TypeError: Number.prototype.toLocaleString: locale "de" is not known here, only "en-US"`},
		{`1n.toLocaleString("fr")`, `TypeError: BigInt.prototype.toLocaleString: locale "fr" is not known here, only "en-US"`},
		{`new Date(0).toLocaleDateString("en-US", { month: "long" })`, `TypeError: Date.prototype.toLocaleDateString: option "month" is not known here: use toISOString, or getFullYear and the like`},
		{`new Date(0).toLocaleTimeString("de")`, `TypeError: Date.prototype.toLocaleTimeString: locale "de" is not known here, only "en-US"`},
		{`"a".localeCompare("b", "sv")`, `TypeError: String.prototype.localeCompare: locale "sv" is not known here, only "en-US"`},
		{`"a".localeCompare("b", undefined, { numeric: true })`, `TypeError: String.prototype.localeCompare: option "numeric" is not known here: compare what toLowerCase returns, or the numbers in the texts`},
		{`"I".toLocaleLowerCase("tr-TR")`, `TypeError: String.prototype.toLocaleLowerCase: the rules of locale "tr-TR" are not known here`},
		{`(1.5).toLocaleString("x")`, `RangeError: incorrect locale information provided: "x"`},

		{`structuredClone(() => 1)`, `DataCloneError: a function could not be cloned`},
		{`structuredClone({ f() {} })`, `DataCloneError: function "f" could not be cloned`},
		{`structuredClone(Symbol("q"))`, `DataCloneError: Symbol(q) could not be cloned`},
		{`structuredClone(new Proxy({}, {}))`, `DataCloneError: a Proxy could not be cloned`},
		{`structuredClone(new WeakMap())`, `DataCloneError: #<WeakMap> could not be cloned`},
		{`let deep = {}; for (let i = 0; i < 20000; i++) deep = { deep }; structuredClone(deep)`, `RangeError: structuredClone: objects are nested more than 10000 deep`},
		{`btoa("€")`, `InvalidCharacterError: btoa: the text has characters beyond U+00FF; encode it first: Buffer.from(text).toString("base64")`},
		{`atob("a")`, `InvalidCharacterError: atob: the text is not base64`},
		{`new URL("nope")`, `TypeError: invalid URL "nope"`},
		{`new URL("b", "nope")`, `TypeError: invalid URL "b" with base "nope"`},
		{`new TextDecoder("koi8-r")`, `RangeError: TextDecoder: the encoding "koi8-r" is not known here, only utf-8, utf-16le, utf-16be and windows-1252 (latin1)`},
		{`Buffer.from(1)`, `TypeError: Buffer.from: a string, a Buffer, an ArrayBuffer or an array is needed, got number`},
		{`Buffer.from("x").toString("nope")`, `TypeError: Buffer: the encoding "nope" is not known`},
		{`Buffer.alloc(2).writeUInt8(256)`, `RangeError: Buffer.writeUInt8: the value must be 0..255, got 256`},
		{`Buffer.alloc(2).readUInt16LE(1)`, "RangeError: Buffer.readUInt16LE: `offset` must be a whole number 0..0, got 1"},
		{`Object.groupBy(null, x => x)`, `TypeError: groupBy: the items must be iterable, got null`},
		{`Object.groupBy([1])`, `TypeError: groupBy: the callback must be a function, got undefined`},
		{`[].values().map(1)`, `TypeError: Iterator.prototype.map: the callback must be a function, got number`},
		{`[].values().take(-1)`, `RangeError: Iterator.prototype.take: the limit must be a number of at least 0, got -1`},
		{`queueMicrotask(1)`, `TypeError: queueMicrotask: the callback must be a function, got number`},
	} {
		t.Run(test.program, func(t *testing.T) {
			_, err := newVM(t, Host{}).RunString("var x; " + test.program)
			var thrown *goja.Exception
			require.ErrorAs(t, err, &thrown)
			require.Equal(t, test.want, thrown.Value().String())
		})
	}
}

// TestHarmless is what may be asked of a thrower without using it.
func TestHarmless(t *testing.T) {
	for program, want := range map[string]any{
		`typeof require`: "function", `typeof process`: "object", `typeof fetch`: "function", `typeof Deno`: "object",
		`typeof Bun`: "object", `typeof __dirname`: "object", `typeof XMLHttpRequest`: "function", `typeof importScripts`: "function",
		`require.main === undefined`: true, `require.name`: "require", `fetch.name`: "fetch",
		`JSON.stringify(process)`: "{}", `Object.keys(process).length`: int64(0), `"env" in process`: false, `String(process)`: "[object Object]",
		`typeof window`: "undefined", `typeof document`: "undefined", `typeof Intl`: "undefined", `typeof module`: "undefined",
	} {
		require.EqualValues(t, want, run(t, program).Export(), program)
	}
}

// missingNames are all that Missing explains.
var missingNames = strings.Fields(`Intl WeakRef FinalizationRegistry SharedArrayBuffer Atomics Worker SharedWorker MessageChannel
	MessagePort BroadcastChannel WebAssembly Temporal Float16Array DisposableStack AsyncDisposableStack SuppressedError setImmediate
	clearImmediate requestAnimationFrame cancelAnimationFrame requestIdleCallback localStorage sessionStorage indexedDB caches window
	self frames top global document location history screen customElements HTMLElement Element Node DOMParser XMLSerializer
	MutationObserver Image Audio navigator Blob File FileReader FormData Headers Request Response AbortController AbortSignal Event
	EventTarget CustomEvent MessageEvent EventEmitter ReadableStream WritableStream TransformStream TextDecoderStream
	TextEncoderStream CompressionStream DecompressionStream SubtleCrypto CryptoKey module exports fs child_process path os execSync
	spawnSync readFileSync writeFileSync existsSync chalk lodash _ $ jQuery axios moment dayjs describe it test expect beforeEach
	afterEach`)

func TestMissing(t *testing.T) {
	vm := newVM(t, Host{})
	for _, name := range missingNames {
		line, ok := Missing(name)
		require.True(t, ok, name)
		require.NotEmpty(t, line, name)
		require.NotContains(t, line, "\n", name)
		require.False(t, strings.HasSuffix(line, "."), "%s: %s", name, line)
		v, err := vm.RunString("typeof " + name)
		require.NoError(t, err)
		require.Equal(t, "undefined", v.String(), "%s exists, and explains itself", name)
	}
	_, ok := Missing("undeclared")
	require.False(t, ok)
	line, _ := Missing("Intl")
	require.Equal(t, "the engine has no Intl: toLocaleString writes numbers and dates as en-US does; toFixed, toISOString and string methods do the rest", line)
}

// TestGlobals is what a program can see of the way globals are made.
func TestGlobals(t *testing.T) {
	for _, program := range []string{
		`typeof structuredClone === "function" && "structuredClone" in globalThis`,
		`URL; const d = Object.getOwnPropertyDescriptor(globalThis, "URL"); d.writable && d.configurable && !d.enumerable && d.value === URL`,
		`URL = 5; URL === 5 && globalThis.URL === 5`,
		`Map = 5; Map === 5`,
		`(function () { "use strict"; Map; Map = 5; return Map === 5 })()`,
		`var fetch = 5; fetch === 5 && globalThis.fetch === 5`,
		`function require() { return 7 } require() === 7`,
		`let Buffer = 8; Buffer === 8`,
		`const process = { env: {} }; process.env.x === undefined`,
		`(function () { "use strict"; try { undeclared = 1 } catch (e) { return e instanceof ReferenceError } })()`,
		`globalThis.undeclared === undefined`,
		`globalThis === this && globalThis.globalThis === globalThis && Function("return this")() === globalThis && (0, eval)("this") === globalThis`,
		`globalThis instanceof Object && Object.prototype.toString.call(globalThis) === "[object global]"`,
		`Map === globalThis.Map && new Map() instanceof Map && Map.prototype.constructor === Map`,
		`undefined = 1; NaN = 1; Infinity = 1; undefined === void 0 && NaN !== NaN && Infinity === 1 / 0`,
		`structuredClone; let all = ""; for (const k in globalThis) all += k; all === "keys"`,
		`hasOwnProperty === Object.prototype.hasOwnProperty && toString === Object.prototype.toString`,
		`Symbol.asyncIterator === Symbol.asyncIterator && Symbol("x") !== Symbol.asyncIterator`,
		`typeof Array.isArray === "function" && typeof JSON.parse === "function" && typeof Math.max === "function" && typeof parseInt === "function"`,
		`structuredClone.toString() === "function structuredClone() { [native code] }"`,
		`String(URL) === "function URL() { [native code] }" && String([].values().map) === "function map() { [native code] }"`,
		`String(Object.getOwnPropertyDescriptor(URL.prototype, "href").get).includes("[native code]")`,
		`Object.getPrototypeOf(Iterator.prototype) === Object.prototype`,
		`const p = [].values(); p.map = 5; p.map === 5`,
		`[].values().nothing === undefined && !("nothing" in [].values()) && "map" in [].values()`,
		`const Iterator = 1; [1].values().map(x => x).next().value === 1`,
		`Error.captureStackTrace.name === "captureStackTrace" && Error.isError(new Error())`,
	} {
		require.True(t, run(t, "var keys; "+program).ToBoolean(), program)
	}
}

// TestOfEngine finds out whether the engine has globals that this package has not heard of.
func TestOfEngine(t *testing.T) {
	names := goja.New().GlobalObject().GetOwnPropertyNames()
	require.NotEmpty(t, names)
	for _, name := range names {
		require.True(t, ofEngine(name), name)
		require.Nil(t, added(name), "%s: the engine has it now", name)
	}
}

// TestPolluted has a program change all it can of the language's prototypes, before the prelude's parts are
// made and after, and finds that they work all the same.
func TestPolluted(t *testing.T) {
	const pollution = `
		const bad = () => { throw new Error("used what a program had changed") };
		for (const f of [Array, Map, Set, String, Number, RegExp, Date, Function, Uint8Array, ArrayBuffer, DataView, Error, Boolean, Object.getPrototypeOf(Uint8Array)]) {
			for (const key of Reflect.ownKeys(f.prototype)) {
				const d = Reflect.getOwnPropertyDescriptor(f.prototype, key);
				if (key === "constructor" || !d.configurable) continue;
				if (typeof d.value === "function" && !(key === Symbol.iterator && f === Array) && key !== "toString" && key !== "valueOf") f.prototype[key] = bad;
				else if (d.get && key !== "source" && key !== "flags" && key !== Symbol.toStringTag) Reflect.defineProperty(f.prototype, key, { __proto__: null, get: bad });
			}
		}
		for (const f of [Reflect, JSON, Math]) for (const key of Reflect.ownKeys(f)) if (f !== Reflect) f[key] = bad;
		for (const key of ["get", "set", "writable", "enumerable", "configurable", "text", "rest", "href", "0", "1"]) {
			Reflect.defineProperty(Object.prototype, key, { __proto__: null, get: bad, set: bad, configurable: true });
		}
		for (const name of ["Object", "Array", "Map", "Set", "Error", "TypeError", "RangeError", "Uint8Array", "ArrayBuffer", "Symbol", "Function", "String", "Boolean", "Number"]) globalThis[name] = bad;
	`
	programs := map[string]string{
		`let c = structuredClone({ a: [1, { b: 2 }], d: new Date(5), s: "x" }); "" + c.a[1].b + c.s`:            "2x",
		`let c = structuredClone([1, 2, 3]); "" + c[0] + c[2] + c.length`:                                       "133",
		`let g; for (const x in { a: 1 }) g = groupBy([1, 2, 3], n => n % 2 ? "o" : "e"); "" + g.o[1] + g.e[0]`: "32",
		`"" + btoa("hi") + atob("aGk=")`:             "aGk=hi",
		`new URL("../c?x=1", "http://a/b/d/e").href`: "http://a/b/c?x=1",
		`let u = new URL("http://a/?b=1"); u.searchParams.append("c", "d"); u.searchParams.set("b", "2"); u.href + u.searchParams`:                                                                             "http://a/?b=2&c=db=2&c=d",
		`let i = new URLSearchParams({ q: "a b" }).entries().next().value; i[0] + i[1]`:                                                                                                                        "qa b",
		`new TextDecoder().decode(new TextEncoder().encode("é"))`:                                                                                                                                              "é",
		`Buffer.from("héllo").toString("base64") + Buffer.from("aGk", "base64")`:                                                                                                                               "aMOpbGxvhi",
		`let b = Buffer.alloc(4); b.writeUInt16BE(258, 1); "" + b[1] + b[2] + b.readUInt16BE(1) + b.indexOf(2) + b.fill(1)[3]`:                                                                                 "1225821",
		`let it = { n: 0, next() { return { __proto__: null, done: this.n > 3, value: this.n++ } }, __proto__: iterators }; let a = it.map(x => x * 2).filter(x => x > 0).drop(1).toArray(); "" + a[0] + a[1]`: "46",
	}
	const kept = `const groupBy = Object.groupBy, iterators = Reflect.getPrototypeOf(Reflect.getPrototypeOf([].values()));`
	const touch = `structuredClone({}); URL; Buffer; TextDecoder; atob(""); [].values().map(x => x);`
	for program, want := range programs {
		for when, before := range map[string]string{"before": kept + pollution, "after": kept + touch + pollution} {
			t.Run(when+" "+program, func(t *testing.T) {
				v, err := newVM(t, Host{}).RunString(before + "\n" + program)
				if thrown, ok := err.(*goja.Exception); ok {
					require.NoError(t, err, "%v", thrown.Stack())
				}
				require.NoError(t, err)
				require.Equal(t, want, v.String())
			})
		}
	}
}

// TestPlaces is where errors of the prelude stand: in the program.
func TestPlaces(t *testing.T) {
	for _, call := range []string{
		`structuredClone(() => 1)`, `require("fs")`, `process.env`, `fetch("x")`, `atob("a")`, `new URL("x")`, `Buffer.from(1)`,
		`Object.groupBy(null)`, `[].values().map(1)`, `new TextDecoder("x")`, `(1).toLocaleString("de")`, `crypto.getRandomValues([])`,
		"`${__dirname}`", `queueMicrotask()`, `Iterator.from(5)`, `Buffer.alloc(1).readUInt32LE()`, `new URLSearchParams([[1]])`,
	} {
		vm := newVM(t, Host{})
		tree, err := parser.ParseFile(nil, "reply.js", "function f() {\n  "+call+"\n}\n\nf()", 0, parser.WithDisableSourceMaps)
		require.NoError(t, err)
		program, err := goja.CompileAST(tree, false)
		require.NoError(t, err)
		_, err = vm.RunProgram(program)
		var thrown *goja.Exception
		require.ErrorAs(t, err, &thrown, call)
		var lines []int
		for _, frame := range thrown.Stack() {
			switch frame.SrcName() {
			case "reply.js":
				lines = append(lines, frame.Position().Line)
			case "<native>", sourceName:
				require.Empty(t, lines, "%s: the program's frames come last", call)
			default:
				t.Errorf("%s: a frame of %q", call, frame.SrcName())
			}
		}
		require.Equal(t, []int{2, 5}, lines, call)
	}
}

func TestHost(t *testing.T) {
	t.Run("Now", func(t *testing.T) {
		now := time.UnixMilli(1000)
		vm := newVM(t, Host{Now: func() time.Time { return now }})
		now = now.Add(1500 * time.Microsecond)
		v, err := vm.RunString(`JSON.stringify([performance.now(), performance.timeOrigin, performance.toJSON()])`)
		require.NoError(t, err)
		require.Equal(t, `[1.5,1000,{"timeOrigin":1000}]`, v.String())
	})
	t.Run("Read", func(t *testing.T) {
		vm := newVM(t, Host{Read: func(p []byte) {
			for i := range p {
				p[i] = 0xFF
			}
		}})
		v, err := vm.RunString(`crypto.randomUUID() + crypto.getRandomValues(new Uint16Array(2))`)
		require.NoError(t, err)
		require.Equal(t, "ffffffff-ffff-4fff-bfff-ffffffffffff65535,65535", v.String())
	})
	t.Run("Enqueue", func(t *testing.T) {
		var queue []goja.Callable
		vm := newVM(t, Host{Enqueue: func(f goja.Callable) { queue = append(queue, f) }})
		v, err := vm.RunString(`var log = ""; queueMicrotask(() => { log += "a" }); log`)
		require.NoError(t, err)
		require.Equal(t, "", v.String())
		require.Len(t, queue, 1)
		_, err = queue[0](goja.Undefined())
		require.NoError(t, err)
		require.Equal(t, "a", vm.Get("log").String())
	})
	t.Run("no Enqueue", func(t *testing.T) {
		vm := newVM(t, Host{})
		var rejected []string
		vm.SetPromiseRejectionTracker(func(p *goja.Promise, op goja.PromiseRejectionOperation) {
			if op == goja.PromiseRejectionReject {
				rejected = append(rejected, p.Result().String())
			}
		})
		_, err := vm.RunString(`queueMicrotask(() => { throw new Error("late") })`)
		require.NoError(t, err)
		require.Equal(t, []string{"Error: late"}, rejected)
	})
	t.Run("zero", func(t *testing.T) {
		v, err := newVM(t, Host{}).RunString(`performance.now() >= 0 && crypto.randomUUID() !== crypto.randomUUID()`)
		require.NoError(t, err)
		require.True(t, v.ToBoolean())
	})
}

// TestStops is that nothing of the prelude goes on when the program has been stopped, or catches the stop.
func TestStops(t *testing.T) {
	for _, program := range []string{
		`structuredClone([{ get a() { stop() } }])`,
		// The loops of these are Go's, and what stops them is no JavaScript that would notice.
		`structuredClone([Object.defineProperty({}, "a", { get: stop, enumerable: true }), ...Array(10_000).fill(1), Object.defineProperty({}, "a", { get: late, enumerable: true })])`,
		`[{ toLocaleString: stop }, ...Array(10_000), { toLocaleString: late }].toLocaleString()`,
		`structuredClone(new Map([[{ get a() { stop() } }, 1]]))`,
		`Object.groupBy([1], () => { stop() })`,
		`Promise.try(() => { stop() })`,
		`Promise.try(() => { stop(); for (;;); }).catch(() => {})`,
		`(function* () { for (;;) { stop(); yield 1 } })().map(x => x).filter(x => false).next()`,
		`(function* () { for (;;) { stop(); yield 1 } })().drop(Infinity).next()`,
		`new URLSearchParams((function* () { for (;;) { stop(); yield ["a", "b"] } })())`,
		`Array.fromAsync({ [Symbol.iterator]: () => ({ next() { stop(); return { done: false } } }) })`,
		`queueMicrotask(() => { stop(); for (;;); })`,
	} {
		t.Run(program, func(t *testing.T) {
			vm := newVM(t, Host{})
			require.NoError(t, vm.Set("stop", func() { vm.Interrupt("enough") }))
			late := 0
			require.NoError(t, vm.Set("late", func() string { late++; return "" }))
			_, err := vm.RunString(program)
			require.Zero(t, late)
			var stopped *goja.InterruptedError
			require.ErrorAs(t, err, &stopped)
			require.Equal(t, "enough", stopped.Value())
		})
	}
}

// TestTwice is that VMs share nothing but what is compiled.
func TestTwice(t *testing.T) {
	first, second := newVM(t, Host{}), newVM(t, Host{})
	_, err := first.RunString(`URL.prototype.x = 1; Iterator.prototype.x = 1; Buffer.x = 1; structuredClone.x = 1; process`)
	require.NoError(t, err)
	v, err := second.RunString(`URL.prototype.x === undefined && [].values().x === undefined && Buffer.x === undefined && structuredClone.x === undefined`)
	require.NoError(t, err)
	require.True(t, v.ToBoolean())
}
