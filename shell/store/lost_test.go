//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// What a command can do to its own files: nothing of it leads anybody astray, and what was lost is not claimed.
func TestVerify(t *testing.T) {
	rename := func(from, to string) error { return os.Rename(from, to) }
	for _, c := range []struct {
		name           string
		do             func(dir, file, victim string) error
		stdout, stderr string // Short
	}{
		{name: "nothing", do: func(string, string, string) error { return nil }},
		{name: "file removed", do: func(_, file, _ string) error { return os.Remove(file) }, stdout: "file removed"},
		{name: "file renamed", do: func(_, file, _ string) error { return rename(file, file+".old") }, stdout: "file removed"},
		{name: "link to another file", do: func(_, file, victim string) error { return errors.Join(os.Remove(file), os.Symlink(victim, file)) },
			stdout: "file replaced"},
		{name: "hard link to another file", do: func(_, file, victim string) error { return errors.Join(os.Remove(file), os.Link(victim, file)) },
			stdout: "file replaced"},
		{name: "link to nowhere", do: func(_, file, victim string) error { return errors.Join(os.Remove(file), os.Symlink(victim+"2", file)) },
			stdout: "file replaced"},
		{name: "link to the file", do: func(_, file, _ string) error {
			return errors.Join(rename(file, file+".old"), os.Symlink(file+".old", file))
		},
			stdout: "file replaced"},
		{name: "another file", do: func(_, file, victim string) error { return rename(victim, file) }, stdout: "file replaced"},
		{name: "the same text in another file", do: func(_, file, _ string) error {
			return errors.Join(os.Remove(file), os.WriteFile(file, []byte("before"), 0o600))
		}, stdout: "file replaced"},
		{name: "a directory", do: func(_, file, _ string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, stdout: "file replaced"},
		{name: "emptied", do: func(_, file, _ string) error { return os.Truncate(file, 0) }, stdout: "file changed by others"},
		{name: "shortened", do: func(_, file, _ string) error { return os.Truncate(file, 5) }, stdout: "file changed by others"},
		{name: "appended to", do: func(_, file, _ string) error { return os.Truncate(file, 7) }, stdout: "file changed by others"},
		{name: "each in place of the other", do: func(dir, file, _ string) error {
			other := strings.TrimSuffix(file, "stdout") + "stderr"
			return errors.Join(rename(file, dir+"/x"), rename(other, file), rename(dir+"/x", other))
		}, stdout: "file replaced", stderr: "file replaced"},
		{name: "directory emptied", do: func(dir, file, _ string) error {
			return errors.Join(os.Remove(file), os.Remove(strings.TrimSuffix(file, "stdout")+"stderr"))
		}, stdout: "file removed", stderr: "file removed"},
		{name: "directory removed", do: func(dir, _, _ string) error { return os.RemoveAll(dir) }, stdout: "file removed", stderr: "file removed"},
		{name: "directory renamed", do: func(dir, _, _ string) error { return rename(dir, dir+".old") }, stdout: "file removed", stderr: "file removed"},
		{name: "directory made again", do: func(dir, _, _ string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) },
			stdout: "file removed", stderr: "file removed"},
		{name: "a file in place of the directory", do: func(dir, _, victim string) error { return errors.Join(os.RemoveAll(dir), rename(victim, dir)) },
			stdout: "file removed", stderr: "file removed"},
		{name: "a directory with such files in its place", do: func(dir, file, victim string) error {
			return errors.Join(rename(dir, dir+".old"), os.Mkdir(dir, 0o755), rename(victim, file))
		}, stdout: "file replaced", stderr: "file removed"},
		{name: "a link to another in place of the directory", do: func(dir, _, victim string) error {
			return errors.Join(rename(dir, dir+".old"), os.Symlink(filepath.Dir(victim), dir))
		}, stdout: "file removed", stderr: "file removed"},
		{name: "a link to itself in place of the directory", do: func(dir, _, _ string) error {
			return errors.Join(rename(dir, dir+".old"), os.Symlink(dir+".old", dir)) // the path still leads there
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			victim := filepath.Join(t.TempDir(), "victim")
			require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
			id := inode(t, victim)
			d := newDir(t, Config{})
			p := newPair(t, d)
			p.Stdout.Append([]byte("before"))
			p.Stderr.Append([]byte("before"))
			require.True(t, p.Verify())
			require.NoError(t, c.do(d.Path(), p.Stdout.Path(), victim))

			for range 2 {
				require.Equal(t, c.stdout+c.stderr == "", p.Verify())
			}
			requireVerified(t, p.Stdout, c.stdout)
			requireVerified(t, p.Stderr, c.stderr)
			p.Stdout.Append([]byte("+after"))
			p.Stderr.Append([]byte("+after"))
			for _, f := range []*File{p.Stdout, p.Stderr} {
				if f.Short() == "" {
					require.Equal(t, "before+after", read(t, f.Path()))
					require.Equal(t, int64(12), f.Stored())
				}
			}
			p.Close()
			require.Equal(t, c.stdout+c.stderr == "", p.Verify(), "as before")
			requirePrecious(t, id, victim, p.Stdout.Path(), d.Path())
		})
	}
}

