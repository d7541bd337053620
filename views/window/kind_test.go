package window

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		head      string
		kind      Kind
		mediaType string
	}{
		{"", Text, ""},
		{"package main\n", Text, ""},
		{"%PDF-1.7 without a NUL is text", Text, ""},
		{"<html>\x00", Binary, "application/octet-stream"},
		{"\x89PNG\r\n\x1a\n", Image, "image/png"},
		{"\x89PNG\n\x1a\n", Text, ""}, // damaged on its way
		{"\xff\xd8\xff\xe0\x00\x10JFIF", Image, "image/jpeg"},
		{"GIF87a\x01\x00", Image, "image/gif"},
		{"GIF89a\x01\x00", Image, "image/gif"},
		{"RIFF\x24\x00\x00\x00WEBPVP8 ", Image, "image/webp"},
		{"RIFF\x24\x00\x00\x00WEBP", Binary, "application/octet-stream"}, // cut off
		{"\x00", Binary, "application/octet-stream"},
		{"\xff\xfeh\x00i\x00", Binary, "text/plain; charset=utf-16le"},
		{"\xfe\xff\x00h\x00i", Binary, "text/plain; charset=utf-16be"},
		{"\x7fELF\x02\x01\x01\x00", Binary, "application/x-elf"},
		{"\xca\xfe\xba\xbe\x00\x00\x00\x41", Binary, "application/java-vm"},
		{"\xca\xfe\xba\xbe\x00\x00\x00\x02", Binary, "application/x-mach-binary"},
		{"SQLite format 3\x00", Binary, "application/vnd.sqlite3"},
		{strings.Repeat("a", 257) + "ustar\x00", Binary, "application/x-tar"},
		{"\x00\x00\x00\x20ftypavif\x00", Binary, "image/avif"},
	} {
		kind, mediaType := Detect([]byte(tt.head))
		require.Equal(t, tt.kind, kind, "%q", tt.head)
		require.Equal(t, tt.mediaType, mediaType, "%q", tt.head)
	}
}

// Whatever net/http knows about a signature, Detect says the same.
func TestDetectAgreesWithNetHTTP(t *testing.T) {
	known := 0
	for _, s := range append(images, signatures...) {
		head := strings.Repeat("\x01", s.offset) + strings.ReplaceAll(s.magic, "?", "\x01") + strings.Repeat("\x00", 40)
		if s.mediaType == "image/avif" || s.mediaType == "image/heic" || s.mediaType == "image/heif" || s.mediaType == "video/quicktime" {
			continue // net/http knows the container only
		}
		sniffed := http.DetectContentType([]byte(head))
		if sniffed == "application/octet-stream" || sniffed == "text/plain; charset=utf-8" {
			continue
		}
		known++
		_, mediaType := Detect([]byte(head))
		require.Equal(t, sniffed, mediaType, "%q", s.magic)
	}
	require.Greater(t, known, 20)
}
