package store

import "golang.org/x/sys/unix"

// blockBytes is the unit of the counts. The "block size" is another one where the file system prefers to be
// written to in larger pieces, as those do that a virtual machine shares with its host.
func blockBytes(st *unix.Statfs_t) uint64 {
	if st.Frsize > 0 {
		return uint64(st.Frsize)
	}
	return uint64(st.Bsize)
}
