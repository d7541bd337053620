package policy_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/responses-as-code/gg/shell/policy"
)

// benchmarkWrites is what a pipe of the usual size is read in.
const benchmarkWrites = 64 << 10

var usual = policy.Policy{Mode: policy.Offload, MaxLines: 200, MaxChars: 8000}

// benchmarkText returns about 1 MiB of what line(i) returns.
func benchmarkText(line func(i int) string) []byte {
	var b []byte
	for i := 0; len(b) < 1<<20; i++ {
		b = append(b, line(i)...)
	}
	return b
}

func logLine(i int) string {
	s := fmt.Sprintf("2026-03-01T12:%02d:%02d.%03dZ INFO  worker-%d request done ", i/60%60, i%60, i%1000, i%8)
	return s + "ok........................................"[:72-len(s)] + "\n"
}

func BenchmarkWrite(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"größe ", "naïve ", "plain ", "→ ", "ascii-only-text "}
	texts := []struct {
		name string
		text []byte
	}{
		{"log", benchmarkText(logLine)},
		{"log-crlf", bytes.ReplaceAll(benchmarkText(logLine), []byte("\n"), []byte("\r\n"))},
		{"cjk", benchmarkText(func(int) string {
			return "構築が完了しました。警告は三件、エラーはありません。詳細は記録を参照。\n"
		})},
		{"mixed", benchmarkText(func(int) string {
			var s string
			for range 10 {
				s += words[rng.IntN(len(words))]
			}
			return s + "\n"
		})},
		{"latin-1", benchmarkText(func(i int) string { return "caf\xe9 " + logLine(i) })},
		{"random-lengths", benchmarkText(func(int) string { return "0123456789012345678901234567890123456789"[:rng.IntN(40)] + "\n" })},
		{"yes", benchmarkText(func(int) string { return "y\n" })},
		{"newlines", benchmarkText(func(int) string { return "\n" })},
		{"nul", make([]byte, 1<<20)},
		{"one-long-line", bytes.Repeat([]byte("x"), 1<<20)},
		{"random-bytes", benchmarkText(func(int) string { return string([]byte{byte(rng.Uint32())}) })},
	}
	for _, t := range texts {
		b.Run(t.name, func(b *testing.B) { benchmarkWrite(b, usual, t.text, benchmarkWrites) })
	}
	most := policy.Policy{Mode: policy.Offload, MaxLines: policy.MaxLinesLimit, MaxChars: policy.MaxCharsLimit}
	b.Run("log/most-lines", func(b *testing.B) { benchmarkWrite(b, most, texts[0].text, benchmarkWrites) })
	b.Run("newlines/most-lines", func(b *testing.B) { benchmarkWrite(b, most, bytes.Repeat([]byte("\n"), 1<<20), benchmarkWrites) })
	b.Run("log/line-by-line", func(b *testing.B) { benchmarkWrite(b, usual, texts[0].text, 73) })
	b.Run("log/inline", func(b *testing.B) {
		benchmarkWrite(b, policy.Policy{Mode: policy.Inline}, texts[0].text, benchmarkWrites)
	})
}

func benchmarkWrite(b *testing.B, p policy.Policy, text []byte, size int) {
	c := policy.NewCollector(p)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			c.Write(policy.Stdout, rest[:n])
			rest = rest[n:]
		}
	}
}

// Two streams that take turns with every line.
func BenchmarkWriteAlternating(b *testing.B) {
	text := benchmarkText(logLine)
	c := policy.NewCollector(usual)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := policy.Stdout
		for rest := text; len(rest) > 0; {
			n := min(73, len(rest))
			c.Write(s, rest[:n])
			rest, s = rest[n:], 1-s
		}
	}
}

// The whole of a Collector's life for a command that prints one line.
func BenchmarkSmallCommand(b *testing.B) {
	line := []byte("ok\n")
	b.ReportAllocs()
	for b.Loop() {
		c := policy.NewCollector(usual)
		c.Write(policy.Stdout, line)
		c.Render(vectorFiles)
	}
}

func BenchmarkRender(b *testing.B) {
	for _, p := range []policy.Policy{
		usual,
		{Mode: policy.Offload, MaxLines: policy.MaxLinesLimit, MaxChars: policy.MaxCharsLimit},
		{Mode: policy.Inline},
	} {
		b.Run(fmt.Sprintf("%s-%d-%d", p.Mode, p.MaxLines, p.MaxChars), func(b *testing.B) {
			c := policy.NewCollector(p)
			c.Write(policy.Stdout, benchmarkText(logLine))
			b.ReportAllocs()
			for b.Loop() {
				c.Render(vectorFiles)
			}
		})
	}
}
