package bindings

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// MaxInspectBytes bounds the text of one console call: 64 KiB, what a person might still scroll through.
const MaxInspectBytes = 64 << 10

// The measures of Node's util.inspect, whose reader ours imitates.
const (
	inspectDepth      = 2     // containers below are written as [Object]
	inspectItems      = 100   // of an array, Map, Set or buffer
	inspectCharacters = 10000 // of a string inside something
	inspectWidth      = 80    // columns that the parts of a container share on one line
	inspectCompact    = 3     // innermost levels that may share a line
)

// Inspect returns the text that shows v to a person, as Node's util.inspect does by default:
//
//	{ name: 'x', list: [ 1, 2, 3 ], at: 2026-01-02T03:04:05.000Z, f: [Function: f] }
//
// It runs no code of the program: getters are shown as [Getter], a Proxy as its target, and a class is named from data
// properties only. (One exception: a program that redefines RegExp.prototype.source is asked for a pattern's source.)
//
// It differs from Node where Node shows what a program cannot see, or runs its code, and where it has no bound:
//   - an Error is its name and message without the stack, whose frames belong into a report; inside something it stands in
//     brackets, as Node writes an error that has no frames;
//   - the entries that an iterator has left are not shown, and Symbol.for("nodejs.util.inspect.custom") is not called;
//   - an object shows what fits into MaxInspectBytes and then `... 5 more properties`, and what is longer than that in the
//     end is cut at a character, with a count. An array of more than 10,000 items shows no named properties.
//
// An interrupt that arrives during a long walk ends it; the text then ends in `...`, and the interrupt stays pending for
// the code that called.
func Inspect(vm *goja.Runtime, v goja.Value) string {
	return withInspector(vm, func(x *inspector) string { return x.top(v, inspectDepth) })
}

// Format returns the text that console.log shows for its arguments, as Node's util.format does: a string in first place
// may hold %s, %d, %i, %f, %j, %o, %O, %c and %%, other strings are shown as they are, and everything else is inspected.
//
// %s and the numbers may run toString or valueOf of an argument; where that throws, the argument is inspected, or NaN. %j
// writes the argument as Export would, and %o shows four levels but no hidden properties.
func Format(vm *goja.Runtime, args []goja.Value) string {
	return withInspector(vm, func(x *inspector) string { return x.format(args) })
}

// Table returns the text that console.table shows: a row for each element of an array, or property of an object, a column
// for each property the rows have, or for those that columns, an array, names. What is no object is inspected. At most
// 1000 rows are shown.
func Table(vm *goja.Runtime, data, columns goja.Value) string {
	return withInspector(vm, func(x *inspector) string { return x.table(data, columns) })
}

// inspector writes values for one call.
type inspector struct {
	vm    *goja.Runtime
	in    *intrinsics
	plain *goja.Object // Object.prototype

	depth       int // containers nested deeper are only named
	items       int // shown of a list
	width       int
	indentation int
	standalone  *goja.Object // what is inspected for itself
	deepest     int          // nesting of the part written last
	seen        []*goja.Object
	circular    map[*goja.Object]int // numbers of what is referred to from inside itself
	written     int                  // bytes of parts so far
	steps       int
}

// withInspector runs write and returns its text within bounds.
func withInspector(vm *goja.Runtime, write func(*inspector) string) string {
	x := &inspector{vm: vm, in: pristine.Get().(*intrinsics), plain: vm.NewObject().Prototype(), items: inspectItems, width: inspectWidth}
	defer pristine.Put(x.in)
	text := "..."
	if err := protect(vm, func() { text = write(x) }); err != nil {
		if _, stopped := fatal(err); !stopped {
			text = "[not shown: " + brief(err.Error()) + "]"
		}
	}
	return bounded(text)
}

// bounded cuts text to MaxInspectBytes at a character and says how many are missing.
func bounded(text string) string {
	if len(text) <= MaxInspectBytes {
		return text
	}
	end := MaxInspectBytes - len("... 18446744073709551615 more characters")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more(units(text[end:]), "character")
}

// more counts what is left out: `... 1 more item`, `... 2 more items`.
func more(n int, what string) string {
	return "... " + count(n, "more "+what)
}

func count(n int, what string) string {
	if n > 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// full reports whether the room for parts is used up. An eighth is left for what the count does not know: wide columns, and
// the lines that say how much more there is.
func (x *inspector) full() bool { return x.written > MaxInspectBytes/8*7 }

// part counts the room that one part of a container takes: its text, if that has not been counted, and the line it may get.
func (x *inspector) part(text string) {
	x.written += len(text) + x.indentation + len(",\n  ")
}

// step counts work and now and then looks for an interrupt.
func (x *inspector) step(n int) {
	before := x.steps
	x.steps += n
	if x.steps/pollEvery != before/pollEvery {
		poll(x.vm)
	}
}

// top inspects a value for itself, to the given depth.
func (x *inspector) top(v goja.Value, depth int) string {
	x.depth, x.indentation, x.deepest = depth, 0, 0
	x.seen, x.circular = nil, nil
	x.standalone, _ = v.(*goja.Object)
	return x.value(v, 0)
}

// value writes v, which stands level containers deep.
func (x *inspector) value(v goja.Value, level int) string {
	x.step(1)
	var text string
	switch v := v.(type) {
	case nil:
		text = "undefined"
	case *goja.Object:
		return x.object(v, level)
	default:
		text = x.primitive(v)
	}
	x.written += len(text)
	return text
}

func (x *inspector) primitive(v goja.Value) string {
	switch v := v.(type) {
	case goja.String:
		return x.string(v)
	case *goja.Symbol:
		return symbolLiteral(v)
	}
	switch {
	case goja.IsBigInt(v):
		return bigintLiteral(v)
	case goja.IsNumber(v):
		return numberLiteral(v)
	default:
		return v.String() // undefined, null, true, false
	}
}

func numberLiteral(v goja.Value) string {
	if text := v.String(); text != "0" || !math.Signbit(v.ToFloat()) {
		return text
	}
	return "-0"
}
