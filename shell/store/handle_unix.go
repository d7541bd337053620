//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

func defaultPath() string { return "/tmp/gg-shell" }

// handle is an open directory that was found to be ours. Everything in it is reached by way of the
// descriptor: what happens to the path later cannot lead anybody astray.
type handle struct {
	path  string
	dir   *os.File
	id    identity
	lock  *os.File // held with flock while the handle is; nil where there are no locks
	holds atomic.Int64
}

// identity tells directories and files apart whatever their path.
type identity struct{ dev, ino uint64 }

func identityOf(st *unix.Stat_t) identity { return identity{dev: uint64(st.Dev), ino: uint64(st.Ino)} }

// place is the directory for as long as this process lives: one that is removed may leave its identity to
// another.
func (h *handle) place() any {
	return struct {
		path string
		id   identity
	}{h.path, h.id}
}

func (h *handle) hold() { h.holds.Add(1) }

func (h *handle) release() {
	if h.holds.Add(-1) == 0 {
		h.dir.Close()
		if h.lock != nil {
			h.lock.Close()
		}
	}
}

// errForeign is what makes openHandle try the second name.
var errForeign = errors.New("owned by another user")

// openHandle opens the directory path, or its stand-in when path belongs to somebody else, and locks it
// for this process. The handle has one hold.
func openHandle(path string) (*handle, error) {
	h, err := openOwn(path)
	if errors.Is(err, errForeign) {
		path += "-" + strconv.Itoa(os.Geteuid())
		h, err = openOwn(path)
	}
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	h.hold()
	h.lockOwn()
	return h, nil
}

func openOwn(path string) (*handle, error) {
	made := false
	err := unix.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		err = unix.Mkdir(path, 0o700)
	}
	switch {
	case err == nil:
		made = true
		// A strict umask may have taken from us what we need to open it; nobody but us can have put a link
		// there meanwhile, in a directory that is sticky or ours.
		if err := unix.Fchmodat(unix.AT_FDCWD, path, 0o700, unix.AT_SYMLINK_NOFOLLOW); err != nil && !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.ENOSYS) {
			return nil, err
		}
	case !errors.Is(err, fs.ErrExist):
		// Also a directory that exists can have a parent that cannot be written to: opening decides.
		if _, statErr := os.Lstat(path); statErr != nil {
			return nil, err
		}
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, whyNotOpened(path, err)
	}
	h := &handle{path: path, dir: os.NewFile(uintptr(fd), path)}
	if err := h.judge(made); err != nil {
		h.dir.Close()
		return nil, err
	}
	return h, nil
}

// whyNotOpened says in words what kind of thing stands where the directory should be: the error
// numbers for it differ between systems.
func whyNotOpened(path string, err error) error {
	info, statErr := os.Lstat(path)
	switch {
	case statErr != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("is a symbolic link")
	case !info.IsDir():
		return errors.New("is not a directory")
	}
	if st := new(unix.Stat_t); unix.Lstat(path, st) == nil && int(st.Uid) != os.Geteuid() {
		return errForeign
	}
	return err
}

// judge decides whether the directory may be used.
func (h *handle) judge(made bool) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(h.dir.Fd()), &st); err != nil {
		return err
	}
	h.id = identityOf(&st)
	if int(st.Uid) != os.Geteuid() {
		return errForeign
	}
	mode := uint32(st.Mode) & 0o7777
	if mode == 0o700 {
		return nil
	}
	// One that is open to others is closed to them, but only if it is evidently for our files alone: root's
	// /tmp, named by mistake, must stay as it is.
	if !made && (mode&unix.S_ISVTX != 0 || !h.onlyOurs()) {
		return fmt.Errorf("permissions are %#o, want 0700", mode)
	}
	return unix.Fchmod(int(h.dir.Fd()), 0o700)
}

func (h *handle) onlyOurs() bool {
	entries, err := h.list()
	if err != nil {
		return false
	}
	for _, e := range entries {
		if _, _, ok := parseName(e.Name()); !ok {
			return false
		}
	}
	return true
}

// current reports whether the path still leads to this directory, and our lock is still in it.
func (h *handle) current() bool {
	var st unix.Stat_t
	return unix.Lstat(h.path, &st) == nil && h.id == identityOf(&st) && (h.lock == nil || linked(h.lock))
}

func (h *handle) openAt(name string, flags int) (fd int, err error) {
	for {
		fd, err = unix.Openat(int(h.dir.Fd()), name, flags, 0o600)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func (h *handle) remove(name string) error { return unix.Unlinkat(int(h.dir.Fd()), name, 0) }

// list reads the directory through a descriptor of its own: the position belongs to the open file.
func (h *handle) list() ([]fs.DirEntry, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	fd, err := h.openAt(".", flags)
	if err != nil {
		return nil, err
	}
	d := os.NewFile(uintptr(fd), h.path)
	defer d.Close()
	return d.ReadDir(-1)
}
