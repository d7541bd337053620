package bindings

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// run evaluates a program of the test in a fresh VM.
func run(t testing.TB, source string) (*goja.Runtime, goja.Value) {
	t.Helper()
	vm := goja.New()
	v, err := vm.RunString(source)
	require.NoError(t, err, source)
	return vm, v
}

// changes writes conversions one to a line: `path: from -> to`.
func changes(list []Conversion) string {
	var lines []string
	for _, c := range list {
		lines = append(lines, fmt.Sprintf("%s: %s -> %s", c.Path, c.From, c.To))
	}
	return strings.Join(lines, "\n")
}

func TestExport(t *testing.T) {
	for _, test := range []struct{ name, source, want, changes string }{
		{"null", `null`, `null`, ``},
		{"undefined", `undefined`, ``, ``},
		{"booleans", `[true, false]`, `[true,false]`, ``},
		{"numbers", `[0, 1, -1.5, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53]`, `[0,1,-1.5,1e+21,1e-7,0.30000000000000004,9007199254740992]`, ``},
		{"string", `"a\"\\\n\r\t\u0001\u2028é😀</script>"`, `"a\"\\\n\r\t\u0001` + "\u2028" + `é😀</script>"`, ``},
		{"NaN", `NaN`, `"NaN"`, `~: NaN -> "NaN"`},
		{"not finite", `[Infinity, -Infinity]`, `["Infinity","-Infinity"]`,
			"~[0]: Infinity -> \"Infinity\"\n~[1]: -Infinity -> \"-Infinity\""},
		{"negative zero", `({z: -0})`, `{"z":0}`, `~.z: -0 -> 0`},
		{"BigInt", `({id: 9007199254740993n})`, `{"id":"9007199254740993"}`, `~.id: BigInt -> decimal string`},
		{"key order", `({zeta: 1, alpha: 2, 10: 3, 9: 4})`, `{"9":4,"10":3,"zeta":1,"alpha":2}`, ``},
		{"empty", `[{}, []]`, `[{},[]]`, ``},
		{"dropped", `({a: undefined, f() {}, s: Symbol("q"), k: 1, [Symbol("key")]: 2})`, `{"k":1}`,
			"~.a: undefined -> dropped\n~.f: Function f -> dropped\n~.s: Symbol q -> dropped\n~[Symbol key]: symbol key -> dropped"},
		{"null in lists", `[1, , undefined, () => 1, Symbol()]`, `[1,null,null,null,null]`,
			"~[1]: hole -> null\n~[2]: undefined -> null\n~[3]: Function -> null\n~[4]: Symbol -> null"},
		{"function", `(function f() {})`, `"[Function f]"`, `~: Function f -> "[Function f]"`},
		{"anonymous function", `(() => 1)`, `"[Function]"`, `~: Function -> "[Function]"`},
		{"class", `(class A {})`, `"[Function A]"`, `~: Function A -> "[Function A]"`},
		{"symbol", `Symbol("q")`, `"[Symbol q]"`, `~: Symbol q -> "[Symbol q]"`},
		{"Date", `[new Date(0), new Date(NaN), new Date(Date.UTC(12345, 0)), new Date(Date.UTC(-5, 5))]`,
			`["1970-01-01T00:00:00.000Z","Invalid Date","+012345-01-01T00:00:00.000Z","-000005-06-01T00:00:00.000Z"]`,
			"~[0]: Date -> \"1970-01-01T00:00:00.000Z\"\n~[1]: Date -> \"Invalid Date\"\n" +
				"~[2]: Date -> \"+012345-01-01T00:00:00.000Z\"\n~[3]: Date -> \"-000005-06-01T00:00:00.000Z\""},
		{"lone surrogate", `["\ud800x", "ok\ufffd", "\ud83d\ude00"]`, `["` + "\uFFFD" + `x","ok` + "\uFFFD" + `","😀"]`,
			`~[0]: lone surrogate -> U+FFFD`},
		{"lone surrogate in keys", `({b: 1, "\ud800": 2, "\ufffd": 3})`, `{"b":1,"` + "\uFFFD" + `":2,"` + "\uFFFD" + `":3}`,
			"~[\"\uFFFD\"]: lone surrogate in the key -> U+FFFD"},
		{"Map of strings", `new Map([["b", 1], ["1", new Map()]])`, `{"b":1,"1":{}}`, "~: Map -> object\n~[\"1\"]: Map -> object"},
		{"Map of others", `new Map([[1, "a"], [{}, NaN]])`, `[[1,"a"],[{},"NaN"]]`,
			"~: Map -> array of [key, value]\n~[1][1]: NaN -> \"NaN\""},
		{"Map of undefined", `new Map([["a", undefined], ["b", 1]])`, `{"b":1}`, "~: Map -> object\n~.a: undefined -> dropped"},
		{"Set", `new Set([1, [2]])`, `[1,[2]]`, `~: Set -> array`},
		{"RegExp", `/a\/b/gi`, `"/a\\/b/gi"`, `~: RegExp -> "/a\\/b/gi"`},
		{"Error", `new TypeError("why", {cause: "x"})`, `{"name":"TypeError","message":"why","cause":"x"}`, `~: TypeError -> object`},
		{"Error cause", `new Error("a", {cause: new Error("b")})`, `{"name":"Error","message":"a","cause":{"name":"Error","message":"b"}}`,
			"~: Error -> object\n~.cause: Error -> object"},
		{"AggregateError", `new AggregateError([1], "m")`, `{"name":"AggregateError","message":"m","errors":[1]}`, `~: AggregateError -> object`},
		{"Error subclass", `class Oops extends Error { get name() { return "Oops"; } }; new Oops("m")`, `{"name":"Oops","message":"m"}`,
			`~: Oops -> object`},
		{"typed arrays", `[new Uint8Array([1, 2]), new Float64Array([NaN, 0.5]), new BigInt64Array([-1n]), new BigUint64Array([2n ** 64n - 1n]), new Uint8ClampedArray([300])]`,
			`[[1,2],["NaN",0.5],["-1"],["18446744073709551615"],[255]]`,
			"~[0]: Uint8Array -> array\n~[1]: Float64Array -> array\n~[1][0]: NaN -> \"NaN\"\n~[2]: BigInt64Array -> array\n" +
				"~[2][0]: BigInt -> decimal string\n~[3]: BigUint64Array -> array\n~[3][0]: BigInt -> decimal string\n~[4]: Uint8ClampedArray -> array"},
		{"buffers", `const b = new Uint8Array([1, 2, 3]).buffer; [b, new DataView(b, 1), new Uint8Array(b, 2)]`, `[[1,2,3],[2,3],[3]]`,
			"~[0]: ArrayBuffer -> array\n~[1]: DataView -> array\n~[2]: Uint8Array -> array"},
		{"boxed", `[new Number(1), new String("s"), new Boolean(false), Object(2n), Object(Symbol("q"))]`, `[1,"s",false,"2",null]`,
			"~[0]: Number object -> its value\n~[1]: String object -> its value\n~[2]: Boolean object -> its value\n" +
				"~[3]: BigInt object -> its value\n~[3]: BigInt -> decimal string\n~[4]: Symbol object -> its value\n~[4]: Symbol q -> null"},
		{"cycle", `const o = {n: 1}; o.self = o; o`, `{"n":1,"self":"[Circular ~]"}`, `~.self: cycle -> "[Circular ~]"`},
		{"cycle below", `const p = {a: [0, {}]}; p.a[1]["odd name"] = p.a; p.a[1].m = new Map([["k", p.a[1]]]); p`,
			`{"a":[0,{"odd name":"[Circular ~.a]","m":{"k":"[Circular ~.a[1]]"}}]}`,
			"~.a[1][\"odd name\"]: cycle -> \"[Circular ~.a]\"\n~.a[1].m: Map -> object\n~.a[1].m.k: cycle -> \"[Circular ~.a[1]]\""},
		{"shared is no cycle", `const s = {x: 1}; [s, s]`, `[{"x":1},{"x":1}]`, ``},
		{"throwing getter", `({get x() { throw new Error("getter boom"); }, get z() { throw 7; }, y: 2})`,
			`{"x":"[Threw: getter boom]","z":"[Threw: 7]","y":2}`,
			"~.x: throwing getter -> \"[Threw: getter boom]\"\n~.z: throwing getter -> \"[Threw: 7]\""},
		{"getter", `({get x() { return [1]; }, get gone() {}})`, `{"x":[1]}`, `~.gone: undefined -> dropped`},
		{"getter in a list", `const l = [1, 2]; Object.defineProperty(l, 0, {get() { throw {}; }}); l`, `["[Threw: Object]",2]`,
			`~[0]: throwing getter -> "[Threw: Object]"`},
		{"null prototype", `const n = Object.create(null); n.x = 1; n`, `{"x":1}`, ``},
		{"not enumerable", `Object.defineProperty({a: 1}, "hidden", {value: 2})`, `{"a":1}`, ``},
		{"toJSON", `class P { toJSON(key) { return {key, at: [1]}; } }; ({p: new P, q: [new P]})`,
			`{"p":{"key":"p","at":[1]},"q":[{"key":"0","at":[1]}]}`,
			"~.p: P -> result of its toJSON\n~.q[0]: P -> result of its toJSON"},
		{"toJSON of an Error", `class E extends Error { toJSON() { return {code: 1}; } }; new E`, `{"code":1}`, `~: E -> result of its toJSON`},
		{"toJSON of undefined", `[{toJSON() {}}, {a: {toJSON() {}}}]`, `[null,{}]`,
			"~[0]: Object -> result of its toJSON\n~[0]: undefined -> null\n~[1].a: Object -> result of its toJSON\n~[1].a: undefined -> dropped"},
		{"toJSON throwing", `({toJSON() { throw "no"; }})`, `"[Threw: no]"`, `~: throwing toJSON -> "[Threw: no]"`},
		{"toJSON of itself", `({a: 1, toJSON() { return this; }})`, `{"a":1}`, `~.toJSON: Function toJSON -> dropped`},
		{"toJSON around itself", `({toJSON() { return [this]; }})`, `["[Circular ~]"]`,
			"~: Object -> result of its toJSON\n~[0]: cycle -> \"[Circular ~]\""},
		{"toJSON that is a Proxy", `({toJSON: new Proxy(() => 1, {})})`, `1`, `~: Object -> result of its toJSON`},
		{"toJSON that is data", `({toJSON: 1})`, `{"toJSON":1}`, ``},
		{"Proxy", `new Proxy({a: 1, b: 2}, {get: (o, k) => k === "toJSON" ? undefined : k + "!"})`, `{"a":"a!","b":"b!"}`, ``},
		{"Proxy of an array", `new Proxy([1, 2], {})`, `[1,2]`, ``},
		{"Proxy of a function", `new Proxy(function f() {}, {})`, `"[Function]"`, `~: Function -> "[Function]"`},
		{"hostile Proxy", `new Proxy({}, {ownKeys() { throw new Error("trap"); }})`, `"[Threw: trap]"`, `~: throwing Proxy -> "[Threw: trap]"`},
		{"hostile get", `[new Proxy({a: 1}, {get() { throw new Error("trap"); }})]`, `["[Threw: trap]"]`, `~[0]: throwing getter -> "[Threw: trap]"`},
		{"hostile length", `new Proxy([], {get(o, k) { if (k === "length") return {valueOf() { throw "len"; }}; }})`, `"[Threw: len]"`,
			`~: throwing Proxy -> "[Threw: len]"`},
		{"Proxy throwing undefined", `new Proxy({}, {ownKeys() { throw undefined; }})`, `"[Threw: undefined]"`,
			`~: throwing Proxy -> "[Threw: undefined]"`},
		{"revoked Proxy", `const r = Proxy.revocable({}, {}); r.revoke(); [r.proxy]`,
			`["[Threw: Cannot perform 'IsArray' on a proxy that has been revoked]"]`,
			`~[0]: throwing Proxy -> "[Threw: Cannot perform 'IsArray' on a proxy that has been revoked]"`},
		{"opaque", `[Promise.resolve(1), new WeakMap, new WeakSet, (function*(){})(), [][Symbol.iterator]()]`,
			`["[Promise]","[WeakMap]","[WeakSet]","[Generator]","[Array Iterator]"]`,
			"~[0]: Promise -> \"[Promise]\"\n~[1]: WeakMap -> \"[WeakMap]\"\n~[2]: WeakSet -> \"[WeakSet]\"\n" +
				"~[3]: Generator -> \"[Generator]\"\n~[4]: Array Iterator -> \"[Array Iterator]\""},
		{"raw JSON", `({n: JSON.rawJSON("12345678901234567890")})`, `{"n":12345678901234567890}`, ``},
		{"arguments", `(function() { return arguments; })(1, 2)`, `{"0":1,"1":2}`, ``},
		{"named property of a list", `Object.assign([1], {index: 0})`, `[1]`, ``},
		{"long prototype chain", `let c = {}; for (let i = 0; i < 5000; i++) c = Object.create(c); c.x = 1; c`, `{"x":1}`, ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			vm, v := run(t, test.source)
			got, err := Export(vm, v)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got.JSON))
			require.Equal(t, test.want != "", got.Present)
			require.Equal(t, test.changes, changes(got.Conversions))
			if got.Present {
				require.True(t, json.Valid(got.JSON), "valid JSON")
			}
		})
	}
}

