//go:build linux

package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dedicated are the reports for which a command in a table is not enough, and the tests that show what
// happens, by directory.
var dedicated = map[string]map[string][]string{
	"A16": {".": {"TestSubreaper", "TestOrphansAreReaped"}},
	"D03": {".": {"TestRefusedRequests", "TestLongestCommand"}},
	"E15": {".": {"TestMemoryIsBounded", "TestFloods"}, "policy": {"TestMemoryIsBounded"}},
	"E17": {".": {"TestStreamLimit", "TestEndlessOutput", "TestDiskReserve"}},
	"F04": {".": {"TestFilesUnavailable"}, "store": {"TestNames", "TestUnusableDirectories", "TestForeignDirectory"}},
	"F06": {".": {"TestHostsShareADirectory", "TestParallelCommandsDoNotMix"}, "store": {"TestNames", "TestConcurrentCreate"}},
	"H01": {".": {"TestTimeoutValues"}, "../budget": {"TestClamp"}, "../gg": {"TestCheckRefuses"}},

	"clock":       {".": {"TestDeadlinesAreMonotonic"}, "../budget": {"TestWallClock"}},
	"retention":   {"store": {"TestSweep", "TestKeepHours"}},
	"memory-only": {".": {"TestPublicCasesInline", "TestRunnerIsLazy"}},
	"group":       {".": {"TestStopAtLaunch"}},
	"dash":        {"../gg/local": {"TestTheShellIsSaidToBeSh"}}, // and commands in the tables
}

// later are the reports about what does not exist yet, and what they wait for.
var later = map[string]string{
	"G01":         "scrub_env, which removes secrets from the environment by their names",
	"G09":         "shell/changes, which tells what a command changed, with git status -z -uall",
	"G11":         "shell/changes, whose git runs with GIT_OPTIONAL_LOCKS=0",
	"H02":         "retries of a command",
	"private-tmp": "the sandbox: commands in it must see the directory of the offloaded files",
	"probe":       "the sandbox: it is tried once, at the start",
	// Parts of others: of A18 a sweep at the next start of what a killed host left, of memory-only no_store, which also
	// forbids the files of offload mode.
}

// TestEveryReportIsCovered makes sure that none is forgotten: each has its command in the tables and three
// variants, or tests of its own, or a reason to wait.
func TestEveryReportIsCovered(t *testing.T) {
	b, err := os.ReadFile("testdata/reports.txt")
	require.NoError(t, err)
	var names []string
	lines := slices.DeleteFunc(strings.Split(string(b), "\n"), func(l string) bool { return l == "" || l[0] == '#' })
	for pair := range slices.Chunk(lines, 2) {
		name, fault, ok := strings.Cut(pair[0], "\t")
		require.True(t, ok && fault != "" && len(pair) == 2 && strings.HasPrefix(pair[1], "\t"), pair)
		names = append(names, name)
	}
	require.Len(t, names, 56+7)

	reported, ours := make(map[string]int), make(map[string]int)
	seen := make(map[string]bool)
	for _, c := range slices.Concat(publicCases, variants) {
		require.False(t, seen[c.name], "two cases are called %s", c.name)
		seen[c.name] = true
		name, _, _ := strings.Cut(c.name, " ")
		require.Contains(t, names, name, c.name)
		if c.source == "" {
			ours[name]++
		} else {
			reported[name]++
		}
	}
	tests := make(map[string][]string)
	for _, name := range names {
		if reason, waits := later[name]; waits {
			require.NotEmpty(t, reason)
			require.NotContains(t, dedicated, name)
			require.Zero(t, reported[name]+ours[name], name)
			continue
		}
		for dir, want := range dedicated[name] {
			if tests[dir] == nil {
				tests[dir] = testsIn(t, dir)
			}
			require.Subset(t, tests[dir], want, name)
		}
		if dedicated[name] == nil || reported[name]+ours[name] > 0 {
			require.NotZero(t, reported[name], "%s has no command from its reports", name)
			require.GreaterOrEqual(t, ours[name], 3, "variants of %s", name)
		}
	}
	for name := range dedicated {
		require.Contains(t, names, name)
	}
	for name := range later {
		require.Contains(t, names, name)
	}
}

// testsIn returns the names of the tests in dir.
func testsIn(t *testing.T, dir string) []string {
	var names []string
	for _, f := range parseFiles(t, filepath.Join(dir, "*_test.go")) {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

func parseFiles(t *testing.T, pattern string) map[string]*ast.File {
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	files := make(map[string]*ast.File)
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files[path] = f
	}
	return files
}

// TestDeadlinesAreMonotonic: a step of the wall clock must not move a deadline. The clock cannot be stepped
// here; but a time.Time keeps its monotonic reading unless one of a few methods takes it away, and only times without
// one are compared by the wall clock.
func TestDeadlinesAreMonotonic(t *testing.T) {
	wall := []string{
		"Round", "Truncate", "UTC", "Local", "In", "Date", "Parse", "AddDate", "Unix", "UnixMilli", "UnixMicro", "UnixNano",
		"CLOCK_REALTIME", "Gettimeofday",
	}
	for _, dir := range []string{".", "capture"} {
		for path, f := range parseFiles(t, filepath.Join(dir, "*.go")) {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					require.NotContains(t, wall, s.Sel.Name, path)
				}
				return true
			})
		}
	}
}
