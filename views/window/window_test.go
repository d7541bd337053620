package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tiny divides files so that every boundary is met: pieces of 3 bytes, at most 4 blocks.
var tiny = geometry{piece: 3, maxBlocks: 4}

// onDisk hides that its bytes are in memory, and counts what is read.
type onDisk struct {
	data []byte
	read int64
}

func (d *onDisk) ReadAt(b []byte, off int64) (int, error) {
	n, err := bytes.NewReader(d.data).ReadAt(b, off)
	d.read += int64(n)
	return n, err
}

func readString(t *testing.T, text string, o Options) *File {
	t.Helper()
	f, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), o)
	require.NoError(t, err)
	return f
}

func TestReadText(t *testing.T) {
	for _, tt := range []struct {
		text               string
		offset, limit      int64
		want               string
		first, last, total int64
	}{
		{"", 0, 0, "", 1, 0, 0},
		{"", 1, 5, "", 1, 0, 0},
		{"\n", 0, 0, "\n", 1, 1, 1},
		{"a", 0, 0, "a", 1, 1, 1},
		{"a\n", 0, 0, "a\n", 1, 1, 1},
		{"a\nb", 0, 0, "a\nb", 1, 2, 2},
		{"a\nb\n", 2, 0, "b\n", 2, 2, 2},
		{"a\nb", 2, 1, "b", 2, 2, 2},
		{"a\nb\nc\n", 2, 1, "b\n", 2, 2, 3},
		{"a\nb\nc\n", 1, 2, "a\nb\n", 1, 2, 3},
		{"a\nb\nc\n", 2, 2, "b\nc\n", 2, 3, 3},
		{"a\nb\nc\n", 2, 4294967295, "b\nc\n", 2, 3, 3},
		{"a\nb\nc\n", 2, 1<<63 - 1, "b\nc\n", 2, 3, 3},
		{"\n\n\n", 2, 1, "\n", 2, 2, 3},
		{"a\r\nb\r\n", 1, 1, "a\r\n", 1, 1, 2},                // CRLF is kept
		{"a\rb\n", 0, 0, "a\rb\n", 1, 1, 1},                   // a CR ends no line
		{"\ufeffa\n", 0, 0, "\ufeffa\n", 1, 1, 1},             // a BOM is kept
		{"a\u2028b\n", 0, 0, "a\u2028b\n", 1, 1, 1},           // only '\n' ends a line
		{"a\xffb\n", 0, 0, "a\ufffdb\n", 1, 1, 1},             // an invalid byte
		{"\xe6\x97\n", 0, 0, "\ufffd\ufffd\n", 1, 1, 1},       // a cut-off sequence: one for each byte
		{"\xc0\x80", 0, 0, "\ufffd\ufffd", 1, 1, 1},           // an overlong form
		{"\xed\xa0\x80", 0, 0, "\ufffd\ufffd\ufffd", 1, 1, 1}, // a surrogate
		{"\ufffd", 0, 0, "\ufffd", 1, 1, 1},
		{"日本\n語\n", 2, 1, "語\n", 2, 2, 2},
	} {
		for name, g := range map[string]geometry{"standard": standard, "tiny": tiny} {
			t.Run(fmt.Sprintf("%q/%d,%d/%s", tt.text, tt.offset, tt.limit, name), func(t *testing.T) {
				f, err := g.read(context.Background(), strings.NewReader(tt.text), int64(len(tt.text)), Options{Offset: tt.offset, Limit: tt.limit})
				require.NoError(t, err)
				require.Equal(t, File{
					Kind: Text, Bytes: int64(len(tt.text)), Contents: tt.want,
					FirstLine: tt.first, LastLine: tt.last, TotalLines: tt.total,
					Truncated: tt.last-tt.first+1 < tt.total,
				}, *f)
			})
		}
	}
}

func TestReadErrors(t *testing.T) {
	lines812 := strings.Repeat("x\n", 812)
	for _, tt := range []struct {
		text string
		o    Options
		want string
	}{
		{lines812, Options{Offset: 900}, "`offset` 900 is past the end of the file (812 lines)"},
		{lines812, Options{Offset: 813, Limit: 1}, "`offset` 813 is past the end of the file (812 lines)"},
		{"x", Options{Offset: 2}, "`offset` 2 is past the end of the file (1 line)"},
		{"", Options{Offset: 2}, "`offset` 2 is past the end of the file (0 lines)"},
		{"", Options{Offset: -1}, "`offset` must be a whole number of at least 0, got -1"},
		{"", Options{Limit: -3, Workers: -1}, "`limit` must be a whole number of at least 0, got -3\n`workers` must be a whole number of at least 0, got -1"},
		{lines812, Options{MaxBytes: 100}, "1624 bytes is over the bound of 100; read less of it with `offset` and `limit`"},
		{lines812, Options{Offset: 2, MaxBytes: 100}, "more than the bound of 100 bytes; read less of it with `offset` and `limit`"},
		{lines812, Options{Limit: 51, MaxBytes: 100}, "more than the bound of 100 bytes; read less of it with `offset` and `limit`"},
		{strings.Repeat("\xff", 50), Options{MaxBytes: 100}, "150 bytes is over the bound of 100; read less of it with `offset` and `limit`"},
	} {
		_, err := Read(context.Background(), strings.NewReader(tt.text), int64(len(tt.text)), tt.o)
		require.EqualError(t, err, tt.want)
	}
	_, err := Read(context.Background(), strings.NewReader("x"), 1, Options{Offset: 2})
	var pastEnd *PastEndError
	require.ErrorAs(t, err, &pastEnd)
	require.Equal(t, PastEndError{Offset: 2, TotalLines: 1}, *pastEnd)
}

