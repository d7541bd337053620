package policy

import "unicode/utf8"

const (
	// tailBytes is how many bytes at the end of the output are always kept. Each is
	// shown as one byte or more, so CapBytes cover the text; those before them tell
	// whether the first of the text begins a character, and whether any was cut.
	tailBytes = CapBytes + utf8.UTFMax

	// tailRoom is how many may be kept, so that keeping the last ones costs a copy
	// of tailBytes for every 48 KiB and not for every write.
	tailRoom = 4 * CapBytes
)

// A tail keeps the end of the joined output.
type tail struct {
	buf []byte
}

func (t *tail) write(b []byte) {
	if len(b) >= tailBytes {
		t.buf = append(t.buf[:0], b[len(b)-tailBytes:]...)
		return
	}
	if len(t.buf)+len(b) > tailRoom {
		t.buf = t.buf[:copy(t.buf, t.buf[len(t.buf)-tailBytes:])]
	}
	t.buf = append(t.buf, b...)
}

// appendText appends the last chars characters to dst as valid UTF-8, but no more
// than the last CapBytes bytes of that, from a character boundary on. It reports
// whether the cap left out any of them.
func (t *tail) appendText(dst []byte, chars int64) (text []byte, capped bool) {
	start, shown := len(t.buf), 0
	for ; chars > 0 && start > 0; chars-- {
		r, size := utf8.DecodeLastRune(t.buf[:start])
		if shown += utf8.RuneLen(r); shown > CapBytes {
			capped = true
			break
		}
		start -= size
	}
	b := t.buf[start:]
	if utf8.Valid(b) {
		return append(dst, b...), capped
	}
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[size:]
	}
	return dst, capped
}
