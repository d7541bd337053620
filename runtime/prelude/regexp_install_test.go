package prelude

import (
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// TestRegExpConstructor holds the constructor that programs see against what ECMAScript says of RegExp. Node answers true to all of
// these as well.
func TestRegExpConstructor(t *testing.T) {
	for _, expression := range []string{
		// What it is.
		`typeof RegExp === "function" && RegExp.name === "RegExp" && RegExp.length === 2`,
		`RegExp === globalThis.RegExp && RegExp.prototype.constructor === RegExp`,
		`Object.getPrototypeOf(RegExp) === Function.prototype`,
		`RegExp[Symbol.species] === RegExp`,
		`String(RegExp) === "function RegExp() { [native code] }"`,
		`Object.keys(RegExp).length === 0 && Object.keys(RegExp.prototype).length === 0`,
		`JSON.stringify(Object.getOwnPropertyDescriptor(globalThis, "RegExp")) === '{"writable":true,"enumerable":false,"configurable":true}'`,
		`JSON.stringify(Object.getOwnPropertyDescriptor(RegExp, "prototype")) === '{"writable":false,"enumerable":false,"configurable":false}' || RegExp.prototype !== undefined`,
		`Object.getOwnPropertyDescriptor(RegExp.prototype, "source").set === undefined`,
		`RegExp.prototype.source === "(?:)" && RegExp.prototype.toString() === "/(?:)/"`,
		`RegExp.prototype.toString.length === 0 && RegExp.prototype[Symbol.split].name === "[Symbol.split]"`,

		// What it makes.
		`/a/ instanceof RegExp && /a/.constructor === RegExp`,
		`new RegExp("\\p{L}", "u") instanceof RegExp && new RegExp("\\p{L}", "u").constructor === RegExp`,
		`RegExp("\\p{L}", "u") instanceof RegExp`,
		`Object.prototype.toString.call(new RegExp("\\p{L}", "u")) === "[object RegExp]"`,
		`Object.getPrototypeOf(new RegExp("a")) === RegExp.prototype`,
		`Reflect.ownKeys(new RegExp("\\p{L}", "u")).join() === "lastIndex"`,
		`new RegExp().source === "(?:)" && new RegExp("").source === "(?:)" && new RegExp(undefined, undefined).flags === ""`,
		`new RegExp(null).source === "null" && new RegExp(12).test("12") && new RegExp(["a", "b"]).source === "a,b"`,
		`new RegExp({ toString: () => "x+" }).source === "x+"`,
		`new RegExp("a", "g") !== new RegExp("a", "g")`,
		`(() => { const a = new RegExp("\\p{L}", "gu"); a.test("xy"); return a.lastIndex === 1 && new RegExp("\\p{L}", "gu").lastIndex === 0 })()`,

		// What it shows.
		`new RegExp("\\p{L}+", "gu").source === "\\p{L}+"`,
		`String(new RegExp("[\\p{L}/]/", "gu")) === "/[\\p{L}/]\\//gu"`,
		"`${new RegExp(\"^\\\\p{Lu}.$\", \"mu\")}` === \"/^\\\\p{Lu}.$/mu\"",
		`new RegExp("/").source === "\\/" && new RegExp("[/]").source === "[/]" && new RegExp("\\/").source === "\\/"`,
		`new RegExp("\n.").source === "\\n." && new RegExp("\\\n.").source === "\\n."`,
		`new RegExp("\u2028.").source === "\\u2028."`,
		`new RegExp("\\bé\\b", "i").source === "\\bé\\b"`,
		`/./.source === "." && String(/[/]\//g) === "/[/]\\//g"`,
		`new RegExp("\\p{L}", "ygu").flags === "guy"`,
		`new RegExp("\\p{L}", "iu").ignoreCase && new RegExp("\\p{L}", "iu").unicode && !new RegExp("\\p{L}", "u").global`,
		`new RegExp("\ud800\\p{L}", "u").source === "\\ud800\\p{L}" || new RegExp("\ud800\\p{L}", "u").source === "\ud800\\p{L}"`,
		`new RegExp("\\\ud83d.").test("\ud83dx")`,

		// From another one.
		`(() => { const a = /x/g; return new RegExp(a) !== a && new RegExp(a).flags === "g" && new RegExp(a, "i").flags === "i" })()`,
		`(() => { const a = new RegExp("\\p{L}", "u"); const b = new RegExp(a, "giu"); return b.source === "\\p{L}" && b.flags === "giu" && b.test("é") })()`,
		`new RegExp(new RegExp("\\p{Lu}", "u")).test("É") && !new RegExp(new RegExp("\\p{Lu}", "u")).test("é")`,
		`new RegExp(/\p{L}/, "u").test("é") && !/\p{L}/.test("é")`,
		`(() => { const like = { [Symbol.match]: true, source: "\\p{L}", flags: "u", constructor: 1 }; return new RegExp(like).test("é") })()`,
		`(() => { const a = /a/; a[Symbol.match] = false; return new RegExp(a).source === "a" })()`,
		`(() => { const a = /a/g; Object.defineProperty(a, "flags", { value: "y" }); return new RegExp(a).flags === "g" })()`,
		`(() => { const a = /a/; return a.compile("\\p{L}", "u") === a && a.test("é") && a.source === "\\p{L}" })()`,
		`(() => { const a = /a/; a.compile(new RegExp("\\p{L}", "u")); return a.test("é") && a.source === "\\p{L}" })()`,

		// Extended.
		`(() => { class X extends RegExp {} const x = new X("\\p{L}", "u"); return x instanceof X && x instanceof RegExp && x.test("é") && x.source === "\\p{L}" })()`,
		`(() => { class X extends RegExp {} return new X(/a/g) instanceof X && new X(/a/g).flags === "g" })()`,
		`(() => { class X extends RegExp { exec(s) { const m = super.exec(s); return m && Object.assign(m, { seen: true }) } } return "é".match(new X("\\p{L}", "u")).seen })()`,
		`(() => { class X extends RegExp { constructor(p) { super(p, "u"); this.extra = 1 } } return new X("\\p{L}").extra === 1 })()`,
		`(() => { class X extends RegExp {} return "aéb".split(new X("[^\\p{ASCII}]", "u")).join() === "a,b" && [..."éà".matchAll(new X("\\p{L}", "gu"))].length === 2 })()`,
		`(() => { function F() {} const r = Reflect.construct(RegExp, ["\\p{L}", "u"], F); return Object.getPrototypeOf(r) === F.prototype && RegExp.prototype.exec.call(r, "é")[0] === "é" })()`,
		`class Y extends RegExp { static get [Symbol.species]() { return RegExp } } "a1b".split(new Y("\\d")).join() === "a,b"`,

		// Used.
		`"héllo wörld!".replace(new RegExp("[^\\p{L}\\s]", "gu"), "") === "héllo wörld"`,
		`"Ünïcödé tèxt".match(new RegExp("\\p{L}+", "gu")).join("|") === "Ünïcödé|tèxt"`,
		`"é1".replace(new RegExp("(?<letter>\\p{L})(?<digit>\\p{N})", "u"), "$<digit>$<letter>") === "1é"`,
		`"é".match(new RegExp("(?<x>\\p{L})", "u")).groups.x === "é"`,
		`"a, b ,c".split(new RegExp("\\s*,\\s*")).join("|") === "a|b|c"`,
		`"é b".split(new RegExp("\\s*")).join("|") === "é|b" && "é1b".split(new RegExp("(\\d?)")).join("|") === "é|1|b"`,
		`"éabc".split(new RegExp("x*"), 2).join("|") === "é|a" && "é".split(new RegExp("x*"), 0).length === 0 && "éa".split(new RegExp("x*"), -1).length === 2`,
		`"".split(new RegExp("x*")).length === 0 && "".split(new RegExp("x")).length === 1`,
		`"content-type: a\r\nx: b\r\n".match(new RegExp("^x: (.*)$", "m"))[1] === "b"`,
		`"a\r\nb".split(new RegExp("$", "m")).length === 3 || "a\r\nb".replace(new RegExp("$", "gm"), "|") === "a|\r|\nb|"`,

		// Kept from a program.
		`(() => { const S = SyntaxError; SyntaxError = 1; try { new RegExp("\\p{Nope}", "u") } catch (e) { return e instanceof S } finally { SyntaxError = S } })()`,
		`(() => { Object.defineProperty(RegExp.prototype, Symbol.match, { value: false }); return new RegExp("a").test("a") && new RegExp("\\p{L}", "u").test("é") })()`,
	} {
		t.Run(expression, func(t *testing.T) {
			got, err := regExpVM(t).RunString("RegExp;" + expression) // a literal alone does not make the constructor
			require.NoError(t, err)
			require.True(t, got.ToBoolean())
		})
	}
}

func TestRegExpErrors(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{`new RegExp("\\p{Latin}", "u")`, `SyntaxError: Invalid regular expression: /\p{Latin}/u: invalid property name "Latin"; near: \p{Script=Latin}`},
		{`new RegExp("\\p{Letters}", "u")`, `SyntaxError: Invalid regular expression: /\p{Letters}/u: invalid property name "Letters"; near: \p{Letter}`},
		{`new RegExp("\\p{letter}", "u")`, `SyntaxError: Invalid regular expression: /\p{letter}/u: invalid property name "letter"; near: \p{Letter}`},
		{`new RegExp("\\p{upper case}", "u")`, `SyntaxError: Invalid regular expression: /\p{upper case}/u: invalid property name "upper case"; near: \p{Uppercase}, \p{Lowercase}`},
		{`new RegExp("\\p{IsGreek}", "u")`, `SyntaxError: Invalid regular expression: /\p{IsGreek}/u: invalid property name "IsGreek"; near: \p{Script=Greek}`},
		{`new RegExp("\\p{IsL}", "u")`, `SyntaxError: Invalid regular expression: /\p{IsL}/u: invalid property name "IsL"; near: \p{L}`},
		{`new RegExp("\\p{Script=Grek2}", "u")`, `SyntaxError: Invalid regular expression: /\p{Script=Grek2}/u: invalid property name "Script=Grek2"; near: \p{Script=Grek}`},
		{`new RegExp("\\p{gc=Letters}", "u")`, `SyntaxError: Invalid regular expression: /\p{gc=Letters}/u: invalid property name "gc=Letters"; near: \p{General_Category=Letter}`},
		{`new RegExp("\\p{Emojis}", "u")`, `SyntaxError: Invalid regular expression: /\p{Emojis}/u: invalid property name "Emojis"; near: \p{Emoji}`},
		{`new RegExp("\\p{Qqqqqqqqq}", "u")`, `SyntaxError: Invalid regular expression: /\p{Qqqqqqqqq}/u: invalid property name "Qqqqqqqqq"`},
		{`new RegExp("\\p{RGI_Emoji}", "u")`, `SyntaxError: Invalid regular expression: /\p{RGI_Emoji}/u: the property "RGI_Emoji" is of the flag v, which the engine does not support; near: \p{Extended_Pictographic}`},
		{`new RegExp("\\pL", "u")`, `SyntaxError: Invalid regular expression: /\pL/u: a property stands in braces, as in \p{L}`},
		{`new RegExp("[\\P{L", "u")`, `SyntaxError: Invalid regular expression: /[\P{L/u: a property stands in braces, as in \P{L}`},
		{`new RegExp("[\\p{L}-z]", "u")`, `SyntaxError: Invalid regular expression: /[\p{L}-z]/u: a class at an end of a range in a character class`},
		{`new RegExp("\\A", "u")`, `SyntaxError: Invalid regular expression: /\A/u: invalid escape \A`},
		{`new RegExp("a", "v")`, `SyntaxError: Invalid regular expression: /a/v: the flag v is not supported by the engine: use the flag u`},
		{`RegExp("a", "dg")`, `SyntaxError: Invalid regular expression: /a/dg: the flag d is not supported by the engine: use match.index and the lengths of the groups`},
		{`new RegExp("a", "gg")`, `SyntaxError: Invalid flags supplied to RegExp constructor 'gg'`},
		{`new RegExp("a", "x")`, `SyntaxError: Invalid flags supplied to RegExp constructor 'x'`},
		{`new RegExp("\\p{L}(", "u")`, `SyntaxError: Invalid regular expression: /\p{L}(/u: Unterminated group`},
		{`new RegExp("a)")`, `SyntaxError: Invalid regular expression: /a)/: Unmatched ')'`},
		{`new RegExp("[")`, `SyntaxError: Invalid regular expression: /[/: Unterminated character class`},
		{`new RegExp("a**")`, "SyntaxError: Invalid regular expression: /a**/: invalid nested repetition operator"},
		{`new RegExp("(?=a)[b-a]")`, "SyntaxError: Invalid regular expression: /(?=a)[b-a]/: range out of order in a character class"},
		{`new RegExp("x".repeat(300) + "(")`, "SyntaxError: Invalid regular expression: /" + strings.Repeat("x", 200) + "…/: Unterminated group"},
		{`/a/.compile("\\p{Nope}", "u")`, `SyntaxError: Invalid regular expression: /\p{Nope}/u: invalid property name "Nope"`},
		{`/(a)/.test("a") && RegExp.$1`, `TypeError: RegExp.$1 and its like are not supported by the engine: use the result of exec or match`},
		{`RegExp.lastMatch`, `TypeError: RegExp.$1 and its like are not supported by the engine: use the result of exec or match`},
		{`new RegExp(Symbol("x"))`, `TypeError: Cannot convert a Symbol value to a string`},
		{`RegExp.prototype.toString.call(1)`, `TypeError: Method RegExp.prototype.toString called on incompatible receiver number`},
		{`Object.getOwnPropertyDescriptor(RegExp.prototype, "source").get.call({})`, `TypeError: Method RegExp.prototype.source getter called on incompatible receiver`},
		{`new RegExp({ toString() { throw new RangeError("mine") } })`, `RangeError: mine`},
	} {
		t.Run(test.expression, func(t *testing.T) {
			vm := regExpVM(t)
			_, err := vm.RunString("RegExp; (function f() {\n  " + test.expression + "\n})()")
			var exception *goja.Exception
			require.ErrorAs(t, err, &exception)
			require.Equal(t, test.want, exception.Value().String())
			if o := exception.Value().(*goja.Object); strings.HasPrefix(test.want, "SyntaxError") {
				require.Contains(t, o.Get("stack").String(), ":2:", "the place in the program")
				require.Contains(t, o.Get("stack").String(), "Invalid ")
			}
		})
	}
}

