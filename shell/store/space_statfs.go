//go:build linux || darwin

package store

import (
	"math"
	"math/bits"

	"golang.org/x/sys/unix"
)

// space is what an unprivileged process may still write to the file system, and its size, in bytes. One that
// does not know its size, such as a ramfs, says 0 to both.
func (h *handle) space() (free, total int64, err error) {
	var st unix.Statfs_t
	for {
		if err = unix.Fstatfs(int(h.dir.Fd()), &st); err != unix.EINTR {
			break
		}
	}
	unit := blockBytes(&st)
	return product(uint64(st.Bavail), unit), product(st.Blocks, unit), err
}

// product is a times b, or as much as there can be: some file systems that have no limit report the largest
// number there is.
func product(a, b uint64) int64 {
	high, low := bits.Mul64(a, b)
	if high > 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}
