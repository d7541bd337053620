// Package window reads a window of lines out of a file of any size, and says what kind of file it is.
//
// A program that wants to show a model "the last 200 lines of the log" must not hold the log in memory,
// and must still be able to say that these are lines 41800-41999 of 41999. This package does both in one
// call over an [io.ReaderAt]: it counts every line, in as many goroutines as help, and keeps only the
// lines that were asked for.
//
//	f, err := os.Open("build.log")
//	…
//	info, err := f.Stat()
//	…
//	w, err := window.Read(ctx, f, info.Size(), window.Options{Offset: 41800, Limit: 200})
//	…
//	fmt.Printf("lines %d-%d of %d\n%s", w.FirstLine, w.LastLine, w.TotalLines, w.Contents)
//
// What a file is, is decided by its first bytes and never by its name: an image (PNG, JPEG, GIF, WebP),
// binary (a NUL byte among the first [HeadBytes]), or else text. Text is UTF-8; each byte that is not part
// of a valid sequence becomes one U+FFFD (the rule of [unicode/utf8.DecodeRune]). Nothing else is changed:
// a byte order mark and the CR of a CRLF stay, so that a file that was read can be written back.
//
// Not promised: a consistent picture of a file that is being rewritten in place. The size is the one the
// caller gives, so what is appended later is not seen; a file that turns out to be shorter is read again
// at its new size. The package opens nothing itself and knows no paths.
package window

import (
	"bytes"
	"context"
	"errors"
	"io"
	goruntime "runtime"
)

const (
	// HeadBytes is how much of a file decides whether it is text: a NUL byte in it makes it binary.
	HeadBytes = 8 << 10

	// MaxContents is the default bound of [Options.MaxBytes]: the most one call returns, 16 MiB.
	MaxContents = 16 << 20

	// MaxImage is the size up to which the bytes of an image are attached, 8 MiB. A larger one is described.
	MaxImage = 8 << 20
)

// Kind says what a file is, by its contents.
type Kind string

// The kinds of file.
const (
	Text   Kind = "text"
	Image  Kind = "image"  // PNG, JPEG, GIF or WebP
	Binary Kind = "binary" // a NUL byte among the first HeadBytes, and none of those images
)

// Options choose the window. The zero value is the whole file.
type Options struct {
	// Offset is the first line of the window, counted from 1. 0 means 1.
	Offset int64

	// Limit is the number of lines; one that goes past the end stops at the end. 0 means all of them.
	Limit int64

	// MaxBytes bounds File.Contents, in bytes of UTF-8 as returned. A window that would hold more is refused
	// with a *TooLargeError, before it is in memory. 0 means MaxContents.
	MaxBytes int64

	// ImageData attaches the bytes of an image of up to MaxImage bytes. Without it an image is described only.
	ImageData bool

	// Workers is the number of goroutines that count lines in a file larger than a few blocks.
	// 0 means GOMAXPROCS, at most 4: beyond that the storage is what is waited for.
	Workers int
}

// File is what [Read] found.
type File struct {
	Kind  Kind
	Bytes int64 // size of the whole file

	// Text only. Lines end in '\n'; an unterminated last line counts. An empty file has FirstLine 1,
	// LastLine 0 and TotalLines 0.
	Contents   string // the lines FirstLine..LastLine, valid UTF-8, each with its line ending
	FirstLine  int64
	LastLine   int64
	TotalLines int64
	Truncated  bool // the file has lines that are not in Contents

	// Image and binary only.
	MediaType string
	Data      []byte // an image's bytes, with Options.ImageData and up to MaxImage of them; nil otherwise
	NotShown  string // why there is nothing to show: "" when Data is there
}

// Read reads a window of the first size bytes of r.
//
// The errors are *[ArgumentError] for options out of range, *[PastEndError] for an offset behind the last
// line, *[TooLargeError] for a window of more than MaxBytes, [ErrShrinking], ctx's own error, or what r
// returned. Offset and Limit mean nothing for an image or a binary file and are not looked at.
//
// Memory is bounded by the window (up to twice MaxBytes while it is gathered) plus 256 KiB a worker,
// whatever the size of the file and the length of its lines. ctx is looked at every 256 KiB.
func Read(ctx context.Context, r io.ReaderAt, size int64, o Options) (*File, error) {
	return standard.read(ctx, r, size, o)
}

