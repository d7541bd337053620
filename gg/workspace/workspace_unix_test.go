//go:build unix

package workspace

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func link(t testing.TB, target, path string) {
	t.Helper()
	require.NoError(t, os.Symlink(target, path))
}

func TestSymbolicLinks(t *testing.T) {
	dir := newTree(t, map[string]string{"ws/a": "in ws", "ws/sub/b": "in sub", "other/o": "other", "secret": "out", "ws/elsewhere/": ""})
	ws := filepath.Join(dir, "ws")
	at := func(name string) string { return filepath.Join(ws, name) }
	link(t, "a", at("relative"))
	link(t, at("a"), at("absolute"))
	link(t, "sub", at("dir"))
	link(t, "../sub/../dir/b", at("elsewhere/chain"))
	link(t, "gone", at("dangling"))
	link(t, "gone/x", at("dangling2"))
	link(t, "loop2", at("loop"))
	link(t, "loop", at("loop2"))
	link(t, "../secret", at("out"))
	link(t, filepath.Join(dir, "secret"), at("outAbsolute"))
	link(t, "../nothing", at("outMissing"))
	link(t, "../secret", at("outWrite"))
	link(t, "..", at("up"))
	link(t, "a/", at("fileAsDir"))
	link(t, filepath.Join(dir, "other"), at("otherRoot"))
	link(t, "ws", filepath.Join(dir, "wsLink"))

	outside := ` leads out of ` + quote(ws) + " and " + quote(filepath.Join(dir, "other"))
	for _, unconfined := range []bool{false, true} {
		c := Config{Dir: ws, Roots: []string{ws, filepath.Join(dir, "other")}}
		if unconfined {
			c = Config{Dir: ws, Unconfined: true}
		}
		w := open(t, c)
		for path, want := range map[string]string{
			"relative": "in ws", "absolute": "in ws", "dir/b": "in sub", "elsewhere/chain": "in sub",
			"dir/../a":    "in ws", // `..` of what the link leads to, as the kernel has it
			"otherRoot/o": "other",
		} {
			require.Equal(t, want, contents(t, w, path), path)
		}
		f, err := w.ReadFile(ctx, "elsewhere/chain", ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, at("sub/b"), f.Real)

		for _, tt := range []struct {
			path   string
			family error
			want   string
		}{
			{"dangling", ErrNotFound, `"dangling" does not exist: its symbolic link leads to "gone"`},
			{"dangling2", ErrNotFound, `"dangling2" does not exist: there is no directory "` + at("gone") + `"`},
			{"dir/nothing", ErrNotFound, `"dir/nothing" does not exist`},
			{"loop", ErrIO, `"loop" leads through too many symbolic links`},
			{"fileAsDir", ErrNotFound, `"fileAsDir" does not exist: "` + at("a") + `" is not a directory`},
		} {
			_, err := w.ReadFile(ctx, tt.path, ReadOptions{})
			requireError(t, err, tt.family, tt.path, tt.want)
		}
		if unconfined {
			require.Equal(t, "out", contents(t, w, "out"))
			require.Equal(t, "out", contents(t, w, "dir/../../secret"))
			continue
		}
		for path, link := range map[string]string{
			"out": "../secret", "outAbsolute": filepath.Join(dir, "secret"), "outMissing": "../nothing", "outWrite": "../secret",
		} {
			_, err := w.ReadFile(ctx, path, ReadOptions{})
			requireError(t, err, ErrRefused, path, quote(path)+" is refused: its symbolic link to "+quote(link)+outside)
			_, err = w.WriteFile(ctx, path, []byte("x"))
			requireError(t, err, ErrRefused, path, quote(path)+" is refused: its symbolic link to "+quote(link)+outside)
		}
		_, err = w.ListDir(ctx, "up")
		requireError(t, err, ErrRefused, "up", `"up" is refused: its symbolic link to ".."`+outside)
		_, err = w.ReadFile(ctx, "up/ws/a", ReadOptions{})
		require.NoError(t, err, "through the outside and back")
	}

	// A workspace that was given through a link: its files go by either name.
	w := open(t, Config{Dir: filepath.Join(dir, "wsLink")})
	for _, path := range []string{"a", filepath.Join(dir, "wsLink", "a"), at("a"), filepath.Join(dir, "wsLink") + "/sub/../a"} {
		f, err := w.ReadFile(ctx, path, ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, at("a"), f.Real)
	}
}

