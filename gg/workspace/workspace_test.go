package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/responses-as-code/gg/views/window"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

// newTree makes the directories and files of a map from path to contents (a path that ends in "/" is a
// directory) in a temporary directory, and returns that, without symbolic links.
func newTree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, contents := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(path, 0o777))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(contents), 0o666))
	}
	return dir
}

func open(t testing.TB, c Config) *Workspace {
	t.Helper()
	w, err := New(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func contents(t testing.TB, w *Workspace, path string) string {
	t.Helper()
	f, err := w.ReadFile(ctx, path, ReadOptions{})
	require.NoError(t, err)
	return f.Contents
}

// requireError checks an error's family, its message, and that it has the path as it was written.
func requireError(t testing.TB, err, family error, path, text string) {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e)
	require.EqualError(t, err, text)
	require.ErrorIs(t, err, family)
	require.Equal(t, path, e.Path)
}

func TestNewRefuses(t *testing.T) {
	dir := newTree(t, map[string]string{"file": ""})
	for _, tt := range []struct {
		c    Config
		want string
	}{
		{Config{}, `dir "": want an absolute path`},
		{Config{Dir: "relative"}, `dir "relative": want an absolute path`},
		{Config{Dir: dir + "/file"}, `dir "` + dir + `/file": not a directory`},
		{Config{Dir: dir + "/file", MaxBytes: -1}, "maxBytes: got -1, want at least 0\n" + `dir "` + dir + `/file": not a directory`},
		{Config{Dir: dir, Unconfined: true, Roots: []string{dir}}, "roots: got some, want none when unconfined"},
		{Config{Dir: dir, MaxBytes: -1, Roots: []string{"", "file"}}, "maxBytes: got -1, want at least 0\n" + `root "": want a directory` + "\n" + `root "file": not a directory`},
	} {
		_, err := New(tt.c)
		require.EqualError(t, err, tt.want)
	}
	_, err := New(Config{Dir: filepath.Join(dir, "nothing")})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadFile(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00"
	dir := newTree(t, map[string]string{
		"src/main.go":      "package main\n\nfunc main() {}\n",
		"empty":            "",
		"crlf":             "\ufeffa\r\nb",
		"invalid":          "a\xffb\n",
		"logo.png":         png,
		"prog":             "\x7fELF\x00",
		"a\nb":             "newline\n",
		`it's "it"`:        "quotes\n",
		"日本 語.txt":         "non-ASCII\n",
		"-rf":              "dash\n",
		" ":                "blank\n",
		"...":              "dots\n",
		"log/lines812.log": strings.Repeat("x\n", 812),
	})
	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})

		f, err := w.ReadFile(ctx, "src/main.go", ReadOptions{Offset: 2, Limit: 1})
		require.NoError(t, err)
		require.Equal(t, File{
			File: window.File{Kind: window.Text, Bytes: 29, Contents: "\n", FirstLine: 2, LastLine: 2, TotalLines: 3, Truncated: true},
			Path: "src/main.go", Real: filepath.Join(dir, "src", "main.go"),
		}, *f)

		for path, want := range map[string]string{
			"./src//../src/./main.go":            "package main\n\nfunc main() {}\n",
			filepath.Join(dir, "src/main.go"):    "package main\n\nfunc main() {}\n",
			"../" + filepath.Base(dir) + "/crlf": "\ufeffa\r\nb",
			"empty":                              "",
			"invalid":                            "a\ufffdb\n",
			"a\nb":                               "newline\n",
			`it's "it"`:                          "quotes\n",
			"日本 語.txt":                           "non-ASCII\n",
			"-rf":                                "dash\n",
			" ":                                  "blank\n",
			"...":                                "dots\n",
		} {
			require.Equal(t, want, contents(t, w, path), "%q", path)
		}

		f, err = w.ReadFile(ctx, "logo.png", ReadOptions{ImageData: true})
		require.NoError(t, err)
		require.Equal(t, window.Image, f.Kind)
		require.Equal(t, []byte(png), f.Data)
		f, err = w.ReadFile(ctx, "prog", ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, window.Binary, f.Kind)

		f, err = w.ReadText(ctx, "crlf", ReadOptions{Offset: 2})
		require.NoError(t, err)
		require.Equal(t, "b", f.Contents)
		_, err = w.ReadText(ctx, "logo.png", ReadOptions{ImageData: true})
		requireError(t, err, ErrInvalid, "logo.png", `"logo.png" is not text: image/png`)
		_, err = w.ReadText(ctx, "prog", ReadOptions{})
		requireError(t, err, ErrInvalid, "prog", `"prog" is not text: application/x-elf`)

		_, err = w.ReadFile(ctx, "log/lines812.log", ReadOptions{Offset: 900})
		requireError(t, err, ErrInvalid, "log/lines812.log", "`offset` 900 is past the end of the file (812 lines)")
		_, err = w.ReadFile(ctx, "log/lines812.log", ReadOptions{Limit: -1})
		requireError(t, err, ErrInvalid, "log/lines812.log", "`limit` must be a whole number of at least 0, got -1")
	}
}