// geometry is how a file is divided for reading. Tests make it tiny so that every boundary is met.
type geometry struct {
	piece     int // bytes of one ReadAt: large enough for a disk, small enough for a core's own cache
	maxBlocks int // line counts that are kept, one a block: bounds the memory for a file of any size
}

// standard: from the page cache, pieces of 16 KiB to 1 MiB are equally fast and larger ones slower
// (BenchmarkPieces); 256 KiB is enough for a disk, too. 32768 counts are 256 KiB of memory.
var standard = geometry{piece: 256 << 10, maxBlocks: 32 << 10}

// maxRestarts bounds how often a file that shrinks while it is read is begun again.
const maxRestarts = 8

func (g geometry) read(ctx context.Context, r io.ReaderAt, size int64, o Options) (*File, error) {
	o, err := o.withDefaults(size)
	if err != nil {
		return nil, err
	}
	for range maxRestarts {
		f, err := g.readOnce(ctx, r, size, o)
		var short *shrunkError
		if !errors.As(err, &short) {
			return f, err
		}
		size = short.size
	}
	return nil, ErrShrinking
}

// readOnce reads a file that keeps the size it has, or returns a *shrunkError with its new one.
func (g geometry) readOnce(ctx context.Context, r io.ReaderAt, size int64, o Options) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	head := make([]byte, min(size, int64(max(g.piece, HeadBytes))))
	if err := readFull(r, head, 0); err != nil {
		return nil, err
	}
	if int64(len(head)) == size {
		r = bytes.NewReader(head) // a small file is read once
	}
	switch kind, mediaType := Detect(head); kind {
	case Image:
		return readImage(r, size, mediaType, o.ImageData)
	case Binary:
		return &File{Kind: Binary, Bytes: size, MediaType: mediaType, NotShown: whyBinary(head, mediaType)}, nil
	}
	return g.readText(ctx, r, size, o)
}

func (g geometry) readText(ctx context.Context, r io.ReaderAt, size int64, o Options) (*File, error) {
	if o.Offset == 1 && o.Limit == 0 && size > o.MaxBytes {
		return nil, &TooLargeError{Bytes: size, Bound: o.MaxBytes} // no need to count what is refused anyway
	}
	at, err := g.locate(ctx, r, size, o.Offset, o.Workers)
	if err != nil {
		return nil, err
	}
	f := &File{Kind: Text, Bytes: size, FirstLine: o.Offset, LastLine: at.total, TotalLines: at.total}
	switch {
	case size == 0 && o.Offset == 1:
		return f, nil
	case o.Offset > at.total:
		return nil, &PastEndError{Offset: o.Offset, TotalLines: at.total}
	}
	if o.Limit > 0 && o.Limit <= at.total-o.Offset {
		f.LastLine = o.Offset + o.Limit - 1
	}
	f.Truncated = f.FirstLine > 1 || f.LastLine < f.TotalLines

	lines := f.LastLine - f.FirstLine + 1
	if f.LastLine == f.TotalLines {
		lines = 0 // to the end: no line needs to be looked for
	}
	raw, err := g.collect(ctx, r, size, at, lines, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	n := decodedLen(raw)
	if n > o.MaxBytes {
		return nil, &TooLargeError{Bytes: n, Bound: o.MaxBytes}
	}
	f.Contents = decode(raw, int(n))
	return f, nil
}

func readImage(r io.ReaderAt, size int64, mediaType string, attach bool) (*File, error) {
	f := &File{Kind: Image, Bytes: size, MediaType: mediaType}
	switch {
	case size > MaxImage:
		f.NotShown = (&TooLargeError{Bytes: size, Bound: MaxImage}).size()
	case !attach:
		f.NotShown = "described only: nothing was opened"
	default:
		f.Data = make([]byte, size)
		if err := readFull(r, f.Data, 0); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// withDefaults fills in what zero means and refuses, in one error, what is out of range.
func (o Options) withDefaults(size int64) (Options, error) {
	var defects []error
	for _, a := range []struct {
		name  string
		value int64
	}{{"size", size}, {"offset", o.Offset}, {"limit", o.Limit}, {"maxBytes", o.MaxBytes}, {"workers", int64(o.Workers)}} {
		if a.value < 0 {
			defects = append(defects, &ArgumentError{Name: a.name, Value: a.value})
		}
	}
	if defects != nil {
		return o, errors.Join(defects...)
	}
	if o.Offset == 0 {
		o.Offset = 1
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = MaxContents
	}
	if o.Workers == 0 {
		o.Workers = min(goruntime.GOMAXPROCS(0), 4)
	}
	return o, nil
}
