package source

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// esbuild starts goroutines of its own; none may outlive a call.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// read reads a program that is none too bad to be read.
func read(t *testing.T, src string) *Program {
	t.Helper()
	p, err := Read(src, Options{Known: known})
	require.NoError(t, err)
	requireUnmoved(t, src, p.Text)
	return p
}

// known is a small gg.
func known(module string) []string {
	switch module {
	case "gg":
		return []string{"shell", "views", "files", "ApiError", "args", "sleep"}
	case "gg:views":
		return []string{"openFile", "openText", "close", "current"}
	case "gg:shell":
		return []string{"shell", "run"}
	}
	return nil
}

// requireUnmoved checks what the package promises of every text it hands on: the same length, and the same line
// terminators in the same places.
func requireUnmoved(t *testing.T, before, after string) {
	t.Helper()
	require.Len(t, after, len(before))
	for i := 0; i < len(before); i++ {
		require.Equal(t, lineTerminator(before[i:]), lineTerminator(after[i:]), "line terminator at offset %d of %q", i, after)
	}
}

// snippets reads a file of programs separated by lines of four hyphens.
func snippets(t testing.TB, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n----\n")
}

func TestReadTakesTheLanguageFromNameOrTag(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      Language
	}{
		{"", "1", JavaScript},
		{"a.js", "1", JavaScript},
		{"a.mjs", "1", JavaScript},
		{"a.ts", "1", TypeScript},
		{"dir.js/A.TSX", "1", TypeScript},
		{"a.mts", "1", TypeScript},
		{"a.ts.js", "1", JavaScript},
		{"", "```ts\n1\n```", TypeScript},
		{"", "```TypeScript\n1\n```", TypeScript},
		{"", "```js\n1\n```", JavaScript},
		{"a.ts", "```js\n1\n```", TypeScript},
	} {
		p, err := Read(test.src, Options{Name: test.name})
		require.NoError(t, err)
		require.Equal(t, test.want, p.Language, "%s %q", test.name, test.src)
	}
	require.Equal(t, "JavaScript TypeScript", JavaScript.String()+" "+TypeScript.String())
}

func TestReadRefusesOtherEncodings(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"const s = \"caf\xe9\";", "1:15: the text is not UTF-8: byte 0xE9 at 1:15"},
		{"a\n// \xff", "2:4: the text is not UTF-8: byte 0xFF at 2:4"},
		{"\xff\xfe1\x00", "1:1: the text is encoded as UTF-16, want UTF-8"},
		{"\xed\xa0\x80", "1:1: the text is not UTF-8: byte 0xED at 1:1"},
	} {
		_, err := Read(test.src, Options{})
		require.EqualError(t, err, test.want)
		require.IsType(t, Errors{}, err)
	}
}

func TestEnginePosition(t *testing.T) {
	p := read(t, "\uFEFFlet a;\n\"é😀\"; null.x")
	for _, test := range []struct {
		line, column int
		want         Position
	}{
		{1, 5, Position{1, 1}}, // the wrapper
		{2, 1, Position{1, 1}}, // where the byte order mark was
		{2, 4, Position{1, 1}}, // the first column
		{2, 8, Position{1, 5}}, // a
		{3, 1, Position{2, 1}},
		{3, 16, Position{2, 13}}, // x: é is 2 bytes and 1 column, 😀 4 bytes and 2 columns
		{4, 1, Position{2, 14}},  // the wrapper
	} {
		require.Equal(t, test.want, p.EnginePosition(test.line, test.column), "%d:%d", test.line, test.column)
	}
}
