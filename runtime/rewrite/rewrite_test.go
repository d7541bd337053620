package rewrite

import (
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"
)

const prefix = "(function(){return async function(){\n"

// compile parses and rewrites a program as package runtime does, for plain ASCII text.
func compile(t testing.TB, text string, imports ...Import) *goja.Program {
	t.Helper()
	tree, err := parser.ParseFile(nil, "", prefix+text+"\n}})", 0, parser.WithDisableSourceMaps)
	require.NoError(t, err, text)
	outer := tree.Body[0].(*ast.ExpressionStatement).Expression.(*ast.FunctionLiteral)
	Apply(&Program{
		Tree:    tree,
		Main:    outer.Body.List[0].(*ast.ReturnStatement).Argument.(*ast.FunctionLiteral),
		Place:   func(at file.Idx) int { return min(max(int(at)-1-len(prefix), 0), len(text)) },
		File:    file.NewFile("reply.js", text, 1),
		Imports: imports,
	})
	program, err := goja.CompileAST(tree, false)
	require.NoError(t, err, text)
	return program
}

type ran struct {
	value   goja.Value
	awaits  []int64
	throws  []int64
	rethrow []bool
	failed  bool
}

// execute runs a program to the end of its Promise.
func execute(t testing.TB, program *goja.Program) (r ran) {
	t.Helper()
	vm := goja.New()
	outer, err := vm.RunProgram(program)
	require.NoError(t, err)
	wrap, _ := goja.AssertFunction(outer)
	host := vm.NewObject()
	require.NoError(t, host.Set("answer", 42))
	note := func(list *[]int64) goja.Value {
		return vm.ToValue(func(call goja.FunctionCall) goja.Value {
			*list = append(*list, call.Argument(1).ToInteger())
			if list == &r.throws {
				r.rethrow = append(r.rethrow, call.Argument(2).ToBoolean())
			}
			return call.Argument(0)
		})
	}
	inner, err := wrap(goja.Undefined(), goja.Undefined(), note(&r.awaits), note(&r.throws), vm.Get("RegExp"), host)
	require.NoError(t, err)
	body, _ := goja.AssertFunction(inner)
	result, err := body(goja.Undefined())
	require.NoError(t, err)
	promise := result.Export().(*goja.Promise)
	require.NotEqual(t, goja.PromiseStatePending, promise.State())
	r.value, r.failed = promise.Result(), promise.State() == goja.PromiseStateRejected
	return r
}

// TestCompletion compares with what ECMAScript's eval gives; node was asked for each.
func TestCompletion(t *testing.T) {
	for text, want := range map[string]any{
		``:                                 nil,
		`1`:                                1,
		`1; 2`:                             2,
		`5; const x = 6`:                   5,
		`5; var x = 6`:                     5,
		`5; function f() {}`:               5,
		`5; class A {}`:                    5,
		`5;;;`:                             5,
		`5; {}`:                            5,
		`5; { 6 }`:                         6,
		`5; { const a = 1 }`:               5,
		`1; if (true) 2`:                   2,
		`1; if (false) 2`:                  nil,
		`1; if (true) { }`:                 nil,
		`1; if (false) 2; else 3`:          3,
		`if (true) { 1; if (false) 2 }`:    nil,
		`1; for (let i = 0; i < 3; i++) i`: 2,
		`1; for (;false;) 2`:               nil,
		`1; while (false) 2`:               nil,
		`1; do { 2; break; } while (true)`: 2,
		`1; do { break; } while (true)`:    nil,
		`let i = 0; do { i; continue; } while (i++ < 3); `:           3,
		`for (const x of [1, 2, 3]) { x; if (x === 2) break; }`:      nil,
		`for (const x of [1, 2, 3]) { if (x === 2) break; x; }`:      nil,
		`for (const x of [1, 2, 3]) { x * 10; }`:                     30,
		`for (const k in { a: 1, b: 2 }) k`:                          "b",
		`switch (2) { case 1: "a"; case 2: "b"; case 3: "c" }`:       "c",
		`switch (2) { case 1: "a"; break; case 2: "b"; break; }`:     "b",
		`1; switch (9) { case 1: 2 }`:                                nil,
		`try { 1 } catch { 2 }`:                                      1,
		`try { throw 0 } catch { 2 }`:                                2,
		`try { 1; throw 0 } catch { }`:                               nil,
		`try { 1 } finally { 2 }`:                                    1,
		`1; try { } finally { 2 }`:                                   nil,
		`a: { 1; break a; }`:                                         1,
		`a: for (;;) { 7; for (;;) { break a; } }`:                   nil,
		`with ({ b: 3 }) b`:                                          3,
		`"use strict"; 4`:                                            4,
		`"use strict"`:                                               "use strict",
		`"plain"`:                                                    "plain",
		`"first"; "second"`:                                          "second",
		`(function () {}).name`:                                      "",
		`1; (() => {}).name`:                                         "",
		`return 9; 10`:                                               9,
		`3; return`:                                                  nil,
		`await 8`:                                                    8,
		`const undefined_ = 1; { let undefined = 5; if (false) 2; }`: nil,
		`1; function g() {} g()`:                                     nil,
	} {
		r := execute(t, compile(t, text))
		require.False(t, r.failed, "%s: %v", text, r.value)
		var got any
		if !goja.IsUndefined(r.value) {
			got = r.value.Export()
			if n, ok := got.(int64); ok {
				got = int(n)
			}
		}
		require.Equal(t, want, got, text)
	}
}