// A program that has redefined what the walk could be tempted to use gets the same answer.
func TestExportIsImmuneToPollution(t *testing.T) {
	const value = `const v = {l: [1, , 2], m: new Map([["a", 1]]), n: new Map([[1, 2]]), s: new Set([1]), d: new Date(0), r: /x/g,
		u: new Uint8Array([7]), e: new RangeError("m"), b: [new Number(1), new String("s")]};`
	const pollution = `
		const hijack = function() { throw new Error("hijacked"); };
		const {defineProperty, getPrototypeOf} = Object, {ownKeys} = Reflect;
		const classes = [Array, Map, Set, Date, RegExp, Number, String, Uint8Array, getPrototypeOf(Uint8Array)];
		for (let i = 0; i < classes.length; i++) {
			const keys = ownKeys(classes[i].prototype);
			for (let j = 0; j < keys.length; j++)
				if (keys[j] !== "constructor" && keys[j] !== "source")
					try { defineProperty(classes[i].prototype, keys[j], {get: hijack, set: hijack}); } catch (e) {}
		}
		Array.prototype[1] = "inherited";
		Object.keys = Object.entries = Reflect.ownKeys = JSON.stringify = hijack;
		Object.prototype.toJSON = hijack;
		Object.prototype.cause = 1;
		const caught = ["value", "done", "enumerable", "configurable", "writable", "0", "1", "2", "set", "get"];
		for (let i = 0; i < caught.length; i++) {
			const descriptor = Object.create(null);
			descriptor.get = descriptor.set = hijack;
			defineProperty(Object.prototype, caught[i], descriptor);
		}
		`
	vm, v := run(t, value+"v")
	want, err := Export(vm, v)
	require.NoError(t, err)
	require.Equal(t, `{"l":[1,null,2],"m":{"a":1},"n":[[1,2]],"s":[1],"d":"1970-01-01T00:00:00.000Z","r":"/x/g","u":[7],`+
		`"e":{"name":"RangeError","message":"m"},"b":[1,"s"]}`, string(want.JSON))
	vm, v = run(t, value+pollution+"v")
	got, err := Export(vm, v)
	require.NoError(t, err)
	require.Equal(t, string(want.JSON), string(got.JSON))
	require.Equal(t, want.Conversions, got.Conversions)
}

