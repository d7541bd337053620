package policy

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// pieceBytes is how much is scanned at a time: little enough to stay in the
// first-level cache with what is found in it, and to put its offsets in 16 bits.
const pieceBytes = 4096

// A piece is what was found in up to pieceBytes bytes of whole characters.
type piece struct {
	chars int // characters, line ends included
	lines int // line ends: the used part of ends

	// ends holds, for each '\n', the number of characters before it, shifted left
	// by one; the lowest bit is set when the byte before it, in the piece, is '\r'.
	ends [pieceBytes]uint16
}

// scan looks at the beginning of b and returns how many bytes it took: up to
// pieceBytes, and none of a character at the end that may be incomplete. It is 0
// only if b is empty or nothing but the beginning of a character.
func (p *piece) scan(b []byte) int {
	b = b[:min(len(b), pieceBytes)]
	b = b[:len(b)-incomplete(b)]
	if utf8.Valid(b) {
		p.scanValid(b)
	} else {
		p.scanInvalid(b)
	}
	return len(b)
}

// scanValid scans valid UTF-8, eight bytes at a time: there every byte that is not
// a continuation byte (10xxxxxx) is a character.
func (p *piece) scanValid(b []byte) {
	var chars, lines int
	var word [8]byte
	for at := 0; at < len(b); at += 8 {
		var w uint64
		n := 8
		if len(b)-at >= 8 {
			w = binary.LittleEndian.Uint64(b[at:])
		} else {
			word = [8]byte{}
			n = copy(word[:], b[at:])
			w = binary.LittleEndian.Uint64(word[:])
		}
		continuation := w &^ (w << 1) & highBits
		for nl := newlines(w); nl != 0; nl &= nl - 1 {
			i := bits.TrailingZeros64(nl) / 8
			end := chars + i
			if continuation != 0 {
				below := nl&-nl - 1
				end -= bits.OnesCount64(continuation & below)
			}
			e := uint16(end) << 1
			if before := uint(at + i - 1); before < uint(len(b)) && b[before] == '\r' {
				e |= 1
			}
			p.ends[lines&(pieceBytes-1)] = e
			lines++
		}
		chars += n - bits.OnesCount64(continuation)
	}
	p.chars, p.lines = chars, lines
}

const (
	lowBits  = 0x7f7f7f7f7f7f7f7f
	highBits = 0x8080808080808080
)

// newlines returns the high bit of each byte of w that is '\n', and no other bit.
func newlines(w uint64) uint64 {
	x := w ^ 0x0a0a0a0a0a0a0a0a
	return ^((x&lowBits + lowBits) | x | lowBits)
}

// scanInvalid scans any bytes. A '\n' is never inside a character, so the lines
// can be found first.
func (p *piece) scanInvalid(b []byte) {
	p.chars, p.lines = 0, 0
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.chars += runeCount(b)
			return
		}
		p.chars += runeCount(b[:i])
		e := uint16(p.chars) << 1
		if i > 0 && b[i-1] == '\r' {
			e |= 1
		}
		p.ends[p.lines] = e
		p.lines++
		p.chars++
		b = b[i+1:]
	}
}

// minLead and maxLead are the bytes between which those lie that begin a character
// of several bytes: any other byte is a character of its own, valid or not.
const minLead, maxLead = 0xc2, 0xf4

// runeCount is utf8.RuneCount without its copy of b on the heap (Go 1.26: when b is
// neither short nor ASCII), and faster on bytes that are no text.
func runeCount(b []byte) (n int) {
	for i := 0; i < len(b); n++ {
		if c := b[i]; c < minLead || c > maxLead {
			i++
			continue
		}
		_, size := utf8.DecodeRune(b[i:])
		i += size
	}
	return n
}
