//go:build unix

package store

import (
	"io"

	"golang.org/x/sys/unix"
)

// output is a file that is being written: a bare descriptor, because there are two for every command, and an
// os.File would ask the system for what is known here.
type output struct {
	fd int
	id identity
}

// create makes the file name, which must not exist. It is written at its end wherever that is: if somebody
// empties the file, no hole takes the place of what was in it.
func (h *handle) create(name string) (output, error) {
	const flags = unix.O_WRONLY | unix.O_APPEND | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := h.openAt(name, flags)
	if err != nil {
		return output{}, err
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	// The umask may have taken even the owner's permissions away, and the agent is to read the file. It has
	// to be looked at each time: it is the process's, and anybody in it may change it at any moment.
	if err == nil && uint32(st.Mode)&0o7777 != 0o600 {
		err = unix.Fchmod(fd, 0o600)
	}
	if err != nil {
		unix.Close(fd)
		h.remove(name)
		return output{}, err
	}
	return output{fd: fd, id: identityOf(&st)}, nil
}

// write appends b and returns how much of it the file has taken.
func (o *output) write(b []byte) (n int, err error) {
	for n < len(b) {
		m, err := unix.Write(o.fd, b[n:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return n, err
		case m == 0:
			return n, io.ErrShortWrite
		}
		n += m
	}
	return n, nil
}

// sizeAt is the size of the file, if path leads to it.
func (o *output) sizeAt(path string) (int64, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return 0, err
	}
	// The number cannot belong to another file as long as this one is open.
	if o.id != identityOf(&st) {
		return 0, errReplaced
	}
	return st.Size, nil
}

func (o *output) close() { unix.Close(o.fd) }