func TestExportBounds(t *testing.T) {
	cut := func(t *testing.T, source string) Exported {
		t.Helper()
		vm, v := run(t, source)
		got, err := Export(vm, v)
		require.NoError(t, err)
		require.True(t, json.Valid(got.JSON))
		require.LessOrEqual(t, len(got.JSON), MaxExportBytes)
		return got
	}
	for name, source := range map[string]string{
		"sparse array":      `new Array(1e9)`,
		"dense array":       `new Array(2e5).fill("xxxxxxxx")`,
		"typed array":       `new Float64Array(1e7)`,
		"array buffer":      `new ArrayBuffer(1e7)`,
		"set":               `const s = new Set; for (let i = 0; i < 5e4; i++) s.add("a member that is longer " + i); s`,
		"map":               `const m = new Map; for (let i = 0; i < 5e4; i++) m.set(i, "a value that is longer " + i); m`,
		"map of strings":    `const n = new Map; for (let i = 0; i < 5e4; i++) n.set("a key that is longer " + i, i); n`,
		"object":            `const o = {}; for (let i = 0; i < 5e4; i++) o["a key that is longer " + i] = i; o`,
		"unfolding graph":   `let g = [1]; for (let i = 0; i < 60; i++) g = [g, g]; g`,
		"endless Proxy":     `const p = () => new Proxy([], {get: (o, k) => k === "length" ? 9 : k === "8" ? p() : "x".repeat(9999)}); p()`,
		"long list of ways": `new Proxy([], {get: (o, k) => k === "length" ? 2 ** 53 - 1 : k})`,
		"many undefined":    `new Array(3e5).fill(undefined)`,
	} {
		t.Run(name, func(t *testing.T) {
			got := cut(t, source)
			require.True(t, strings.Contains(string(got.JSON), `[…]"`), "mark")
			require.LessOrEqual(t, len(got.Conversions), MaxConversions)
			require.Greater(t, len(got.JSON), MaxExportBytes-closing-100)
		})
	}
	t.Run("strings", func(t *testing.T) {
		for _, s := range []string{`"x".repeat(3e6)`, `"\u0001".repeat(3e6)`, `"é😀".repeat(3e6)`, `"\ud83d".repeat(3e6)`, `"\"".repeat(1e6)`} {
			got := cut(t, s)
			require.True(t, strings.HasSuffix(string(got.JSON), `[…]"`))
			require.Greater(t, len(got.JSON), MaxExportBytes-closing-10)
			require.Equal(t, "~", got.Conversions[len(got.Conversions)-1].Path)
		}
	})
	t.Run("long key", func(t *testing.T) {
		got := cut(t, `({a: 1, ["k".repeat(2e6)]: 2, b: 3})`)
		require.Equal(t, `{"a":1,"[…]":"[…]"}`, string(got.JSON))
	})
	t.Run("BigInt", func(t *testing.T) {
		got := cut(t, `1n << 40000000n`)
		require.Equal(t, `"[…]"`, string(got.JSON))
	})
	t.Run("depth", func(t *testing.T) {
		vm, v := run(t, `let d = "deep"; for (let i = 0; i < 64; i++) d = [d]; d`)
		got, err := Export(vm, v)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("[", 64)+`"deep"`+strings.Repeat("]", 64), string(got.JSON))
		require.Empty(t, got.Conversions)

		got = cut(t, `let d = {}; for (let i = 0; i < 1e5; i++) d = [d]; d`)
		require.Equal(t, strings.Repeat("[", 64)+`"[…]"`+strings.Repeat("]", 64), string(got.JSON))
		require.Equal(t, `nesting deeper than 64`, got.Conversions[0].From)
	})
	t.Run("conversions", func(t *testing.T) {
		got := cut(t, `new Array(3000).fill(NaN)`)
		require.Len(t, got.Conversions, MaxConversions)
		require.Equal(t, 2000, got.Omitted)
	})
}

