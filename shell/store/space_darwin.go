package store

import "golang.org/x/sys/unix"

// blockBytes is the unit of the counts.
func blockBytes(st *unix.Statfs_t) uint64 { return uint64(st.Bsize) }
