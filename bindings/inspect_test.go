package bindings

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files again; those of other engines need node")

// prompt begins a line of testdata/inspect.golden that holds an expression; the lines below it are what Node prints.
const prompt = "» "

// nodeProgram evaluates the expressions it reads, one to a line, as the test does. Errors have no frames there, because
// ours never have; Node puts brackets around such an error, which we do only inside something else.
const nodeProgram = `
	const util = require("util"), {Console} = require("console"), {Writable} = require("stream");
	const bare = (v, text) => util.types.isNativeError(v) ? text.replace(/^(<ref \*1> )?\[([^]*?)\]( {|$)/, "$1$2$3") : text;
	const inspect = v => bare(v, util.inspect(v)), format = (...args) => util.format(...args);
	const table = (...args) => {
		let text = "";
		const stdout = new Writable({write(chunk, encoding, done) { text += chunk; done(); }});
		new Console({stdout, stderr: stdout}).table(...args);
		return text.replace(/\n$/, "");
	};
	Error.stackTraceLimit = 0;
	for (const line of require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean))
		console.log(` + "`" + prompt + `${line}\n${new Function("inspect", "format", "table", "return " + line)(inspect, format, table)}` + "`" + `);`

// different says where our text is meant to differ from Node's.
var different = map[string]string{
	// Standing for itself, an Error has no brackets; util.format is not told apart from util.inspect by nodeProgram.
	`format([1, 2], new Error("e"))`: `[ 1, 2 ] Error: e`,
	`format("%s", new Error("e"))`:   `Error: e`,
}

func TestInspectReadsLikeNode(t *testing.T) {
	const file = "testdata/inspect.golden"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var expressions []string
	node := map[string]string{}
	for _, section := range strings.Split("\n"+string(data), "\n"+prompt)[1:] {
		expression, text, _ := strings.Cut(section, "\n")
		expressions = append(expressions, expression)
		node[expression] = strings.TrimSuffix(text, "\n")
	}
	require.Greater(t, len(expressions), 100)
	if *update {
		command := exec.Command("node", "-e", nodeProgram)
		command.Stdin = strings.NewReader(strings.Join(expressions, "\n"))
		command.Stderr = os.Stderr
		out, err := command.Output()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, out, 0o644))
		t.Skip("golden file written")
	}
	for _, expression := range expressions {
		t.Run(expression, func(t *testing.T) {
			want := node[expression]
			if ours, ok := different[expression]; ok {
				require.NotEqual(t, want, ours, "no difference any more")
				want = ours
			}
			require.Equal(t, want, shown(t, expression))
		})
	}
}

// shown evaluates an expression in a VM that has inspect, format and table.
func shown(t testing.TB, expression string) string {
	vm := goja.New()
	for name, f := range map[string]func(args []goja.Value) string{
		"inspect": func(args []goja.Value) string { return Inspect(vm, args[0]) },
		"format":  func(args []goja.Value) string { return Format(vm, args) },
		"table": func(args []goja.Value) string {
			return Table(vm, args[0], append(args[1:], nil)[0])
		},
	} {
		require.NoError(t, vm.Set(name, func(call goja.FunctionCall) goja.Value { return vm.ToValue(f(call.Arguments)) }))
	}
	v, err := vm.RunString("(function() { return " + expression + " })()")
	require.NoError(t, err, expression)
	return v.String()
}

