//go:build linux

package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

func TestTimeoutFromBudget(t *testing.T) {
	w := newWorkbench(t, Config{})
	_, err := w.Run(context.Background(), Request{Command: "sleep 30", Timeout: 100 * time.Millisecond, TimeoutFromBudget: true})
	require.EqualError(t, err, "command timed out after 0.100s and was killed: no more was left of the run's wall-clock budget")
	var timeout *TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.True(t, timeout.FromBudget)
	require.Equal(t, 143, timeout.Output.ExitCode)
	require.Equal(t, "SIGTERM", timeout.Output.Signal)
}

// A context that ends stops the command, with its partial output in the error, and leaves nothing.
func TestStopByContext(t *testing.T) {
	for _, mode := range policy.Modes() {
		for _, command := range []string{
			"echo armed; sleep 30",
			"trap '' TERM; echo armed; while :; do sleep 0.1; done",
			"echo armed; setsid sh -c \"trap '' TERM; while :; do sleep 0.1; done\" & sleep 30",
			"echo armed; kill -STOP $$",
		} {
			t.Run(string(mode)+" "+command, func(t *testing.T) {
				t.Parallel()
				w := newWorkbench(t, Config{Policy: policy.Policy{Mode: mode, MaxLines: 10, MaxChars: 100}, KillGrace: time.Hour})
				reason := errors.New("the user has gone")
				ctx, cancel := context.WithCancelCause(context.Background())
				_, err := w.Run(ctx, Request{Command: command, Timeout: time.Hour, OnOutput: func(policy.Stream, int) { cancel(reason) }})
				var stop *StopError
				require.ErrorAs(t, err, &stop)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, reason)
				require.EqualError(t, err, "command was stopped: the user has gone")
				require.Equal(t, "armed\n", stop.Output.Text)
				w.requireNoSurvivors()
			})
		}
	}
}