func requireVerified(t *testing.T, f *File, short string) {
	t.Helper()
	require.Equal(t, short, f.Short())
	if short != "" {
		require.Zero(t, f.Stored())
	}
}

func inode(t *testing.T, path string) uint64 {
	var st unix.Stat_t
	require.NoError(t, unix.Stat(path, &st))
	return uint64(st.Ino)
}

// requirePrecious fails unless the victim is unchanged at whichever of paths it is now.
func requirePrecious(t *testing.T, id uint64, paths ...string) {
	t.Helper()
	for _, path := range paths {
		var st unix.Stat_t
		if unix.Stat(path, &st) == nil && uint64(st.Ino) == id {
			require.Equal(t, "precious", read(t, path))
			return
		}
	}
	require.Fail(t, "the victim is gone")
}

// A file cut short by a full disk is no more lost than a whole one, whatever the failed write left in it.
func TestVerifyShort(t *testing.T) {
	p := newPair(t, newDir(t, Config{}))
	p.Stdout.Append([]byte("before"))
	p.Stdout.short = "no space left on device"
	require.NoError(t, os.Truncate(p.Stdout.Path(), 4096))
	require.True(t, p.Verify())
	require.Equal(t, "no space left on device", p.Stdout.Short())
	require.Equal(t, int64(6), p.Stdout.Stored())
	require.NoError(t, os.Truncate(p.Stdout.Path(), 1))
	require.False(t, p.Verify())
	require.Equal(t, "file changed by others", p.Stdout.Short())
}

// What others put into a file is not overwritten, and what they take out leaves no hole.
func TestAppendAtTheEnd(t *testing.T) {
	p := newPair(t, newDir(t, Config{}))
	p.Stdout.Append([]byte("before"))
	require.NoError(t, os.WriteFile(p.Stdout.Path(), []byte("others"), 0o600))
	p.Stdout.Append([]byte("+after"))
	require.Equal(t, "others+after", read(t, p.Stdout.Path()))
	require.NoError(t, os.Truncate(p.Stdout.Path(), 0))
	p.Stdout.Append([]byte("+more"))
	require.Equal(t, "+more", read(t, p.Stdout.Path()))
}

// Discard leaves nothing, and nobody else's files alone.
func TestDiscard(t *testing.T) {
	d := newDir(t, Config{})
	other := newPair(t, d)
	p := newPair(t, d)
	p.Stdout.Append([]byte("text"))
	p.Discard()
	p.Discard()
	p.Close()
	p.Stdout.Append([]byte("text"))
	require.NoFileExists(t, p.Stdout.Path())
	require.NoFileExists(t, p.Stderr.Path())
	require.True(t, other.Verify())
	require.NoError(t, d.Close())

	// Also when the directory has been moved meanwhile, or the store closed.
	d = newDir(t, Config{})
	p = newPair(t, d)
	require.NoError(t, os.Rename(d.Path(), d.Path()+".old"))
	require.NoError(t, d.Close())
	p.Discard()
	entries, err := os.ReadDir(d.Path() + ".old")
	require.NoError(t, err)
	require.Len(t, entries, 1, "the lock")
}

