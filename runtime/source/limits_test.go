package source

import (
	"errors"
	"runtime/debug"
	"sort"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

func TestLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, test := range []struct {
		name   string
		src    string
		limits Limits
		want   string
	}{
		{"at the default size", strings.Repeat(" ", DefaultMaxBytes), Limits{}, ""},
		{"over the default size", strings.Repeat(" ", DefaultMaxBytes+1), Limits{},
			"the program is too long: got 262145 bytes, want at most 262144 (maxSourceBytes)"},
		{"over a given size", "123456", Limits{MaxBytes: 5}, "the program is too long: got 6 bytes, want at most 5 (maxSourceBytes)"},
		{"at the default nesting", deep(DefaultMaxNesting), Limits{}, ""},
		{"over the default nesting", "\n" + deep(DefaultMaxNesting+1), Limits{},
			"brackets are nested too deep at 2:201: got 201 levels, want at most 200 (maxNesting)"},
		{"over a given nesting", "f({ a: [1] })", Limits{MaxNesting: 2}, "brackets are nested too deep at 1:8: got 3 levels, want at most 2 (maxNesting)"},
		{"templates nest too", "`${`${`${1}`}`}`", Limits{MaxNesting: 2}, "brackets are nested too deep at 1:8: got 3 levels, want at most 2 (maxNesting)"},
		{"brackets in literals do not", "'[[[[' + `((((` + /[(](/ // {{{{", Limits{MaxNesting: 1}, ""},
		{"beside each other is not nested", strings.Repeat("[]", 1000), Limits{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			check := test.limits.Check(test.src)
			_, read := Read(test.src, Options{Limits: test.limits})
			require.Equal(t, read, check)
			if test.want == "" {
				require.NoError(t, check)
				return
			}
			require.EqualError(t, check, test.want)
			var limit *LimitError
			require.True(t, errors.As(check, &limit))
			require.Greater(t, limit.Use, limit.Bound)
		})
	}
}

// chains are texts without a bracket, or with few, that make the engine's parser or compiler recurse.
var chains = []struct{ name, head, unit, tail string }{
	{"not", "", "!", "1"},
	{"typeof", "", "typeof ", "1"},
	{"minus", "", "- ", "1"},
	{"await", "", "await ", "1"},
	{"sum", "1", "+1", ""},
	{"power", "1", "**1", ""},
	{"assignment", "var a;", "a=", "1"},
	{"arrow", "", "a=>", "1"},
	{"conditional", "", "1?1:", "1"},
	{"logical", "var a;a", "||a", ""},
	{"member", "var a={};a", "?.a", ""},
	{"index", "var a=[];a", "[0]", ""},
	{"call", "var f;f", "()", ""},
	{"optional call", "var f;f", "?.()", ""},
	{"tag", "var f;f", "``", ""},
	{"if", "", "if(1)", ";"},
	{"for", "", "for(;0;)", ";"},
	{"else if", "", "if(1){}else ", "{}"},
	{"else if without braces", "", "if(1);else ", ";"},
	{"new", "var f;", "new ", "f"},
}

// Within the bound, each is parsed and compiled on the stack the worker has (64 MiB); beyond it, each is refused.
func TestChains(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	for _, chain := range chains {
		t.Run(chain.name, func(t *testing.T) {
			text := func(n int) string { return chain.head + strings.Repeat(chain.unit, n) + chain.tail }
			longest := sort.Search(maxChain+10, func(n int) bool { return Limits{}.Check(text(n)) != nil }) - 1
			require.Greater(t, longest, maxChain/4)
			p := read(t, text(longest))
			tree, err := Parse(p)
			require.NoError(t, err)
			_, err = goja.CompileAST(tree.Program, false)
			require.NoError(t, err)

			_, err = Read(text(longest+1), Options{})
			require.ErrorContains(t, err, "too many operators in one expression at 1:")
		})
	}
}

