package source

import (
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/stretchr/testify/require"
)

func TestParseKeepsPositions(t *testing.T) {
	src := "\uFEFFimport gg from \"gg\";\r\n\"é😀\"; null.x"
	tree, err := Parse(read(t, src), "gg", "hidden")
	require.NoError(t, err)
	require.Equal(t, []string{"gg", "hidden"}, tree.Parameters)
	list := tree.Body.Body.List
	require.Len(t, list, 2)
	require.Equal(t, Position{2, 1}, tree.Position(list[0].Idx0()))
	dot := list[1].(*ast.ExpressionStatement).Expression.(*ast.DotExpression)
	require.Equal(t, Position{2, 13}, tree.Position(dot.Identifier.Idx))
	require.Equal(t, len(src)-1, tree.Offset(dot.Identifier.Idx))
	require.Equal(t, 0, tree.Offset(tree.Program.Idx0()), "the wrapper")
	require.Equal(t, len(src), tree.Offset(tree.Body.Body.RightBrace+99), "the wrapper")
}

// Every identifier of every accepted program is where the tree says it is.
func TestParsePositionsOfEverySnippet(t *testing.T) {
	parsed := 0
	for _, src := range snippets(t, "accepted.txt") {
		src = "/* é😀 */ " + src
		tree, err := Parse(read(t, src))
		if err != nil {
			continue
		}
		parsed++
		for _, s := range tree.Body.Body.List {
			if e, ok := s.(*ast.ExpressionStatement); ok {
				if id, ok := e.Expression.(*ast.Identifier); ok {
					offset := tree.Source.Original.Offset(tree.Position(id.Idx))
					require.Equal(t, string(id.Name), src[offset:offset+len(id.Name)])
				}
			}
		}
	}
	require.Greater(t, parsed, 250)
}

// A program cannot leave its wrapper, whichever of the two it is written for.
func TestParseRefusesToLeaveTheWrapper(t *testing.T) {
	for _, src := range []string{
		"}}); evil(); (function(){return async function(){",
		"}}), evil(), (function(){return async function(){",
		"}}, evil(), function(){return async function(){",
		"}; evil(); return async function(){",
		"}, evil(), async function(){",
		"}, async function(){",
		"} + function(){",
		"}); evil(); (async function(){",
		"}]; evil(); [async function(){",
		"}",
		"*/ }}); /*",
	} {
		_, err := Parse(read(t, src))
		require.Error(t, err, "%q", src)
		require.Equal(t, 1, err.(Errors)[0].Line)
		require.Contains(t, err.(Errors)[0].Message, "Unexpected", "%q", src)
	}
	// A comment or literal that is open at the end cannot swallow the wrapper either.
	for _, src := range []string{"1 //", "1 /* x */", "1 //# sourceMappingURL=file:///etc/hostname"} {
		_, err := Parse(read(t, src))
		require.NoError(t, err)
	}
	for _, src := range []string{"1 /*", "1 + `", "1 + '", "1 + \\"} {
		_, err := Parse(read(t, src))
		require.Error(t, err)
	}
}

// What the engine's compiler refuses is worded like what its parser refuses.
func TestCompileError(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"const x = 1;\nconst x = 2;", "2:7: The symbol \"x\" has already been declared (the symbol \"x\" was originally declared at 1:7)"},
		{"/* é */ let y; let y;", "1:20: The symbol \"y\" has already been declared (the symbol \"y\" was originally declared at 1:13)"},
		{"const x;", "1:7: The constant \"x\" must be initialized"},
		{"({ __proto__: null, \"__proto__\": 1 })", "1:21: Cannot specify the \"__proto__\" property more than once per object (the earlier \"__proto__\" property is at 1:4)"},
	} {
		tree, err := Parse(read(t, test.src))
		if err == nil {
			_, compile := goja.CompileAST(tree.Program, false)
			var e *goja.CompilerSyntaxError
			require.ErrorAs(t, compile, &e)
			err = tree.CompileError(e.Offset, e.Message)
		}
		require.EqualError(t, err, test.want, "%q", test.src)
	}
	// Where esbuild has nothing to say, the compiler's own words stay.
	tree, err := Parse(read(t, "let é; 1"))
	require.NoError(t, err)
	require.EqualError(t, tree.CompileError(tree.prefix+8, "Something else"), "1:8: Something else")
}

// Running agrees with parsing about the lines of runtime errors.
func TestEnginePositionOfRuntimeErrors(t *testing.T) {
	p := read(t, "const a = 1;\n\"é😀\"; null.x")
	tree, err := Parse(p)
	require.NoError(t, err)
	program, err := goja.CompileAST(tree.Program, false)
	require.NoError(t, err)
	vm := goja.New()
	outer, err := vm.RunProgram(program)
	require.NoError(t, err)
	open, _ := goja.AssertFunction(outer)
	inner, err := open(nil)
	require.NoError(t, err)
	main, _ := goja.AssertFunction(inner)
	promise, err := main(nil)
	require.NoError(t, err)
	reason := promise.Export().(*goja.Promise).Result().ToObject(vm).Get("stack").String()
	require.Contains(t, reason, ":3:16(", "the engine counts the wrapper line, and bytes")
	require.Equal(t, Position{2, 13}, p.EnginePosition(3, 16))
}
