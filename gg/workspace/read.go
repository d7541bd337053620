package workspace

import (
	"context"
	"errors"
	"os"

	"github.com/responses-as-code/gg/views/window"
)

// ReadOptions choose what to read of a file. The zero value is all of it.
type ReadOptions struct {
	Offset    int64 // the first line, from 1; 0 means 1
	Limit     int64 // the number of lines, stopping at the end; 0 means all
	ImageData bool  // attach the bytes of an image of up to window.MaxImage, 8 MiB
}

// File is what was read of a file.
type File struct {
	window.File
	Path string // as the caller wrote it
	Real string // absolute and without symbolic links: one for all spellings
}

// ReadFile reads a window of a text file, or describes an image or a binary file. It streams: the memory it
// takes depends on the window alone.
//
// The errors are ErrNotFound, ErrRefused (a directory and whatever else is no regular file as well as what
// is out of reach), ErrInvalid (an offset behind the last line), ErrTooLarge (more than Config.MaxBytes of
// contents, which is known before they are in memory), ErrIO, or ctx's own.
func (w *Workspace) ReadFile(ctx context.Context, path string, o ReadOptions) (*File, error) {
	f, p, err := w.openRegular(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, ioError("read", path, err)
	}
	got, err := window.Read(ctx, f, info.Size(), window.Options{
		Offset: o.Offset, Limit: o.Limit, MaxBytes: w.maxBytes, ImageData: o.ImageData,
	})
	if err != nil {
		return nil, windowError(path, err)
	}
	return &File{File: *got, Path: path, Real: p.real}, nil
}

// ReadText is ReadFile for a file that has to be text: another is ErrInvalid.
func (w *Workspace) ReadText(ctx context.Context, path string, o ReadOptions) (*File, error) {
	o.ImageData = false
	f, err := w.ReadFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if f.Kind != window.Text {
		return nil, newError(ErrInvalid, "read", path, "is not text: "+f.MediaType, nil)
	}
	return f, nil
}

// openRegular opens a regular file for reading.
func (w *Workspace) openRegular(ctx context.Context, path string) (*os.File, place, error) {
	if err := ctx.Err(); err != nil {
		return nil, place{}, err
	}
	p, err := w.resolve("read", path)
	switch {
	case err != nil:
		return nil, place{}, err
	case p.info == nil:
		return nil, place{}, p.missing("read", path)
	}
	if reason := notRegular(p.info.Mode()); reason != "" { // not even opened: that alone can have effects
		return nil, place{}, newError(ErrRefused, "read", path, reason, nil)
	}
	f, err := w.open("read", path, p, os.O_RDONLY)
	if err != nil {
		return nil, place{}, err
	}
	return f, p, nil
}

// open opens the regular file at p, and makes sure of what it has opened.
func (w *Workspace) open(op, path string, p place, flag int) (*os.File, error) {
	t, name := w.reach.tree(p.real)
	if t == nil {
		return nil, p.missing(op, path)
	}
	f, err := t.OpenFile(name, flag|openFlags, 0)
	if err != nil {
		return nil, ioError(op, path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, ioError(op, path, err)
	}
	reason := notRegular(info.Mode())
	if fsys := kernelFileSystem(f); fsys != "" {
		reason = "is refused: a file system of the kernel (" + fsys + ") is never opened"
	}
	if reason != "" {
		f.Close()
		return nil, newError(ErrRefused, op, path, reason, nil)
	}
	return f, nil
}

// windowError gives an error of package window its family and, unless its text is an argument's, the path.
func windowError(path string, err error) error {
	var (
		argument *window.ArgumentError
		pastEnd  *window.PastEndError
		tooLarge *window.TooLargeError
	)
	switch {
	case errors.As(err, &argument), errors.As(err, &pastEnd):
		return &Error{Family: ErrInvalid, Op: "read", Path: path, Text: err.Error(), Err: err}
	case errors.As(err, &tooLarge):
		return newError(ErrTooLarge, "read", path, "is too large for one call: "+err.Error(), err)
	}
	return ioError("read", path, err)
}
