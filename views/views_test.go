package views

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/views/window"
)

var update = flag.Bool("update", false, "write the golden files anew")

func newSet(t testing.TB, l Limits) *Set {
	t.Helper()
	s, err := NewSet(l)
	require.NoError(t, err)
	return s
}

// text is what window reads of lines first..last of a file.
func text(contents string, first, last int64) *window.File {
	return &window.File{Kind: window.Text, Contents: contents, FirstLine: first, LastLine: last, TotalLines: max(last, 0)}
}

func selectors(s *Set) []string {
	list := []string{}
	for _, v := range s.Current() {
		list = append(list, strings.TrimSuffix(v.Selector+":"+v.Region, ":"))
	}
	return list
}

func TestRender(t *testing.T) {
	s := newSet(t, Limits{})
	png := &window.File{Kind: window.Image, MediaType: "image/png", Bytes: 3, Data: []byte("png")}
	for _, f := range []FileView{
		{Path: "src/main.go", File: text("func main() {\n}\n", 100, 101)},
		{Path: "a.txt", File: text("no newline at the end", 2, 2)},
		{Path: "empty.txt", File: &window.File{Kind: window.Text, FirstLine: 1}},
		{Path: "crlf.txt", File: text("a\r\nb\r\n", 1, 2)},
		{Path: "blank.txt", File: text("\n\n", 1, 2)},
		{Path: "logo.png", File: png},
		{Path: "huge.png", File: &window.File{Kind: window.Image, MediaType: "image/png", Bytes: 9 << 20, NotShown: "9437184 bytes is over the bound of 8388608"}},
		{Path: "/bin/true", File: &window.File{Kind: window.Binary, MediaType: "application/x-elf", Bytes: 1, NotShown: "binary (a NUL byte at offset 7)"}},
		{Path: "long.txt", File: text("foo and more\nbar\nüber alles\r\n", 1, 3), MaxLineChars: 3},
		{Path: "a\n----\nFile: b", File: text("a name cannot draw a header\n", 1, 1)},
		{Path: `it's "quoted" naïve 日本.txt`, File: text("as it is\n", 1, 1)},
		{Path: "invalid\xff.txt", File: text("invalid \xff\n", 1, 1)},
	} {
		_, err := s.OpenFile(f)
		require.NoError(t, err)
	}
	_, err := s.OpenText("failing tests", "TestParse\nTestPrint")
	require.NoError(t, err)
	_, err = s.OpenText("nothing", "")
	require.NoError(t, err)
	_, err = s.OpenDocs("gg.shell.shell", "shell(command, options)\n")
	require.NoError(t, err)

	got := Render(s.Views())
	const golden = "testdata/render.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
	require.True(t, utf8.ValidString(got))
	require.Empty(t, Render(nil))
}

func TestOpenedViewIsReturned(t *testing.T) {
	s := newSet(t, Limits{})
	c, err := s.OpenFile(FileView{Path: "./a.go", Identity: "/ws/a.go", File: text("a\nb\n", 3, 4)})
	require.NoError(t, err)
	require.Equal(t, Change{Action: Opened, View: View{Kind: File, Selector: "./a.go", Region: "3-4", Header: "File: ./a.go:3-4", Body: "a\nb\n"}}, c)

	data := []byte("png")
	c, err = s.OpenFile(FileView{Path: "a.png", File: &window.File{Kind: window.Image, MediaType: "image/png", Bytes: 3, Data: data}})
	require.NoError(t, err)
	require.Equal(t, View{Kind: Image, Selector: "a.png", Header: "File: a.png", Image: &Picture{MediaType: "image/png", Data: data}}, c.View)

	require.Equal(t, []Summary{
		{Kind: File, Selector: "./a.go", Region: "3-4", Bytes: 4},
		{Kind: Image, Selector: "a.png", Bytes: 3},
	}, s.Current())
}

func TestReplacing(t *testing.T) {
	s := newSet(t, Limits{})
	file := func(path, identity string, f *window.File) Change {
		c, err := s.OpenFile(FileView{Path: path, Identity: identity, File: f})
		require.NoError(t, err)
		return c
	}
	require.Equal(t, Opened, file("a", "/ws/a", text("1\n", 1, 1)).Action)
	require.Equal(t, Opened, file("a", "/ws/a", text("2\n", 2, 2)).Action, "two windows of one file live side by side")
	require.Equal(t, Opened, file("b", "/ws/b", text("1\n", 1, 1)).Action)
	require.Equal(t, []string{"a:1-1", "a:2-2", "b:1-1"}, selectors(s))

	// Another spelling of the path is the same file; the new view goes to the end.
	c := file("./a", "/ws/a", text("one\n", 1, 1))
	require.Equal(t, Replaced, c.Action)
	require.Equal(t, "one\n", c.View.Body)
	require.Equal(t, []string{"a:2-2", "b:1-1", "./a:1-1"}, selectors(s))

	// A label, a page and a file of one name are three views.
	for _, want := range []Action{Opened, Replaced} {
		c, err := s.OpenText("a", string(want))
		require.NoError(t, err)
		require.Equal(t, want, c.Action)
		c, err = s.OpenDocs("a", string(want))
		require.NoError(t, err)
		require.Equal(t, want, c.Action)
	}
	require.Equal(t, []string{"a:2-2", "b:1-1", "./a:1-1", "a", "a"}, selectors(s))
	require.Equal(t, len("2\n1\none\nreplacedreplaced"), s.textBytes)
}

