//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(holdVariable); path != "" {
		if err := hold(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// newDir makes a Dir in a directory of its own that does not exist yet.
func newDir(t testing.TB, c Config) *Dir {
	t.Helper()
	if c.Path == "" {
		c.Path = filepath.Join(t.TempDir(), "gg-shell")
	}
	if c.ReserveBytes == 0 {
		c.ReserveBytes = 1
	}
	d, err := New(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func newPair(t testing.TB, d *Dir) *Pair {
	t.Helper()
	p, err := d.Create()
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func TestConfigDefects(t *testing.T) {
	_, err := New(Config{ReserveBytes: -1, MaxStreamBytes: -2, KeepHours: -3})
	require.EqualError(t, err, "ReserveBytes: got -1, want 0 or more\nMaxStreamBytes: got -2, want 0 or more\nKeepHours: got -3, want 0 or more")
	d, err := New(Config{})
	require.NoError(t, err)
	require.Equal(t, "/tmp/gg-shell", d.Path())
	d, err = New(Config{Path: "relative"})
	require.NoError(t, err)
	require.True(t, filepath.IsAbs(d.Path()))
}

// F05: 0700 and 0600 whatever the umask, and whatever was there before.
func TestPermissions(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o277, 0o777} {
		t.Run(strconv.FormatInt(int64(umask), 8), func(t *testing.T) {
			d := newDir(t, Config{Path: filepath.Join(t.TempDir(), "gg-shell")})
			old := unix.Umask(umask)
			p, err := d.Create()
			unix.Umask(old)
			require.NoError(t, err)
			defer p.Close()
			requireMode(t, 0o700, d.Path())
			requireMode(t, 0o600, p.Stdout.Path())
			requireMode(t, 0o600, p.Stderr.Path())
		})
	}
}

func requireMode(t *testing.T, want fs.FileMode, path string) {
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, want, info.Mode().Perm(), path)
}

func TestNothingOnDiskUntilNeeded(t *testing.T) {
	d := newDir(t, Config{})
	require.NoDirExists(t, d.Path())
	require.NoError(t, d.Close())
	_, err := d.Create()
	require.ErrorIs(t, err, ErrClosed)
	require.NoDirExists(t, d.Path())
}

func TestNames(t *testing.T) {
	d := newDir(t, Config{Path: filepath.Join(t.TempDir(), "a", "b", "gg-shell")})
	p := newPair(t, d)
	require.Regexp(t, `^cmd-`+strconv.Itoa(os.Getpid())+`-[0-9]{4,}\.stdout$`, filepath.Base(p.Stdout.Path()))
	require.Equal(t, strings.TrimSuffix(p.Stdout.Path(), "stdout")+"stderr", p.Stderr.Path())
	requireMode(t, 0o700, filepath.Dir(d.Path()))

	// F04: a name that is taken, by a file, a link or half of a pair, is passed over and left alone.
	next := func(n int64) string { return fmt.Sprintf("cmd-%d-%04d", os.Getpid(), sequence.Load()+n) }
	victim := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("precious"), 0o600))
	taken := []string{next(0) + ".stdout", next(1) + ".stderr", next(2) + ".stdout", next(3) + ".stderr"}
	for i, name := range taken {
		path := filepath.Join(d.Path(), name)
		if i < 2 {
			require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		} else {
			require.NoError(t, os.Symlink(victim, path))
		}
	}
	want := next(4)
	p = newPair(t, d)
	p.Stdout.Append([]byte("new"))
	p.Stderr.Append([]byte("new"))
	require.Equal(t, want+".stdout", filepath.Base(p.Stdout.Path()))
	require.Equal(t, "precious", read(t, victim))
	require.Equal(t, "old", read(t, filepath.Join(d.Path(), taken[0])))
	require.NoFileExists(t, filepath.Join(d.Path(), strings.TrimSuffix(taken[1], "stderr")+"stdout"))
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestUnusableDirectories(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(path string) error
		want    string
	}{
		"link": {func(path string) error {
			return errors.Join(os.Mkdir(path+"-target", 0o700), os.Symlink(path+"-target", path))
		}, "is a symbolic link"},
		"dangling link":       {func(path string) error { return os.Symlink("nowhere", path) }, "is a symbolic link"},
		"file":                {func(path string) error { return os.WriteFile(path, nil, 0o600) }, "is not a directory"},
		"somebody's own":      {func(path string) error { return errors.Join(os.Mkdir(path, 0o755), os.Mkdir(path+"/src", 0o755)) }, "permissions are 0755, want 0700"},
		"shared, with sticky": {func(path string) error { return errors.Join(os.Mkdir(path, 0o700), unix.Chmod(path, 0o1777)) }, "permissions are 01777, want 0700"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "gg-shell")
			require.NoError(t, c.prepare(path))
			before, err := os.Lstat(path)
			require.NoError(t, err)
			_, err = newDir(t, Config{Path: path}).Create()
			var failed *Error
			require.ErrorAs(t, err, &failed)
			require.EqualError(t, err, path+": "+c.want)
			after, err := os.Lstat(path)
			require.NoError(t, err)
			require.Equal(t, before.Mode(), after.Mode(), "left as it was")
		})
	}
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	_, err := newDir(t, Config{Path: filepath.Join(blocked, "a", "gg-shell")}).Create()
	require.ErrorIs(t, err, unix.ENOTDIR)
}

