package source

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
	"github.com/stretchr/testify/require"
)

// run parses, compiles and runs a program as the runtime does in outline: the default export, if there is one, is
// read at the end of the body, and called if it is a function.
func run(t *testing.T, src string) (result goja.Value, err error) {
	t.Helper()
	p := read(t, src)
	tree, err := Parse(p, "gg")
	if err != nil {
		return nil, err
	}
	require.Equal(t, "gg", tree.Parameters[0])
	if p.Default.Kind != DefaultNone {
		tree.Body.Body.List = append(tree.Body.Body.List, &ast.ReturnStatement{
			Argument: &ast.Identifier{Name: unistring.NewFromString(p.Default.Name)},
		})
	}
	program, err := goja.CompileAST(tree.Program, false)
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	outer, err := vm.RunProgram(program)
	require.NoError(t, err)
	open, ok := goja.AssertFunction(outer)
	require.True(t, ok)
	inner, err := open(nil, vm.ToValue("the host"), goja.Undefined())
	require.NoError(t, err)
	require.NoError(t, vm.Set("main", inner))
	_, err = vm.RunString(`var out; main().then(v => typeof v === "function" && !/^class/.test(v) ? v() : v).then(v => { out = v }, e => { out = "threw " + e })`)
	require.NoError(t, err)
	return vm.Get("out"), nil
}

func TestExports(t *testing.T) {
	for _, test := range []struct {
		name, src string
		kind      DefaultKind
		binding   string
		text      string
		value     string
	}{
		{"none", "return 1", DefaultNone, "", "return 1", "1"},
		{"function", "export default function main() { return 1 }", DefaultBinding, "main",
			"               function main() { return 1 }", "1"},
		{"async function", "export default async function main() { return 1 }", DefaultBinding, "main",
			"               async function main() { return 1 }", "1"},
		{"generator", "export default function* main() { return 1 }", DefaultBinding, "main",
			"               function* main() { return 1 }", "[object Generator]"},
		{"class", "export default class C {}", DefaultBinding, "C", "               class C {}", "class C {}"},
		{"function without a name", "export default function () { return 1 }", DefaultFunction, "__gg_0",
			"function __gg_0         () { return 1 }", "1"},
		{"and without spaces", "export default function(){return 1}", DefaultFunction, "__gg_0",
			"function __gg_0        (){return 1}", "1"},
		{"async function without a name", "export default async function () { return 1 }", DefaultFunction, "__gg_0",
			"async function __gg_0         () { return 1 }", "1"},
		{"generator without a name", "export default function* () { return 1 }", DefaultFunction, "__gg_0",
			"function * __gg_0        () { return 1 }", "[object Generator]"},
		{"class without a name", "export default class { }", DefaultClass, "__gg_0", "class __gg_0         { }", "class __gg_0         { }"},
		{"class without a name extends", "export default class extends Array {}", DefaultClass, "__gg_0",
			"class __gg_0         extends Array {}", "class __gg_0         extends Array {}"},
		{"a declaration is not called by what follows", "export default function () { return 1 }\n(2)", DefaultFunction, "__gg_0",
			"function __gg_0         () { return 1 }\n(2)", "1"},
		{"arrow function", "export default () => 1", DefaultExpression, "__gg_0", "__gg_0 =       () => 1", "1"},
		{"async arrow function", "export default async x => 1;", DefaultExpression, "__gg_0", "__gg_0 =       async x => 1;", "1"},
		{"expression", "const a = 1\nexport default a + 1", DefaultExpression, "__gg_0", "const a = 1\n__gg_0 =       a + 1", "2"},
		{"object", "export default { a: 1 }", DefaultExpression, "__gg_0", "__gg_0 =       { a: 1 }", "[object Object]"},
		{"parenthesised function", "export default (function () { return 1 })", DefaultExpression, "__gg_0", "__gg_0 =       (function () { return 1 })", "1"},
		{"with no space", "export default(1)", DefaultExpression, "__gg_0", "__gg_0 =      (1)", "1"},
		{"await", "export default await 1", DefaultExpression, "__gg_0", "__gg_0 =       await 1", "1"},
		{"on several lines", "export\n// one\ndefault\n1", DefaultExpression, "__gg_0", "__gg_0\n// one\n=      \n1", "1"},
		{"a regular expression", "export default /a/.test('a')", DefaultExpression, "__gg_0", "__gg_0 =       /a/.test('a')", "true"},
		{"names", "const a = 1, b = 2; export { a, b as default };", DefaultBinding, "b", "const a = 1, b = 2;", "2"},
		{"a name in quotes", "const a = 1; export { a as \"default\" }", DefaultBinding, "a", "const a = 1;", "1"},
		{"names before their declaration", "export { f as default }\nfunction f() { return 1 }", DefaultBinding, "f", "\nfunction f() { return 1 }", "1"},
		{"names of no account", "const a = 1; export { a, a as b }; return 3", DefaultNone, "", "const a = 1;                       return 3", "3"},
		{"nothing", "export {};\nreturn 1", DefaultNone, "", "\nreturn 1", "1"},
		{"names before a parenthesis", "const f = () => 7, a = f\nexport { a }\n(1)\nreturn a()", DefaultNone, "", "const f = () => 7, a = f\n;           \n(1)\nreturn a()", "7"},
		{"const", "export const a = 1;\nreturn a", DefaultNone, "", "const a = 1;\nreturn a", "1"},
		{"let, var, function, class", "export let a = 1\nexport var b = 2\nexport function c() {}\nexport class D {}\nexport async function e() {}\nreturn a + b", DefaultNone, "",
			"let a = 1\n       var b = 2\n       function c() {}\n       class D {}\n       async function e() {}\nreturn a + b", "3"},
		{"the hidden name is free", "const __gg_0 = 1; export default () => __gg_0", DefaultExpression, "__gg_1", "const __gg_0 = 1; __gg_1 =       () => __gg_0", "1"},
		{"hidden bindings can be shadowed", "const was = typeof gg; { const gg = 1 } return was", DefaultNone, "", "const was = typeof gg; { const gg = 1 } return was", "string"},
		{"arguments are not the wrapper's", "return arguments.length", DefaultNone, "", "return arguments.length", "0"},
		{"not a module's export", "const o = { export: 1, default: 2 }; return o.export + o.default", DefaultNone, "", "const o = { export: 1, default: 2 }; return o.export + o.default", "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.src)
			require.Equal(t, test.kind, p.Default.Kind)
			require.Equal(t, test.binding, p.Default.Name)
			require.Equal(t, test.kind > DefaultBinding, p.Default.Hidden())
			require.Equal(t, strings.TrimSpace(test.text), strings.TrimSpace(p.Text))
			value, err := run(t, test.src)
			require.NoError(t, err)
			require.Equal(t, test.value, value.String())
		})
	}
}

