package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTextPositions(t *testing.T) {
	for _, test := range []struct {
		name, text string
		offset     int
		want       Position
	}{
		{"empty", "", 0, Position{1, 1}},
		{"before the start", "ab", -1, Position{1, 1}},
		{"the end is a place", "ab", 2, Position{1, 3}},
		{"past the end", "ab", 99, Position{1, 3}},
		{"line feed", "a\nb", 2, Position{2, 1}},
		{"the terminator belongs to its line", "a\nb", 1, Position{1, 2}},
		{"carriage return", "a\rb", 2, Position{2, 1}},
		{"both are one", "a\r\nb", 3, Position{2, 1}},
		{"between both", "a\r\nb", 2, Position{1, 3}},
		{"reversed they are two", "a\n\rb", 3, Position{3, 1}},
		{"line separator", "a\u2028b", 4, Position{2, 1}},
		{"paragraph separator", "a\u2029b", 4, Position{2, 1}},
		{"next line is none", "a\u0085b", 3, Position{1, 3}},
		{"after the last terminator", "a\n", 2, Position{2, 1}},
		{"two bytes, one unit", "éx", 2, Position{1, 2}},
		{"four bytes, two units", "😀x", 4, Position{1, 3}},
		{"inside a character", "a😀x", 3, Position{1, 2}},
		{"a byte order mark is no column", "\uFEFFab", 4, Position{1, 2}},
		{"inside the mark", "\uFEFFab", 1, Position{1, 1}},
		{"only at the start", "a\uFEFFb", 4, Position{1, 3}},
		{"not on the second line", "\uFEFFa\nb", 5, Position{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, NewText(test.text).Position(test.offset))
		})
	}
}

func TestTextOffset(t *testing.T) {
	text := NewText("\uFEFFaé😀\r\nx\n")
	for _, test := range []struct {
		at   Position
		want int
	}{
		{Position{0, 1}, 0},
		{Position{1, 0}, 3},
		{Position{1, 1}, 3},
		{Position{1, 2}, 4},
		{Position{1, 3}, 6},
		{Position{1, 4}, 6}, // the second half of the pair
		{Position{1, 5}, 10},
		{Position{1, 99}, 10},
		{Position{2, 1}, 12},
		{Position{2, 99}, 13},
		{Position{3, 1}, 14},
		{Position{4, 1}, 14},
	} {
		require.Equal(t, test.want, text.Offset(test.at), "%s", test.at)
	}
	require.Equal(t, 1, NewText("ab").Offset(Position{1, 2}))
	require.Equal(t, 2, NewText("ab\n").Offset(Position{1, 9}))
}

func TestTextLines(t *testing.T) {
	text := NewText("\uFEFFa\nb\r\nc\rd\u2028e\u2029\n")
	want := []string{"a", "b", "c", "d", "e", "", ""}
	require.Equal(t, len(want), text.Lines())
	for i, line := range want {
		require.Equal(t, line, text.Line(i+1), "line %d", i+1)
	}
	require.Empty(t, text.Line(0))
	require.Empty(t, text.Line(len(want)+1))
	require.Equal(t, 1, NewText("").Lines())
	require.Empty(t, NewText("\uFEFF").Line(1))
}

// FuzzText: every character's place leads back to it, places grow with offsets, and lines are the text.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\r\nb", "\uFEFFé😀\u2028x\r", "\r\r\n\n", "\uFEFF\n", "\xff\xe2\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := NewText(s)
		last := Position{1, 0}
		for i, r := range s {
			at := text.Position(i)
			if i < len(byteOrderMark) && strings.HasPrefix(s, byteOrderMark) {
				require.Equal(t, Position{1, 1}, at)
				continue
			}
			require.True(t, at.Line > last.Line || at.Line == last.Line && at.Column > last.Column, "%s after %s", at, last)
			last = at
			if lineTerminator(s[i:]) == 0 && !(r == '\n' && s[i-1] == '\r') {
				require.Equal(t, i, text.Offset(at))
			}
			if r == utf8.RuneError {
				return // a byte that is no UTF-8; programs with one are refused
			}
		}
		for n := 1; n <= text.Lines(); n++ {
			require.False(t, strings.ContainsAny(text.Line(n), "\r\n\u2028\u2029"))
		}
	})
}

func TestBlankKeepsLines(t *testing.T) {
	const s = "aé\n😀\r\n\u2028b\u2029c"
	b := []byte(s)
	blankBytes(b, 1, 3)
	require.Equal(t, "a  \n😀\r\n\u2028b\u2029c", string(b))
	blankBytes(b, 0, len(b))
	require.Equal(t, "   \n    \r\n\u2028 \u2029 ", string(b))
}