// A directory that is open to others and holds nothing but our files is closed to them.
func TestLooseDirectoryOfOurOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(path, "cmd-1-0000.stdout"), nil, 0o644))
	newPair(t, newDir(t, Config{Path: path}))
	requireMode(t, 0o700, path)
}

// A foreign directory sends us to the second name; foreign there as well, nothing is left to try.
func TestForeignDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		missing(t, "needs to be root: a directory has to be given to somebody else")
	}
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o700))
	require.NoError(t, os.Chown(path, 12345, 12345))
	d := newDir(t, Config{Path: path})
	p := newPair(t, d)
	require.Equal(t, path+"-0", d.Path())
	require.Equal(t, path+"-0", filepath.Dir(p.Stdout.Path()))
	require.NoError(t, d.Close())

	require.NoError(t, os.Chown(path+"-0", 12345, 12345))
	_, err := newDir(t, Config{Path: path}).Create()
	require.EqualError(t, err, path+"-0: owned by another user")
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("GG_TEST_REQUIRE") == "all" {
		require.FailNow(t, "GG_TEST_REQUIRE=all", why)
	}
	t.Skip(why)
}

func TestAppend(t *testing.T) {
	d := newDir(t, Config{MaxStreamBytes: 10})
	p := newPair(t, d)
	f := p.Stdout
	f.Append([]byte("01234"))
	f.Append(nil)
	require.Equal(t, "01234", read(t, f.Path()), "written at once")
	f.Append([]byte("56789"))
	require.Empty(t, f.Short(), "full, but nothing is missing")
	f.Append([]byte("x"))
	require.Equal(t, "size limit reached", f.Short())
	f.Append([]byte("y"))
	require.Equal(t, int64(10), f.Stored())
	require.Equal(t, "0123456789", read(t, f.Path()))
	require.Empty(t, p.Stderr.Short())

	p.Stderr.Append([]byte("0123456789abc"))
	require.Equal(t, "0123456789", read(t, p.Stderr.Path()), "as much as there is room for")
	p.Close()
	p.Close()
	f.Append([]byte("after Close"))
	require.Equal(t, "size limit reached", f.Short())
}

// A failed write is told in the words of the system; what was written before it counts.
func TestFailedWrite(t *testing.T) {
	for _, c := range []struct {
		path string
		flag int
		want string
	}{
		{"/dev/full", os.O_WRONLY, "no space left on device"},
		{"/proc/self/mem", os.O_WRONLY, "input/output error"}, // nothing is mapped at 0
		{"/dev/null", os.O_RDONLY, "bad file descriptor"},
	} {
		t.Run(c.path, func(t *testing.T) {
			broken, err := os.OpenFile(c.path, c.flag, 0)
			if err != nil {
				missing(t, err.Error())
			}
			defer broken.Close()
			p := newPair(t, newDir(t, Config{}))
			p.Stdout.Append([]byte("abc"))
			require.NoError(t, unix.Close(p.Stdout.out.fd))
			p.Stdout.out.fd, err = unix.Dup(int(broken.Fd()))
			require.NoError(t, err)
			for range 2 {
				p.Stdout.Append([]byte("def"))
				require.Equal(t, c.want, p.Stdout.Short())
				require.Equal(t, int64(3), p.Stdout.Stored())
			}
			p.Stderr.Append([]byte("ghi"))
			require.Empty(t, p.Stderr.Short(), "the other one is not affected")
			require.True(t, p.Verify(), "short, but where it should be")
		})
	}
}

