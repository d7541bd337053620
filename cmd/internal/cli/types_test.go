package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

// TestExamplesWithTheCompiler does what the help of `gg types` says with every program of jsexamples: the
// TypeScript compiler has nothing against them, and something against a program that is wrong.
func TestExamplesWithTheCompiler(t *testing.T) {
	tsc := compiler(t)
	s := newStage(t, "types")
	require.Equal(t, exitOK, Main(s.World), s.stderr.String())
	write := func(name, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o600))
		return name
	}
	write("gg.d.ts", s.stdout.String())
	programs := []string{write("wrong.js", `gg.shell.shell("true").exitcode;`)}
	examples, err := filepath.Glob("../../../jsexamples/*.js")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(examples), 10)
	for _, path := range examples {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		programs = append(programs, write(filepath.Base(path), string(text)))
	}

	args := strings.Fields(gg.TypeCheckCommand)[1:]
	at := slices.Index(args, "program.js")
	cmd := exec.Command(tsc, slices.Concat(args[:at], programs, args[at+1:], []string{"--pretty", "false"})...)
	cmd.Dir = s.Dir
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "wrong.js is wrong")
	require.Regexp(t, `^wrong\.js\(1,24\): error TS\d+: Property 'exitcode' does not exist .*\n$`, string(output))
}

// compiler finds the TypeScript compiler.
func compiler(t *testing.T) string {
	t.Helper()
	if tsc := os.Getenv("GG_TEST_TSC"); tsc != "" {
		return tsc
	}
	tsc, err := exec.LookPath("tsc")
	if err == nil {
		return tsc
	}
	const why = "tsc is neither on PATH nor named by GG_TEST_TSC (npm install typescript@5.9.3)"
	if os.Getenv("GG_TEST_REQUIRE") == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}
