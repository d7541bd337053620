package bindings

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// Bounds of an exported value. They are counted while writing, so a sparse array of a billion elements or a graph that
// unfolds without end costs no more than the text that is kept.
const (
	// MaxExportBytes bounds the JSON text of one value: 1 MiB, the most a program may put in front of a model in all.
	MaxExportBytes = 1 << 20
	// MaxExportDepth is how deep containers may nest; the outermost one is at depth 1. Readers of JSON in other languages
	// commonly refuse much more than this.
	MaxExportDepth = 64
	// MaxConversions bounds the list of changes; the rest is only counted, in Exported.Omitted.
	MaxConversions = 1000
)

// Exported is a JavaScript value as plain data.
type Exported struct {
	// JSON is the value, keys in JavaScript's own order (integer keys first, then as they were added). It is valid JSON of
	// at most MaxExportBytes, and nil when the value is undefined.
	JSON json.RawMessage
	// Present is false for undefined, which JSON cannot say.
	Present bool
	// Conversions lists, in order, where JSON differs from the value; at most MaxConversions entries.
	Conversions []Conversion
	// Omitted counts the conversions that found no room in the list.
	Omitted int
}

// Conversion is one place where the exported data is not what the program had.
type Conversion struct {
	// Path says where: the whole value is `~`, its parts are `~.name`, `~[0]`, `~["odd name"]`. It leads through the
	// exported data, so the second value of a Map with numbers for keys is `~[1][1]`.
	Path string `json:"path"`
	// From names what was there: `NaN`, `function f`, `Map`, `lone surrogate`.
	From string `json:"from"`
	// To is what stands there now: a JSON text, or `dropped`, `null`, `array`, `object`.
	To string `json:"to"`
}

// Export turns a value into plain data by the following rules; a value never loses the run.
//
//	undefined, function or symbol in an object     dropped, and so is a property whose key is a symbol
//	hole, undefined, function or symbol in a list  null
//	undefined as the whole value                   not Present
//	function or symbol as the whole value          "[Function f]", "[Symbol q]"
//	NaN, Infinity, -Infinity                       "NaN", "Infinity", "-Infinity"
//	-0                                             0
//	BigInt                                         decimal string
//	Date                                           ISO 8601 in UTC with milliseconds, or "Invalid Date"
//	lone surrogate in a string or a key            U+FFFD
//	Map                                            object if every key is a string, else [[key, value], …]
//	Set, typed array, ArrayBuffer, DataView        array
//	RegExp                                         "/source/flags"
//	Error                                          {name, message, cause?, errors?}, the last for an AggregateError
//	new Number(1) and the like                     the primitive
//	Promise, WeakMap, WeakSet, generator, iterator "[Promise]" and the like
//	a part that contains itself                    "[Circular ~.a]", the path of the outer one
//	a getter, Proxy trap or toJSON that throws     "[Threw: message]"
//	deeper than MaxExportDepth, or no room left    "[…]"
//
// Where the room ends, the rest of the innermost container is replaced by one "[…]" and what would follow it is left out.
// A Proxy is what its traps say it is. An object that is none of the above, or an Error, and that has a method toJSON is
// what the method returns, as for JSON.stringify, except that a toJSON found on Object.prototype itself is ignored: it
// would change every value at once. Named properties of an array are not exported, again as for JSON.stringify.
//
// The only program code that runs is in getters, traps and toJSON, and in RegExp.prototype.source if the program has
// redefined it; other redefined built-ins are never called. The error is an interrupt (*goja.InterruptedError) or a stack
// overflow (*goja.StackOverflowError) that happened there, or an interrupt that a long walk found pending. Export must be
// called on the goroutine of vm.
func Export(vm *goja.Runtime, v goja.Value) (Exported, error) {
	if v == nil || goja.IsUndefined(v) {
		return Exported{}, nil // the value of most programs; the rest takes a second VM
	}
	x := newExporter(vm, MaxExportBytes)
	defer pristine.Put(x.in)
	var out Exported
	if err := protect(vm, func() { out = x.export(v) }); err != nil {
		return Exported{}, err
	}
	return out, nil
}

// protect runs f, which may run program code, and returns what stopped it: a JavaScript exception, an interrupt, a stack
// overflow, or a fault of the engine. The state of the VM is restored; pending promise jobs stay pending.
func protect(vm *goja.Runtime, f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case error:
			if stop, ok := fatal(x); ok {
				err = stop
			} else {
				err = fmt.Errorf("engine fault: %w", x)
			}
		default:
			err = fmt.Errorf("engine fault: %v", x)
		}
	}()
	if ex := vm.Try(f); ex != nil {
		return ex
	}
	return nil
}

// fatal picks out the errors that JavaScript cannot catch.
func fatal(err error) (error, bool) {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		return interrupted, true
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return overflow, true
	}
	return nil, false
}

// nothing is run now and then during long walks: the engine looks for an interrupt only while it executes code.
var nothing = sync.OnceValue(func() *goja.Program {
	tree, err := parser.ParseFile(nil, "", "0", 0, parser.WithDisableSourceMaps)
	if err != nil {
		panic(err) // a text that is always the same
	}
	program, err := goja.CompileAST(tree, true)
	if err != nil {
		panic(err)
	}
	return program
})

// pollEvery is the number of steps between two looks for an interrupt; a look costs as much as a few steps.
const pollEvery = 4096

// poll panics with the interrupt of the VM, if there is one; to be called under protect.
func poll(vm *goja.Runtime) {
	if _, err := vm.RunProgram(nothing()); err != nil {
		panic(err)
	}
}
