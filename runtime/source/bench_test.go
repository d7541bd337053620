package source

import (
	"strings"
	"testing"
)

// tenKB is a program of ordinary shape, about 10 KB long.
var tenKB = func() string {
	const unit = `async function step%(rows, { limit = 10 } = {}) {
  // Count what the log says, by level; a level may be missing.
  const counts = new Map();
  for (const line of rows.split(/\r?\n/)) {
    const m = line.match(/^(\d{4}-\d\d-\d\d) \[(\w+)\] (.*)$/);
    if (!m) continue;
    counts.set(m[2], (counts.get(m[2]) ?? 0) + 1);
  }
  const top = [...counts].sort(([, a], [, b]) => b - a).slice(0, limit);
  return top.map(([level, n]) => ` + "`${level.padEnd(8)} ${n / 2}`" + `).join("\n");
}
`
	var b strings.Builder
	b.WriteString("import { shell, views } from \"gg\";\n")
	for i := 0; b.Len() < 10<<10; i++ {
		b.WriteString(strings.ReplaceAll(unit, "%", string(rune('a'+i))))
	}
	b.WriteString("export default await stepa(shell.shell(\"cat log\").output);\n")
	return b.String()
}()

func BenchmarkAccept(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"plain", tenKB},
		{"fenced", "Here is the program:\n\n```js\n" + tenKB + "```\n"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				p, err := Read(bench.text, Options{Name: "reply.js"})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Parse(p, "gg"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	b.SetBytes(int64(len(tenKB)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(tenKB, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck shows that the pass over hostile texts of full length costs what it costs over ordinary ones.
func BenchmarkCheck(b *testing.B) {
	for _, bench := range []struct{ name, unit string }{
		{"ordinary", tenKB},
		{"slashes", "/["},
		{"backticks", "`${"},
		{"closers", "([)]"},
		{"quotes", "'\""},
		{"stars", "/*"},
		{"fences", "```\n"},
	} {
		text := strings.Repeat(bench.unit, DefaultMaxBytes/len(bench.unit))
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				scanText(text, Limits{MaxNesting: DefaultMaxNesting})
			}
		})
	}
}

func BenchmarkExplain(b *testing.B) {
	text := tenKB + "const b = [1, 2\nconst c = 3;\n"
	b.ReportAllocs()
	for b.Loop() {
		p, err := Read(text, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Parse(p); err == nil {
			b.Fatal("accepted")
		}
	}
}
