package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// MaxEntries bounds how many entries of a directory one call lists: about the 16 MiB that a call may return.
const MaxEntries = 200_000

// EntryKind says what an entry of a directory is. A symbolic link is not followed.
type EntryKind string

// The kinds of entry.
const (
	KindFile      EntryKind = "file"
	KindDirectory EntryKind = "directory"
	KindSymlink   EntryKind = "symlink"
	KindOther     EntryKind = "other" // a named pipe, a socket, a device
)

// Entry is an entry of a directory.
type Entry struct {
	Name string // as the file system has it, not necessarily valid UTF-8
	Kind EntryKind
	Size int64 // of a file, in bytes; 0 for everything else
}

// ListDir lists the directory at path, sorted by name (by bytes); "" means Config.Dir. What vanishes while
// it is listed is left out.
//
// The errors are ErrNotFound, ErrRefused, ErrInvalid (not a directory), ErrTooLarge (more than MaxEntries),
// ErrIO, or ctx's own.
func (w *Workspace) ListDir(ctx context.Context, path string) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if path == "" {
		path = "."
	}
	f, err := w.openDir(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	list := []Entry{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		batch, err := f.ReadDir(1024)
		for _, d := range batch {
			if e, err := entry(d); err == nil {
				list = append(list, e)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, ioError("list", path, err)
			}
		}
		switch {
		case len(list) > w.maxEntries:
			return nil, newError(ErrTooLarge, "list", path, fmt.Sprintf("has more than %d entries", w.maxEntries), nil)
		case errors.Is(err, io.EOF):
			slices.SortFunc(list, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
			return list, nil
		case err != nil:
			return nil, ioError("list", path, err)
		}
	}
}

// openDir opens a directory for listing.
func (w *Workspace) openDir(path string) (*os.File, error) {
	p, err := w.resolve("list", path)
	switch {
	case err != nil:
		return nil, err
	case p.info == nil:
		return nil, p.missing("list", path)
	case !p.info.IsDir():
		return nil, newError(ErrInvalid, "list", path, "is not a directory", nil)
	}
	t, name := w.reach.tree(p.real)
	if t == nil {
		return nil, p.missing("list", path)
	}
	f, err := t.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, ioError("list", path, err)
	}
	if fsys := kernelFileSystem(f); fsys != "" {
		f.Close()
		return nil, newError(ErrRefused, "list", path, "is refused: a file system of the kernel ("+fsys+") is never opened", nil)
	}
	return f, nil
}

// entry describes d; fs.ErrNotExist means that it has vanished.
func entry(d fs.DirEntry) (Entry, error) {
	e := Entry{Name: d.Name(), Kind: KindOther}
	switch {
	case d.IsDir():
		e.Kind = KindDirectory
	case d.Type()&fs.ModeSymlink != 0:
		e.Kind = KindSymlink
	case d.Type().IsRegular():
		e.Kind = KindFile
		info, err := d.Info()
		if err != nil {
			return e, err
		}
		e.Size = info.Size()
	}
	return e, nil
}