func TestExportRefusals(t *testing.T) {
	const topLevel = "an export stands at the top level of a program, as a statement of its own"
	for _, test := range []struct{ src, want string }{
		{"export * from \"gg\"", "1:1: `export *` is not supported: a program exports at most a default"},
		{"export * as g from \"gg\";\nx y", "1:1: `export *` is not supported: a program exports at most a default\n2:3: Expected \";\" but found \"y\""},
		{"export { shell } from \"gg\"", "1:1: `export … from` is not supported: a program exports at most a default"},
		{"export default 1;\nexport default 2", "2:1: Multiple exports with the same name \"default\" (the first default export is at 1:1)"},
		{"if (a) export default 1", "1:8: Unexpected \"export\" (" + topLevel + ")"},
		{"x = y +\nexport default z", "2:1: Unexpected \"export\" (" + topLevel + ")"},
		{"{ export const a = 1 }", "1:3: Unexpected \"export\" (" + topLevel + ")"},
		{"export", "1:7: Expected declaration but found end of file"},
		{"export default", "1:15: Expected expression but found end of file"},
		{"export a", "1:8: Expected declaration but found \"a\""},
		{"export { a", "1:11: Expected \"}\" but found end of file"},
		{"export default;", "1:15: Unexpected \";\""},
		{"export default function\n() {}", ""},
		{"export default\nfunction () {}", "1:1: an `export default` of a function or class without a name stands on one line: join the lines, or name it"},
		{"export interface A {}", "1:1: TypeScript is not accepted in this version"},
		{"export default abstract class A {}", "1:1: TypeScript is not accepted in this version"},
	} {
		_, err := Parse(read(t, test.src))
		if test.want == "" {
			require.NoError(t, err, "%q", test.src)
			continue
		}
		require.EqualError(t, err, test.want, "%q", test.src)
	}
}