func TestReserve(t *testing.T) {
	p := newPair(t, newDir(t, Config{ReserveBytes: 1 << 60}))
	p.Stdout.Append([]byte("x"))
	require.Equal(t, "disk reserve reached", p.Stdout.Short())
	require.Zero(t, p.Stdout.Stored())

	d := newDir(t, Config{})
	newPair(t, d)
	free, total, err := d.handle.space()
	if err != nil {
		t.Skip("this system does not tell the free space")
	}
	require.Positive(t, free)
	require.Greater(t, total, free)
	d.credit, d.config.ReserveBytes = 0, 1<<60
	take := func(want, n int64, wantShort string) {
		t.Helper()
		got, short := d.take(d.handle, n)
		require.Equal(t, want, got)
		require.Equal(t, wantShort, short)
	}
	take(0, 100, "disk reserve reached")
	d.credit = 60
	take(40, 40, "")
	take(20, 20, "")
	take(0, 1, "disk reserve reached")

	// The default is there, and leaves room on a disk that is not nearly full.
	d.config.ReserveBytes = 0
	if free > 2<<30 {
		take(100, 100, "")
	}
}

func TestConcurrentCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	dirs := []*Dir{newDir(t, Config{Path: path}), newDir(t, Config{Path: path})}
	var mu sync.Mutex
	seen := make(map[string]bool)
	var workers sync.WaitGroup
	for i := range 8 {
		workers.Go(func() {
			for range 25 {
				p, err := dirs[i%2].Create()
				if err != nil {
					t.Error(err)
					return
				}
				p.Stdout.Append([]byte(p.Stdout.Path()))
				p.Close()
				mu.Lock()
				seen[p.Stdout.Path()] = true
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	require.Len(t, seen, 200)
	for path := range seen {
		require.Equal(t, path, read(t, path))
	}
}

// BenchmarkCreate is what the files of a silent command cost: made and closed. They are not removed as it
// goes: on ext4 that would be what is measured (see BenchmarkTrue of cmd/internal/bench).
func BenchmarkCreate(b *testing.B) {
	d := newDir(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		p, err := d.Create()
		require.NoError(b, err)
		p.Close()
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{64, 128 << 10} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			p := newPair(b, newDir(b, Config{}))
			chunk := make([]byte, size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				p.Stdout.Append(chunk)
				if p.Stdout.Stored() > 256<<20 { // the same pages again
					require.NoError(b, unix.Ftruncate(p.Stdout.out.fd, 0))
					p.Stdout.stored = 0
				}
			}
			require.Empty(b, p.Stdout.Short())
		})
	}
}

// Old files are swept, unless a living process owns them; everything else in the directory is left alone.
func TestSweep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o700))
	now := time.Now()
	old := now.Add(-169 * time.Hour)
	dead := "999999999" // more than there can be
	keep := map[string]time.Time{
		"cmd-" + dead + "-0007.stdout": now.Add(-167 * time.Hour),
		"cmd-" + dead + "-07.stdout":   old,
		"cmd-" + dead + "-0007.txt":    old,
		"cmd--0007.stdout":             old,
		"cmd-x-0007.stdout":            old,
		"notes":                        old,
		"cmd-1-0001.stdout.gz":         old,
	}
	sweep := []string{"cmd-" + dead + "-0001.stdout", "cmd-" + dead + "-0001.stderr", "cmd-999999998-12345.stdout"}
	write := func(name string, when time.Time) {
		require.NoError(t, os.WriteFile(filepath.Join(path, name), nil, 0o600))
		require.NoError(t, os.Chtimes(filepath.Join(path, name), when, when))
	}
	for name, when := range keep {
		write(name, when)
	}
	for _, name := range sweep {
		write(name, old)
	}
	write("cmd-999999998.lock", old) // of a dead process with nothing left
	require.NoError(t, os.Mkdir(filepath.Join(path, "cmd-"+dead+"-0009.stdout"), 0o700))
	require.NoError(t, os.Symlink("notes", filepath.Join(path, "cmd-"+dead+"-0008.stdout")))

	holder := startHolder(t, path, nil)
	held := holder.create()
	require.NoError(t, os.Chtimes(held, old, old))

	d := newDir(t, Config{Path: path})
	require.NoError(t, pairAndWait(d))
	for name := range keep {
		require.FileExists(t, filepath.Join(path, name))
	}
	for _, name := range sweep {
		require.NoFileExists(t, filepath.Join(path, name))
	}
	require.NoFileExists(t, filepath.Join(path, "cmd-999999998.lock"))
	require.DirExists(t, filepath.Join(path, "cmd-"+dead+"-0009.stdout"))
	_, err := os.Lstat(filepath.Join(path, "cmd-"+dead+"-0008.stdout"))
	require.NoError(t, err)
	require.FileExists(t, held, "of a process that is alive")

	// Once in a process and a directory is enough.
	holder.stop()
	require.NoError(t, os.Chtimes(held, old, old))
	require.NoError(t, pairAndWait(newDir(t, Config{Path: path})))
	require.FileExists(t, held)
	swept.Delete(d.handle.place())
	again := newDir(t, Config{Path: path})
	require.NoError(t, pairAndWait(again))
	require.NoFileExists(t, held)
}