func TestContextThatHasEnded(t *testing.T) {
	w := newWorkbench(t, Config{})
	ctx, cancel := context.WithTimeout(context.Background(), -1)
	defer cancel()
	_, err := w.Run(ctx, Request{Command: "touch ran"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Nil(t, OutputOf(err))
	var timeout *TimeoutError
	require.False(t, errors.As(err, &timeout), "not the command's own timeout")
	require.NoFileExists(t, filepath.Join(w.dir, "ran"))
}

// A stop cuts the grace of a timeout short; the timeout stays the verdict, because it came first.
func TestStopDuringGrace(t *testing.T) {
	w := newWorkbench(t, Config{KillGrace: time.Hour})
	ctx, cancel := context.WithCancel(context.Background())
	_, err := w.Run(ctx, Request{
		Command:  "trap 'echo asked' TERM; while :; do sleep 0.01; done",
		Timeout:  100 * time.Millisecond,
		OnOutput: func(policy.Stream, int) { cancel() },
	})
	var timeout *TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.Contains(t, timeout.Output.Text, "asked\n")
	require.Equal(t, 137, timeout.Output.ExitCode)
}

// Output of the grace is kept, and a descendant may use all of it while the shell is gone already.
func TestGraceIsForEverybody(t *testing.T) {
	w := newWorkbench(t, Config{KillGrace: time.Minute})
	command := `sh -c 'trap "sleep 0.3; echo cleaned up; exit" TERM; echo armed; while :; do sleep 0.01; done' & wait`
	_, err := w.Run(context.Background(), Request{Command: command, Timeout: 100 * time.Millisecond})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Contains(t, OutputOf(err).Text, "cleaned up\n")
}

// A process that clears its environment and leaves the session is known as a descendant, also when it
// becomes an orphan by the stop itself.
func TestStopFindsDescendantsWithoutMark(t *testing.T) {
	w := newWorkbench(t, Config{KillGrace: 100 * time.Millisecond})
	file := filepath.Join(w.dir, w.token) // a command line that can be recognised
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	command := fmt.Sprintf("env -i setsid tail -f %s & env -i setsid sh -c 'trap \"\" TERM; env -i tail -f %s; :' & wait", file, file)
	_, err := w.Run(context.Background(), Request{Command: command, Timeout: 300 * time.Millisecond})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	w.requireNoSurvivors()
}

// A process that keeps making others, each in a session of its own, is not faster than the sweep.
func TestStopOutrunsForks(t *testing.T) {
	w := newWorkbench(t, Config{KillGrace: 100 * time.Millisecond})
	script := filepath.Join(w.dir, "hydra")
	require.NoError(t, os.WriteFile(script, []byte("trap '' TERM\nsleep 0.005\nsetsid sh "+script+" &\nsleep 0.005\nsetsid sleep 30 &\nexit\n"), 0o600))
	_, err := w.Run(context.Background(), Request{Command: "sh hydra; sleep 30", Timeout: 200 * time.Millisecond})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	w.requireNoSurvivors()
}

// Close ends what commands left behind and tells its fate; its output has gone to its own call's files, complete.
func TestCloseEndsWhatIsLeft(t *testing.T) {
	w := newWorkbench(t, Config{})
	w.grace = time.Minute
	first := w.run(`(i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.01; done) & echo first`)
	second := w.run(`mkfifo up; (setsid sh -c 'trap "head -c 5000000 /dev/zero; echo last words; exit" TERM; echo up; echo >up; while :; do sleep 0.01; done' &); read x <up; echo second`)
	require.NotEmpty(t, first.Background)
	eventually(t, "twenty ticks are stored", func() bool { return strings.Contains(w.read(first.Files.Stdout), "tick 20\n") })

	left := closeRunner(t, w.Runner)
	w.requireNoSurvivors()
	fates := make(map[int]Fate)
	for _, l := range left {
		fates[l.PID] = l.Fate
		require.NotEmpty(t, l.Command)
	}
	require.Equal(t, Terminated, fates[first.Background[0].PID])
	require.Equal(t, Terminated, fates[second.Background[0].PID])
	require.True(t, "up\nsecond\n"+strings.Repeat("\x00", 5_000_000)+"last words\n" == w.read(second.Files.Stdout))

	// Across the moment of return nothing is missing, doubled or out of order.
	ticks := strings.Replace(w.read(first.Files.Stdout), "first\n", "", 1)
	for i, line := range strings.Split(strings.TrimSpace(ticks), "\n") {
		require.Equal(t, fmt.Sprint("tick ", i+1), line)
	}
}

// Who does not listen is killed.
func TestCloseKillsTheStubborn(t *testing.T) {
	w := newWorkbench(t, Config{})
	out := w.run(`mkfifo armed; sh -c 'trap "" TERM; echo >armed; while :; do sleep 0.05; done' & read x <armed`)
	left := closeRunner(t, w.Runner)
	w.requireNoSurvivors()
	require.Equal(t, out.Background[0].PID, left[0].PID)
	require.Equal(t, Killed, left[0].Fate)
}

// Close stops what is running.
func TestCloseStopsRunningCommands(t *testing.T) {
	w := newWorkbench(t, Config{})
	started := make(chan struct{})
	var once sync.Once
	results := make(chan error, 4)
	for range cap(results) {
		go func() {
			_, err := w.Run(context.Background(), Request{
				Command:  "echo up; sleep 30",
				OnOutput: func(policy.Stream, int) { once.Do(func() { close(started) }) },
			})
			results <- err
		}()
	}
	<-started
	closeRunner(t, w.Runner)
	for range cap(results) {
		require.ErrorIs(t, <-results, ErrClosed)
	}
	w.requireNoSurvivors()
}

// With a context that has ended, Close does not wait for anybody's last words.
func TestCloseInAHurry(t *testing.T) {
	w := newWorkbench(t, Config{})
	w.run(`sh -c 'trap "" TERM; while :; do sleep 0.05; done' >/dev/null 2>&1 & sleep 0.1`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	left, err := w.Close(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, left)
	w.requireNoSurvivors()
}

// A process of somebody else that was handed the pipe does not hold up the end of the run, nor is it killed.
func TestCloseLeavesOthersAlone(t *testing.T) {
	w := newWorkbench(t, Config{})
	other := exec.Command("sleep", "30")
	require.NoError(t, other.Start())
	defer func() {
		require.NoError(t, other.Process.Signal(syscall.Signal(0)), "it has been killed")
		other.Process.Kill()
		other.Wait()
	}()
	w.run("sleep 30 & echo x")
	closeRunner(t, w.Runner)
}

// G08: descriptors, goroutines and children are back to what they were, whatever way the calls ended.
func TestNothingIsLeftBehind(t *testing.T) {
	newWorkbench(t, Config{}).run("true") // what is made once
	descriptors, goroutines := openDescriptors(t), runtime.NumGoroutine()
	for _, mode := range policy.Modes() {
		w := newWorkbench(t, Config{Policy: policy.Policy{Mode: mode, MaxLines: 1, MaxChars: 1}, KillGrace: 20 * time.Millisecond, DrainGrace: time.Millisecond})
		var workers sync.WaitGroup
		for i := range 4 {
			workers.Go(func() {
				for j := range 30 {
					command := []string{"echo a; exit 1", "sleep 60 & echo b", "sleep 60", "/nonexistent/program"}[(i+j)%4]
					request := Request{Command: command, Timeout: 30 * time.Millisecond}
					if (i+j)%4 != 2 {
						request.Timeout = time.Minute
					}
					w.Run(context.Background(), request)
					w.Run(context.Background(), Request{Command: "true", Dir: "none"})
				}
			})
		}
		workers.Wait()
		require.NotEmpty(t, closeRunner(t, w.Runner))
		w.requireNoSurvivors()
		require.NoError(t, w.config.Store.Close())
	}
	require.LessOrEqual(t, openDescriptors(t), descriptors)
	eventually(t, "the goroutines have ended", func() bool { return runtime.NumGoroutine() <= goroutines })
	require.Empty(t, zombies())
}

func openDescriptors(t testing.TB) int {
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}

// zombies returns the children of this process that have ended and were not reaped.
func zombies() []int {
	var found []int
	for _, pid := range listProcesses() {
		if p, ok := readStat(pid); ok && p.dead() && p.parent == os.Getpid() {
			found = append(found, pid)
		}
	}
	return found
}
