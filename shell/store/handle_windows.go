package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/windows"
)

func defaultPath() string { return filepath.Join(os.TempDir(), "gg-shell") }

// handle is a directory below the user's own ones: the access list it inherits keeps others out, so there
// is less to check than elsewhere.
type handle struct {
	path  string
	root  *os.Root
	lock  *os.File // open while the handle is held: Windows does not remove an open file
	holds atomic.Int64
}

// place is the directory for as long as this process lives.
func (h *handle) place() any { return h.path }

func (h *handle) hold() { h.holds.Add(1) }

func (h *handle) release() {
	if h.holds.Add(-1) == 0 {
		h.root.Close()
		if h.lock != nil {
			h.lock.Close()
			os.Remove(h.lock.Name())
		}
	}
}

func openHandle(path string) (*handle, error) {
	h, err := openOwn(path)
	if err != nil {
		return nil, &Error{Path: path, Err: plain(err)}
	}
	h.hold()
	h.lock, _ = os.OpenFile(filepath.Join(path, lockName(os.Getpid())), os.O_RDWR|os.O_CREATE, 0o600)
	return h, nil
}

func openOwn(path string) (*handle, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("is a symbolic link")
	case !info.IsDir():
		return nil, errors.New("is not a directory")
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &handle{path: path, root: root}, nil
}

func (h *handle) current() bool {
	held, err := h.root.Stat(".")
	if err != nil {
		return false
	}
	now, err := os.Lstat(h.path)
	return err == nil && os.SameFile(held, now)
}

func (h *handle) remove(name string) error { return h.root.Remove(name) }

func (h *handle) list() ([]fs.DirEntry, error) { return os.ReadDir(h.path) }

// ifDead calls sweep if no process with the number pid lives: its lock is then gone, or can be removed.
func (h *handle) ifDead(pid int, _ bool, sweep func()) {
	if pid == os.Getpid() {
		return
	}
	if err := h.root.Remove(lockName(pid)); err == nil || errors.Is(err, fs.ErrNotExist) {
		sweep()
	}
}

// space is what this user may still write to the file system, and its size, in bytes.
func (h *handle) space() (free, total int64, err error) {
	path, err := windows.UTF16PtrFromString(h.path)
	if err != nil {
		return 0, 0, err
	}
	var f, t uint64
	err = windows.GetDiskFreeSpaceEx(path, &f, &t, nil)
	return int64(f), int64(t), err
}
