package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is said of each program of refused.txt, with its snippets, is in refused.golden.
func TestSyntaxErrors(t *testing.T) {
	var b strings.Builder
	for _, src := range snippets(t, "refused.txt") {
		p, err := Read(src, Options{})
		if err == nil {
			_, err = Parse(p)
		}
		require.Error(t, err, "%q", src)
		text := NewText(src)
		fmt.Fprintf(&b, "%s\n", src)
		for _, e := range err.(Errors) {
			require.NotContains(t, e.Error(), "esbuild")
			require.NotContains(t, e.Error(), "stdin")
			require.NotContains(t, e.Error(), "\n")
			require.Equal(t, Position{e.Line, e.Column}, text.Position(text.Offset(Position{e.Line, e.Column})), "%q: no such place: %s", src, e)
			fmt.Fprintf(&b, ">> %s\n", e)
		}
		b.WriteString("----\n")
	}
	golden(t, "refused.golden", b.String())
}

func TestTypeScriptIsRefusedInOneLine(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"a.js", "const a: number = 1;\nlet b: string;", "1:8: TypeScript is not accepted in this version (leave the types out)"},
		{"a.ts", "interface A { b: string }\nconst a: A = { b: '' };", "1:11: TypeScript is not accepted in this version (leave the types out)"},
		{"", "```ts\nconst a = b as any;\n```", "2:13: TypeScript is not accepted in this version (leave the types out)"},
		{"a.ts", "const a: number = [1;", "1:8: TypeScript is not accepted in this version (leave the types out)\n1:21: Expected \"]\" but found \";\""},
		{"a.ts", "const a = 1;", ""},
	} {
		p, err := Read(test.src, Options{Name: test.name})
		require.NoError(t, err)
		_, err = Parse(p)
		if test.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, test.want)
	}
}

func TestErrorsReadAsLines(t *testing.T) {
	err := Errors{{Line: 1, Column: 2, Message: "a"}, {Line: 3, Column: 4, Message: "b", Hint: "c"}}
	require.EqualError(t, err, "1:2: a\n3:4: b (c)")
}

// Each of these is cheap for a scanner and hangs a parser that reads an ambiguous piece twice: the engine's (arrow
// parameters), or esbuild's of TypeScript (conditionals around arrows). None may get that far.
func TestAmbiguousTextsEnd(t *testing.T) {
	for _, nest := range []struct{ open, middle, close string }{
		{"a?(b):c=>(", "d", ")"},
		{"a?(b):c=>", "d", ""},
		{"a?(b):c=>{", "d", "}"},
		{"a?(b):c=>[", "d", "]"},
		{"a?(", "b", "):c"},
		{"(a=", "b", ")=>c"},
		{"async(a=", "b", ")=>c"},
		{"({a:", "b", "})"},
		{"f<", "a", ">(b)"},
		{"<T>(", "a", ")=>b"},
		{"(a:(b:", "c", ")=>d"},
		{"class A extends f(", "b", "){}"},
		{"`${", "b", "}`"},
	} {
		src := strings.Repeat(nest.open, 150) + nest.middle + strings.Repeat(nest.close, 150) + "\nvar a = 1 1"
		p, err := Read(src, Options{Name: "a.ts"})
		if err == nil {
			_, err = Parse(p)
		}
		require.Error(t, err, "%q", nest.open)
	}
	conditionals := func(n int) string { return strings.Repeat("a ? b : ", n) + "c as any" }
	_, err := Parse(read(t, conditionals(maxTypeScriptConditionals)))
	require.ErrorContains(t, err, typeScriptRefusal)
	_, err = Parse(read(t, conditionals(maxTypeScriptConditionals+1)))
	require.EqualError(t, err, `1:75: Expected ";" but found "as"`)
	_, err = Parse(read(t, strings.Repeat(conditionals(2)+";\n", 10)))
	require.ErrorContains(t, err, typeScriptRefusal, "they add up within a statement only")
}
