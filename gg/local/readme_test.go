package local

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of functions in the README anew")

// TestREADME holds that the README's table of functions is what the catalogue says.
func TestREADME(t *testing.T) {
	const path, begin, end = "../../README.md", "<!-- functions: written by go test ./gg/local -run README -update -->\n", "<!-- end of functions -->"
	readme, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(readme), begin)
	require.True(t, found, "the README has no place for the table")
	table, after, found := strings.Cut(rest, end)
	require.True(t, found, "the table in the README has no end")
	catalogue, err := Catalogue(nil)
	require.NoError(t, err)
	want := "\n" + catalogue.Table() + "\n"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+want+end+after), 0o644))
		return
	}
	require.Equal(t, want, table)
}

// TestREADMEShowsAnExample holds that the program the README begins with, and what a model sees of it, are
// those that are tested.
func TestREADMEShowsAnExample(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	readme := read("../../README.md")
	require.Contains(t, readme, "```js\n"+read("../../jsexamples/02-failing-tests.js")+"```")
	shown, _, _ := strings.Cut(read("../../testdata/jsexamples/02-failing-tests.golden"), "\n==== ")
	require.Contains(t, readme, "```text\n"+shown+"```")
	require.Contains(t, readme, strings.TrimSpace(read("../../runtime/testdata/reports/readme.golden")))
}