// What only we show, or show otherwise.
func TestInspectOwnWays(t *testing.T) {
	for expression, want := range map[string]string{
		`inspect(new Map([[1, 2]]).entries())`: `Object [Map Iterator] {}`,
		`inspect({[Symbol.for("nodejs.util.inspect.custom")]() { throw 1 }})`: `{
  [Symbol(nodejs.util.inspect.custom)]: [Function: [nodejs.util.inspect.custom]]
}`,
		`inspect(1n << 1000000n)`: `[BigInt of 1000001 bits]`,
		`inspect(Object.assign(new Array(2e4).fill(0), {named: 1})).includes("named")`:                    `false`,
		`inspect(Object.create(new Proxy({}, {get() { throw 1 }, getPrototypeOf() { throw 1 }})))`:        `Object <Complex prototype> {}`,
		`inspect(class Buffer extends Uint8Array {}.from([104, 105]))`:                                    `<Buffer 68 69>`,
		`inspect(class Buffer extends Uint8Array {}.from({length: 60}))`:                                  `<Buffer ` + strings.Repeat("00 ", 50) + `... 10 more bytes>`,
		`inspect(Object.defineProperty(Math.max.bind(), "name", {get() { throw 1 }}))`:                    `[Function (anonymous)]`,
		`inspect(Object.assign(new Error("now"), {message: "later", name: "Late"}))`:                      `Late: later`,
		`inspect(Object.defineProperty(new Error("m"), "message", {get() { throw 1 }}))`:                  `Error`,
		`inspect({e: Object.assign(new Error("m"), {stack: "anything"})})`:                                `{ e: [Error: m] }`,
		`format("%j", (() => { const o = {n: NaN}; o.o = o; return o })())`:                               `{"n":"NaN","o":"[Circular ~]"}`,
		`format("%o", {a: {b: {c: {d: {e: 1}}}}})`:                                                        "{\n  a: {\n    b: { c: { d: { e: 1 } } }\n  }\n}",
		`format("%s %d %i", {toString() { throw 1 }}, {valueOf() { throw 1 }}, {toString() { throw 1 }})`: `{ toString: [Function: toString] } NaN NaN`,
		`table([{get a() { throw 1 }}])`:                                                                  "┌─────────┬──────────┐\n│ (index) │ a        │\n├─────────┼──────────┤\n│ 0       │ [Getter] │\n└─────────┴──────────┘",
		`table([1], "not a list")`:                                                                        "┌─────────┬────────┐\n│ (index) │ Values │\n├─────────┼────────┤\n│ 0       │ 1      │\n└─────────┴────────┘",
	} {
		require.Equal(t, want, shown(t, expression), expression)
	}
}

// Inspecting runs no code of the program, and nothing a program redefines changes what is shown.
func TestInspectRunsNothing(t *testing.T) {
	const value = `const trap = () => { ran++; throw new Error("ran"); };
		let ran = 0;
		class Point { constructor() { this.x = 1; } get y() { return trap(); } toString() { trap(); } toJSON() { trap(); } }
		const all = {point: new Point, list: [1, , "a"], map: new Map([[1, {a: 2}]]), set: new Set([3]), date: new Date(0), rx: /x/g,
			error: new RangeError("m"), typed: new Uint8Array([1]), boxed: new Number(1), get getter() { trap(); }, set setter(v) { trap(); },
			proxy: new Proxy({p: 1}, new Proxy({}, {get: trap})), f() {}, promise: Promise.resolve(1), nothing: Object.create(null)};
		Object.defineProperty(all.nothing, Symbol.toStringTag, {get: trap});
		Object.defineProperty(all.f, "name", {get: trap});
		`
	const pollution = `
		const {defineProperty, getPrototypeOf} = Object, {ownKeys} = Reflect;
		const classes = [Array, Map, Set, Date, Number, String, Promise, Error, Uint8Array, getPrototypeOf(Uint8Array), Function, Symbol];
		for (let i = 0; i < classes.length; i++) {
			const keys = ownKeys(classes[i].prototype);
			for (let j = 0; j < keys.length; j++)
				if (keys[j] !== "constructor" && keys[j] !== "name" && keys[j] !== "message" && keys[j] !== Symbol.toStringTag)
					try { defineProperty(classes[i].prototype, keys[j], {get: trap, set: trap}); } catch (e) {}
			defineProperty(classes[i], Symbol.hasInstance, {value: trap});
		}
		Object.keys = Object.getOwnPropertyDescriptor = Reflect.ownKeys = trap;
		const caught = ["value", "done", "enumerable", "configurable", "writable", "0", "1", "set", "get"];
		for (let i = 0; i < caught.length; i++) {
			const descriptor = Object.create(null);
			descriptor.get = descriptor.set = trap;
			defineProperty(Object.prototype, caught[i], descriptor);
		}
		ran = 0;`
	show := func(source string) string {
		vm, v := run(t, "(() => {"+source+" return [all, () => ran]; })()")
		pair := v.(*goja.Object)
		text := Inspect(vm, pair.Get("0")) + Format(vm, []goja.Value{vm.ToValue("%O"), pair.Get("0")}) + Table(vm, pair.Get("0"), nil)
		ran, ok := goja.AssertFunction(pair.Get("1"))
		require.True(t, ok)
		count, err := ran(nil)
		require.NoError(t, err)
		require.Zero(t, count.ToInteger())
		return text
	}
	want := show(value)
	require.Contains(t, want, "point: Point { x: 1 }")
	require.Contains(t, want, "getter: [Getter]")
	require.Contains(t, want, "proxy: { p: 1 }")
	require.Equal(t, want, show(value+pollution))
}