func TestClose(t *testing.T) {
	s := newSet(t, Limits{})
	for _, f := range []FileView{
		{Path: "a", Identity: "/ws/a", File: text("1\n", 1, 1)},
		{Path: "b", Identity: "/ws/b", File: text("1\n", 1, 1)},
		{Path: "./a", Identity: "/ws/a", File: text("2\n", 2, 2)},
		{Path: "c", File: &window.File{Kind: window.Image, Data: []byte("png")}},
	} {
		_, err := s.OpenFile(f)
		require.NoError(t, err)
	}
	_, err := s.OpenText("/ws/a", "a label")
	require.NoError(t, err)

	require.Empty(t, s.Close(Selector{Name: "nothing", Identity: "/ws/nothing"}))
	require.Empty(t, s.Close(Selector{}))

	closed := s.Close(Selector{Name: "./a"})
	require.Len(t, closed, 1, "without the identity only the same spelling")
	require.Equal(t, Closed, closed[0].Action)
	require.Equal(t, "2\n", closed[0].View.Body)

	_, err = s.OpenFile(FileView{Path: "./a", Identity: "/ws/a", File: text("2\n", 2, 2)})
	require.NoError(t, err)
	closed = s.Close(Selector{Name: "x/../a", Identity: "/ws/a"})
	require.Len(t, closed, 2, "every window of the file, and not the label")
	require.Equal(t, []string{"b:1-1", "c", "/ws/a"}, selectors(s))

	require.Len(t, s.Close(Selector{Name: "/ws/a"}), 1)
	require.Len(t, s.Close(Selector{Name: "b"}), 1)
	require.Len(t, s.Close(Selector{Name: "c"}), 1)
	require.Zero(t, s.textBytes)
	require.Zero(t, s.imageBytes)
	require.Empty(t, s.Views())
}

func TestRefusedArguments(t *testing.T) {
	s := newSet(t, Limits{})
	textView := func(label, body string) error {
		_, err := s.OpenText(label, body)
		return err
	}
	fileView := func(path string, maxLineChars int) error {
		_, err := s.OpenFile(FileView{Path: path, File: text("", 1, 0), MaxLineChars: maxLineChars})
		return err
	}
	_, docs := s.OpenDocs("", "text")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{textView("", "x"), "`label` must not be blank"},
		{textView(" \t\n\u3000", "x"), "`label` must not be blank"},
		{textView(strings.Repeat("é", 101), "x"), "`label` must be at most 200 bytes long, got 202"},
		{fileView("", 0), "`path` must not be empty"},
		{fileView("a", -1), "`maxLineChars` must be a whole number 1..65536, got -1"},
		{fileView("a", 65537), "`maxLineChars` must be a whole number 1..65536, got 65537"},
		{docs, "`name` must not be empty"},
	} {
		require.EqualError(t, tt.err, tt.want)
		require.IsType(t, &ArgumentError{}, tt.err)
	}
	require.Empty(t, s.Views())
	require.NoError(t, textView(strings.Repeat("é", 100), "x"))
	require.NoError(t, fileView("a", 65536))
}

func TestCapsRefuse(t *testing.T) {
	s := newSet(t, Limits{})
	full := strings.Repeat("x", DefaultViewBytes)

	_, err := s.OpenText("big", full+"x")
	require.EqualError(t, err, "View: big: 65537 bytes, over the bound of 65536; show less of it")
	_, err = s.OpenText("big", strings.Repeat("\xff", 21846))
	require.EqualError(t, err, "View: big: 65538 bytes, over the bound of 65536; show less of it", "an invalid byte costs three")
	_, err = s.OpenFile(FileView{Path: "big.log", File: text(full+"x", 1, 900)})
	require.EqualError(t, err, "File: big.log:1-900: 65537 bytes, over the bound of 65536; show less of it with `offset`, `limit` or `maxLineChars`")
	_, err = s.OpenFile(FileView{Path: "big.log", File: text(full+"x", 1, 900), MaxLineChars: 65536})
	require.EqualError(t, err, "File: big.log:1-900: 65554 bytes, over the bound of 65536; show less of it with `offset`, `limit` or `maxLineChars`")
	require.Empty(t, s.Views())

	c, err := s.OpenFile(FileView{Path: "big.log", File: text(full+"x", 1, 900), MaxLineChars: 65510})
	require.NoError(t, err)
	require.Equal(t, full[:65510]+" (27 more chars...)", c.View.Body)
	require.Len(t, s.Close(Selector{Name: "big.log"}), 1)

	for i := range 16 {
		_, err := s.OpenText(fmt.Sprint(i), full)
		require.NoError(t, err)
	}
	_, err = s.OpenText("one more", "x")
	require.EqualError(t, err, "all open views with View: one more: 1048577 bytes, over the bound of 1048576; close some first")
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, 1048577, limit.Size)
	require.Len(t, s.Views(), 16)

	_, err = s.OpenText("3", full[1:])
	require.NoError(t, err, "what is replaced makes room")
	_, err = s.OpenText("one more", "x")
	require.NoError(t, err)
}

