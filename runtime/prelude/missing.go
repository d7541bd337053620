package prelude

// Missing explains a global that other hosts have and this one has not: one line, lower case but for names,
// no full stop, for a report of `ReferenceError: Intl is not defined`. It reports false for a name it knows
// nothing about. Names that exist as throwers explain themselves, and are not among these.
func Missing(name string) (line string, ok bool) {
	switch name {
	case "Intl":
		line = "the engine has no Intl: toLocaleString writes numbers and dates as en-US does; toFixed, toISOString and string methods do the rest"
	case "WeakRef", "FinalizationRegistry":
		line = "the engine has no " + name + ": keep the object itself, or use a WeakMap; a program does not live long"
	case "SharedArrayBuffer", "Atomics":
		line = "the engine has no " + name + ": a program has one thread; use ArrayBuffer and plain assignments"
	case "Worker", "SharedWorker", "MessageChannel", "MessagePort", "BroadcastChannel":
		line = "there is no " + name + ": a program has one thread; run other programs with gg.shell.shell"
	case "WebAssembly":
		line = "the engine has no WebAssembly: run the tool with gg.shell.shell"
	case "Temporal":
		line = "the engine has no Temporal: use Date, whose getTime is in milliseconds"
	case "Float16Array":
		line = "the engine has no Float16Array: use Float32Array"
	case "DisposableStack", "AsyncDisposableStack", "SuppressedError":
		line = "the engine has no " + name + ": use `try … finally`"
	case "setImmediate":
		line = "there is no setImmediate: use setTimeout(f, 0)"
	case "clearImmediate":
		line = "there is no clearImmediate: use setTimeout and clearTimeout"
	case "requestAnimationFrame", "cancelAnimationFrame", "requestIdleCallback":
		line = "there is no " + name + ": nothing is drawn; use setTimeout"
	case "localStorage", "sessionStorage", "indexedDB", "caches":
		line = "there is no " + name + ": keep what a later program needs in a file, with gg.files.writeFile"
	case "window", "self", "frames", "top":
		line = "there is no " + name + ": a program runs in no browser; globals are on globalThis"
	case "global":
		line = "there is no global: globals are on globalThis"
	case "document", "location", "history", "screen", "customElements", "HTMLElement", "Element", "Node", "DOMParser",
		"XMLSerializer", "MutationObserver", "Image", "Audio":
		line = "there is no " + name + ": a program runs in no browser; take pages apart as text"
	case "navigator":
		line = "there is no navigator: a program runs in no browser; ask the machine with gg.shell.shell(\"uname -a\")"
	case "Blob", "File", "FileReader", "FormData":
		line = "there is no " + name + ": use strings or Uint8Array, and gg.files for files"
	case "Headers", "Request", "Response":
		line = "there is no " + name + ": a program has no network; use gg.shell.shell(\"curl …\")"
	case "AbortController", "AbortSignal":
		line = "there is no " + name + ": give a call a time limit with its option timeoutSecs, or stop a loop with a variable"
	case "Event", "EventTarget", "CustomEvent", "MessageEvent", "EventEmitter":
		line = "there is no " + name + ": use plain functions and Promises"
	case "ReadableStream", "WritableStream", "TransformStream", "TextDecoderStream", "TextEncoderStream",
		"CompressionStream", "DecompressionStream":
		line = "there is no " + name + ": read a file in windows with gg.files.readTextFile(path, { offset, limit })"
	case "SubtleCrypto", "CryptoKey":
		line = "there is no " + name + ": hash and sign with gg.shell.shell, such as gg.shell.shell(\"sha256sum file\")"
	case "module", "exports":
		line = "a program is no module: its value is what a top-level `return` gives, or its last expression"
	case "fs", "child_process", "path", "os", "execSync", "spawnSync", "readFileSync", "writeFileSync", "existsSync":
		switch name {
		case "fs", "readFileSync", "writeFileSync", "existsSync":
			line = insteadOfModule("fs")
		case "child_process", "execSync", "spawnSync":
			line = insteadOfModule("child_process")
		default:
			line = insteadOfModule(name)
		}
	case "chalk", "lodash", "_", "$", "jQuery", "axios", "moment", "dayjs":
		line = insteadOfModule(name)
	case "describe", "it", "test", "expect", "beforeEach", "afterEach":
		line = "there is no test framework: use `if (!condition) throw new Error(message)`"
	default:
		return "", false
	}
	return line, true
}