func TestChainsEndWithTheirStatement(t *testing.T) {
	for _, unit := range []string{"a = b + c\n", "a = b + c;\n", "if (a) b()\n", "if (a) { b() }\n", "f(-a, -b);", "x => { y };", "a.b.c()\n", "const a = -1, b = -1\n", "a ? b : c\n", "++a\n", "!a\n"} {
		require.NoError(t, Limits{}.Check(strings.Repeat(unit, maxChain)), "%q", unit)
	}
	require.NoError(t, Limits{}.Check("f("+strings.Repeat("-1,", 2*maxChain)+")"))
	require.NoError(t, Limits{}.Check("x = {"+strings.Repeat("a: -1,", 2*maxChain)+"}"))
}

// The engine's parser reads the parameters of an arrow function twice, and what is nested in them 2^n times.
func TestNestedArrowParameters(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("(a = ", n) + "1" + strings.Repeat(") => 1", n) }
	_, err := Parse(read(t, nest(maxArrowNesting)))
	require.NoError(t, err)
	_, err = Read(nest(maxArrowNesting+1), Options{})
	require.EqualError(t, err, "too many nested arrow parameters at 1:97: got 9, want at most 8")
	require.NoError(t, Limits{}.Check(strings.Repeat("f((a) => { ", 60)+strings.Repeat("})", 60)), "bodies are read once")
	require.NoError(t, Limits{}.Check(strings.Repeat("(a = 1) => 1;", 60)), "beside each other")
	require.Error(t, Limits{}.Check(strings.Repeat("async (a = ", 9)+"1"+strings.Repeat(") => 1", 9)))
	require.Error(t, Limits{}.Check(strings.Repeat("({ a: [b = ", 9)+"1"+strings.Repeat("] }) => 1", 9)))
}

// The engine's compiler folds `1 || a` while compiling, reading what stands before each operator twice.
func TestFoldedOperators(t *testing.T) {
	compile := func(src string) {
		t.Helper()
		tree, err := Parse(read(t, "var a, f; "+src))
		require.NoError(t, err)
		_, err = goja.CompileAST(tree.Program, false)
		require.NoError(t, err)
	}
	for _, hostile := range []struct{ open, unit, close string }{
		{"1", " || 1", ""},
		{"1", " && 1", ""},
		{"null", " ?? null", ""},
		{"1", " || a", ""},
		{"x = 'a'", " || a", ""},
		{"typeof !-1", " || a", ""},
		{"f(a, 1", " || a", ")"},
		{"a || 1", " && 1", ""},
		{"a ?? (1", " || a", ")"},
		{"a ? 1", " || a", " : 2"},
		{"a ? 2 : 1", " || a", ""},
		{"x = { a: 1", " || a", " }"},
		{"a => 1", " || a", ""},
		{"`${1", " || a", "}`"},
		{"(1)", " || (a)", ""},
		{"1 + 2 * 3", " || a", ""},
		{"a\n1", " || a", ""},
		{"return 1", " || a", ""},
	} {
		compile(hostile.open + strings.Repeat(hostile.unit, maxFolded) + hostile.close)
		err := Limits{}.Check(hostile.open + strings.Repeat(hostile.unit, 2*maxFolded) + hostile.close)
		require.ErrorContains(t, err, "too many logical operators after a literal at ", "%q", hostile)
		require.ErrorContains(t, err, "got 13, want at most 12")
	}
	require.Error(t, Limits{}.Check(strings.Repeat("(", 40)+"1"+strings.Repeat(" || 1)", 40)))
	require.Error(t, Limits{}.Check(strings.Repeat("!(", 40)+"1"+strings.Repeat(") || 1", 40)))
	require.Error(t, Limits{}.Check(strings.Repeat("1 + (", 40)+"1 || 1"+strings.Repeat(") || 1", 40)))

	// Expressions that begin with something else are not folded, however long.
	for _, src := range []string{
		"a" + strings.Repeat(" || 1", 500),
		"a" + strings.Repeat(" && 1 || 2", 500),
		"f()" + strings.Repeat(" ?? 1", 500),
		"a" + strings.Repeat(" || a == 1", 500),
		"a" + strings.Repeat(" || (a && 1)", 500),
		"a" + strings.Repeat(" || (1 && a)", 500),
		"a" + strings.Repeat(".g(1 || a)", 500),
		strings.Repeat("x = 1 || a;", 500),
		"x = [" + strings.Repeat("1 || a,", 500) + "]",
		"x = {" + strings.Repeat("a: 1 || a,", 500) + "}",
	} {
		compile("var x; " + src)
	}
}
