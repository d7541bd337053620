package prelude

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// BenchmarkInstallRegExp is what a VM pays whether its program has regular expressions or not; the next one what it pays when it
// uses the name RegExp, of which the engine's own constructor is most.
func BenchmarkInstallRegExp(b *testing.B) {
	b.ReportAllocs()
	vm := goja.New()
	vm.SetGlobalObject(vm.CreateObject(vm.GlobalObject()))
	for b.Loop() {
		if err := installRegExp(vm); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstUseOfRegExp(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		vm := goja.New()
		vm.SetGlobalObject(vm.CreateObject(vm.GlobalObject()))
		if err := installRegExp(vm); err != nil {
			b.Fatal(err)
		}
		vm.Get("RegExp")
	}
}

func BenchmarkEngineAlone(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		goja.New().Get("RegExp")
	}
}

func BenchmarkRewriteRegExp(b *testing.B) {
	for _, pattern := range []string{`^(\w+)\s*=\s*(.*)$`, `\p{L}+`, `[^\p{L}\p{N}\s_-]+`} {
		b.Run(strings.ReplaceAll(pattern, "/", "|"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := RewriteRegExp(pattern, "u"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRegExp runs scripts on a text of 100 kB, or a thousand times on a short one: with the engine as it is, and with the prelude.
func BenchmarkRegExp(b *testing.B) {
	ascii := strings.Repeat("The quick brown fox, jumps over the lazy dog; 42 times.\n", 100_000/56)
	mixed := strings.Repeat("Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich; 日本 42×.\n", 100_000/72)
	for _, bench := range []struct{ name, script, text string }{
		{"letters/ascii", `text.match(make("\\p{L}+", "gu")).length`, ascii},
		{"letters/mixed", `text.match(make("\\p{L}+", "gu")).length`, mixed},
		{"letters-matchAll/mixed", `[...text.matchAll(make("\\p{L}+", "gu"))].length`, mixed},
		{"letters-replace/mixed", `text.replace(make("[^\\p{L}\\p{N}\\s]", "gu"), "").length`, mixed},
		{"letters-fold/mixed", `text.match(make("\\p{Lu}+", "giu")).length`, mixed},
		{"letters-lookahead/mixed", `text.match(make("\\p{L}+(?=;)", "gu")).length`, mixed},
		{"words/ascii", `text.match(make("\\bfox\\b", "g")).length`, ascii},
		{"all-words/ascii", `text.match(make("\\b\\w+\\b", "g")).length`, ascii},
		{"all-words/mixed", `text.match(make("\\b\\w+\\b", "g")).length`, mixed},
		{"lines/ascii", `text.match(make("^.*$", "gm")).length`, ascii},
		{"lines/mixed", `text.match(make("^.*$", "gm")).length`, mixed},
		{"line-starts/ascii", `text.match(make("^(\\w+) (\\w+)", "gm")).length`, ascii},
		{"trim-lines/ascii", `text.replace(make("\\s+$", "gm"), "").length`, ascii},
		{"dots/ascii", `text.match(make("f.x", "g")).length`, ascii},
		{"split/short", `for (let i = 0; i < 1000; i++) "a, b, c".split(make("\\s*,\\s*")).length`, ""},
		{"split-letters/short", `for (let i = 0; i < 1000; i++) "a, b, c".split(make("[^\\p{L}]+", "u")).length`, ""},
		{"make-in-loop", `for (let i = 0; i < 1000; i++) make("\\p{L}", "u").test("é")`, ""},
		{"literal-in-loop", `for (let i = 0; i < 1000; i++) /[a-z]/.test("é")`, ""},
	} {
		for _, mode := range []string{"engine", "prelude"} {
			b.Run(bench.name+"/"+mode, func(b *testing.B) {
				vm := goja.New()
				if mode == "prelude" {
					vm = regExpVM(b)
				}
				require.NoError(b, vm.Set("text", bench.text))
				_, err := vm.RunString(`const make = (p, f) => new RegExp(p, f); const run = () => { ` + bench.script + ` }`)
				require.NoError(b, err)
				value, err := vm.RunString("run")
				require.NoError(b, err)
				run, _ := goja.AssertFunction(value)
				b.ReportAllocs()
				b.SetBytes(int64(len(bench.text)))
				for b.Loop() {
					if _, err := run(goja.Undefined()); err != nil {
						b.Skip(err) // the engine alone finds no letters, and null has no length
					}
				}
			})
		}
	}
}