func TestInspectBounds(t *testing.T) {
	for name, source := range map[string]string{
		"string":     `"x".repeat(3e6)`,
		"keys":       `Object.fromEntries(Array.from({length: 1e4}, (_, i) => ["key" + i, i]))`,
		"tree":       `new Array(100).fill(new Array(100).fill(new Array(100).fill("leaf")))`,
		"wide tree":  `new Array(90).fill(Object.fromEntries(Array.from({length: 999}, (_, i) => ["k" + i, "v"])))`,
		"long names": `({["k".repeat(1e6)]: 1, ["l".repeat(1e6)]: 2})`,
		"message":    `new Error("m".repeat(1e6))`,
		"map":        `new Map(Array.from({length: 100}, (_, i) => ["k" + i, "v".repeat(5000)]))`,
	} {
		t.Run(name, func(t *testing.T) {
			vm, v := run(t, source)
			for _, text := range []string{
				Inspect(vm, v), Format(vm, []goja.Value{v, v}), Format(vm, []goja.Value{vm.ToValue("%s %j"), v, v}), Table(vm, v, nil),
				Format(vm, []goja.Value{vm.ToValue("%s"), vm.ToValue(strings.Repeat("é", MaxInspectBytes))}),
			} {
				require.LessOrEqual(t, len(text), MaxInspectBytes)
				require.True(t, utf8.ValidString(text))
			}
		})
	}
	vm, v := run(t, `"x".repeat(100000)`)
	require.Regexp(t, `^x+\.\.\. 34\d\d\d more characters$`, Format(vm, []goja.Value{v}))
	vm, v = run(t, `Object.fromEntries(Array.from({length: 2e4}, (_, i) => ["key" + i, i]))`)
	require.Regexp(t, `key3000: 3000,\n(.*\n)*  \.\.\. \d+ more properties\n}$`, Inspect(vm, v))
	vm, v = run(t, `Array.from({length: 1500}, (_, i) => i)`)
	require.Regexp(t, `│ 999     │ 999    │\n└.*┘\n\.\.\. 500 more rows$`, Table(vm, v, nil))
}

// A pending interrupt ends a long walk early and is still there for the program.
func TestInspectStops(t *testing.T) {
	const source = `const wide = {}; for (let i = 0; i < 1e4; i++) wide["k" + i] = 1; new Array(100).fill(new Array(100).fill([[wide]]))`
	vm, v := run(t, source)
	require.Greater(t, len(Inspect(vm, v)), 3)
	vm, v = run(t, source)
	stop := errors.New("deadline")
	require.NoError(t, vm.Set("show", func(v goja.Value) string {
		vm.Interrupt(stop)
		text := Inspect(vm, v)
		require.Equal(t, "...", text)
		return text
	}))
	require.NoError(t, vm.Set("v", v))
	_, err := vm.RunString(`try { show(v); } catch (e) {} "not reached"`)
	require.ErrorIs(t, err, stop)
}

func BenchmarkInspect(b *testing.B) {
	for _, bench := range []struct{ name, source string }{
		{"string", `"a line of output"`},
		{"small", `({exitCode: 0, output: "ok\n", truncated: false})`},
		{"rows", `Array.from({length: 100}, (_, i) => ({id: i, name: "row " + i, tags: ["a", "b"]}))`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			vm, v := run(b, bench.source)
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(Format(vm, []goja.Value{v}))))
			}
		})
	}
}

// The text of any string in quotes is JavaScript for that string again.
func FuzzInspectStrings(f *testing.F) {
	f.Add("plain")
	f.Add("it's \"both\" `and` ${more}")
	f.Add("\x00\u2028\\ \ufffd é😀\n")
	f.Fuzz(func(t *testing.T, text string) {
		vm := goja.New()
		v := vm.ToValue(text).(goja.String)
		back, err := vm.RunString(quoted(v))
		require.NoError(t, err)
		require.True(t, v.StrictEquals(back), "%q", quoted(v))
	})
}