func TestReadFileErrors(t *testing.T) {
	dir := newTree(t, map[string]string{"file": "x\n", "src/": ""})
	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		for _, tt := range []struct {
			path   string
			family error
			want   string
		}{
			{"", ErrInvalid, "`path` must not be empty"},
			{"a\x00b", ErrInvalid, `"a\x00b" holds a NUL character, which no path can`},
			{"no-such-file", ErrNotFound, `"no-such-file" does not exist`},
			{"no\nsuch", ErrNotFound, `"no\nsuch" does not exist`},
			{"src/x/y", ErrNotFound, `"src/x/y" does not exist: there is no directory "` + filepath.Join(dir, "src", "x") + `"`},
			{"gone/../file", ErrNotFound, `"gone/../file" does not exist: there is no directory "` + filepath.Join(dir, "gone") + `"`},
			{"file/x", ErrNotFound, `"file/x" does not exist: "` + filepath.Join(dir, "file") + `" is not a directory`},
			{"file/", ErrNotFound, `"file/" does not exist: "` + filepath.Join(dir, "file") + `" is not a directory`},
			{"file/.", ErrNotFound, `"file/." does not exist: "` + filepath.Join(dir, "file") + `" is not a directory`},
			{"src", ErrRefused, `"src" is a directory, not a file`},
			{".", ErrRefused, `"." is a directory, not a file`},
			{"src/..", ErrRefused, `"src/.." is a directory, not a file`},
		} {
			_, err := w.ReadFile(ctx, tt.path, ReadOptions{})
			requireError(t, err, tt.family, tt.path, tt.want)
		}
		_, err := w.ReadFile(ctx, "no-such-file", ReadOptions{})
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.NotErrorIs(t, err, ErrIO)

		long := strings.Repeat("é", 1000)
		_, err = w.ReadFile(ctx, long, ReadOptions{})
		requireError(t, err, ErrInvalid, long, `"`+strings.Repeat("é", 100)+"…"+strings.Repeat("é", 100)+`" (2000 bytes) is too long a name for this file system`)
	}
}

func TestReadTooLarge(t *testing.T) {
	dir := newTree(t, map[string]string{"a": strings.Repeat("0123456789\n", 10)})
	w := open(t, Config{Dir: dir, MaxBytes: 100})
	_, err := w.ReadFile(ctx, "a", ReadOptions{})
	requireError(t, err, ErrTooLarge, "a", "\"a\" is too large for one call: 110 bytes is over the bound of 100; read less of it with `offset` and `limit`")
	var tooLarge *window.TooLargeError
	require.ErrorAs(t, err, &tooLarge)
	f, err := w.ReadFile(ctx, "a", ReadOptions{Offset: 2})
	require.NoError(t, err)
	require.Len(t, f.Contents, 99)
}

