package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Permissions of what is made new, before the umask.
const (
	newFilePerm = 0o666
	newDirPerm  = 0o777
)

// writeStep is after how many bytes ctx is looked at.
const writeStep = 1 << 20

// WriteFile makes contents the contents of the file at path and returns how many bytes that are. Missing
// parent directories are created. The file is never seen half written: a temporary file beside it takes its
// place (its name begins with `.gg-`; a host that is killed may leave it behind).
//
// An existing file keeps its mode and, where the user may, its owner. One that the user may not write to is
// not replaced, although the directory would allow it. A symbolic link stays: what it leads to is written,
// also if that does not exist yet.
//
// The errors are ErrNotFound (a parent that is no directory, a `..` behind a missing one), ErrRefused,
// ErrInvalid (a path that names a directory, a name that is too long), ErrIO, or ctx's own. After an error the file is as it was; parent
// directories may have been created.
func (w *Workspace) WriteFile(ctx context.Context, path string, contents []byte) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	p, err := w.resolve("write", path)
	if err != nil {
		return 0, err
	}
	if p.directory && p.info == nil {
		return 0, newError(ErrInvalid, "write", path, "names a directory, want a file", nil)
	}
	old, err := w.writable(path, p)
	if err != nil {
		return 0, err
	}
	if err := w.replace(ctx, path, p, contents, old); err != nil {
		return 0, ioError("write", path, err)
	}
	return int64(len(contents)), nil
}

// writable returns what is at p, if anything, and refuses what must not be overwritten.
func (w *Workspace) writable(path string, p place) (fs.FileInfo, error) {
	if p.info == nil {
		return nil, nil
	}
	if reason := notRegular(p.info.Mode()); reason != "" {
		return nil, newError(ErrRefused, "write", path, reason, nil)
	}
	f, err := w.open("write", path, p, os.O_WRONLY)
	switch {
	case errors.Is(err, syscall.ETXTBSY):
		return p.info, nil // a program that runs can be replaced, though not overwritten
	case err != nil:
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	return info, ioError("write", path, err)
}

// replace puts a new file in the place of p. old is what was there, or nil.
func (w *Workspace) replace(ctx context.Context, path string, p place, contents []byte, old fs.FileInfo) error {
	t, name := w.reach.tree(p.real)
	if t == nil {
		return p.missing("write", path)
	}
	dir := filepath.Dir(name)
	if p.parentToo {
		if err := t.MkdirAll(dir, newDirPerm); err != nil {
			return err
		}
	}
	perm := fs.FileMode(newFilePerm)
	if old != nil {
		perm = 0o600 // what was private is never seen by others, not even under another name
	}
	temporary := filepath.Join(dir, ".gg-"+rand.Text()+".tmp")
	f, err := t.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	err = fill(ctx, f, contents, old)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = t.Rename(temporary, name)
	}
	if err != nil {
		_ = t.Remove(temporary) // the first error is the one to report
	}
	return err
}

// fill writes contents to f and gives it the owner and the mode of old.
func fill(ctx context.Context, f *os.File, contents []byte, old fs.FileInfo) error {
	for len(contents) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Write(contents[:min(len(contents), writeStep)])
		if err != nil {
			return err
		}
		contents = contents[n:]
	}
	if old == nil {
		return nil
	}
	mode := old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if !keepOwner(f, old) {
		mode &= fs.ModePerm // a setuid bit must not pass on to another user
	}
	return f.Chmod(mode)
}
