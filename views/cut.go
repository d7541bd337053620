package views

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// cutLines cuts each line of text that has more than maxChars code points to its first maxChars and says
// how many it left out: `foo (123 more chars...)`. Line endings, "\n" or "\r\n", count for nothing and stay.
// text is valid UTF-8.
//
// It returns the result and its length. A result longer than bound is only measured, and not returned: of
// 16 MiB in short lines, cut to one character each, it would be seven times as much.
func cutLines(text string, maxChars, bound int) (cut string, size int) {
	var out strings.Builder
	kept := 0 // text[:kept] is accounted for
	add := func(parts ...string) {
		for _, s := range parts {
			if size += len(s); size <= bound {
				out.WriteString(s)
			}
		}
	}
	for start := 0; start < len(text); {
		end, next := lineEnd(text, start)
		if end-start > maxChars { // a code point has at least one byte
			if at := start + prefixLen(text[start:end], maxChars); at < end {
				left := utf8.RuneCountInString(text[at:end])
				add(text[kept:at], " (", strconv.Itoa(left), " more chars...)")
				kept = end
			}
		}
		start = next
	}
	if kept == 0 {
		if size = len(text); size <= bound {
			return text, size // nothing was cut: no copy
		}
		return "", size
	}
	add(text[kept:])
	if size > bound {
		return "", size
	}
	return out.String(), size
}

// lineEnd returns where the line that begins at start ends without and with its line ending.
func lineEnd(text string, start int) (end, next int) {
	i := strings.IndexByte(text[start:], '\n')
	if i < 0 {
		return len(text), len(text)
	}
	end, next = start+i, start+i+1
	if end > start && text[end-1] == '\r' {
		end--
	}
	return end, next
}

// prefixLen is the length in bytes of the first n code points of s.
func prefixLen(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