// At the bound itself nothing is refused.
func TestReadUpToTheBound(t *testing.T) {
	text := strings.Repeat("x\n", 50)
	require.Equal(t, text, readString(t, text, Options{MaxBytes: 100}).Contents)
	require.Equal(t, text, readString(t, text+text, Options{Limit: 50, MaxBytes: 100}).Contents)
}

// What is refused anyway is not read: a whole file not at all, a window not beyond its bound.
func TestRefusalReadsLittle(t *testing.T) {
	d := &onDisk{data: bytes.Repeat([]byte("0123456789\n"), 1<<20)}
	size := int64(len(d.data))
	_, err := Read(context.Background(), d, size, Options{MaxBytes: 1 << 20})
	require.IsType(t, &TooLargeError{}, err)
	require.LessOrEqual(t, d.read, int64(standard.piece))

	d.read = 0
	_, err = Read(context.Background(), d, size, Options{Offset: 2, MaxBytes: 1 << 20, Workers: 1})
	require.IsType(t, &TooLargeError{}, err)
	require.LessOrEqual(t, d.read, size+2<<20, "counted once, then gathered up to the bound")
}

func TestReadImage(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100)
	f := readString(t, png, Options{ImageData: true, Offset: 900})
	require.Equal(t, File{Kind: Image, Bytes: 108, MediaType: "image/png", Data: []byte(png)}, *f)

	f = readString(t, png, Options{})
	require.Nil(t, f.Data)
	require.Equal(t, "described only: nothing was opened", f.NotShown)

	large := png + strings.Repeat("x", MaxImage)
	f = readString(t, large, Options{ImageData: true})
	require.Nil(t, f.Data)
	require.Equal(t, "8388716 bytes is over the bound of 8388608", f.NotShown)

	largest := large[:MaxImage]
	f = readString(t, largest, Options{ImageData: true})
	require.Len(t, f.Data, MaxImage)
}

func TestReadBinary(t *testing.T) {
	f := readString(t, "ab\x00cd", Options{Offset: 900})
	require.Equal(t, File{Kind: Binary, Bytes: 5, MediaType: "application/octet-stream", NotShown: "binary (a NUL byte at offset 2)"}, *f)

	f = readString(t, "\xff\xfea\x00", Options{})
	require.Equal(t, "UTF-16 text: convert it to UTF-8 first", f.NotShown)

	text := strings.Repeat("a", HeadBytes)
	require.Equal(t, Binary, readString(t, text[1:]+"\x00", Options{}).Kind)
	f = readString(t, text+"\x00", Options{})
	require.Equal(t, Text, f.Kind, "a NUL behind the first 8 KiB")
	require.Equal(t, text+"\x00", f.Contents)
}

// shrinking is a file that has become shorter than its size says, each time it is read once more.
type shrinking struct {
	text string
	left int // how often it shrinks
}

func (s *shrinking) ReadAt(b []byte, off int64) (int, error) {
	n, err := strings.NewReader(s.text).ReadAt(b, off)
	if err == io.EOF && s.left > 0 {
		s.left--
		s.text = s.text[:max(0, len(s.text)-2)]
	}
	return n, err
}

func TestShrinkingFile(t *testing.T) {
	f, err := Read(context.Background(), strings.NewReader("a\nb\nc"), 1000, Options{Offset: 2})
	require.NoError(t, err)
	require.Equal(t, File{Kind: Text, Bytes: 5, Contents: "b\nc", FirstLine: 2, LastLine: 3, TotalLines: 3, Truncated: true}, *f)

	_, err = Read(context.Background(), strings.NewReader(""), 1000, Options{Offset: 2})
	require.EqualError(t, err, "`offset` 2 is past the end of the file (0 lines)")

	_, err = Read(context.Background(), &shrinking{text: strings.Repeat("a\n", 100), left: 100}, 201, Options{})
	require.ErrorIs(t, err, ErrShrinking)

	// Between counting and gathering: only the head and the count are complete.
	long := strings.Repeat("0123456789\n", 1<<16)
	short := &shortAfter{text: long, reads: 5, to: 22}
	f, err = Read(context.Background(), short, int64(len(long)), Options{Offset: 2, Workers: 1})
	require.NoError(t, err)
	require.Equal(t, "0123456789\n", f.Contents)
	require.EqualValues(t, 2, f.TotalLines)
}

// shortAfter is cut to to bytes after a number of reads.
type shortAfter struct {
	text      string
	reads, to int
}

func (s *shortAfter) ReadAt(b []byte, off int64) (int, error) {
	if s.reads--; s.reads < 0 {
		s.text = s.text[:s.to]
	}
	return strings.NewReader(s.text).ReadAt(b, off)
}