func TestLoneFunctionIsCalled(t *testing.T) {
	for _, text := range []string{
		`() => 42`, `async () => 42`, `(async function () { return 42 })`, `function main() { return 42 }`,
		`async function main(gg) { return gg.answer }`, `({ answer }) => answer`, `;async () => { return await 42 };`,
		"// a comment\nasync () => 42",
	} {
		r := execute(t, compile(t, text))
		require.False(t, r.failed, "%s: %v", text, r.value)
		require.EqualValues(t, 42, r.value.Export(), text)
	}
	for _, text := range []string{`function* g() {}`, `class A {}`, `const f = () => 1`} {
		require.True(t, goja.IsUndefined(execute(t, compile(t, text)).value), text)
	}
	require.Equal(t, "f", execute(t, compile(t, "const f = () => 1; f.name")).value.Export(), "names are the program's own")
}

func TestAnonymousFunctionsKeepTheirLackOfAName(t *testing.T) {
	r := execute(t, compile(t, "0; (class {})"))
	require.Equal(t, "", r.value.ToObject(goja.New()).Get("name").String())
}

func TestImportsAreConstants(t *testing.T) {
	imports := []Import{{Local: "a", Path: []string{"answer"}}, {Local: "all"}}
	require.EqualValues(t, 84, execute(t, compile(t, "a + all.answer", imports...)).value.Export())
	r := execute(t, compile(t, "a = 1", imports...))
	require.True(t, r.failed)
	require.Contains(t, r.value.String(), "constant")
	strict := execute(t, compile(t, "'use strict'; (function () { return this === undefined })() && a", imports...))
	require.EqualValues(t, 42, strict.value.Export(), "the directive prologue stays in front")
}

func TestMarks(t *testing.T) {
	text := "const f = async () => {\n  await 1;\n};\nawait f();\ntry { throw 'x' } catch (e) { throw e }"
	r := execute(t, compile(t, text))
	require.True(t, r.failed)
	at := func(s string) int64 { return int64(indexAfter(text, s, 0)) }
	require.Equal(t, []int64{at("await 1"), at("await f")}, r.awaits)
	require.Equal(t, []int64{at("throw 'x'"), at("throw e")}, r.throws)
	require.Equal(t, []bool{false, true}, r.rethrow)
}

// TestPlaces holds that a stack says where the author wrote what failed.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, at string }{
		{"let u;\nu.x", "x"},
		{"\n\n  foo()", "foo"},
		{"const o = {};\no.a.missing()", "a.m"},
		{"const o = {};\no.run()", "run"},
		{"const f = () => {\n  null.x;\n};\nf()", "x;"},
		{"new Error('here')", ""},
	} {
		r := execute(t, compile(t, c.text))
		if !r.failed {
			continue
		}
		stack := r.value.ToObject(goja.New()).Get("stack").String()
		offset := indexAfter(c.text, c.at, 0)
		at := file.NewFile("", c.text, 1).Position(offset)
		require.Contains(t, stack, at.String()+"(", c.text)
	}
}

func indexAfter(text, s string, from int) int {
	for i := from; i+len(s) <= len(text); i++ {
		if text[i:i+len(s)] == s {
			return i
		}
	}
	return -1
}

// TestWalkVisitsEachNodeOnce holds that no position is mapped twice.
func TestWalkVisitsEachNodeOnce(t *testing.T) {
	text := `var a = 1, {b, c: [d = 2, ...e]} = f(a); for (var g of h) for (let i = 0; i < 1; i++) ; for (const j in k) ;
class L extends M { #n = 1; static { o(); } get p() { return this.#n } *q() { yield* r } static s = 't' + 'u' }
label: try { if (u) v?.w?.[x](y, ...z); else throw new A2 } catch ({ message }) { b2 ||= c2 ?? d2 } finally { with (e2) f2 }
switch (g2) { case h2: break; default: delete i2.j2; } ((k2, l2) => m2)(); async function n2(o2 = p2, ...q2) { await r2 }`
	tree, err := parser.ParseFile(nil, "", prefix+text+"\n}})", 0, parser.WithDisableSourceMaps)
	require.NoError(t, err)
	seen := map[ast.Node]int{}
	walk(tree, func(at file.Idx) int { return int(at) - 1 }, func(n ast.Node) ast.Node {
		seen[n]++
		return nil
	})
	for n, times := range seen {
		require.Equal(t, 1, times, "%T", n)
	}
	require.Greater(t, len(seen), 40)
}

func BenchmarkApply(b *testing.B) {
	text := ""
	for range 200 {
		text += "for (const [i, line] of lines.entries()) { if (line.includes('x')) out.push(i + offset); }\n"
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tree, err := parser.ParseFile(nil, "", prefix+text+"\n}})", 0, parser.WithDisableSourceMaps)
		if err != nil {
			b.Fatal(err)
		}
		outer := tree.Body[0].(*ast.ExpressionStatement).Expression.(*ast.FunctionLiteral)
		Apply(&Program{
			Tree: tree, Main: outer.Body.List[0].(*ast.ReturnStatement).Argument.(*ast.FunctionLiteral),
			Place: func(at file.Idx) int { return int(at) }, File: file.NewFile("", text, 1),
		})
	}
}
