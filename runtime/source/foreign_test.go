package source_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime/source"
)

func TestInstead(t *testing.T) {
	for module, want := range map[string]string{
		"fs":                "use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir",
		"node:fs":           "use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir",
		"perf_hooks":        "performance is global",
		"sqlite3":           `use gg.shell.shell("sqlite3 …")`,
		"axios":             `a program has no network; use gg.shell.shell("curl …")`,
		"https://esm.sh/x":  `a program has no network; use gg.shell.shell("curl …")`,
		"./lib.js":          "a program is one file: put the code into it, or read the file with gg.files.readTextFile",
		"/lib.js":           "a program is one file: put the code into it, or read the file with gg.files.readTextFile",
		"file:///w/lib.mjs": "a program is one file: put the code into it, or read the file with gg.files.readTextFile",
		"lodash":            "",
		"gg":                "",
		"node:":             "",
		"":                  "",
	} {
		line, ok := source.Instead(module)
		require.Equal(t, want, line, module)
		require.Equal(t, want != "", ok, module)
	}
}

// TestAdviceNamesFunctionsThatExist looks at everything that is said to be called instead.
func TestAdviceNamesFunctionsThatExist(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	for _, file := range []string{"foreign.go", "feature.go", "../prelude/absent.go", "../prelude/missing.go"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, call := range regexp.MustCompile(`\bgg\.([a-z]\w*\.[a-z]\w*)`).FindAllStringSubmatch(string(text), -1) {
			require.NotNil(t, catalogue.Lookup(call[1]), "%s: %s", file, call[0])
		}
	}
}
