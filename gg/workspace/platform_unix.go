//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	separators = "/"

	// O_NONBLOCK: a FIFO that is swapped in after it was looked at does not hang the call. O_NOCTTY: nor
	// does a terminal become the host's own.
	openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_NOCTTY
)

// refusedPaths are never opened, nor anything below them.
var refusedPaths = []string{"/proc", "/sys", "/dev"}

// usableAsRoot reports whether a refused path may be a root all the same: /dev/shm is plain memory.
func usableAsRoot(path string) bool {
	rest, ok := cutDir(path, "/dev/shm")
	return ok && rest != ""
}

// sameName reports whether two names of equal length mean the same file.
func sameName(a, b string) bool { return a == b }

// keepOwner gives f the owner and group of old as far as the user may, and reports whether it has them now.
func keepOwner(f *os.File, old fs.FileInfo) bool {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	got, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return false
	case got.Uid == want.Uid && got.Gid == want.Gid:
		return true
	case f.Chown(int(want.Uid), int(want.Gid)) == nil:
		return true
	}
	_ = f.Chown(-1, int(want.Gid)) // the group alone is better than nothing
	return false
}
