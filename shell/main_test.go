package shell

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// hosts are programs that a test needs as a process of its own, because they do something to it. The test
// binary is all of them: it runs the one that the environment variable names.
var hosts = map[string]func(arg string) error{}

const hostVariable = "GG_TEST_HOST"

func TestMain(m *testing.M) {
	if host := hosts[os.Getenv(hostVariable)]; host != nil {
		os.Unsetenv(hostVariable)
		if err := host(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Tests of processes mostly wait for them.
	flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	goleak.VerifyTestMain(m)
}

// hostCommand is the command that runs a host.
func hostCommand(t testing.TB, name, arg string) *exec.Cmd {
	require.Contains(t, hosts, name)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, arg)
	// Programs built with the race detector sleep for a second before they exit.
	cmd.Env = append(os.Environ(), hostVariable+"="+name, "GORACE=atexit_sleep_ms=0")
	cmd.Dir = t.TempDir()
	return cmd
}

// runHost runs a host and returns what it printed.
func runHost(t testing.TB, name, arg string) string {
	cmd := hostCommand(t, name, arg)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return string(out)
}

// printJSON is how hosts report.
func printJSON(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }

var (
	offload = policy.Policy{Mode: policy.Offload, MaxLines: 200, MaxChars: 8000}
	inline  = policy.Policy{Mode: policy.Inline}
)

// workbench is a Runner in a directory of its own, whose processes can be recognised.
type workbench struct {
	*Runner
	t     testing.TB
	dir   string // the working directory
	files string // the directory of the offloaded files
	token string
}

var tokens atomic.Int64

// newWorkbench makes a Runner from c, of which the directories are filled in. When the test ends the Runner is
// closed, and nothing it started may be left.
func newWorkbench(t testing.TB, c Config) *workbench {
	t.Helper()
	w := &workbench{t: t, dir: t.TempDir(), files: filepath.Join(t.TempDir(), "files")}
	// In the environment, and as something to put in a command line. None is the beginning of another.
	w.token = fmt.Sprintf("gg-test-%d-%d-", os.Getpid(), tokens.Add(1))
	if c.Dir == "" {
		c.Dir = w.dir
	}
	if c.Policy == (policy.Policy{}) {
		c.Policy = offload
	}
	if c.Store == nil {
		dir, err := store.New(store.Config{Path: w.files, ReserveBytes: 1})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, dir.Close()) })
		c.Store = dir
	}
	c.Env = append(c.Env, "GG_TEST_TOKEN="+w.token)
	r, err := New(c)
	require.NoError(t, err)
	w.Runner = r
	t.Cleanup(func() {
		_, err := r.Close(context.Background())
		require.NoError(t, err)
		w.requireNoSurvivors()
	})
	return w
}

// run runs a command that is expected to end by itself.
func (w *workbench) run(command string) *Output {
	w.t.Helper()
	out, err := w.Run(context.Background(), Request{Command: command, Timeout: time.Minute})
	require.NoError(w.t, err)
	return out
}

// requireNoSurvivors fails if a process of the workbench is alive, and kills it.
func (w *workbench) requireNoSurvivors() {
	w.t.Helper()
	survivors := findProcesses(w.token)
	for _, p := range survivors {
		if proc, err := os.FindProcess(p.PID); err == nil {
			proc.Kill()
		}
	}
	require.Empty(w.t, survivors, "processes that outlived their Runner")
}

func (w *workbench) read(path string) string {
	w.t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(w.t, err)
	return string(b)
}

// needs skips the test when a program it uses is not there.
func needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			missing(t, "needs the program "+p)
		}
	}
}

// missing skips a test that cannot run here, or fails it where everything has to run.
func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("GG_TEST_REQUIRE") == "all" {
		require.FailNow(t, "GG_TEST_REQUIRE=all", why)
	}
	t.Skip(why)
}

// eventually waits for something that nothing tells of. It starts no goroutine.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); <-time.After(2 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "waited in vain until %s", what)
	}
}
