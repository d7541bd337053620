package window

import (
	"bytes"
	"fmt"
	"strings"
)

// Detect says what a file is from its first bytes; HeadBytes of them are looked at. The media type is that
// of an image or of a binary file ("application/octet-stream" when nothing better is known), "" for text.
func Detect(head []byte) (kind Kind, mediaType string) {
	head = head[:min(len(head), HeadBytes)]
	for _, s := range images {
		if s.matches(head) {
			return Image, s.mediaType
		}
	}
	if bytes.IndexByte(head, 0) < 0 {
		return Text, ""
	}
	for _, s := range signatures {
		if s.matches(head) {
			return Binary, s.mediaType
		}
	}
	return Binary, "application/octet-stream"
}

// whyBinary is the reason why a file that Detect called binary is not shown.
func whyBinary(head []byte, mediaType string) string {
	if strings.HasSuffix(mediaType, "charset=utf-16le") || strings.HasSuffix(mediaType, "charset=utf-16be") {
		return "UTF-16 text: convert it to UTF-8 first"
	}
	return fmt.Sprintf("binary (a NUL byte at offset %d)", bytes.IndexByte(head, 0))
}

// signature is a sequence of bytes at the beginning of every file of a media type.
type signature struct {
	magic     string
	offset    int
	wild      bool // a '?' of magic stands for any byte
	mediaType string
}

func (s signature) matches(head []byte) bool {
	if len(head) < s.offset+len(s.magic) {
		return false
	}
	head = head[s.offset : s.offset+len(s.magic)]
	if !s.wild {
		return string(head) == s.magic
	}
	for i := range head {
		if s.magic[i] != '?' && s.magic[i] != head[i] {
			return false
		}
	}
	return true
}

// images are the formats that models read.
var images = []signature{
	{magic: "\x89PNG\r\n\x1a\n", mediaType: "image/png"},
	{magic: "\xff\xd8\xff", mediaType: "image/jpeg"},
	{magic: "GIF87a", mediaType: "image/gif"},
	{magic: "GIF89a", mediaType: "image/gif"},
	{magic: "RIFF????WEBPVP", wild: true, mediaType: "image/webp"},
}

// signatures name what a binary file is. The first part is the WHATWG MIME Sniffing Standard's, in its
// words, so that they agree with what net/http sniffs (a test compares them; importing net/http for a table
// would cost every start of the program its initialisation). The second is what workspaces have besides.
var signatures = []signature{
	{magic: "\xff\xfe", mediaType: "text/plain; charset=utf-16le"},
	{magic: "\xfe\xff", mediaType: "text/plain; charset=utf-16be"},
	{magic: "%PDF-", mediaType: "application/pdf"},
	{magic: "%!PS-Adobe-", mediaType: "application/postscript"},
	{magic: "\x00\x00\x01\x00", mediaType: "image/x-icon"},
	{magic: "\x00\x00\x02\x00", mediaType: "image/x-icon"},
	{magic: "BM", mediaType: "image/bmp"},
	{magic: "FORM????AIFF", wild: true, mediaType: "audio/aiff"},
	{magic: "ID3", mediaType: "audio/mpeg"},
	{magic: "OggS\x00", mediaType: "application/ogg"},
	{magic: "MThd\x00\x00\x00\x06", mediaType: "audio/midi"},
	{magic: "RIFF????AVI ", wild: true, mediaType: "video/avi"},
	{magic: "RIFF????WAVE", wild: true, mediaType: "audio/wave"},
	{magic: "ftypavif", offset: 4, mediaType: "image/avif"}, // before the general ftyp
	{magic: "ftyphei", offset: 4, mediaType: "image/heic"},
	{magic: "ftypmif1", offset: 4, mediaType: "image/heif"},
	{magic: "ftypqt  ", offset: 4, mediaType: "video/quicktime"},
	{magic: "ftyp", offset: 4, mediaType: "video/mp4"},
	{magic: "\x1a\x45\xdf\xa3", mediaType: "video/webm"},
	{magic: "\x00\x01\x00\x00", mediaType: "font/ttf"},
	{magic: "OTTO", mediaType: "font/otf"},
	{magic: "ttcf", mediaType: "font/collection"},
	{magic: "wOFF", mediaType: "font/woff"},
	{magic: "wOF2", mediaType: "font/woff2"},
	{magic: "\x1f\x8b\x08", mediaType: "application/x-gzip"},
	{magic: "PK\x03\x04", mediaType: "application/zip"},
	{magic: "Rar!\x1a\x07\x00", mediaType: "application/x-rar-compressed"},
	{magic: "Rar!\x1a\x07\x01\x00", mediaType: "application/x-rar-compressed"},
	{magic: "\x00asm", mediaType: "application/wasm"},

	{magic: "\x7fELF", mediaType: "application/x-elf"},
	{magic: "MZ", mediaType: "application/vnd.microsoft.portable-executable"},
	{magic: "\xfe\xed\xfa\xce", mediaType: "application/x-mach-binary"},
	{magic: "\xfe\xed\xfa\xcf", mediaType: "application/x-mach-binary"},
	{magic: "\xce\xfa\xed\xfe", mediaType: "application/x-mach-binary"},
	{magic: "\xcf\xfa\xed\xfe", mediaType: "application/x-mach-binary"},
	{magic: "\xca\xfe\xba\xbe\x00\x00\x00\x01", mediaType: "application/x-mach-binary"}, // universal, 1 or 2 parts
	{magic: "\xca\xfe\xba\xbe\x00\x00\x00\x02", mediaType: "application/x-mach-binary"},
	{magic: "\xca\xfe\xba\xbe", mediaType: "application/java-vm"},
	{magic: "!<arch>\n", mediaType: "application/x-archive"},
	{magic: "ustar", offset: 257, mediaType: "application/x-tar"},
	{magic: "\xfd7zXZ\x00", mediaType: "application/x-xz"},
	{magic: "\x28\xb5\x2f\xfd", mediaType: "application/zstd"},
	{magic: "BZh", mediaType: "application/x-bzip2"},
	{magic: "7z\xbc\xaf\x27\x1c", mediaType: "application/x-7z-compressed"},
	{magic: "\x04\x22\x4d\x18", mediaType: "application/x-lz4"},
	{magic: "SQLite format 3\x00", mediaType: "application/vnd.sqlite3"},
	{magic: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", mediaType: "application/x-ole-storage"},
	{magic: "II*\x00", mediaType: "image/tiff"},
	{magic: "MM\x00*", mediaType: "image/tiff"},
	{magic: "fLaC", mediaType: "audio/flac"},
	{magic: "PAR1", mediaType: "application/vnd.apache.parquet"},
	{magic: "DIRC", mediaType: "application/x-git-index"},
	{magic: "PACK", mediaType: "application/x-git-pack"},
}
