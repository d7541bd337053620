package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestSnippet(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, test := range []struct {
		name, text            string
		line, column, columns int
		want                  string
	}{
		{"in the middle", "const a = 1;\nconst b = [1, 2\nconst c = 3;\n", 2, 11, 0,
			"1 | const a = 1;\n2 | const b = [1, 2\n  |           ^\n3 | const c = 3;"},
		{"the only line", "ab", 1, 2, 0, "1 | ab\n  |  ^"},
		{"the first line", "a\nb\nc", 1, 1, 0, "1 | a\n  | ^\n2 | b"},
		{"the end of the text", "a\nb", 2, 2, 0, "1 | a\n2 | b\n  |  ^"},
		{"an empty line", "a\n\nb", 2, 1, 0, "1 | a\n2 |\n  | ^\n3 | b"},
		{"an empty text", "", 1, 1, 0, "1 |\n  | ^"},
		{"outside the text", "a\nb", 9, 9, 0, "1 | a\n2 | b\n  |  ^"},
		{"the gutter fits the widest number", strings.Repeat("a\n", 10), 9, 1, 0, " 8 | a\n 9 | a\n   | ^\n10 | a"},
		{"tabs stay tabs", "\tif\t(x", 1, 5, 0, "1 | \tif\t(x\n  | \t  \t^"},
		{"wide characters take two columns", "\"日本\"; x", 1, 7, 0, "1 | \"日本\"; x\n  |         ^"},
		{"combining characters take none", "\"e\u0301\"; x", 1, 7, 0, "1 | \"e\u0301\"; x\n  |      ^"},
		{"an emoji takes two", "\"😀\"; x", 1, 7, 0, "1 | \"😀\"; x\n  |       ^"},
		{"and so does a family", "\"👨‍👩‍👧\"; x", 1, 13, 0, "1 | \"👨‍👩‍👧\"; x\n  |       ^"},
		{"or one with a skin tone", "\"👍🏽\"; x", 1, 9, 0, "1 | \"👍🏽\"; x\n  |       ^"},
		{"a zero-width space takes none", "a\u200Bb", 1, 3, 0, "1 | a\u200Bb\n  |  ^"},
		{"a no-break space takes one", "a\u00A0b", 1, 2, 0, "1 | a\u00A0b\n  |  ^"},
		{"control characters cannot harm a terminal", "a\x1b[2J\x7f\u202Eb", 1, 8, 0, "1 | a␛[2J␡\uFFFDb\n  |        ^"},
		{"a byte order mark is not shown", "\uFEFFab", 1, 2, 0, "1 | ab\n  |  ^"},
		{"cut at the right", long + "\nab", 1, 3, 20, "1 | xxxxxxxxxxxxxxx…\n  |   ^\n2 | ab"},
		{"cut at the left", "ab\n" + long, 2, 30, 20, "1 | …\n2 | …xxxxxxxx\n  |         ^"},
		{"cut at both ends", strings.Repeat("0123456789", 6), 1, 31, 24, "1 | …123456789012345678…\n  |           ^"},
		{"just fits", strings.Repeat("x", 16), 1, 16, 20, "1 | xxxxxxxxxxxxxxxx\n  |                ^"},
		{"just does not", strings.Repeat("x", 17), 1, 1, 20, "1 | xxxxxxxxxxxxxxx…\n  | ^"},
		{"half of a wide character", strings.Repeat("日", 20), 1, 15, 20, "1 | … 日日日日日日…\n  |         ^"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, NewText(test.text).Snippet(test.line, test.column, test.columns))
		})
	}
}

// FuzzSnippet: a snippet never panics, is valid UTF-8, keeps to its width, and its caret is where the place is.
func FuzzSnippet(f *testing.F) {
	f.Add("const a = \"日本\";\n\tx", 1, 5, 30)
	f.Add("\u0301\u200D😀\u200D😀", 1, 9, 20)
	f.Fuzz(func(t *testing.T, s string, line, column, columns int) {
		if !utf8.ValidString(s) {
			return
		}
		columns = 20 + (columns&0x7F)%100
		got := NewText(s).Snippet(line, column, columns)
		require.True(t, utf8.ValidString(got))
		lines := strings.Split(got, "\n")
		require.LessOrEqual(t, len(lines), 4)
		carets := 0
		for _, l := range lines {
			_, text, ok := strings.Cut(l, " |")
			require.True(t, ok, "%q", l)
			if strings.TrimLeft(text, " \t") == "^" && strings.TrimSpace(l[:strings.Index(l, " |")]) == "" {
				carets++
			}
			width, d := 0, display{}
			for _, r := range l {
				width += d.cells(r)
			}
			require.LessOrEqual(t, width, columns, "%q", l)
		}
		require.Equal(t, 1, carets, "%q", got)
	})
}