// A directory is made, or judged, again when it is not the one it was: by each of the processes that use it.
func TestDirectoryDisappears(t *testing.T) {
	d := newDir(t, Config{})
	first := newPair(t, d)
	other := startHolder(t, d.Path(), nil)
	other.create()
	lock := filepath.Join(d.Path(), "cmd-"+other.pid+".lock")
	for _, do := range []func() error{
		func() error { return os.RemoveAll(d.Path()) },
		func() error { return os.Rename(d.Path(), d.Path()+".old") },
		func() error { return errors.Join(os.RemoveAll(d.Path()), os.Mkdir(d.Path(), 0o755)) },
		func() error { // as `rm -rf dir/*` does
			entries, err := os.ReadDir(d.Path())
			for _, e := range entries {
				err = errors.Join(err, os.Remove(filepath.Join(d.Path(), e.Name())))
			}
			return err
		},
		func() error { return os.Remove(lock) },
	} {
		require.NoError(t, do())
		first.Stdout.Append([]byte("into the void"))
		second := newPair(t, d)
		second.Stdout.Append([]byte("kept"))
		theirs := other.create()
		require.Equal(t, "kept", read(t, second.Stdout.Path()))
		require.NotEqual(t, theirs, second.Stdout.Path())
		requireMode(t, 0o700, d.Path())
		requireLocked(t, filepath.Join(d.Path(), lockName(os.Getpid())))
		requireLocked(t, lock)
	}

	require.NoError(t, os.Rename(d.Path(), d.Path()+"-away"))
	require.NoError(t, os.Symlink(d.Path()+"-away", d.Path()))
	_, err := d.Create()
	require.EqualError(t, err, d.Path()+": is a symbolic link")
	require.NoError(t, os.Remove(d.Path()))
	require.NoError(t, os.Mkdir(d.Path(), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(d.Path(), "theirs"), nil, 0o600))
	_, err = d.Create()
	require.EqualError(t, err, d.Path()+": permissions are 0755, want 0700")
	require.NoError(t, os.RemoveAll(d.Path()))
	require.Equal(t, d.Path(), filepath.Dir(newPair(t, d).Stdout.Path()), "and all is well again")
}

// A directory that is removed all the time costs what was in it, and now and then a pair. Nobody is led astray, and
// when it is over all is well. (That trying again helps cannot be told from a count: it depends on the machine.)
func TestDirectoryRemovedAllTheTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	dirs := []*Dir{newDir(t, Config{Path: path}), newDir(t, Config{Path: path})}
	var workers, remover sync.WaitGroup
	var made atomic.Int64
	done := make(chan struct{})
	remover.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			if n%2 == 0 {
				os.RemoveAll(path) // which fails when a file is made in it meanwhile
			} else if os.Rename(path, path+".old") == nil {
				os.RemoveAll(path + ".old")
			}
		}
	})
	for i := range 4 {
		workers.Go(func() {
			for range 200 {
				p, err := dirs[i%2].Create()
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					t.Error(err)
					continue
				}
				made.Add(1)
				p.Stdout.Append([]byte(p.Stdout.Path()))
				if p.Verify() && p.Stdout.Stored() != int64(len(p.Stdout.Path())) {
					t.Errorf("stored: got %d, want %d", p.Stdout.Stored(), len(p.Stdout.Path()))
				}
				p.Close()
			}
		})
	}
	workers.Wait()
	close(done)
	remover.Wait()
	require.Positive(t, made.Load())
	for _, d := range dirs {
		p := newPair(t, d)
		require.True(t, p.Verify())
	}
}

// A directory that is replaced by somebody else's while it is used sends us to the second name.
func TestDirectoryTakenOver(t *testing.T) {
	if os.Geteuid() != 0 {
		missing(t, "needs to be root: a directory has to be given to somebody else")
	}
	d := newDir(t, Config{})
	path := d.Path()
	first := newPair(t, d)
	require.NoError(t, os.Rename(path, path+".old"))
	require.NoError(t, os.Mkdir(path, 0o700))
	require.NoError(t, os.Chown(path, 12345, 12345))
	second := newPair(t, d)
	require.Equal(t, path+"-0", filepath.Dir(second.Stdout.Path()))
	first.Stdout.Append([]byte("text"))
	require.False(t, first.Verify())
	require.True(t, second.Verify())
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func requireLocked(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	require.ErrorIs(t, flock(f, unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
