package prelude

import (
	_ "embed"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// What is compared with is what Node said, once. To ask it again: go test -run TestAnswers -update, with -node
// where the installed one is older than 24, the first that has all there is to compare.
var (
	update   = flag.Bool("update", false, "write the golden files of testdata/answers anew; needs node 24")
	nodePath = flag.String("node", "node", "the program that -update asks")
)

//go:embed testdata/answers/answer.js
var answerSource string

// TestMain fixes the time zone: dates are written in that of the process.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// knownDifferences are the expressions that Node 24 answers differently, with the reason. A golden file holds
// what Node says.
var knownDifferences = map[string]struct{ want, why string }{
	"structuredClone.name + structuredClone.length": {`"structuredClone1"`, "Web IDL counts the required arguments; Node counts all"},
	"new structuredClone({})":                       {"!! TypeError", "a function of Web IDL is no constructor; Node has one"},
	`new URL("http://xn--zz/")`:                     {"!! TypeError", "the label is no Punycode; Node lets it pass"},
	`(() => { class MyError extends Error { constructor(m) { super(m); Error.captureStackTrace(this, MyError); this.name = "MyError" } } const e = new MyError("boom"); return [e, e.stack.split("\n")[0]] })()`: {
		`[MyError{MyError: "boom"}, "Error: boom"]`, "Node writes the stack when it is first read, the engine when it is made"},
}

// TestAnswers compares what programs get with what Node 24 gives them. Node is needed only to update.
func TestAnswers(t *testing.T) {
	topics, err := filepath.Glob("testdata/answers/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, topics)
	for _, topic := range topics {
		t.Run(strings.TrimSuffix(filepath.Base(topic), ".txt"), func(t *testing.T) {
			golden := strings.TrimSuffix(topic, ".txt") + ".golden"
			if *update {
				askNode(t, topic, golden)
			}
			want := readAnswers(t, golden)
			expressions := readLines(t, topic)
			require.Equal(t, len(expressions), len(want), "run go test -update")
			vm := newVM(t, Host{})
			_, err := vm.RunString(answerSource)
			require.NoError(t, err)
			answer, _ := goja.AssertFunction(vm.Get("answer"))
			for _, expression := range expressions {
				result, err := answer(goja.Undefined(), vm.ToValue(expression))
				require.NoError(t, err, expression)
				promise := result.Export().(*goja.Promise)
				require.Equal(t, goja.PromiseStateFulfilled, promise.State(), expression)
				wanted, ok := want[expression]
				require.True(t, ok, "no answer to %s: run go test -update", expression)
				if known, ok := knownDifferences[expression]; ok {
					if known.want == wanted {
						t.Errorf("%s\nis no difference any more", expression)
					}
					wanted = known.want
				}
				if got := promise.Result().String(); got != wanted {
					t.Errorf("%s\n got %s\nwant %s", expression, got, wanted)
				}
			}
		})
	}
}

// newVM is a VM with the prelude, without which no test of this package can begin.
func newVM(t testing.TB, host Host) *goja.Runtime {
	t.Helper()
	vm := goja.New()
	require.NoError(t, Install(vm, host))
	return vm
}

func askNode(t *testing.T, topic, golden string) {
	t.Helper()
	command := exec.Command(*nodePath, "--no-deprecation", "testdata/answers/golden.mjs", topic)
	command.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	command.Stderr = os.Stderr
	output, err := command.Output()
	require.NoError(t, err, "-update needs node")
	require.NoError(t, os.WriteFile(golden, output, 0o644))
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// readAnswers reads a golden file: an expression, and below it, after a tab, the answer.
func readAnswers(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	answers := make(map[string]string)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		answers[lines[i]] = strings.TrimPrefix(lines[i+1], "\t")
	}
	return answers
}
