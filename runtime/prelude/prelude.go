// Package prelude completes the JavaScript of the engine: what a program of today takes for granted and
// goja does not have, what goja answers wrongly without saying so, and what can never exist inside an
// embedded VM but is written all the same.
//
//	vm := goja.New()
//	err := prelude.Install(vm, prelude.Host{Now: clock, Read: random})
//	…
//	// now programs may say
//	//	structuredClone(x), Object.groupBy(rows, r => r.kind), new URL(text).hostname,
//	//	[1, 2, 3].values().map(f).toArray(), Buffer.from(text).toString("base64"), …
//
// There are three kinds of names.
//
//   - What is added works as ECMAScript 2025, WHATWG and Node describe it: structuredClone, queueMicrotask,
//     TextEncoder, TextDecoder, URL, URLSearchParams, DOMException, Buffer, atob, btoa, performance, crypto,
//     Iterator with its helpers, Object.groupBy, Map.groupBy, Promise.withResolvers, Promise.try,
//     Array.fromAsync, Error.captureStackTrace, Symbol.asyncIterator, String.prototype.isWellFormed,
//     ArrayBuffer.prototype.transfer, \p{…} in regular expressions.
//   - What the engine has without locales says so: toLocaleString is that of en-US and refuses other locales
//     and every option by name; localeCompare compares by the root collation and refuses the same.
//   - What cannot exist is a thrower: require, process, fetch and others exist, `typeof` them is harmless, and
//     using one throws a TypeError whose one line says what to call instead. Missing has a line for each name
//     that stays undefined, so that a report can hint at it.
//
// Install is cheap, because nearly everything is made when a program first touches its name, and parts that
// are written in JavaScript (the .js files beside this one) are compiled once in a process. They use no
// property of a prototype that a program could have changed, before or after: what they need of the engine
// they get from Go, and Go takes it from a second VM in which no program runs.
//
// Not promised: locales other than en-US, time zone names, encodings other than UTF-8, UTF-16 and
// windows-1252 (also known as latin1), WebCrypto, Node's modules. Function.prototype.toString shows parts
// written in JavaScript as native code; a stack trace names their file "gg:prelude".
package prelude

import (
	"crypto/rand"
	"time"

	"github.com/dop251/goja"
)

// Host is what the prelude needs from outside of the VM. The zero Host is usable: every nil field has a
// meaning of its own.
type Host struct {
	// Now is the clock of performance.now, whose zero is the time of Install; nil means time.Now. The clock
	// of Date is the VM's own (goja's SetTimeSource); a host gives both the same one.
	Now func() time.Time
	// Read fills its argument with random bytes, for crypto.randomUUID and crypto.getRandomValues; nil means
	// the operating system's source, crypto/rand. Math.random is the VM's own (goja's SetRandSource).
	Read func([]byte)
	// Enqueue takes a microtask of queueMicrotask: a function to be called without arguments, once, on the
	// VM's goroutine, when the JavaScript that is running has returned; what it throws is the host's to
	// report. Nil means that it runs as a Promise job, in order with all others, and that what it throws is
	// an unhandled rejection.
	Enqueue func(goja.Callable)
}

// Install completes vm, which must be fresh: no program has run in it, and nobody has kept its global
// object, because Install gives it another one. Whoever defines globals of his own does it afterwards, on
// vm.GlobalObject(). The errors are those of the engine, and come from a VM that is not fresh.
func Install(vm *goja.Runtime, host Host) error {
	if host.Now == nil {
		host.Now = time.Now
	}
	if host.Read == nil {
		host.Read = func(p []byte) { _, _ = rand.Read(p) } // it never returns an error, and fills p
	}
	r := &realm{vm: vm, host: host, start: host.Now()}
	var err error
	if exception := vm.Try(func() { err = r.install() }); exception != nil {
		return exception
	}
	if err != nil {
		return err
	}
	return installRegExp(vm)
}