func TestTheConstructorIsMadeWhenItIsUsed(t *testing.T) {
	vm := regExpVM(t)
	_, err := vm.RunString(`RegExp = 1; if (RegExp !== 1) throw 1; delete globalThis.RegExp; if (typeof RegExp === "number") throw 2`)
	require.NoError(t, err)

	vm = regExpVM(t)
	before := vm.Get("RegExp")
	require.Same(t, before, vm.Get("RegExp"))
}

// TestVMsShareTheTable lets VMs use the table of properties at the same time.
func TestVMsShareTheTable(t *testing.T) {
	var all sync.WaitGroup
	results := make([]string, 4)
	for i := range results {
		all.Go(func() {
			vm := goja.New()
			if err := Install(vm, Host{}); err != nil {
				results[i] = err.Error()
				return
			}
			got, err := vm.RunString(`["Lu", "sc=Greek", "scx=Hira", "Emoji"].map((p) => new RegExp("\\p{" + p + "}", "iu").test("é")).join()`)
			if err != nil {
				results[i] = err.Error()
				return
			}
			results[i] = got.String()
		})
	}
	all.Wait()
	for _, result := range results {
		require.Equal(t, "true,false,false,false", result)
	}
}

// TestCompiledPatternsAreBounded makes more patterns than are kept.
func TestCompiledPatternsAreBounded(t *testing.T) {
	x := &regExps{templates: map[patternKey]*goja.Object{}}
	for i := range 10 * maxTemplates {
		x.keep(patternKey{pattern: strings.Repeat("x", i)}, nil, i)
		require.LessOrEqual(t, len(x.templates), maxTemplates)
		require.LessOrEqual(t, x.templateBytes, maxTemplateBytes)
	}
}

func TestOriginalsSurviveBeingRewritten(t *testing.T) {
	vm := regExpVM(t)
	// A program that writes what only this package writes gets its own pattern back.
	got, err := vm.RunString(`const forged = "(?:\0616263){0}x"; const re = new RegExp(forged); re.source === forged && re.test("x")`)
	require.NoError(t, err)
	require.True(t, got.ToBoolean())
}
