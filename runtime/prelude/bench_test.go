package prelude

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"
)

// BenchmarkInstall is what every program pays, goja.New (1 µs) included.
func BenchmarkInstall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := Install(goja.New(), Host{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstUse is what a program pays that touches a name, Install included.
func BenchmarkFirstUse(b *testing.B) {
	for _, name := range []string{"Map", "structuredClone", "Iterator", "TextDecoder", "URL", "Buffer", "process", "RegExp"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				vm := goja.New()
				if err := Install(vm, Host{}); err != nil {
					b.Fatal(err)
				}
				if vm.Get(name) == nil {
					b.Fatal("nothing")
				}
			}
		})
	}
}

// BenchmarkUse is what the functions cost. Each runs a program of JavaScript once.
func BenchmarkUse(b *testing.B) {
	for _, test := range []struct {
		name, setUp, program string
		bytes                int64
	}{
		{"global", "", "for (let i = 0; i < 10000; i++) Math", 0},
		{"structuredClone", "const x = []; for (let i = 0; i < 1000; i++) x.push({ id: i, name: 'n' + i, tags: ['a', 'b'] })", "structuredClone(x)", 0},
		{"groupBy", "const x = []; for (let i = 0; i < 10000; i++) x.push(i)", "Object.groupBy(x, n => n % 10)", 0},
		{"iterator", "const x = []; for (let i = 0; i < 10000; i++) x.push(i)", "x.values().map(n => n * 2).filter(n => n % 3).toArray()", 0},
		{"decode", "const x = new TextEncoder().encode('héllo wörld '.repeat(80000))", "new TextDecoder().decode(x)", 80000 * 14},
		{"base64", "const x = Buffer.alloc(1 << 20, 'abc')", "x.toString('base64')", 1 << 20},
		{"url", "", "new URL('https://user@example.com:8080/a/../b?x=1&y=2#z').searchParams.get('x')", 0},
		{"toLocaleString", "", "(1234567.891).toLocaleString()", 0},
		{"localeCompare", "", "'résumé'.localeCompare('resume')", 0},
	} {
		b.Run(test.name, func(b *testing.B) {
			vm := newVM(b, Host{})
			_, err := vm.RunString(test.setUp)
			require.NoError(b, err)
			program := compile(b, test.program)
			b.ReportAllocs()
			b.SetBytes(test.bytes)
			for b.Loop() {
				if _, err := vm.RunProgram(program); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func compile(t testing.TB, source string) *goja.Program {
	tree, err := parser.ParseFile(nil, "reply.js", strings.TrimSpace(source), 0, parser.WithDisableSourceMaps)
	require.NoError(t, err)
	program, err := goja.CompileAST(tree, false)
	require.NoError(t, err)
	return program
}