func TestLongChainOfLinks(t *testing.T) {
	dir := newTree(t, map[string]string{"link0": "x"})
	for i := range maxLinks + 1 {
		link(t, fmt.Sprint("link", i), filepath.Join(dir, fmt.Sprint("link", i+1)))
	}
	w := open(t, Config{Dir: dir})
	require.Equal(t, "x", contents(t, w, fmt.Sprint("link", maxLinks)))
	_, err := w.ReadFile(ctx, fmt.Sprint("link", maxLinks+1), ReadOptions{})
	require.ErrorIs(t, err, syscall.ELOOP)
}

// A link in the place of a root that did not exist yet would move the reach.
func TestLateRootIsNoLink(t *testing.T) {
	dir := newTree(t, map[string]string{"ws/": "", "secret/a": "out"})
	at := func(name string) string { return filepath.Join(dir, name) }
	w := open(t, Config{Dir: at("ws"), Roots: []string{at("ws"), at("late"), at("more/late")}})
	for link, path := range map[string]string{"late": "late/a", "more": "more/late/a"} {
		target := at("secret")
		if link == "more" {
			require.NoError(t, os.MkdirAll(at("elsewhere/late"), 0o777))
			require.NoError(t, os.WriteFile(at("elsewhere/late/a"), []byte("out"), 0o666))
			target = at("elsewhere")
		}
		require.NoError(t, os.Symlink(target, at(link)))
		_, err := w.ReadFile(ctx, at(path), ReadOptions{})
		require.ErrorIs(t, err, ErrRefused)
		require.NoError(t, os.Remove(at(link)))
		require.NoError(t, os.MkdirAll(filepath.Dir(at(path)), 0o777))
		require.NoError(t, os.WriteFile(at(path), []byte("in"), 0o666))
		require.Equal(t, "in", contents(t, w, at(path)))
	}
}

func TestWriteThroughLinks(t *testing.T) {
	dir := newTree(t, map[string]string{"sub/a": "old"})
	at := func(name string) string { return filepath.Join(dir, name) }
	link(t, "sub/a", at("link"))
	link(t, "sub/new", at("dangling"))
	w := open(t, Config{Dir: dir})
	for name, target := range map[string]string{"link": "sub/a", "dangling": "sub/new"} {
		_, err := w.WriteFile(ctx, name, []byte("new"))
		require.NoError(t, err)
		got, err := os.Readlink(at(name))
		require.NoError(t, err, "the link stays")
		require.Equal(t, target, got)
		require.Equal(t, "new", contents(t, w, target))
	}
}

func TestWriteKeepsModeAndOwner(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "old"})
	w := open(t, Config{Dir: dir})
	stat := func(name string) (os.FileMode, *syscall.Stat_t) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		return info.Mode(), info.Sys().(*syscall.Stat_t)
	}
	path := filepath.Join(dir, "a")
	for _, mode := range []os.FileMode{0o644, 0o755, 0o600, 0o640, 0o777, 0o200, 0o755 | os.ModeSetuid | os.ModeSetgid} {
		require.NoError(t, os.Chmod(path, mode))
		_, before := stat("a")
		_, err := w.WriteFile(ctx, "a", []byte("new"))
		require.NoError(t, err)
		got, after := stat("a")
		require.Equal(t, mode, got)
		require.NotEqual(t, before.Ino, after.Ino, "it is a new file")
	}
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(path, 12345, 54321))
		require.NoError(t, os.Chmod(path, 0o755|os.ModeSetuid))
		_, err := w.WriteFile(ctx, "a", []byte("newer"))
		require.NoError(t, err)
		mode, after := stat("a")
		require.EqualValues(t, 12345, after.Uid)
		require.EqualValues(t, 54321, after.Gid)
		require.Equal(t, 0o755|os.ModeSetuid, mode)
	}

	// What is new follows the umask, as it does for a command.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "reference"), nil, 0o666))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "refdir"), 0o777))
	_, err := w.WriteFile(ctx, "sub/new", []byte("x"))
	require.NoError(t, err)
	for name, reference := range map[string]string{"sub/new": "reference", "sub": "refdir"} {
		want, _ := stat(reference)
		got, _ := stat(name)
		require.Equal(t, want, got)
	}
}

// A reader sees the old file or the new one.
func TestWriteIsAtomic(t *testing.T) {
	dir := newTree(t, map[string]string{"a": strings.Repeat("0", 100_000)})
	w := open(t, Config{Dir: dir})
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for i := range 200 {
			_, err := w.WriteFile(ctx, "a", []byte(strings.Repeat(string(rune('0'+i%10)), 100_000)))
			require.NoError(t, err)
		}
	})
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got := contents(t, w, "a")
		require.Len(t, got, 100_000)
		require.Equal(t, strings.Repeat(got[:1], 100_000), got)
	}
	wg.Wait()
}

