//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// The lock of process number n is the file cmd-<n>.lock. Every living process with that number, there is one
// in each container, holds it shared; who gets it exclusively knows that all of them are dead. The kernel
// lets go of it when a process dies, however it does.

// lockOwn takes this process's lock. A file system without locks leaves age to decide.
func (h *handle) lockOwn() {
	for {
		f, err := h.openLock(os.Getpid(), unix.O_CREAT)
		if err != nil {
			return
		}
		if err := flock(f, unix.LOCK_SH); err != nil {
			f.Close()
			return
		}
		// Somebody may have swept the name away between the two calls: a lock on a file without a name
		// protects nothing.
		if !linked(f) {
			f.Close()
			continue
		}
		h.lock = f
		return
	}
}

func (h *handle) openLock(pid, flags int) (*os.File, error) {
	name := lockName(pid)
	fd, err := h.openAt(name, flags|unix.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// ifDead calls sweep if no process with the number pid lives, and then removes its lock if that is
// asked for.
func (h *handle) ifDead(pid int, removeLock bool, sweep func()) {
	if pid == os.Getpid() {
		h.ifAlone(sweep)
		return
	}
	f, err := h.openLock(pid, 0)
	if errors.Is(err, fs.ErrNotExist) {
		sweep() // whoever can lock does: the files are from a file system, or a time, without locks
		return
	}
	if err != nil {
		return
	}
	defer f.Close()
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK {
		return
	}
	sweep()
	if removeLock && linked(f) {
		h.remove(lockName(pid))
	}
}

// ifAlone calls sweep if this process is the only living one with its number. The files that are too old
// are then a dead one's: in a container every host tends to get the same number.
func (h *handle) ifAlone(sweep func()) {
	if h.lock == nil {
		return
	}
	if flock(h.lock, unix.LOCK_EX|unix.LOCK_NB) == nil {
		sweep()
	}
	flock(h.lock, unix.LOCK_SH) // also after a refusal: trying to change a lock gives up the old one
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}

func linked(f *os.File) bool {
	var st unix.Stat_t
	return unix.Fstat(int(f.Fd()), &st) == nil && st.Nlink > 0
}