func TestCanceled(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "old"})
	w := open(t, Config{Dir: dir})
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := w.ReadFile(canceled, "a", ReadOptions{})
	require.Equal(t, context.Canceled, err)
	_, err = w.WriteFile(canceled, "a", []byte("new"))
	require.Equal(t, context.Canceled, err)
	_, err = w.ListDir(canceled, ".")
	require.Equal(t, context.Canceled, err)
	require.Equal(t, "old", contents(t, w, "a"))
}

// countdown is a context that is canceled when it has been looked at a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever a write is canceled, the old file is there, whole, and nothing else.
func TestCanceledWriteLeavesNothing(t *testing.T) {
	dir := newTree(t, map[string]string{"a": "old"})
	w := open(t, Config{Dir: dir})
	for looks := 0; ; looks++ {
		_, err := w.WriteFile(&countdown{ctx, looks}, "a", make([]byte, 3*writeStep))
		if err == nil {
			require.Greater(t, looks, 3)
			return
		}
		require.Equal(t, context.Canceled, err)
		entries, err := w.ListDir(ctx, "")
		require.NoError(t, err)
		require.Equal(t, []Entry{{"a", KindFile, 3}}, entries)
		require.Equal(t, "old", contents(t, w, "a"))
	}
}

func TestWriteFile(t *testing.T) {
	for _, unconfined := range []bool{false, true} {
		dir := newTree(t, map[string]string{"old": "old contents", "src/": ""})
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		for _, path := range []string{"new", "old", "deep/er/and/deeper", "src/../src/x", filepath.Join(dir, "abs"), "a\nb", "日本", " ", strings.Repeat("n", 255)} {
			for _, text := range []string{"new contents\r\n", "", "\x00\xff"} {
				n, err := w.WriteFile(ctx, path, []byte(text))
				require.NoError(t, err)
				require.EqualValues(t, len(text), n)
				got, err := os.ReadFile(w.mustLocate(t, path))
				require.NoError(t, err)
				require.Equal(t, text, string(got))
			}
		}
		entries, err := w.ListDir(ctx, "")
		require.NoError(t, err)
		require.Len(t, entries, 9, "no temporary file is left: %v", entries)

		for _, tt := range []struct {
			path   string
			family error
			want   string
		}{
			{"", ErrInvalid, "`path` must not be empty"},
			{"src", ErrRefused, `"src" is a directory, not a file`},
			{".", ErrRefused, `"." is a directory, not a file`},
			{"src/", ErrRefused, `"src/" is a directory, not a file`},
			{"other/", ErrInvalid, `"other/" names a directory, want a file`},
			{"other/.", ErrInvalid, `"other/." names a directory, want a file`},
			{"old/x", ErrNotFound, `"old/x" does not exist: "` + filepath.Join(dir, "old") + `" is not a directory`},
			{"gone/../x", ErrNotFound, `"gone/../x" does not exist: there is no directory "` + filepath.Join(dir, "gone") + `"`},
			{strings.Repeat("n", 256), ErrInvalid, `"` + strings.Repeat("n", 256) + `" is too long a name for this file system`},
		} {
			_, err := w.WriteFile(ctx, tt.path, []byte("x"))
			requireError(t, err, tt.family, tt.path, tt.want)
		}
	}
}

func (w *Workspace) mustLocate(t testing.TB, path string) string {
	t.Helper()
	real, err := w.Locate(path)
	require.NoError(t, err)
	return real
}

func TestLocate(t *testing.T) {
	dir := newTree(t, map[string]string{"src/a": ""})
	w := open(t, Config{Dir: dir})
	for path, want := range map[string]string{
		"src/a": "src/a", "./src/../src/a": "src/a", dir + "/src/a": "src/a",
		"": "", ".": ".", "src/b": "src/b", "x/y/z": "x/y/z", "src/a/b": "",
	} {
		real, err := w.Locate(path)
		if want == "" {
			require.Error(t, err)
			require.Empty(t, real)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, filepath.Join(dir, want), real)
	}
}

