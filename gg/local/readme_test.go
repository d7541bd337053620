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
