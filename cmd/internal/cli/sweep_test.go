package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell"
)

func leftover(pid int, command string, fate shell.Fate) shell.Leftover {
	return shell.Leftover{Process: shell.Process{PID: pid, Command: command}, Fate: fate}
}

func TestSweptLine(t *testing.T) {
	one := leftover(411, "sleep 30", shell.Terminated)
	two := leftover(412, "sh -c -- make -j8 all test lint docs package install", shell.Killed)
	three := leftover(413, "printf \x1b[31m\u202e\"\u009b2J\n", shell.Killed)
	four := leftover(414, "yes", shell.Killed)
	stuck := leftover(415, "cat /nfs/file", shell.Survived)
	for _, c := range []struct {
		left  []shell.Leftover
		files int
		want  string
	}{
		{nil, 0, ``},
		{[]shell.Leftover{one}, 0, `swept 1 process left by a gg that was killed (pid 411 "sleep 30")`},
		{[]shell.Leftover{one, two, three}, 0, `swept 3 processes left by a gg that was killed (pids 411 "sleep 30", ` +
			`412 "sh -c -- make -j8 all test lint docs pa…", 413 "printf \x1b[31m\u202e\"\u009b2J")`},
		{[]shell.Leftover{one, four, one, four, four}, 0,
			`swept 5 processes left by a gg that was killed (pids 411 "sleep 30", 414 "yes", 411 "sleep 30" and 2 more)`},
		{nil, 1, `swept 1 file of output older than 168 h`},
		{nil, 12, `swept 12 files of output older than 168 h`},
		{[]shell.Leftover{one}, 12, `swept 1 process left by a gg that was killed (pid 411 "sleep 30") and 12 files of output older than 168 h`},
		{[]shell.Leftover{stuck}, 0, `could not kill 1 process left by a gg that was killed (pid 415 "cat /nfs/file")`},
		{[]shell.Leftover{stuck, one}, 0, `swept 1 process left by a gg that was killed (pid 411 "sleep 30"); ` +
			`could not kill 1 process left by a gg that was killed (pid 415 "cat /nfs/file")`},
	} {
		s := sweep{left: c.left, files: c.files, keep: 168 * time.Hour}
		require.Equal(t, c.want, s.line())
	}
}

// Every command that runs something sweeps, whatever becomes of it, and says so on standard error alone.
func TestSweep(t *testing.T) {
	const line = "gg: swept 1 process left by a gg that was killed (pid 411 \"sleep 30\")\n"
	for _, c := range []struct {
		args   []string
		stderr string
		sweeps int
	}{
		{[]string{"run", "-"}, line + "=> 7\n", 1},
		{[]string{"run", "--json", "-"}, line, 1},
		{[]string{"run", "--quiet", "-"}, "", 1},
		{[]string{"run", "nothing.js"}, "", 0},
		{[]string{"shell", "true"}, line, 1},
		{[]string{"shell", "--json", "true"}, line, 1},
		{[]string{"tool", "read_file", `{"path": "no.txt"}`}, line, 1},
		{[]string{"tool", "no such", `{}`}, line, 1},
		{[]string{"check", "-"}, "", 0},
		{[]string{"run", "--config", "none.json", "-"}, "", 0},
		{[]string{"docs"}, "", 0},
		{[]string{"version"}, "", 0},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			s := newStage(t, c.args...)
			s.Stdin = strings.NewReader("7")
			sweeps := 0
			s.Sweep = func(ctx context.Context) ([]shell.Leftover, error) {
				sweeps++
				return []shell.Leftover{leftover(411, "sleep 30", shell.Terminated)}, nil
			}
			Main(s.World)
			require.Equal(t, c.sweeps, sweeps)
			if c.stderr != "" {
				require.Contains(t, s.stderr.String(), line)
			}
			require.Equal(t, strings.Count(c.stderr, line), strings.Count(s.stderr.String(), "swept"), s.stderr.String())
			require.NotContains(t, s.stdout.String(), "swept")
			if len(c.args) > 1 && c.args[1] == "--json" {
				require.True(t, json.Valid([]byte(s.stdout.String())))
				require.Equal(t, c.stderr, s.stderr.String())
			}
		})
	}
}

// Old files are in the same line.
func TestSweptFiles(t *testing.T) {
	// The end of a session cuts a sweep short: the command waits for it.
	s := newStage(t, "shell", "--config", "gg.json", "while ls kept/cmd-999999999-* > /dev/null 2>&1; do sleep 0.01; done")
	kept := filepath.Join(s.Dir, "kept")
	require.NoError(t, os.Mkdir(kept, 0o700))
	old := time.Now().Add(-3 * time.Hour)
	for _, name := range []string{"cmd-999999999-0001.stdout", "cmd-999999999-0001.stderr"} {
		require.NoError(t, os.WriteFile(filepath.Join(kept, name), nil, 0o600))
		require.NoError(t, os.Chtimes(filepath.Join(kept, name), old, old))
	}
	settings := `{ "capabilities": [ { "id": "shell", "enabled": true, "params": { "maxLines": 200, "maxChars": 8000, "offloadDir": "kept", "keepHours": 2 } } ] }`
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "gg.json"), []byte(settings), 0o600))
	s.Sweep = func(context.Context) ([]shell.Leftover, error) { return nil, nil }
	require.Equal(t, 0, Main(s.World), s.stderr.String())
	require.Equal(t, "gg: swept 2 files of output older than 2 h\n", s.stderr.String())
}

// A look that was not possible is told; that somebody survived is told by his name alone.
func TestSweepFails(t *testing.T) {
	for fate, want := range map[shell.Fate]string{
		shell.Terminated: `swept 1 process left by a gg that was killed (pid 411 "x"); what a killed gg has left: no descriptors`,
		shell.Survived:   `could not kill 1 process left by a gg that was killed (pid 411 "x")`,
	} {
		s := sweep{left: []shell.Leftover{leftover(411, "x", fate)}, fault: errors.New("no descriptors")}
		require.Equal(t, want, s.line())
	}
}
