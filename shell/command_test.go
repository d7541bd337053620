//go:build unix

package shell

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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
		"semicolon first": "; echo hi",
		"operator first":  "&& echo hi",
		"option":          "-x",
		"plus":            "+x",
		"bang":            "! true",
		"assignment":      "x=1 sh -c 'echo $x'",
		"group":           "{ echo a; } 2>&1; (echo b)",
		"continued":       "echo a\\\nb",
		"not text":        "printf 'a\xff\xfe\x88'; echo \xc3\xa9",
		"exec":            "exec sh -c 'echo \"$0\" $#'",
		"suspended":       "(sleep 0.05; kill -CONT $$) & kill -STOP $$; echo continued",
		"background":      "sleep 0.05 & wait; echo $?",
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

// TestLongestCommand runs commands of every length that is special, to the byte.
func TestLongestCommand(t *testing.T) {
	for old, want := range map[string]string{
		"OLDPWD=/a 'b' $c": "/a 'b' $c", "OLDPWD=": "", "OLDPWD=a\nb\n": "a\nb\n", "OLDPWD=-\\ \"": `-\ "`, "X=": "unset",
	} {
		w := newWorkbench(t, Config{Environ: []string{"PATH=" + os.Getenv("PATH"), old}})
		for _, size := range []int{maxArgument - 2, maxArgument - 1, maxArgument, maxArgument + 1, MaxCommandBytes} {
			head, tail := "x='", `'; echo "${#x} $# ${OLDPWD-unset}"`
			value := size - len(head) - len(tail)
			command := head + strings.Repeat("y", value) + tail
			require.Equal(t, strconv.Itoa(value)+" 0 "+want+"\n", w.run(command).Text)
		}
		_, err := w.Run(context.Background(), Request{Command: strings.Repeat("#", MaxCommandBytes+1)})
		require.EqualError(t, err, "command is too long: got 1048577 bytes, want at most 1048576")
		_, err = w.Run(context.Background(), Request{Command: strings.Repeat("#", maxArgument) + "\x00"})
		require.EqualError(t, err, "command has a NUL byte at offset 131072")
		_, err = w.Run(context.Background(), Request{Command: strings.Repeat(" ", maxArgument)})
		require.EqualError(t, err, "command is blank")
	}
}

// TestLongCommandDirectories has working directories that a shell could misread, and some that are none.
func TestLongCommandDirectories(t *testing.T) {
	w := newWorkbench(t, Config{})
	long := "# " + strings.Repeat("x", maxArgument)
	for _, name := range []string{"-dash", "a b", "q'q", "$x", "new\nline", "end\n", `back\slash`, "\xff\xfe", "..."} {
		dir := filepath.Join(w.dir, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		for _, padding := range []string{"", long} {
			out, err := w.Run(context.Background(), Request{Command: "printf %s \"$PWD\"\n" + padding, Dir: dir})
			require.NoError(t, err)
			require.Equal(t, strings.ToValidUTF8(strings.ReplaceAll(dir, "\xff", "\uFFFD"), "\uFFFD"), out.Text)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "file"), nil, 0o600))
	for _, name := range []string{"none", "file", "file/below", "a b/none"} {
		_, short := w.Run(context.Background(), Request{Command: "true", Dir: name})
		_, whole := w.Run(context.Background(), Request{Command: "true\n" + long, Dir: name})
		require.EqualError(t, whole, short.Error())
		var launch *LaunchError
		require.ErrorAs(t, whole, &launch)
	}
}

// TestLongCommandPlaces has temporary directories that cannot be used, and a umask that takes everything away:
// a command must not depend on its length. It leaves nothing wherever its file was.
func TestLongCommandPlaces(t *testing.T) {
	places := map[string]func(t *testing.T, temp string) string{
		"as usual":   func(_ *testing.T, temp string) string { return temp },
		"odd name":   func(t *testing.T, temp string) string { return makeDir(t, filepath.Join(temp, `a 'b' "c" $d`)) },
		"missing":    func(_ *testing.T, temp string) string { return filepath.Join(temp, "none") },
		"a file":     func(t *testing.T, temp string) string { return makeFile(t, filepath.Join(temp, "file")) },
		"read-only":  func(_ *testing.T, _ string) string { return "/proc" },
		"unset":      func(*testing.T, string) string { return "" },
		"not a path": func(*testing.T, string) string { return "\xff\n" },
		"relative":   func(*testing.T, string) string { return "." },
	}
	for name, place := range places {
		for _, umask := range []string{"022", "777"} {
			t.Run(name+" umask "+umask, func(t *testing.T) {
				t.Parallel()
				temp := t.TempDir()
				cmd := hostCommand(t, "long", "")
				// The superuser may do all that is forbidden here.
				if setpriv, err := exec.LookPath("setpriv"); err == nil && os.Getuid() == 0 {
					cmd.Args = append([]string{setpriv, "--bounding-set", "-dac_override,-dac_read_search", cmd.Path}, cmd.Args[1:]...)
					cmd.Path = setpriv
				}
				cmd.Env = append(cmd.Env, "TMPDIR="+place(t, temp))
				cmd.Args = append([]string{"sh", "-c", "umask " + umask + `; exec "$@"`, "sh"}, cmd.Args...)
				cmd.Path = standardShell
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				require.Equal(t, "ok sh 0 "+"0"+umask+"\n", string(out))
				for _, dir := range []string{temp, cmd.Dir} {
					left, err := filepath.Glob(filepath.Join(dir, "gg-command-*"))
					require.NoError(t, err)
					require.Empty(t, left)
				}
			})
		}
	}
}

func makeDir(t *testing.T, path string) string {
	require.NoError(t, os.Mkdir(path, 0o700))
	return path
}

func makeFile(t *testing.T, path string) string {
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	return path
}

// hostLong prints what a command does that is short, and makes sure that one does the same that is not.
func hostLong(string) error {
	r, err := New(Config{Policy: inline})
	if err != nil {
		return err
	}
	defer r.Close(context.Background())
	command := "echo ok \"$0\" $# $(umask)\n"
	var texts [3]string
	for i, size := range []int{len(command), maxArgument - 1, maxArgument} {
		out, err := r.Run(context.Background(), Request{Command: command + strings.Repeat("#", size-len(command))})
		if err != nil {
			return err
		}
		texts[i] = out.Text
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		return fmt.Errorf("got %q", texts)
	}
	fmt.Print(texts[0])
	return nil
}

func init() { hosts["long"] = hostLong }

// When there is no place at all, the error is about the one that was wanted.
func TestNoPlaceForLongCommand(t *testing.T) {
	temp := t.TempDir()
	none := filepath.Join(temp, "none")
	home, err := writeScript([]string{none, temp}, "true")
	require.NoError(t, err)
	require.Equal(t, temp, filepath.Dir(home))
	require.NoError(t, os.RemoveAll(home))

	_, err = writeScript([]string{none, "/proc"}, "true")
	var launch *LaunchError
	require.ErrorAs(t, err, &launch)
	require.EqualError(t, err, `directory for a long command "`+none+`" does not exist`)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left)
}