func TestImageAndCountCaps(t *testing.T) {
	s := newSet(t, Limits{ImageBytes: 10, Views: 3})
	image := func(path string, n int) error {
		_, err := s.OpenFile(FileView{Path: path, File: &window.File{Kind: window.Image, MediaType: "image/png", Data: make([]byte, n)}})
		return err
	}
	require.NoError(t, image("a.png", 6))
	require.EqualError(t, image("b.png", 5), "all open images with File: b.png: 11 bytes, over the bound of 10; close some first")
	require.NoError(t, image("a.png", 10))
	require.NoError(t, image("c.png", 0))
	_, err := s.OpenText("x", "")
	require.NoError(t, err)
	_, err = s.OpenText("y", "")
	require.EqualError(t, err, "all open views with View: y: 4 views, over the bound of 3; close some first")
}

func TestNewSetRefusesNegativeLimits(t *testing.T) {
	_, err := NewSet(Limits{ViewBytes: -1, Views: -2, TotalBytes: 5})
	require.EqualError(t, err, "limit ViewBytes: got -1, want at least 0\nlimit Views: got -2, want at least 0")
}

// Whatever is done, the caps hold, the sums are those of what is open, and a refused call changes nothing.
func TestCapsHold(t *testing.T) {
	const seed = 20260102
	random := rand.New(rand.NewPCG(seed, seed))
	limits := Limits{ViewBytes: 40, TotalBytes: 200, ImageBytes: 100, Views: 12}
	s := newSet(t, limits)
	actions := map[string]int{}
	for range 20_000 {
		before := s.Views()
		name := fmt.Sprint("n", random.IntN(20))
		body := strings.Repeat("é\xff\n"[random.IntN(3):], random.IntN(20))
		var c Change
		var err error
		var closed []Change
		switch random.IntN(8) {
		case 0:
			closed = s.Close(Selector{Name: name, Identity: "/" + name})
		case 1:
			c, err = s.OpenDocs(name, body)
		case 2:
			c, err = s.OpenFile(FileView{Path: name, File: &window.File{Kind: window.Image, MediaType: "image/png", Data: []byte(body)}})
		case 3, 4:
			n := random.Int64N(3) + 1
			c, err = s.OpenFile(FileView{Path: name, Identity: "/" + name, File: text(body, n, n), MaxLineChars: random.IntN(5)})
		default:
			c, err = s.OpenText(name, body)
		}
		after := s.Views()
		var limit *LimitError
		switch {
		case errors.As(err, &limit):
			require.Greater(t, limit.Size, limit.Bound)
			require.Equal(t, before, after)
			actions["refused"]++
		case len(closed) > 0:
			require.Len(t, after, len(before)-len(closed))
			actions["closed"]++
		case c.Action != "":
			require.Equal(t, c.View, after[len(after)-1], "what was opened last is last")
			if c.Action == Opened {
				require.Len(t, after, len(before)+1)
			} else {
				require.Len(t, after, len(before))
			}
			actions[string(c.Action)]++
		}
		require.NotErrorAs(t, err, new(*ArgumentError))

		texts, images := 0, 0
		for _, v := range after {
			require.LessOrEqual(t, len(v.Body), limits.ViewBytes)
			require.True(t, utf8.ValidString(v.Text()))
			texts += len(v.Body)
			images += v.imageBytes()
		}
		require.Equal(t, s.textBytes, texts)
		require.Equal(t, s.imageBytes, images)
		require.LessOrEqual(t, texts, limits.TotalBytes)
		require.LessOrEqual(t, images, limits.ImageBytes)
		require.LessOrEqual(t, len(after), limits.Views)
	}
	for _, a := range []string{"opened", "replaced", "closed", "refused"} {
		require.Greater(t, actions[a], 500, "%s: the test must meet it (%v)", a, actions)
	}
}

func TestConcurrentUse(t *testing.T) {
	s := newSet(t, Limits{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				_, err := s.OpenText(fmt.Sprint("label ", (i+j)%10), "text")
				require.NoError(t, err)
				s.Current()
				Render(s.Views())
				s.Close(Selector{Name: fmt.Sprint("label ", j%7)})
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, len(s.Views()), 10)
}
