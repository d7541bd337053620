//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/runtime"
)

// process is gg as a process of its own, in an empty workspace.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
	dir            string
}

func newProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command("gg", args...), dir: t.TempDir()}
	p.Dir, p.Stdout, p.Stderr = p.dir, &p.stdout, &p.stderr
	settings := `{ "capabilities": [
		{ "id": "shell", "enabled": true, "params": { "maxLines": 200, "maxChars": 8000, "offloadDir": ` + strconv.Quote(t.TempDir()) + ` } },
		{ "id": "programs", "enabled": true }, { "id": "views", "enabled": true } ] }`
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "gg.json"), []byte(settings), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(p.dir, "started"), 0o600))
	return p
}

// launch starts the process and returns when a command of it has said that it runs: `: > started`.
func (p *process) launch(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Start())
	f, err := os.Open(filepath.Join(p.dir, "started"))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// exit waits for the end and returns the exit code.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return p.ProcessState.ExitCode()
}

// descendants are the processes whose command line has a mark in it. Zombies have none.
func descendants(t *testing.T, mark string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(line), mark) {
			found = append(found, file+": "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// family is a command that starts a tree nobody finds by its process group alone; each of its members has the
// mark on its command line. The last one is an orphan in a session of its own with an empty environment:
// only a process that adopts orphans ever hears of it.
func family(mark string) string {
	return `sleep 6` + mark + ` & setsid sleep 7` + mark + ` & (env -i "$(command -v setsid)" sh -c 'sleep 8` + mark + `; true' > /dev/null 2>&1 < /dev/null &) ; : > started; sleep 9` + mark
}

// TestSignals stops a run with a real signal: what there is is printed, the exit code says which signal it
// was, and nothing survives.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		code   int
		args   []string
	}{
		{syscall.SIGINT, 130, []string{"run"}},
		{syscall.SIGTERM, 143, []string{"run"}},
		{syscall.SIGHUP, 129, []string{"run"}},
		{syscall.SIGTERM, 143, []string{"run", "--json"}},
		{syscall.SIGINT, 130, []string{"shell"}},
		{syscall.SIGTERM, 143, []string{"tool", "shell"}},
	} {
		t.Run(c.signal.String()+" "+strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("setsid"); err != nil {
				missing(t, "setsid")
			}
			if signal.Ignored(c.signal) {
				t.Skip(c.signal, "is ignored by whoever started the tests, and so by gg")
			}
			p := newProcess(t, c.args...)
			mark := "." + strconv.Itoa(os.Getpid()) + strconv.Itoa(int(c.signal)) + strconv.Itoa(len(c.args)) + strconv.Itoa(len(c.args[0]))
			switch c.args[0] {
			case "run":
				p.Args = append(p.Args, "program.js")
				command, err := json.Marshal(family(mark))
				require.NoError(t, err)
				source := `gg.views.openText("shown", "before"); gg.shell.shell(` + string(command) + `)`
				require.NoError(t, os.WriteFile(filepath.Join(p.dir, "program.js"), []byte(source), 0o600))
			case "shell":
				p.Args = append(p.Args, "echo before; "+family(mark))
			case "tool":
				args, err := json.Marshal(map[string]string{"command": "echo before; " + family(mark)})
				require.NoError(t, err)
				p.Args = append(p.Args, string(args))
			}
			p.launch(t)
			if c.args[0] != "tool" {
				require.NotEmpty(t, descendants(t, mark), "the test looks for the right thing")
			}
			require.NoError(t, p.Process.Signal(c.signal))
			require.Equal(t, c.code, p.exit(t), p.stderr.String())
			require.Contains(t, p.stdout.String(), "before")
			require.Empty(t, descendants(t, mark))
			if len(c.args) == 2 && c.args[1] == "--json" {
				var o runtime.Outcome
				require.NoError(t, json.Unmarshal(p.stdout.Bytes(), &o))
				require.Equal(t, runtime.Canceled, o.Status)
				require.Equal(t, runtime.Unknown, o.Calls[1].State, "nobody knows how far the command came")
			}
		})
	}
}

// TestIgnoredSignalStaysIgnored is what nohup asks for.
func TestIgnoredSignalStaysIgnored(t *testing.T) {
	p := newProcess(t)
	p.Path, p.Args = "/bin/sh", []string{"sh", "-c", `trap '' HUP; exec gg shell ': > started; sleep 0.2; echo done'`}
	p.launch(t)
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	require.Equal(t, 0, p.exit(t), p.stderr.String())
	require.Equal(t, "done\n", p.stdout.String())
}

// TestNobodyReadsStandardError: a reader of the console that goes away does not kill the run.
func TestNobodyReadsStandardError(t *testing.T) {
	p := newProcess(t, "run", "program.js")
	source := `gg.shell.shell(": > started"); for (let i = 0; i < 100; i++) console.log(i); gg.views.openText("shown", "all of it");`
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "program.js"), []byte(source), 0o600))
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	p.Stderr = writer
	p.launch(t)
	require.NoError(t, writer.Close())
	require.Equal(t, 0, p.exit(t))
	require.Equal(t, "View: shown\n----\nall of it\n", p.stdout.String())
}

// missing skips a test that needs a program which is not there, or fails it when none may be missing.
func missing(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("GG_TEST_REQUIRE") == "all" {
		t.Fatalf("%s is not installed, and GG_TEST_REQUIRE is all", program)
	}
	t.Skipf("%s is not installed", program)
}
