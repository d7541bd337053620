package bindings_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/gg"
)

// host stands in for whoever runs a program: it answers calls with their own arguments.
type host struct {
	vm      *goja.Runtime
	globals *bindings.Globals
	calls   []bindings.Call
	console []string
	settle  []func(gg.Result, error) error
}

type findIn struct {
	Name   string   `json:"name" gg:"nonempty"`
	Limit  int      `json:"limit,omitempty" gg:"min=1,max=10"`
	Tags   []string `json:"tags,omitempty"`
	Where  *where   `json:"where,omitempty"`
	Target string   `json:"target,omitempty" gg:"function"`
}

type where struct {
	City string `json:"city,omitempty"`
	Zip  *int   `json:"zip,omitempty"`
}

type bodyIn struct {
	Body json.RawMessage `json:"body"`
}

func newHost(t testing.TB) *host {
	t.Helper()
	echo := func(context.Context, findIn) (struct{}, error) { return struct{}{}, nil }
	catalogue, err := gg.NewCatalogue(nil,
		gg.Func("crm.find", "finds", echo),
		gg.Func("crm.later", "finds later", echo, gg.Async()),
		gg.Func("crm.none", "takes nothing", func(context.Context, struct{}) (int, error) { return 0, nil }),
		gg.Func("text.show", "shows", func(context.Context, bodyIn) (struct{}, error) { return struct{}{}, nil }),
		gg.Func("sleep", "waits", func(context.Context, struct {
			Ms float64 `json:"ms" gg:"min=0"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}, gg.Local(), gg.Async()),
	)
	require.NoError(t, err)
	h := &host{vm: goja.New()}
	h.globals, err = bindings.Install(h.vm, bindings.Config{
		Catalogue: catalogue, Program: "reply.js", Args: map[string]string{"who": "me"},
		Call: func(c bindings.Call) (gg.Result, error) {
			h.calls = append(h.calls, c)
			if c.Refused != nil {
				return gg.Result{}, c.Refused
			}
			args, err := c.Function.Check(c.Args)
			if err != nil {
				return gg.Result{}, err
			}
			return gg.Result{Value: args}, nil
		},
		Start:   func(c bindings.Call, settle func(gg.Result, error) error) { h.settle = append(h.settle, settle) },
		Sleep:   func(_ float64, done func() error) { _ = done() },
		Now:     func() float64 { return 0 },
		Console: func(level, text string, _ gg.Site) { h.console = append(h.console, level+": "+text) },
	})
	require.NoError(t, err)
	return h
}

// run runs a program the safe way, and returns its value as text, or what it threw.
func (h *host) run(t testing.TB, text string) (value, thrown string) {
	t.Helper()
	tree, err := parser.ParseFile(nil, "reply.js", text, 0, parser.WithDisableSourceMaps)
	require.NoError(t, err)
	program, err := goja.CompileAST(tree, false)
	require.NoError(t, err)
	v, err := h.vm.RunProgram(program)
	if err != nil {
		exception, ok := err.(*goja.Exception)
		require.True(t, ok, "%T: %v", err, err)
		return "", exception.Value().String()
	}
	exported, err := bindings.Export(h.vm, v)
	require.NoError(t, err)
	return string(exported.JSON), ""
}

func TestArguments(t *testing.T) {
	for program, want := range map[string]string{
		`gg.crm.find("a")`:                                        `{"name":"a"}`,
		`gg.crm.find("a", undefined)`:                             `{"name":"a"}`,
		`gg.crm.find("a", null)`:                                  `{"name":"a"}`,
		`gg.crm.find("a", {})`:                                    `{"name":"a"}`,
		`gg.crm.find("a", { limit: undefined, tags: null })`:      `{"name":"a"}`,
		`gg.crm.find("a", { limit: 3.0 })`:                        `{"name":"a","limit":3}`,
		`gg.crm.find("a", { tags: [] })`:                          `{"name":"a","tags":[]}`,
		`gg.crm.find("a", { where: { city: undefined } })`:        `{"name":"a","where":{}}`,
		`gg.crm.find("a", Object.create(null))`:                   `{"name":"a"}`,
		`gg.crm.find("a", { target: gg.crm.find })`:               `{"name":"a","target":"crm.find"}`,
		`gg.crm.find("a", { get limit() { return 2 } })`:          `{"name":"a","limit":2}`,
		`gg.crm.find("a", new Proxy({ limit: 2 }, {}))`:           `{"name":"a","limit":2}`,
		`gg.crm.find("日本 \u0000 \u2028 <&> \\ \" 👍")`:             `{"name":"日本 \u0000 \u2028 <&> \\ \" 👍"}`,
		`gg.text.show({ b: 1, a: [true, null, -0, 1e21, 1e-7] })`: `{"body":{"b":1,"a":[true,null,0,1e21,1e-7]}}`,
		`gg.text.show({ __proto__: null, x: 1 })`:                 `{"body":{"x":1}}`,
		`gg.text.show(JSON.parse('{"__proto__": 1}'))`:            `{"body":{"__proto__":1}}`,
		`gg.text.show(new Proxy([1, 2], {}))`:                     `{"body":[1,2]}`,
		`gg.crm.none({})`:                                         `{}`,
		`gg.text.show("")`:                                        `{"body":""}`,
		`gg.text.show(0)`:                                         `{"body":0}`,
	} {
		got, thrown := newHost(t).run(t, program)
		require.Empty(t, thrown, program)
		require.JSONEq(t, want, got, program)
	}
}

func TestRefusedArguments(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	for program, want := range map[string]string{
		`gg.crm.find()`:                                         "`name` must be a string, got undefined",
		`gg.crm.find(undefined)`:                                "`name` must be a string, got undefined",
		`gg.crm.find(null)`:                                     "`name` must be a string, got null",
		`gg.crm.find("")`:                                       "`name` must not be empty",
		`gg.crm.find({ name: "a" })`:                            "`name` must be a string, got object",
		`gg.crm.find(["a"])`:                                    "`name` must be a string, got array",
		`gg.crm.find(NaN)`:                                      "`name` must be a string, got NaN",
		`gg.crm.find(() => 1)`:                                  "`name` must be a string, got function",
		`gg.crm.find(Symbol("x"))`:                              "`name` must be a string, got symbol",
		`gg.crm.find(10n)`:                                      "`name` must be a string, got BigInt",
		`gg.crm.find("a\ud800b")`:                               "half a surrogate pair (U+D800 at 1)",
		`gg.crm.find("a", 300)`:                                 "expected an options object, got number",
		`gg.crm.find("a", [1])`:                                 "expected an options object, got array",
		`gg.crm.find("a", "x")`:                                 "expected an options object, got string",
		`gg.crm.find("a", true)`:                                "expected an options object, got boolean",
		`gg.crm.find("a", () => 1)`:                             "expected an options object, got function",
		`gg.crm.find("a", new Map())`:                           "expected an options object, got Map",
		`gg.crm.find("a", new Date())`:                          "expected an options object, got Date",
		`gg.crm.find("a", new (class Customer {})())`:           "expected an options object, got Customer",
		`gg.crm.find("a", {}, 1)`:                               "expected at most 2 arguments, got 3",
		`gg.crm.none({ x: 1 })`:                                 "",
		`gg.crm.find("a", { name: "b" })`:                       "`name` is given by position, not as an option",
		`gg.crm.find("a", { limits: 1 })`:                       "unknown option `limits`; did you mean `limit`?",
		`gg.crm.find("a", { limit: Infinity })`:                 "`limit` must be a whole number 1..10, got Infinity",
		`gg.crm.find("a", { limit: 11 })`:                       "`limit` must be a whole number 1..10, got 11",
		`gg.crm.find("a", { limit: 1.5 })`:                      "`limit` must be a whole number 1..10, got 1.5",
		`gg.crm.find("a", { limit: "2" })`:                      "`limit` must be a whole number 1..10, got \"2\"",
		`gg.crm.find("a", { limit: -0.5 })`:                     "`limit` must be a whole number 1..10, got -0.5",
		`gg.crm.find("a", { tags: ["x", 2] })`:                  "`tags[1]` must be a string, got 2",
		`gg.crm.find("a", { tags: ["x", , "y"] })`:              "`tags[1]` must be a string, got undefined",
		`gg.crm.find("a", { tags: [NaN] })`:                     "`tags[0]` must be a string, got NaN",
		`gg.crm.find("a", { where: { zip: "1" } })`:             "`where.zip` must be a whole number",
		`gg.crm.find("a", { where: { town: "x" } })`:            "unknown option `where.town`",
		`gg.crm.find("a", { target: () => 1 })`:                 "`target` must be a string, got function",
		`gg.text.show({ "a\ud800": 1 })`:                        "a key with half a surrogate pair",
		`gg.text.show({ f() {} })`:                              "`body.f` cannot be passed to a call, got function",
		`gg.text.show({ a: { b: [1, undefined] } })`:            "`body.a.b[1]` cannot be passed to a call, got undefined",
		`gg.text.show({ a: undefined })`:                        "`body.a` cannot be passed to a call, got undefined",
		`gg.text.show({ d: new Date(0) })`:                      "`body.d` cannot be passed to a call, got Date",
		`const o = { n: {} }; o.n.o = o; gg.text.show(o)`:       "`body.n.o` cannot be passed to a call, got a cycle",
		`gg.text.show(` + deep + `)`:                            "more than 64 levels",
		`gg.text.show({ get x() { throw new Error("mine") } })`: "Error: mine",
		`gg.sleep("1")`:                                         "`ms` must be a number of at least 0, got \"1\"",
		`gg.sleep(-1)`:                                          "`ms` must be a number of at least 0, got -1",
	} {
		h := newHost(t)
		_, thrown := h.run(t, program)
		if want == "" {
			require.NotEmpty(t, thrown, program)
			continue
		}
		require.Contains(t, thrown, want, program)
		if strings.HasPrefix(program, "gg.crm") {
			require.Len(t, h.calls, 1, "a refused call is made all the same: %s", program)
		}
	}
}

func TestModuleObjects(t *testing.T) {
	for program, want := range map[string]string{
		`Object.keys(gg)`:                                             `["crm","text","sleep","args","ApiError"]`,
		`"crm" in gg && !("nope" in gg)`:                              `true`,
		`"find" in gg.crm`:                                            `true`,
		`typeof gg.then`:                                              `"undefined"`,
		`typeof gg.crm.toJSON`:                                        `"undefined"`,
		`String(gg.crm)`:                                              `"[object Object]"`,
		`gg.crm.hasOwnProperty("find")`:                               `true`,
		`gg.crm.find.name + gg.crm.find.length`:                       `"find1"`,
		`const { crm: { find } } = gg; find("a").name`:                `"a"`,
		`gg.args.who`:                                                 `"me"`,
		`gg.args.nobody === undefined`:                                `true`,
		`gg = 1; typeof gg`:                                           `"object"`,
		`gg.crm = 1; gg.crm.find = 2; typeof gg.crm.find`:             `"function"`,
		`try { "use strict"; delete gg.crm; } catch {} typeof gg.crm`: `"object"`,
		`(function () { "use strict"; try { gg.args.who = "you" } catch (e) { return e.name } })()`: `"TypeError"`,
		`Object.isFrozen(gg.crm.find) && Object.isFrozen(gg.args)`:                                  `true`,
		`Reflect.ownKeys(gg.crm)`:        `["find","later","none"]`,
		`({ ...gg.crm }).find("x").name`: `"x"`,
	} {
		got, thrown := newHost(t).run(t, program)
		require.Empty(t, thrown, program)
		require.JSONEq(t, want, got, program)
	}
	for program, want := range map[string]string{
		`gg.crm.fnid`:       "gg.crm.fnid does not exist; did you mean gg.crm.find?",
		`gg.cmr`:            "gg.cmr does not exist; did you mean gg.crm?",
		`gg.find("a")`:      "gg.find does not exist; did you mean gg.crm.find?",
		`gg.crm.zzzzzz`:     "gg.crm.zzzzzz does not exist",
		`gg.crm[0]`:         "gg.crm.0 does not exist",
		`const { x } = gg`:  "gg.x does not exist",
		`new gg.crm.find()`: "TypeError",
	} {
		_, thrown := newHost(t).run(t, program)
		require.Contains(t, thrown, want, program)
	}
}

func TestNothingAProgramDoesChangesACall(t *testing.T) {
	const hijack = `
		Object.prototype.limit = 5; Object.prototype.name = "evil";
		Object.defineProperty(Object.prototype, "output", { set() { throw 1 }, get() { return "evil" } });
		Array.prototype.push = Array.prototype.map = () => { throw 2 };
		JSON.parse = JSON.stringify = () => "evil"; Object.freeze = Object.keys = () => { throw 3 };
		Error = undefined; Promise.prototype.then = () => { throw 4 }; Symbol.iterator; String.prototype.toString = () => "evil";
	`
	got, thrown := newHost(t).run(t, hijack+`gg.crm.find("real", { tags: ["x"] })`)
	require.Empty(t, thrown)
	require.JSONEq(t, `{"name":"real","tags":["x"]}`, got)
	got, thrown = newHost(t).run(t, hijack+`let caught; try { gg.crm.find("") } catch (e) { caught = [e instanceof gg.ApiError, e.code, e.message] } caught`)
	require.Empty(t, thrown)
	require.JSONEq(t, "[true, \"invalid-argument\", \"`name` must not be empty\"]", got)
}

func TestResultsAreFreshPlainData(t *testing.T) {
	got, thrown := newHost(t).run(t, `
		const a = gg.crm.find("x", { tags: ["t"] }), b = gg.crm.find("x", { tags: ["t"] });
		a.tags.push("changed"); a.extra = 1;
		[b.tags, a !== b, Object.getPrototypeOf(a) === Object.prototype, Array.isArray(a.tags)]`)
	require.Empty(t, thrown)
	require.JSONEq(t, `[["t"], true, true, true]`, got)
}

func TestApiError(t *testing.T) {
	got, thrown := newHost(t).run(t, `
		let e; try { gg.crm.find("") } catch (x) { e = x }
		class Mine extends gg.ApiError {}
		const made = new gg.ApiError("hello", { cause: e });
		[e instanceof gg.ApiError, e instanceof Error, e.name, e.operation, e.site, JSON.parse(JSON.stringify(e)),
		 e.constructor === gg.ApiError, String(e), made.message, made instanceof gg.ApiError, made.cause === e, new Mine("m") instanceof Mine]`)
	require.Empty(t, thrown)
	const message = "`name` must not be empty"
	require.JSONEq(t, `[true, true, "ApiError", "", {"line":0,"column":0},
		{"operation":"","code":"invalid-argument","message":"`+message+`","site":{"line":0,"column":0}},
		true, "ApiError: `+message+`", "hello", true, true, true]`, got)
}

func TestSiteIsTheProgramsLine(t *testing.T) {
	h := newHost(t)
	_, thrown := h.run(t, "const f = () => [1].map(() =>\n  gg.crm.find('a'));\nf()")
	require.Empty(t, thrown)
	require.Equal(t, 2, h.calls[0].Site.Line)
	_, thrown = newHost(t).run(t, "eval('gg.crm.find(\"a\")')")
	require.Empty(t, thrown)
}

func TestPromisesOfCalls(t *testing.T) {
	h := newHost(t)
	_, thrown := h.run(t, `
		var seen = [];
		gg.crm.later("a").then(v => seen.push(v.name));
		gg.crm.later("b");
		Promise.all([gg.crm.later("c")]).catch(e => seen.push(e.code));`)
	require.Empty(t, thrown)
	require.Len(t, h.settle, 3)
	unawaited := h.globals.Unawaited()
	require.Len(t, unawaited, 1)
	require.JSONEq(t, `{"name":"b"}`, string(unawaited[0].Args))
	require.NoError(t, h.settle[0](gg.Result{Value: json.RawMessage(`{"name":"done"}`)}, nil))
	require.NoError(t, h.settle[2](gg.Result{}, gg.Errorf(gg.Conflict, "no")))
	got, thrown := h.run(t, "seen")
	require.Empty(t, thrown)
	require.JSONEq(t, `["done","conflict"]`, got)
}

func TestConsole(t *testing.T) {
	h := newHost(t)
	_, thrown := h.run(t, `
		console.log("a %d", 1, [2]); console.error(new Map([[1, 2]])); console.assert(1 === 2, "no"); console.assert(true);
		console.group("g"); console.info("in\nside"); console.groupEnd(); console.count(); console.count(); console.warn(); console.debug(undefined);`)
	require.Empty(t, thrown)
	require.Equal(t, []string{
		"log: a 1 [ 2 ]", "error: Map(1) { 1 => 2 }", "error: Assertion failed: no", "log: g", "info:   in\n  side",
		"log: default: 1", "log: default: 2", "warn: ", "debug: undefined",
	}, h.console)
}

func BenchmarkInstall(b *testing.B) {
	for b.Loop() {
		newHost(b)
	}
}