func TestListDir(t *testing.T) {
	dir := newTree(t, map[string]string{
		"b": "12345", "a": "", "B": "x", "é": "x", "src/x": "", "a\nb": "x", "empty/": "",
	})
	for _, unconfined := range []bool{false, true} {
		w := open(t, Config{Dir: dir, Unconfined: unconfined})
		want := []Entry{
			{"B", KindFile, 1}, {"a", KindFile, 0}, {"a\nb", KindFile, 1}, {"b", KindFile, 5},
			{"empty", KindDirectory, 0}, {"src", KindDirectory, 0}, {"é", KindFile, 1},
		}
		for _, path := range []string{"", ".", "./", "src/..", dir} {
			got, err := w.ListDir(ctx, path)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		got, err := w.ListDir(ctx, "empty")
		require.NoError(t, err)
		require.Equal(t, []Entry{}, got)

		_, err = w.ListDir(ctx, "b")
		requireError(t, err, ErrInvalid, "b", `"b" is not a directory`)
		_, err = w.ListDir(ctx, "b/")
		requireError(t, err, ErrNotFound, "b/", `"b/" does not exist: "`+filepath.Join(dir, "b")+`" is not a directory`)
		_, err = w.ListDir(ctx, "nothing")
		requireError(t, err, ErrNotFound, "nothing", `"nothing" does not exist`)
		_, err = w.ListDir(ctx, "no/thing")
		require.ErrorIs(t, err, ErrNotFound)
	}
}

func TestListManyEntries(t *testing.T) {
	dir := newTree(t, nil)
	for i := range 3000 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, strings.Repeat("x", i%40)+string(rune('a'+i%26))+strings.Repeat("y", i/40)), nil, 0o666))
	}
	w := open(t, Config{Dir: dir})
	got, err := w.ListDir(ctx, "")
	require.NoError(t, err)
	require.Len(t, got, 3000)
	for i := range got[1:] {
		require.Less(t, got[i].Name, got[i+1].Name)
	}
	_, err = w.ListDir(&countdown{ctx, 2}, "")
	require.Equal(t, context.Canceled, err, "it is looked at between batches")

	w.maxEntries = 3000
	_, err = w.ListDir(ctx, "")
	require.NoError(t, err)
	w.maxEntries = 2999
	_, err = w.ListDir(ctx, ".")
	requireError(t, err, ErrTooLarge, ".", `"." has more than 2999 entries`)
}

