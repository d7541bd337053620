package runtime_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares text with a file, or writes it.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// TestExamples runs every program of jsexamples in a copy of testdata/workspace.
func TestExamples(t *testing.T) {
	programs, err := filepath.Glob("../jsexamples/*.js")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(programs), 8)
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".js")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			golden(t, filepath.Join("../testdata/jsexamples", name+".golden"), account(runIn(t, exampleSession(t), string(source))))
		})
	}
}

// account is an outcome as a golden file holds it: what the model reads, then what else there is.
func account(o *runtime.Outcome) string {
	var b strings.Builder
	b.WriteString(o.ModelText())
	fmt.Fprintf(&b, "\n==== status %s", o.Status)
	if o.Value != nil {
		fmt.Fprintf(&b, "\nvalue %s", o.Value)
	}
	if o.Finish != nil {
		fmt.Fprintf(&b, "\nfinish %s", *o.Finish)
	}
	for _, line := range o.Console {
		fmt.Fprintf(&b, "\nconsole.%s line %d: %s", line.Level, line.Line, line.Text)
	}
	ops := map[string]int{}
	var order []string
	for _, call := range o.Calls {
		key := fmt.Sprintf("%s at line %d %s", call.Op, call.Line, call.State)
		if ops[key]++; ops[key] == 1 {
			order = append(order, key)
		}
	}
	for _, key := range order {
		times := fmt.Sprintf("%d times", ops[key])
		if pollingCall.MatchString(key) {
			times = "as often as it took"
		}
		fmt.Fprintf(&b, "\ncall %s, %s", key, times)
	}
	for _, l := range o.Background {
		fmt.Fprintf(&b, "\nleft behind %s: %s", l.Command, l.Fate)
	}
	b.WriteString("\n")
	return b.String()
}

// pollingCall is the call in 06-poll-a-server whose number depends on how fast the machine is.
var pollingCall = regexp.MustCompile(`^shell\.shell at line 6 `)

func TestSystemPrompt(t *testing.T) {
	require.LessOrEqual(t, len([]rune(runtime.SystemPrompt())), 2000)
	golden(t, "testdata/prompt.golden", runtime.SystemPrompt())
}

func TestOpeningTurn(t *testing.T) {
	s := session(t, local.Config{})
	text, err := runtime.OpeningTurn(context.Background(), s, "shell", "files")
	require.NoError(t, err)
	golden(t, "testdata/opening.golden", text)
	require.Less(t, len(text), 12<<10, "an opening turn is read with every conversation")
	_, err = runtime.OpeningTurn(context.Background(), s, "shel")
	require.ErrorContains(t, err, "shell")
}

func TestOutcomeIsPlainJSON(t *testing.T) {
	o := runIn(t, session(t, local.Config{}), "gg.views.openText('a', 'b'); console.log(1); ({ x: [1, 2] })")
	text, err := json.Marshal(o)
	require.NoError(t, err)
	var back map[string]any
	require.NoError(t, json.Unmarshal(text, &back))
	for _, field := range []string{"status", "views", "notices", "warnings", "value", "console", "consoleDropped", "calls", "unhandledRejections", "background", "budget"} {
		require.Contains(t, back, field)
	}
}

// TestExamplesOfTheCatalogue runs the example of every function.
func TestExamplesOfTheCatalogue(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	for _, f := range catalogue.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			outcome := runIn(t, exampleSession(t), f.Example)
			require.Equal(t, runtime.OK, outcome.Status, outcome.ModelText())
			require.Empty(t, outcome.Message())
		})
	}
}

// exampleSession is a session in a copy of testdata/workspace.
func exampleSession(t *testing.T) gg.Session {
	t.Helper()
	workspace := t.TempDir()
	require.NoError(t, os.CopyFS(workspace, os.DirFS("../testdata/workspace")))
	c := config.Fresh()
	c.Shell.OffloadDir = t.TempDir()
	host, err := local.New(local.Config{Config: c})
	require.NoError(t, err)
	s, err := host.Session(context.Background(), gg.SessionInfo{Workspace: workspace})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}