// What ends a program must not be swallowed by the rule for throwing getters, and leaves the VM usable.
func TestExportPassesStopsOn(t *testing.T) {
	stop := errors.New("deadline")
	for _, test := range []struct {
		source string
		before bool // interrupted before the walk begins
	}{
		{`({get x() { interrupt(); for (;;) {} }})`, false},
		{`({toJSON() { interrupt(); for (;;) {} }})`, false},
		{`({toJSON: new Proxy(() => { interrupt(); for (;;) {} }, {})})`, false},
		{`new Proxy({}, {ownKeys() { interrupt(); for (;;) {} }})`, false},
		{`({get x() { try { interrupt(); for (;;) {} } catch (e) {} finally { for (;;) {} } }})`, false},
		{`({get x() { interrupt(); return 1; }, get y() { return 2; }})`, false},
		// No code runs here, so it takes the look for an interrupt. The walk would take years and write next to nothing.
		{`const wide = {}; for (let i = 0; i < 1e4; i++) wide["k" + i] = undefined; new Array(5e5).fill(wide)`, true},
	} {
		vm := goja.New()
		require.NoError(t, vm.Set("interrupt", func() { vm.Interrupt(stop) }))
		v, err := vm.RunString(test.source)
		require.NoError(t, err)
		if test.before {
			vm.Interrupt(stop)
		}
		_, err = Export(vm, v)
		var interrupted *goja.InterruptedError
		require.ErrorAs(t, err, &interrupted, test.source)
		require.ErrorIs(t, err, stop)
		require.Same(t, interrupted, err, "as it is, not wrapped as a fault")
		vm.ClearInterrupt()
		again, err := vm.RunString("1 + 1")
		require.NoError(t, err)
		require.EqualValues(t, 2, again.ToInteger())
	}

	vm := goja.New()
	vm.SetMaxCallStackSize(100)
	v, err := vm.RunString(`({get x() { return this.x; }})`)
	require.NoError(t, err)
	_, err = Export(vm, v)
	var overflow *goja.StackOverflowError
	require.ErrorAs(t, err, &overflow)
	require.Same(t, overflow, err)
}