// Bytes behind the size that was given are not seen.
func TestGrowingFile(t *testing.T) {
	f, err := Read(context.Background(), strings.NewReader("a\nb\nc\n"), 3, Options{})
	require.NoError(t, err)
	require.Equal(t, "a\nb", f.Contents)
	require.EqualValues(t, 2, f.TotalLines)
}

type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	if off >= f.from {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(b, off)
}

func TestReadFailure(t *testing.T) {
	text := strings.Repeat("a\n", 1<<20)
	broken := errors.New("input/output error")
	for _, workers := range []int{1, 4} {
		_, err := Read(context.Background(), failing{strings.NewReader(text), 1 << 20, broken}, 2<<20, Options{Offset: 2, Workers: workers})
		require.ErrorIs(t, err, broken)
	}
	_, err := Read(context.Background(), failing{strings.NewReader(text), 1 << 20, nil}, 2<<20, Options{Offset: 2})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "a reader that breaks its contract")
}

// cancelling cancels its context in the middle of a read.
type cancelling struct {
	io.ReaderAt
	from   int64
	cancel func()
}

func (c cancelling) ReadAt(b []byte, off int64) (int, error) {
	if off >= c.from {
		c.cancel()
	}
	return c.ReaderAt.ReadAt(b, off)
}

func TestCancel(t *testing.T) {
	text := strings.Repeat("a\n", 4<<20)
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		d := &onDisk{data: []byte(text)}
		_, err := Read(ctx, cancelling{d, 1 << 20, cancel}, int64(len(text)), Options{Offset: 2, Workers: 1})
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, d.read, int64(2<<20), "it stops at the next piece")

		_, err = Read(ctx, strings.NewReader(text), int64(len(text)), Options{Workers: workers})
		require.ErrorIs(t, err, context.Canceled)
	}
}

// endless is a file of one byte repeated, of any size.
type endless byte

func (e endless) ReadAt(b []byte, off int64) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// The counts a file needs are bounded whatever its size: blocks grow instead.
func TestBlocksAreBounded(t *testing.T) {
	g := geometry{piece: 4 << 10, maxBlocks: 8}
	const size = 1<<20 + 12345
	p, err := g.locate(context.Background(), endless('\n'), size, 700_000, 2)
	require.NoError(t, err)
	require.EqualValues(t, size, p.total)
	require.EqualValues(t, 700_000-1, p.start+p.skip)
	require.Zero(t, p.start%int64(g.piece))
	require.Less(t, p.skip, int64(size/4))
}

// A line of any length passes, and one that is asked for comes whole.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("日", 1<<20) + "\n"
	text := "a\n" + long + "b\n"
	require.Equal(t, "b\n", readString(t, text, Options{Offset: 3}).Contents)
	require.Equal(t, long, readString(t, text, Options{Offset: 2, Limit: 1}).Contents)
}

// naive is what Read promises, over bytes in memory.
func naive(data string, offset, limit int64) (contents string, first, last, total int64) {
	lines := strings.SplitAfter(data, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	total = int64(len(lines))
	first = max(offset, 1)
	last = total
	if limit > 0 && limit < total-first+1 {
		last = first + limit - 1
	}
	if first > total {
		return "", first, last, total
	}
	return string([]rune(strings.Join(lines[first-1:last], ""))), first, last, total
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a\nb\nc"), uint32(2), uint32(1), uint8(3), uint8(4), uint8(1))
	f.Add([]byte("\n\n\xff\r\n\xe6\x97"), uint32(0), uint32(0), uint8(1), uint8(1), uint8(2))
	f.Add([]byte(strings.Repeat("日本語\n", 40)), uint32(39), uint32(9), uint8(7), uint8(9), uint8(3))
	f.Add([]byte(""), uint32(7), uint32(0), uint8(1), uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, offset, limit uint32, piece, maxBlocks, workers uint8) {
		g := geometry{piece: int(piece) + 1, maxBlocks: int(maxBlocks) + 1}
		kind, _ := Detect(data)
		got, err := g.read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{
			Offset: int64(offset), Limit: int64(limit), Workers: int(workers % 5),
		})
		if kind != Text {
			require.NoError(t, err)
			require.Equal(t, kind, got.Kind)
			return
		}
		contents, first, last, total := naive(string(data), int64(offset), int64(limit))
		if first > max(total, 1) {
			var pastEnd *PastEndError
			require.ErrorAs(t, err, &pastEnd)
			require.Equal(t, PastEndError{Offset: first, TotalLines: total}, *pastEnd)
			return
		}
		require.NoError(t, err)
		require.True(t, utf8.ValidString(got.Contents))
		require.Equal(t, File{
			Kind: Text, Bytes: int64(len(data)), Contents: contents,
			FirstLine: first, LastLine: last, TotalLines: total,
			Truncated: first > 1 || last < total,
		}, *got)
	})
}

func FuzzDecode(f *testing.F) {
	f.Add("a\xffb\xe6\x97\ufffd")
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, string([]rune(s)), Decode(s))
	})
}
