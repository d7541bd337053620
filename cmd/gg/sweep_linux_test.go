package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// killed is a gg that dies in the middle of a flood and of a tree, and those that come after it. It runs in a PID
// namespace of its own: a sweep is for all that a user has.
const killed = `
gg shell "$(cat command)" > first.out 2> first.err &
victim=$!
until [ -s flood ] && [ -e started ]; do sleep 0.01; done
kill -9 $victim
wait $victim 2> /dev/null
gg run --json next.js > next1.out 2> next1.err & one=$!
if [ "$1" = two ]; then gg run next.js > next2.out 2> next2.err & two=$!; else : > next2.err; fi
wait $one || exit 11
[ -z "$two" ] || wait $two || exit 12
for p in /proc/[0-9]*/cmdline; do tr '\0' ' ' < $p; echo; done > alive
gg run next.js > last.out 2> last.err || exit 13
ls kept > files
`

// TestNextSweeps is A18 of the public cases: the host dies and its commands live on (openai/codex#21994,
// ansible/ansible-runner PR 380). The next one ends them, and says so in one line.
func TestNextSweeps(t *testing.T) {
	for _, program := range []string{"unshare", "setsid"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, program)
		}
	}
	in := []string{"--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if out, err := exec.Command("unshare", append(in, "true")...).CombinedOutput(); err != nil {
		missing(t, "a kernel that gives us a PID namespace ("+strings.TrimSpace(string(out))+")")
	}
	gg, err := exec.LookPath("gg")
	require.NoError(t, err)
	const command = `trap "" PIPE; yes & yes >&2 & setsid sleep 7301 & (setsid sh -c 'trap "" TERM; sleep 7302; :' > /dev/null 2>&1 &)
		sleep 7303 & kill -STOP $!; : > started; yes > flood`
	for _, after := range []string{"one", "two"} {
		t.Run(after, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"script.sh": killed,
				"command":   command,
				"next.js":   "7",
				"gg.json": `{ "capabilities": [ { "id": "programs", "enabled": true },
					{ "id": "shell", "enabled": true, "params": { "maxLines": 200, "maxChars": 8000, "offloadDir": "kept" } } ] }`,
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			cmd := exec.Command("unshare", append(in, "sh", "script.sh", after)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(gg)+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			read := func(name string) string {
				b, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				return string(b)
			}

			require.NotContains(t, read("alive"), "sleep 730")
			require.NotContains(t, read("alive"), "yes")
			line := regexp.MustCompile(`^gg: swept \d+ process(es)? left by a gg that was killed \(pids? \d+ ".*\)\n$`)
			said := 0
			for _, name := range []string{"next1.err", "next2.err"} {
				text := strings.Replace(read(name), "=> 7\n", "", 1)
				if text != "" {
					require.Regexp(t, line, text)
					said++
				}
			}
			require.NotZero(t, said)
			require.True(t, strings.HasPrefix(read("next1.out"), "{"), read("next1.out"))
			require.Equal(t, "=> 7\n", read("last.err"), "there is nothing left to sweep")
			require.Regexp(t, `^cmd-\d+-0000\.stderr\ncmd-\d+-0000\.stdout\ncmd-\d+\.lock\n$`, read("files"), "younger than keepHours")
		})
	}
}
