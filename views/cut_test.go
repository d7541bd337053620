package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/views/window"
)

func TestCutLines(t *testing.T) {
	for _, tt := range []struct {
		text     string
		maxChars int
		want     string
	}{
		{"", 1, ""},
		{"\n", 1, "\n"},
		{"foo", 3, "foo"},
		{"foo" + strings.Repeat("x", 123), 3, "foo (123 more chars...)"},
		{"foob\n", 3, "foo (1 more chars...)\n"},
		{"foo\nfoobar\nfoo\n", 3, "foo\nfoo (3 more chars...)\nfoo\n"},
		{"foo\r\n", 3, "foo\r\n"},
		{"foob\r\n", 3, "foo (1 more chars...)\r\n"},
		{"foo\r", 3, "foo (1 more chars...)"}, // no line ending: a character
		{"f\rb\n", 3, "f\rb\n"},
		{"日本語版\n", 3, "日本語 (1 more chars...)\n"},
		{"日本語\n", 3, "日本語\n"},
		{"e\u0301e\u0301", 2, "e\u0301 (2 more chars...)"}, // code points, not what they look like
		{"👩‍👩‍👧", 1, "👩 (4 more chars...)"},
		{"ab\nab\nab", 1, "a (1 more chars...)\na (1 more chars...)\na (1 more chars...)"},
	} {
		cut, size := cutLines(tt.text, tt.maxChars, 1<<20)
		require.Equal(t, tt.want, cut, "%q", tt.text)
		require.Equal(t, len(tt.want), size)
	}
}

func TestCutLinesOverTheBound(t *testing.T) {
	want := "a (1 more chars...)\nb"
	for bound := range len(want) + 2 {
		cut, size := cutLines("aa\nb", 1, bound)
		require.Equal(t, len(want), size)
		if bound < len(want) {
			require.Empty(t, cut)
		} else {
			require.Equal(t, want, cut)
		}
	}
}

// naiveCut does it rune by rune, line by line.
func naiveCut(text string, maxChars int) string {
	var out strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		body, ending := line, ""
		for _, e := range []string{"\r\n", "\n"} {
			if strings.HasSuffix(line, e) {
				body, ending = strings.TrimSuffix(line, e), e
				break
			}
		}
		if runes := []rune(body); len(runes) > maxChars {
			body = fmt.Sprintf("%s (%d more chars...)", string(runes[:maxChars]), len(runes)-maxChars)
		}
		out.WriteString(body + ending)
	}
	return out.String()
}

func FuzzCutLines(f *testing.F) {
	f.Add("foobar\r\n\nü日\r\r\nx", uint16(2), uint16(30))
	f.Add("\n\r\n\r", uint16(0), uint16(0))
	f.Fuzz(func(t *testing.T, text string, maxChars, bound uint16) {
		text = window.Decode(text)
		n := max(int(maxChars), 1)
		want := naiveCut(text, n)
		cut, size := cutLines(text, n, int(bound))
		require.Equal(t, len(want), size)
		if size > int(bound) {
			want = ""
		}
		require.Equal(t, want, cut)
	})
}

func BenchmarkCutLines(b *testing.B) {
	text := strings.Repeat("a line of a log, which is about as long as such lines are; it has a few more words\n", 1<<12)
	for _, maxChars := range []int{40, 200} {
		b.Run(fmt.Sprint(maxChars), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				cutLines(text, maxChars, 1<<20)
			}
		})
	}
}
