package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// container are the attributes of a process that is number 1 of its own, as in a container.
func container() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// F06: two containers that share a volume, and the process numbers in them are the same.
func TestContainersShareADirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	a, b := startHolder(t, path, container()), startHolder(t, path, container())

	// Both number their pairs from 0, at the same time.
	const pairs = 50
	paths := make([][]string, 2)
	var both sync.WaitGroup
	for i, h := range []*holder{a, b} {
		both.Go(func() {
			for range pairs {
				paths[i] = append(paths[i], h.create()) // which finds in the file what this one has written
			}
		})
	}
	both.Wait()
	require.Equal(t, "1", a.pid)
	require.Equal(t, "1", b.pid)
	seen := make(map[string]bool)
	for _, file := range append(paths[0], paths[1]...) {
		require.True(t, strings.HasPrefix(filepath.Base(file), "cmd-1-"), file)
		require.False(t, seen[file], file)
		seen[file] = true
		require.Equal(t, read(t, file), read(t, strings.TrimSuffix(file, "stdout")+"stderr"))
	}

	// sweep is a gg that starts when everything but b's last pair is old, in none of the containers.
	sweep := func() {
		t.Helper()
		old := time.Now().Add(-(DefaultKeepHours + 1) * time.Hour)
		for file := range seen {
			if file != paths[1][pairs-1] {
				os.Chtimes(file, old, old)
			}
		}
		d := newDir(t, Config{Path: path})
		require.NoError(t, pairAndWait(d))
		swept.Delete(d.handle.place())
		require.NoError(t, d.Close())
	}
	lock := filepath.Join(path, lockName(1))
	left := func() (n int) {
		for file := range seen {
			if _, err := os.Lstat(file); err == nil {
				n++
			}
		}
		return n
	}
	sweep()
	require.Equal(t, 2*pairs, left(), "both are alive")

	b.kill()
	sweep()
	require.Equal(t, 2*pairs, left(), "nobody can tell whose the files are, and one is alive")
	seen[a.create()] = true

	// One that starts with the number of the dead one does not take the living one for itself.
	c := startHolder(t, path, container())
	seen[c.create()] = true
	require.Equal(t, 2*pairs+2, left())
	c.kill()

	a.kill()
	require.FileExists(t, lock)
	sweep()
	require.FileExists(t, paths[1][pairs-1], "of a dead one, but not old")
	require.FileExists(t, lock, "there are files that it is about")
	require.Equal(t, 1, left())
}
