package store

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestBlockBytes(t *testing.T) {
	require.Equal(t, uint64(4096), blockBytes(&unix.Statfs_t{Bsize: 1 << 20, Frsize: 4096}))
	require.Equal(t, uint64(512), blockBytes(&unix.Statfs_t{Bsize: 512}))
	require.Equal(t, int64(1<<20), product(256, 4096))
	require.Equal(t, int64(math.MaxInt64), product(1<<52, 4096))
	require.Equal(t, int64(math.MaxInt64), product(math.MaxUint64, 4096))
}