// soon fails the test if f hangs: the one thing these tests wait for in real time, and only when they fail.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the call hangs")
	}
}

func TestNotRegularFiles(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "x"})
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o666))
	t.Chdir(dir) // the name of a socket is short
	listener, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer listener.Close()
	link(t, "fifo", filepath.Join(dir, "toFifo"))

	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		soon(t, func() {
			for path, what := range map[string]string{"fifo": "named pipe", "toFifo": "named pipe", "socket": "socket"} {
				want := quote(path) + " is refused: a " + what + ", not a regular file"
				_, err := w.ReadFile(ctx, path, ReadOptions{})
				requireError(t, err, ErrRefused, path, want)
				_, err = w.ReadText(ctx, path, ReadOptions{})
				requireError(t, err, ErrRefused, path, want)
				_, err = w.WriteFile(ctx, path, []byte("x"))
				requireError(t, err, ErrRefused, path, want)
			}
			// One that took the place of a file after it was looked at is opened, and does not hang.
			p, err := w.resolve("read", "a")
			require.NoError(t, err)
			p.real = fifo
			_, err = w.open("read", "a", p, os.O_RDONLY)
			requireError(t, err, ErrRefused, "a", `"a" is refused: a named pipe, not a regular file`)
			_, err = w.open("write", "a", p, os.O_WRONLY)
			require.Error(t, err)
		})
		entries, err := w.ListDir(ctx, "")
		require.NoError(t, err)
		require.Equal(t, []Entry{{"a", KindFile, 1}, {"fifo", KindOther, 0}, {"socket", KindOther, 0}, {"toFifo", KindSymlink, 0}}, entries)
	}
}

func TestRefusedDirectories(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "x"})
	link(t, "/dev", filepath.Join(dir, "dev"))
	link(t, "/dev/null", filepath.Join(dir, "null"))
	link(t, strings.Repeat("../", 30)+"dev/fd/1", filepath.Join(dir, "stdout"))
	_, err := New(Config{Dir: "/dev", Unconfined: true})
	require.EqualError(t, err, `dir "/dev": it lies in /dev, which is never opened`)
	_, err = New(Config{Dir: dir, Roots: []string{"a/../../../dev/fd", dir + "/dev"}})
	require.ErrorContains(t, err, "/dev, which is never opened")

	for name, c := range map[string]Config{
		"unconfined":  {Dir: dir, Unconfined: true},
		"root of all": {Dir: dir, Roots: []string{"/"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, c)
			for path, reason := range map[string]string{
				"/dev":                                   "/dev is never opened",
				"/dev/null":                              "/dev is never opened",
				"/dev/nothing":                           "/dev is never opened",
				"/dev/fd/1":                              "/dev is never opened",
				"//dev/./null":                           "/dev is never opened",
				"/tmp/../dev/null":                       "/dev is never opened",
				strings.Repeat("../", 30) + "dev/stdout": "/dev is never opened",
				"null":                                   `its symbolic link to "/dev/null" leads into /dev, which is never opened`,
				"dev":                                    `its symbolic link to "/dev" leads into /dev, which is never opened`,
				"dev/nothing":                            `its symbolic link to "/dev" leads into /dev, which is never opened`,
				"stdout":                                 `its symbolic link to "` + strings.Repeat("../", 30) + `dev/fd/1" leads into /dev, which is never opened`,
			} {
				_, read := w.ReadFile(ctx, path, ReadOptions{})
				_, write := w.WriteFile(ctx, path, []byte("x"))
				_, list := w.ListDir(ctx, path)
				for _, err := range []error{read, write, list} {
					requireError(t, err, ErrRefused, path, quote(path)+" is refused: "+reason)
				}
			}
		})
	}
}

// A refused directory is known by what it is, not by its name alone.
func TestRefusedByIdentity(t *testing.T) {
	dir := newTree(t, map[string]string{"mount/a": "x"})
	w := open(t, Config{Dir: dir, Unconfined: true})
	info, err := os.Stat(filepath.Join(dir, "mount"))
	require.NoError(t, err)
	w.refused = append(w.refused, refusedDir{"/proc", info}) // as a bind mount of /proc would look
	for _, path := range []string{"mount", "mount/a", "mount/nothing"} {
		_, err = w.ReadFile(ctx, path, ReadOptions{})
		requireError(t, err, ErrRefused, path, quote(path)+" is refused: /proc is never opened")
	}
}

