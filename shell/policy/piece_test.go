package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Both ways to scan find the same in valid text, wherever a word begins.
func TestScanValidIsScanInvalid(t *testing.T) {
	atoms := []string{"\n", "\n", "\r", "a", "\x0b", "\u0080", "\U0010ffff", "é", "Ċ", "€", "㊊", "👍", "\x00", "\u010a\u0a0a", strings.Repeat("z", 9)}
	rng := rand.New(rand.NewPCG(7, 8))
	var fast, slow piece
	for range 20_000 {
		var sb strings.Builder
		for range rng.IntN(30) {
			sb.WriteString(atoms[rng.IntN(len(atoms))])
		}
		b := []byte(sb.String())
		require.True(t, utf8.Valid(b))
		fast.scanValid(b)
		slow.scanInvalid(b)
		require.Equal(t, slow.chars, fast.chars, "%q", b)
		require.Equal(t, slow.ends[:slow.lines], fast.ends[:fast.lines], "%q", b)
	}
}

func TestScanFullPiece(t *testing.T) {
	for _, line := range []string{"\n", "\r\n", "y\n"} {
		b := []byte(strings.Repeat(line, 2*pieceBytes))
		var p piece
		require.Equal(t, pieceBytes, p.scan(b))
		require.Equal(t, pieceBytes/len(line), p.lines)
		last := p.ends[p.lines-1]
		require.EqualValues(t, pieceBytes-1, last>>1)
		require.Equal(t, line == "\r\n", last&1 == 1)
	}
}

func TestNewlines(t *testing.T) {
	for i := range 8 {
		for c := range 256 {
			// Neighbours that a test with a borrow would take for a newline.
			w := uint64(0x0a0b0a0b0a0b0a0b)&^(0xff<<(8*i)) | uint64(c)<<(8*i)
			got := newlines(w)
			for j := range 8 {
				is := byte(w>>(8*j)) == '\n'
				require.Equal(t, is, got>>(8*j)&0xff == 0x80, "%#x at %d", w, j)
				require.Equal(t, !is, got>>(8*j)&0xff == 0, "%#x at %d", w, j)
			}
		}
	}
}

func TestIncomplete(t *testing.T) {
	for _, tt := range []struct {
		b    string
		want int
	}{
		{"", 0}, {"a", 0}, {"é", 0}, {"€", 0}, {"👍", 0},
		{"\xc3", 1}, {"a\xe2", 1}, {"a\xe2\x82", 2}, {"\xf0", 1}, {"\xf0\x9f", 2}, {"a\xf0\x9f\x91", 3},
		{"\x82", 0}, {"\x82\x82\x82", 0}, {"\x82\x82\x82\x82\x82", 0}, // nothing they could belong to
		{"\xff", 0}, {"\xc0", 0}, {"\xc1", 0}, {"\xf5", 0}, // in no character
		{"\xed\xa0", 0}, {"\xed\x9f", 2}, // a surrogate, and not
		{"\xe0\x9f", 0}, {"\xe0\xa0", 2}, // an overlong form, and not
		{"\xf4\x90", 0}, {"\xf4\x8f", 2}, // above U+10FFFF, and not
		{"€\x82", 0}, {"\xe2\x82\xe2", 1},
	} {
		require.Equal(t, tt.want, incomplete([]byte(tt.b)), "%q", tt.b)
	}
}

func TestCarryResume(t *testing.T) {
	for _, tt := range []struct {
		held, next  string
		used, chars int
		stillHeld   string
	}{
		{"", "abc", 0, 0, ""},
		{"\xe2", "", 0, 0, "\xe2"},
		{"\xe2", "\x82\xac!", 2, 1, ""},
		{"\xe2\x82", "\xac", 1, 1, ""},
		{"\xe2", "\x82", 1, 0, "\xe2\x82"},
		{"\xf0", "\x9f\x91", 2, 0, "\xf0\x9f\x91"},
		{"\xf0\x9f\x91", "\x8d\x8d", 1, 1, ""},
		{"\xf0\x9f\x91", "a", 0, 3, ""},
		{"\xf0\x9f", "\xf0\x9f\x91\x8d", 0, 2, ""},
		{"\xe2\x82", "\xe2", 0, 2, ""},
		{"\xed", "\xa0\x80", 0, 1, ""},
	} {
		var c carry
		c.hold([]byte(tt.held))
		used, chars := c.resume([]byte(tt.next))
		require.Equal(t, tt.used, used, "%q %q", tt.held, tt.next)
		require.Equal(t, tt.chars, chars, "%q %q", tt.held, tt.next)
		require.Equal(t, tt.stillHeld, string(c.buf[:c.held]), "%q %q", tt.held, tt.next)
	}
}