// Exporting runs no promise job: the program is not continued behind its back.
func TestExportRunsNoJobs(t *testing.T) {
	vm := goja.New()
	require.NoError(t, vm.Set("look", func(v goja.Value) string {
		got, err := Export(vm, v)
		require.NoError(t, err)
		return string(got.JSON)
	}))
	v, err := vm.RunString(`let ran = false; Promise.resolve().then(() => ran = true); [look({get x() { return ran; }}), ran]`)
	require.NoError(t, err)
	got, err := Export(vm, v)
	require.NoError(t, err)
	require.Equal(t, `["{\"x\":false}",false]`, string(got.JSON))
}

func FuzzExportStrings(f *testing.F) {
	f.Add([]byte("plain"), 10)
	f.Add([]byte("\xff\x00\"\\"), 3)
	f.Add([]byte("é😀\u2028"), 4)
	f.Fuzz(func(t *testing.T, text []byte, room int) {
		out := jsonText{room: room % 1000}
		whole := out.text(string(text), true)
		require.True(t, json.Valid(out.buf), "%q", out.buf)
		var back string
		require.NoError(t, json.Unmarshal(out.buf, &back))
		if whole {
			require.LessOrEqual(t, len(out.buf), out.room)
		} else {
			require.LessOrEqual(t, len(out.buf), max(0, out.room)+len(cutMark)+2)
			back = strings.TrimSuffix(back, cutMark)
		}
		valid := string([]rune(string(text))) // each byte that is not UTF-8 becomes U+FFFD
		require.True(t, strings.HasPrefix(valid, back), "%q is the head of %q", back, valid)
	})
}

func BenchmarkExport(b *testing.B) {
	for _, bench := range []struct{ name, source string }{
		{"small", `({exitCode: 0, output: "ok\n", truncated: false})`},
		{"rows", `Array.from({length: 1000}, (_, i) => ({id: i, name: "row " + i, tags: ["a", "b"]}))`},
		{"string", `"line of text\n".repeat(50000)`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			vm, v := run(b, bench.source)
			b.ReportAllocs()
			for b.Loop() {
				got, err := Export(vm, v)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(got.JSON)))
			}
		})
	}
}