func TestReachOfRoots(t *testing.T) {
	dir := newTree(t, map[string]string{"ws/a": "in ws", "ws2/a": "beside", "logs/x.log": "a log", "secret": "out"})
	ws := filepath.Join(dir, "ws")
	w := open(t, Config{Dir: ws, Roots: []string{ws, filepath.Join(dir, "logs"), filepath.Join(dir, "later")}})
	bounds := quote(ws) + " and " + quote(filepath.Join(dir, "logs")) + " and " + quote(filepath.Join(dir, "later"))

	require.Equal(t, "in ws", contents(t, w, "a"))
	require.Equal(t, "a log", contents(t, w, filepath.Join(dir, "logs", "x.log")))
	require.Equal(t, "a log", contents(t, w, "../logs/x.log"))
	_, err := w.WriteFile(ctx, "../logs/y.log", []byte("y"))
	require.NoError(t, err)

	// What is outside is refused in the same words, whether or not it exists, for every call.
	for _, path := range []string{
		"../secret", "../nothing", filepath.Join(dir, "secret"), "../ws2/a", "..", "../", dir, "/", "/nothing", "../nothing/../ws/a",
	} {
		_, read := w.ReadFile(ctx, path, ReadOptions{})
		_, write := w.WriteFile(ctx, path, []byte("x"))
		_, list := w.ListDir(ctx, path)
		_, locate := w.Locate(path)
		for _, err := range []error{read, write, list, locate} {
			requireError(t, err, ErrRefused, path, quote(path)+" is refused: it lies outside of "+bounds)
		}
	}

	// A root that does not exist yet.
	later := filepath.Join(dir, "later", "cmd-1-0000.stdout")
	_, err = w.ReadFile(ctx, later, ReadOptions{})
	require.ErrorIs(t, err, ErrNotFound)
	_, err = w.ListDir(ctx, filepath.Dir(later))
	require.ErrorIs(t, err, ErrNotFound)
	_, err = w.WriteFile(ctx, later, []byte("x"))
	requireError(t, err, ErrNotFound, later, quote(later)+" does not exist: there is no directory "+quote(filepath.Dir(later)))
	require.NoError(t, os.Mkdir(filepath.Dir(later), 0o777))
	require.NoError(t, os.WriteFile(later, []byte("output"), 0o666))
	require.Equal(t, "output", contents(t, w, later))

	require.NoError(t, w.Close())
	_, err = w.ReadFile(ctx, "a", ReadOptions{})
	require.ErrorIs(t, err, ErrIO)
	require.ErrorIs(t, err, os.ErrClosed)
	w.reach = anywhere{} // it was closed
}

// Roots need not contain Dir, and relative ones start there.
func TestRootsWithoutDir(t *testing.T) {
	dir := newTree(t, map[string]string{"ws/a": "in ws", "ws/sub/b": "in sub"})
	w := open(t, Config{Dir: filepath.Join(dir, "ws"), Roots: []string{"sub"}})
	require.Equal(t, "in sub", contents(t, w, "sub/b"))
	_, err := w.ReadFile(ctx, "a", ReadOptions{})
	require.ErrorIs(t, err, ErrRefused)
	_, err = w.ListDir(ctx, "")
	require.ErrorIs(t, err, ErrRefused)
}

func TestErrorKeepsItsCause(t *testing.T) {
	err := ioError("read", "a", &fs.PathError{Op: "openat", Path: "/elsewhere/a", Err: fs.ErrPermission})
	requireError(t, err, ErrIO, "a", `read "a": permission denied`)
	require.ErrorIs(t, err, fs.ErrPermission)
	require.Equal(t, context.DeadlineExceeded, ioError("read", "a", context.DeadlineExceeded))
	require.NoError(t, ioError("read", "a", nil))
	require.EqualError(t, windowError("a", window.ErrShrinking), `read "a": the file keeps shrinking while it is read`)
	require.EqualError(t, ioError("write", "a", &os.LinkError{Op: "rename", Old: "x", New: "y", Err: errors.New("busy")}), `write "a": busy`)
}

func BenchmarkReadFile(b *testing.B) {
	dir := newTree(b, map[string]string{"src/pkg/file.go": strings.Repeat("\treturn fmt.Errorf(\"a line of code: %w\", err)\n", 200)})
	for name, unconfined := range map[string]bool{"roots": false, "unconfined": true} {
		b.Run(name, func(b *testing.B) {
			w := open(b, Config{Dir: dir, Unconfined: unconfined})
			b.ReportAllocs()
			for b.Loop() {
				f, err := w.ReadFile(ctx, "src/pkg/file.go", ReadOptions{})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(f.Bytes)
			}
		})
	}
}

func BenchmarkWriteFile(b *testing.B) {
	dir := newTree(b, nil)
	data := []byte(strings.Repeat("\treturn fmt.Errorf(\"a line of code: %w\", err)\n", 200))
	w := open(b, Config{Dir: dir})
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.WriteFile(ctx, "file.go", data); err != nil {
			b.Fatal(err)
		}
	}
}
