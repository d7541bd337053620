package policy

import "unicode/utf8"

// incomplete returns how many bytes at the end of b, 0 to 3, are the beginning of
// a character whose other bytes may follow.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		last := b[len(b)-n:]
		if !utf8.RuneStart(last[0]) {
			continue
		}
		if utf8.FullRune(last) {
			return 0
		}
		return n
	}
	return 0
}

// A carry is the beginning of a character at the end of a write: 0 to 3 bytes.
type carry struct {
	buf  [utf8.UTFMax - 1]byte
	held int // used part of buf
}

// hold takes b, at most three bytes, as the beginning of a character.
func (c *carry) hold(b []byte) { c.held = copy(c.buf[:], b) }

// resume goes on with what is held at the beginning of the next bytes. It returns
// how many of these belong to the character that was held, and how many
// characters, 0 to 3, are now certain: one if it is complete, one for each byte
// held if b shows it to be invalid, none if all of b is held as well.
func (c *carry) resume(b []byte) (used, chars int) {
	if c.held == 0 || len(b) == 0 {
		return 0, 0
	}
	var buf [utf8.UTFMax]byte
	held := copy(buf[:], c.buf[:c.held])
	q := buf[:held+copy(buf[held:], b)]
	if !utf8.FullRune(q) {
		c.hold(q)
		return len(b), 0
	}
	c.held = 0
	if _, size := utf8.DecodeRune(q); size > 1 {
		return size - held, 1
	}
	return 0, held
}
