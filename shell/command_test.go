//go:build unix

package shell

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongCommands runs commands as they are, and once more with so much of a comment in their first line, or
// their second, that they do not fit into an argument. Nothing may differ.
func TestLongCommands(t *testing.T) {
	commands := map[string]string{
		"name":            `echo "$0" "$#" "$*"`,
		"parameters":      `set -- a b; echo "$#" "$2"; shift; echo "$1"`,
		"standard input":  `cat; read x; echo "got:$x rc=$?"`,
		"here-document":   "cat <<EOF\nhello $((1 + 1))\nEOF\ncat <<'END'\n$x\nEND",
		"not found":       "echo one\n\nnosuchcmd_xyz\necho two",
		"not found first": "nosuchcmd_xyz",
		"syntax":          "echo one\nif true; then\necho )",
		"line number":     "echo $LINENO\necho $LINENO",
		"return":          "return 3; echo not here",
		"exit":            "exit 4",
		"trap":            "trap 'echo bye' EXIT; exit 5",
		"signal":          "kill -KILL $$",
		"directories":     `pwd; echo "$PWD"; /bin/pwd; echo "${OLDPWD-unset}"; cd / && cd - && pwd`,
		"variables":       "sh -c 'echo $PWD ${OLDPWD-unset}'",
		"descriptors":     "ls /proc/self/fd | xargs",
		"subshell":        `(echo "$0"; exit 3); echo $?`,
		"function":        "f() { return 7; }\nf\necho $?",
		"set -e":          "set -e; false; echo not here",
		"set -u":          `set -u; echo "$1"`,
		"quotes":          "echo 'it'\\''s' \"a b\" \\$x",
		"CRLF":            "echo a\r\necho b\r",
		"hash bang":       "#!/bin/sh\necho hi",
		"unterminated":    `echo "abc`,
		"own comment":     "echo hi # note",
	}
	long := strings.Repeat("x", 200_000)
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The comment is in front, so that what follows has the same line numbers.
			w := newWorkbench(t, Config{Policy: inline, Environ: []string{"PATH=" + os.Getenv("PATH")}})
			short, whole := w.run("# x\n"+command), w.run("# "+long+"\n"+command)
			require.Equal(t, short.Text, whole.Text)
			require.Equal(t, short.ExitCode, whole.ExitCode)
			require.Equal(t, short.Signal, whole.Signal)
			if !strings.Contains(command, "LINENO") && name != "hash bang" {
				// The first line itself.
				short, whole = w.run(command+"\n# x"), w.run(command+"\n# "+long)
				require.Equal(t, short.Text, whole.Text)
				require.Equal(t, short.ExitCode, whole.ExitCode)
			}
		})
	}
}

func TestLongCommandLimits(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	w := newWorkbench(t, Config{Environ: []string{"PATH=" + os.Getenv("PATH"), "OLDPWD=/a 'b' $c"}})
	for _, size := range []int{maxArgument - 1, maxArgument, maxArgument + 1, MaxCommandBytes} {
		head, tail := "x='", `'; echo "${#x} $OLDPWD"`
		value := size - len(head) - len(tail)
		command := head + strings.Repeat("y", value) + tail
		require.Equal(t, strconv.Itoa(value)+" /a 'b' $c\n", w.run(command).Text)
	}
	// A working directory that a shell could misread.
	for _, name := range []string{"-dash", "a b", "q'q", "$x", "new\nline", `back\slash`} {
		dir := filepath.Join(w.dir, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		out, err := w.Run(context.Background(), Request{Command: "printf %s \"$PWD\"\n# " + strings.Repeat("x", maxArgument), Dir: dir})
		require.NoError(t, err)
		require.Equal(t, dir, out.Text)
	}
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left, "files of long commands")

	t.Setenv("TMPDIR", filepath.Join(temp, "none"))
	_, err = w.Run(context.Background(), Request{Command: "true #" + strings.Repeat("x", maxArgument)})
	var launch *LaunchError
	require.ErrorAs(t, err, &launch)
	require.EqualError(t, err, `directory for a long command "`+filepath.Join(temp, "none")+`" does not exist`)
}