// How many files there were is told once, and nothing is not worth telling.
func TestSweptIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o700))
	old := time.Now().Add(-169 * time.Hour)
	for _, name := range []string{"cmd-999999999-0001.stdout", "cmd-999999999-0001.stderr", "cmd-999999998-0003.stdout", "cmd-999999998.lock", "notes"} {
		require.NoError(t, os.WriteFile(filepath.Join(path, name), nil, 0o600))
		require.NoError(t, os.Chtimes(filepath.Join(path, name), old, old))
	}
	var told []int
	for range 3 {
		d := newDir(t, Config{Path: path, Swept: func(files int) { told = append(told, files) }})
		require.NoError(t, pairAndWait(d))
		require.Equal(t, []int{3}, told)
		swept.Delete(d.handle.place())
	}
}

// pairAndWait makes the Dir do what it does at its first use, and waits for the sweep.
func pairAndWait(d *Dir) error {
	p, err := d.Create()
	if err != nil {
		return err
	}
	p.Close()
	d.sweeps.Wait()
	return nil
}

// In a container every host tends to have the same number: a dead one's files are swept by the next, but not
// while another one with that number lives.
func TestSweepOfOurOwnNumber(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o700))
	file := filepath.Join(path, fmt.Sprintf("cmd-%d-99999999.stdout", os.Getpid()))
	old := time.Now().Add(-169 * time.Hour)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Chtimes(file, old, old))

	// The lock of another living process with our number, which it cannot really have here.
	lock, err := os.OpenFile(filepath.Join(path, lockName(os.Getpid())), os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	require.NoError(t, flock(lock, unix.LOCK_SH))
	d := newDir(t, Config{Path: path})
	require.NoError(t, pairAndWait(d))
	require.FileExists(t, file)
	require.ErrorIs(t, flock(lock, unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK, "our own lock is still held")
	require.NoError(t, lock.Close())
	require.NoError(t, d.Close())

	swept.Delete(d.handle.place())
	d = newDir(t, Config{Path: path})
	require.NoError(t, pairAndWait(d))
	require.NoFileExists(t, file)
}

// KeepHours and the clock are the Config's.
func TestKeepHours(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gg-shell")
	require.NoError(t, os.Mkdir(path, 0o700))
	file := filepath.Join(path, "cmd-999999999-0001.stdout")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	d := newDir(t, Config{Path: path, KeepHours: 2, Now: func() time.Time { return time.Now().Add(121 * time.Minute) }})
	require.NoError(t, pairAndWait(d))
	require.NoFileExists(t, file)
}

func FuzzParseName(f *testing.F) {
	for _, name := range []string{"cmd-41-0003.stdout", "cmd-41-0003.stderr", "cmd-41.lock", "cmd-41-003.stdout", "cmd-", "cmd-1-0000.", "cmd-+1-0000.stdout"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		pid, lock, ok := parseName(name)
		switch {
		case !ok:
		case lock:
			require.Equal(t, pid, must(strconv.Atoi(strings.TrimSuffix(name[4:], ".lock"))))
		default:
			require.Regexp(t, `^cmd-[0-9]+-[0-9]{4,}\.std(out|err)$`, name)
			require.GreaterOrEqual(t, pid, 0)
		}
	})
}

func must(n int, err error) int {
	if err != nil {
		panic(err)
	}
	return n
}
