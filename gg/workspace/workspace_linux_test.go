package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// followsNoLinks says that openNoLinks keeps what it promises in every component.
const followsNoLinks = true

func TestKernelFileSystem(t *testing.T) {
	for _, path := range []string{"/proc/self/status", "/sys/kernel"} {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		require.NotEmpty(t, kernelFileSystem(f), path)
	}
	f, err := os.Open(t.TempDir())
	require.NoError(t, err)
	defer f.Close()
	require.Empty(t, kernelFileSystem(f))
}

// A file of procfs that a path leads to past the names (another instance is mounted there, say) is refused
// for what it is.
func TestProcElsewhere(t *testing.T) {
	w := open(t, Config{Dir: newTree(t, map[string]string{"a": ""}), Unconfined: true})
	p, err := w.resolve("read", "a")
	require.NoError(t, err)
	pid, err := os.Readlink("/proc/self")
	require.NoError(t, err)
	p.real = "/proc/" + pid + "/environ"
	_, err = w.open("read", "a", p, os.O_RDONLY)
	requireError(t, err, ErrRefused, "a", `"a" is refused: a file system of the kernel (proc) is never opened`)
}

func TestRefusedProc(t *testing.T) {
	dir := newTree(t, nil)
	require.NoError(t, os.Symlink("/proc/self", filepath.Join(dir, "self")))
	w := open(t, Config{Dir: dir, Unconfined: true})
	for _, path := range []string{"/proc/self/environ", "/proc/self/fd/1", "/proc/self/root/etc/passwd", "/proc/self/cwd/x", "self/environ", "self/cwd", "/sys/kernel/notes", "/sys"} {
		_, read := w.ReadFile(ctx, path, ReadOptions{})
		_, write := w.WriteFile(ctx, path, []byte("x"))
		_, list := w.ListDir(ctx, path)
		for _, err := range []error{read, write, list} {
			require.ErrorIs(t, err, ErrRefused, path)
			require.ErrorContains(t, err, "never opened")
		}
	}
}

// /dev/shm is memory: a workspace may be there, and nothing around it is reached.
func TestWorkspaceInSharedMemory(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "workspace")
	if err != nil {
		t.Skip("no /dev/shm: ", err)
	}
	defer os.RemoveAll(dir)
	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		_, err := w.WriteFile(ctx, "a/b", []byte("x"))
		require.NoError(t, err)
		require.Equal(t, "x", contents(t, w, dir+"/a/b"))
		for _, path := range []string{"..", "../x", "/dev/shm", dir + "x", "../../null"} {
			_, err := w.ListDir(ctx, path)
			require.ErrorIs(t, err, ErrRefused, path)
		}
	}
}

// asNobody runs f on a thread that opens files as a user who owns nothing.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f() // the tests' own user may not either
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		goruntime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if err := unix.Setfsgid(65534); err != nil {
			panic(err)
		}
		if err := unix.Setfsuid(65534); err != nil { // drops the capabilities over files as well
			panic(err)
		}
		f()
	}()
	<-done
}

func TestPermissionDenied(t *testing.T) {
	dir := newTree(t, map[string]string{"readable": "x", "none": "x", "readOnly": "x", "closed/a": "x", "passable/a": "x", "fixed/a": "x"})
	for name, mode := range map[string]fs.FileMode{
		"": 0o777, "none": 0, "readOnly": 0o444, "closed": 0, "passable": 0o711, "passable/a": 0o644, "fixed": 0o555, "fixed/a": 0o666,
	} {
		require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	defer os.Chmod(filepath.Join(dir, "closed"), 0o700)
	defer os.Chmod(filepath.Join(dir, "fixed"), 0o700)

	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		asNobody(t, func() {
			require.Equal(t, "x", contents(t, w, "readable"))
			for _, path := range []string{"none", "closed/a"} {
				_, err := w.ReadFile(ctx, path, ReadOptions{})
				requireError(t, err, ErrIO, path, "read "+quote(path)+": permission denied")
				require.ErrorIs(t, err, fs.ErrPermission)
			}
			// The directory would allow to replace a file that cannot be written: it is not done.
			_, err := w.WriteFile(ctx, "readOnly", []byte("new"))
			requireError(t, err, ErrIO, "readOnly", `write "readOnly": permission denied`)
			_, err = w.WriteFile(ctx, "fixed/a", []byte("new"))
			requireError(t, err, ErrIO, "fixed/a", `write "fixed/a": permission denied`)
			_, err = w.WriteFile(ctx, "fixed/sub/a", []byte("new"))
			requireError(t, err, ErrIO, "fixed/sub/a", `write "fixed/sub/a": permission denied`)
			_, err = w.ListDir(ctx, "closed")
			requireError(t, err, ErrIO, "closed", `list "closed": permission denied`)
			if unconfined {
				require.Equal(t, "x", contents(t, w, "passable/a"), "to search a directory is enough")
			}
		})
		require.Equal(t, "x", contents(t, w, "readOnly"))
		require.Equal(t, "x", contents(t, w, "fixed/a"))
	}
}

// A setuid bit does not pass on to the user who writes.
func TestSetuidIsDroppedWithItsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs a second user")
	}
	dir := newTree(t, map[string]string{"a": "x"})
	path := filepath.Join(dir, "a")
	require.NoError(t, os.Chmod(dir, 0o777))
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(path, 0o777|os.ModeSetuid))
	w := open(t, Config{Dir: dir})
	asNobody(t, func() {
		_, err := w.WriteFile(ctx, "a", []byte("new"))
		require.NoError(t, err)
	})
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o777), info.Mode())
}
