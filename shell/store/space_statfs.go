//go:build linux || darwin

package store

import "golang.org/x/sys/unix"

// space is what an unprivileged process may still write to the file system, and its size, in bytes.
func (h *handle) space() (free, total int64, err error) {
	var st unix.Statfs_t
	for {
		if err = unix.Fstatfs(int(h.dir.Fd()), &st); err != unix.EINTR {
			break
		}
	}
	return int64(st.Bavail) * int64(st.Bsize), int64(st.Blocks) * int64(st.Bsize), err
}