// A link that takes the place of what was looked at leads nowhere.
func TestSwappedLink(t *testing.T) {
	dir := newTree(t, map[string]string{"ws/sub/a": "x", "out/a": "secret"})
	ws := filepath.Join(dir, "ws")
	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: ws, Unconfined: unconfined})
		for _, path := range []string{"sub/a", "last"} {
			require.NoError(t, os.RemoveAll(filepath.Join(ws, "last")))
			require.NoError(t, os.WriteFile(filepath.Join(ws, "last"), nil, 0o666))
			p, err := w.resolve("read", path)
			require.NoError(t, err)
			if path == "last" {
				require.NoError(t, os.Remove(filepath.Join(ws, "last")))
				link(t, "../out/a", filepath.Join(ws, "last"))
			} else {
				if unconfined && !followsNoLinks {
					continue
				}
				require.NoError(t, os.Rename(filepath.Join(ws, "sub"), filepath.Join(ws, "sub.old")))
				link(t, "../out", filepath.Join(ws, "sub"))
			}
			_, err = w.open("read", path, p, os.O_RDONLY)
			require.ErrorIs(t, err, ErrIO)
			if path == "sub/a" {
				require.NoError(t, os.Remove(filepath.Join(ws, "sub")))
				require.NoError(t, os.Rename(filepath.Join(ws, "sub.old"), filepath.Join(ws, "sub")))
			}
		}
	}
}

// FuzzReach makes a path of pieces that lead in, out, around and nowhere. What can be read lies in the
// root, and is what the kernel finds under that path.
func FuzzReach(f *testing.F) {
	dir := newTree(f, map[string]string{"ws/a": "in", "ws/sub/a": "in", "ws/sub/deep/a": "in", "out/a": "out", "out/sub/a": "out", "a": "out"})
	ws := filepath.Join(dir, "ws")
	for path, target := range map[string]string{
		"ws/up": "..", "ws/out": "../out", "ws/abs": dir + "/out", "ws/in": ws + "/sub", "ws/sub/back": "..",
		"ws/sub/deep/far": "../../../out/sub", "out/ws": ws, "out/sub/home": "../../ws/sub", "ws/self": ".",
		"ws/sub/loop": "loop", "ws/file": "sub/a", "ws/root": "/", "ws/slash": "sub/",
	} {
		link(f, target, filepath.Join(dir, path))
	}
	pieces := []string{"a", "sub", "deep", "..", ".", "", "up", "out", "abs", "in", "back", "far", "ws", "home", "self", "loop", "file", "nothing", "root" + dir, "slash"}
	w := open(f, Config{Dir: ws})
	wide := open(f, Config{Dir: ws, Unconfined: true})
	f.Add([]byte{2, 3, 0}, false)
	f.Add([]byte{7, 12, 0}, false)
	f.Add([]byte{10, 10, 1, 11, 13, 0}, true)
	f.Fuzz(func(t *testing.T, choice []byte, absolute bool) {
		parts := make([]string, 0, len(choice))
		for _, b := range choice[:min(len(choice), 60)] {
			parts = append(parts, pieces[int(b)%len(pieces)])
		}
		path := strings.Join(parts, "/")
		kernelPath := ws + "/" + path
		if absolute {
			path = kernelPath
		}
		if path == "" {
			return
		}
		if !absolute && path[0] == '/' {
			kernelPath = path
		}
		want, kernelErr := os.ReadFile(kernelPath)
		got, err := w.ReadFile(ctx, path, ReadOptions{})
		if err == nil {
			require.NoError(t, kernelErr)
			require.Equal(t, "in", got.Contents)
		}
		if string(want) == "in" && !strings.Contains(path, "root") {
			// Through the outside the reach may be left, but then it says so.
			if err != nil {
				require.ErrorIs(t, err, ErrRefused)
			}
		}
		all, err := wide.ReadFile(ctx, path, ReadOptions{})
		if kernelErr != nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, string(want), all.Contents)
		real, err := filepath.EvalSymlinks(all.Real)
		require.NoError(t, err)
		require.Equal(t, real, all.Real)
	})
}

// Two sessions of one process, or many calls of one program.
func TestConcurrentCalls(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "x\n"})
	w := open(t, Config{Dir: dir, Roots: []string{dir, filepath.Join(dir, "later")}})
	canceled, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				_, err := w.WriteFile(ctx, filepath.Join("later", string(rune('a'+i))), []byte("x"))
				require.NoError(t, err)
				_, err = w.ReadFile(ctx, "a", ReadOptions{})
				require.NoError(t, err)
				_, err = w.ListDir(ctx, "")
				require.NoError(t, err)
				_, _ = w.ReadFile(canceled, "a", ReadOptions{})
				cancel()
			}
		})
	}
	wg.Wait()
}
