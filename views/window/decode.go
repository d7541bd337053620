package window

import (
	"strings"
	"unicode/utf8"
)

// Decode returns s as valid UTF-8: each byte that is not part of a valid sequence becomes one U+FFFD, as
// [unicode/utf8.DecodeRune] reads it. (strings.ToValidUTF8 would make one of a whole run of them.)
func Decode(s string) string {
	return decode(s, int(decodedLen(s)))
}

// decodedLen is the length of Decode(s).
func decodedLen(s string) int64 {
	if utf8.ValidString(s) {
		return int64(len(s))
	}
	n := int64(0)
	for _, r := range s { // ranging over a string decodes it by DecodeRune's rule
		n += int64(utf8.RuneLen(r))
	}
	return n
}

// decode is Decode for a string whose decodedLen is known. Only a valid string keeps its length: an invalid
// byte becomes three.
func decode(s string, n int) string {
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(n)
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
