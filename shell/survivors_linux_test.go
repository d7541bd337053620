package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// many is how often to repeat what must never go wrong.
func many(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// A stop in the very instant of the launch finds everything there is to stop: the process group exists before
// the program does.
func TestStopAtLaunch(t *testing.T) {
	for _, c := range []struct{ name, command string }{
		{"shell", "sleep 3600"},
		{"exec", "exec sleep 3600"},
		{"session", "setsid sleep 3600 & sleep 3600"},
		{"stubborn", "trap '' TERM; sleep 3600 & setsid sleep 3600 & wait"},
		{"long", "sleep 3600 & wait #" + strings.Repeat("x", maxArgument)},
	} {
		for _, mode := range policy.Modes() {
			t.Run(c.name+" "+string(mode), func(t *testing.T) {
				w := newWorkbench(t, Config{Policy: policy.Policy{Mode: mode, MaxLines: 1, MaxChars: 1}})
				w.grace = time.Millisecond
				for i := range many(100) {
					before := w.calls.Load()
					ctx, cancel := context.WithCancel(context.Background())
					var stopper sync.WaitGroup
					stopper.Go(func() {
						for w.calls.Load() == before {
							runtime.Gosched()
						}
						if i%2 == 1 { // somewhere in the first millisecond
							<-time.After(rand.N(time.Millisecond))
						}
						cancel()
					})
					_, err := w.Run(ctx, Request{Command: c.command, Timeout: time.Minute})
					stopper.Wait()
					var stop *StopError
					require.ErrorAs(t, err, &stop)
					require.NotNil(t, stop.Output)
					require.Empty(t, stop.Output.Background)
				}
				w.requireNoSurvivors()
			})
		}
	}
}

// G08: two thousand calls, a third of which leave something behind and a third of which time out.
func TestManyCallsLeaveNothing(t *testing.T) {
	newWorkbench(t, Config{}).run("true") // what is made once
	descriptors := openDescriptors(t)
	for range 20 {
		w := newWorkbench(t, Config{DrainGrace: time.Millisecond, KillGrace: 20 * time.Millisecond})
		var workers sync.WaitGroup
		for worker := range 4 {
			workers.Go(func() {
				for i := range many(100) / 4 {
					kind := (worker + i) % 3
					request := Request{Command: []string{"echo a; exit 1", "sleep 3600 & echo b", "echo c; sleep 3600"}[kind], Timeout: time.Minute}
					if kind == 2 {
						request.Timeout = 5 * time.Millisecond
					}
					if i%2 == 1 {
						request.Policy = &inline
					}
					_, err := w.Run(context.Background(), request)
					if errors.Is(err, context.DeadlineExceeded) != (kind == 2) {
						t.Errorf("%s: %v", request.Command, err)
						return
					}
				}
			})
		}
		workers.Wait()
		closeRunner(t, w.Runner)
		w.requireNoSurvivors()
		require.NoError(t, w.config.Store.Close())
		require.LessOrEqual(t, openDescriptors(t), descriptors)
		require.Empty(t, zombies())
	}
}

// A16: five hundred calls that leave orphans, and no child of the host that has ended is there afterwards:
// where the orphans are somebody else's, where they are the host's, and where it is process 1.
func TestOrphansAreReaped(t *testing.T) {
	for _, host := range []string{"orphans", "orphans-adopted", "orphans-of-1"} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			cmd := hostCommand(t, host, "")
			if host == "orphans-of-1" {
				cmd.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
					UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
				}
			}
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil && host == "orphans-of-1" && (stderr.Len() == 0 || strings.Contains(stderr.String(), "/proc: ")) {
				missing(t, "needs a process namespace: "+err.Error()+stderr.String())
			}
			require.NoError(t, err, stderr.String())
			var got orphanReport
			require.NoError(t, json.Unmarshal(out, &got))
			require.Equal(t, orphanReport{First: host == "orphans-of-1", Adopted: host != "orphans"}, got)
		})
	}
}

// orphanReport is what the host saw.
type orphanReport struct {
	First   bool  // it was process 1
	Adopted bool  // it had orphans for children
	Before  []int // zombies with the Runner open
	After   []int // and after Close
}

func init() {
	hosts["orphans"] = func(string) error { return hostWithOrphans(false) }
	hosts["orphans-adopted"] = func(string) error { return hostWithOrphans(true) }
	hosts["orphans-of-1"] = func(string) error {
		if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
			return fmt.Errorf("/proc: %w", err)
		}
		return hostWithOrphans(false)
	}
	hosts["exhausted"] = hostWithoutDescriptors
}

func hostWithOrphans(subreaper bool) error {
	r, err := New(Config{Policy: inline, Subreaper: subreaper, DrainGrace: time.Millisecond})
	if err != nil {
		return err
	}
	got := orphanReport{First: os.Getpid() == 1}
	commands := []string{
		"(sleep 0.01 & exec true) & exit 7",
		"(setsid sleep 0.01 >/dev/null 2>&1 &); exit 7",
		"sh -c 'sleep 0.01 & sleep 0.02 & exit' & wait; exit 7",
		"(exec 2>&-; true | sleep 0.01 &); exit 7",
	}
	errs := make(chan error, 4)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for i := range 500 / 4 {
				out, err := r.Run(context.Background(), Request{Command: commands[i%len(commands)]})
				if err != nil || out.ExitCode != 7 {
					errs <- fmt.Errorf("got %+v, %v", out, err)
					return
				}
			}
		})
	}
	workers.Wait()
	// With one that goes on, there is something to adopt now.
	if _, err := r.Run(context.Background(), Request{Command: "(setsid sleep 3600 &); exit 7"}); err != nil {
		return err
	}
	got.Adopted = adopting.hasChildren()
	for until := time.Now().Add(10 * time.Second); ; <-time.After(time.Millisecond) {
		if got.Before = zombies(); len(got.Before) == 0 || time.Now().After(until) {
			break
		}
	}
	if _, err := r.Close(context.Background()); err != nil {
		return err
	}
	got.After = zombies()
	close(errs)
	for err := range errs {
		return err
	}
	return printJSON(got)
}

// G08: without descriptors a command is not launched, and the error says why; it neither hangs nor leaves
// anything, however far it got.
func TestOutOfDescriptors(t *testing.T) {
	for _, mode := range policy.Modes() {
		var got exhaustionReport
		require.NoError(t, json.Unmarshal([]byte(runHost(t, "exhausted", string(mode))), &got))
		require.Empty(t, got.Odd)
		require.NotZero(t, got.Refused)
		require.NotZero(t, got.Ran)
		require.Zero(t, got.Lost)
		require.Empty(t, got.Survivors)
	}
}

// exhaustionReport is what the host saw.
type exhaustionReport struct {
	Ran, Refused int      // commands
	Odd          []string // how others ended
	Lost         int      // descriptors
	Survivors    []Process
}

func hostWithoutDescriptors(mode string) error {
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 64, Max: 64}); err != nil {
		return err
	}
	token := fmt.Sprintf("gg-exhausted-%d-", os.Getpid())
	files, err := os.MkdirTemp("", "gg-exhausted-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	kept, err := store.New(store.Config{Path: files, ReserveBytes: 1})
	if err != nil {
		return err
	}
	defer kept.Close()
	pair, err := kept.Create() // opens the directory, which stays open
	if err != nil {
		return err
	}
	pair.Discard()
	config := Config{
		Store:      kept,
		Policy:     policy.Policy{Mode: policy.Mode(mode), MaxLines: 10, MaxChars: 1000},
		DrainGrace: time.Millisecond, KillGrace: time.Millisecond, Env: []string{"X=" + token},
	}
	var got exhaustionReport
	var before []os.DirEntry
	hurry, cancel := context.WithCancel(context.Background())
	cancel()
	for free := range 25 {
		for _, request := range []Request{
			{Command: "echo hi; exit 3"},
			{Command: "sleep 3600 & setsid sleep 3600 & wait", Timeout: 30 * time.Millisecond},
			{Command: "setsid sleep 3600 & exit 3"},
			{Command: "(setsid sleep 3600 & sleep 3600 &) >/dev/null 2>&1; exit 3"},
			{Command: "echo now; (setsid sleep 3600 & sleep 3600 &) >/dev/null 2>&1; exit 3"},
			{Command: "echo now; setsid sleep 3600 >/dev/null 2>&1 & sleep 3600", Timeout: 30 * time.Millisecond},
		} {
			r, err := New(config)
			if err != nil {
				return err
			}
			var held []int
			if strings.HasPrefix(request.Command, "echo now; ") { // they run out while it is running
				request.OnOutput = func(policy.Stream, int) { held = append(held, takeDescriptors(0)...) }
			} else {
				held = takeDescriptors(free)
			}
			out, err := r.Run(context.Background(), request)
			var launch *LaunchError
			switch {
			case errors.As(err, &launch) && errors.Is(err, syscall.EMFILE) && strings.Contains(err.Error(), "too many open files"):
				got.Refused++
			case err == nil && out.ExitCode == 3, request.Timeout != 0 && errors.Is(err, context.DeadlineExceeded) && len(OutputOf(err).Background) == 0:
				got.Ran++
			default:
				got.Odd = append(got.Odd, fmt.Sprintf("%d free: %q: %+v, %v", free, request.Command, out, err))
			}
			// Nor is what cannot be looked for taken for gone.
			held = append(held, takeDescriptors(0)...)
			r.prune()
			for _, fd := range held {
				unix.Close(fd)
			}
			if _, err := r.Close(hurry); err != nil {
				return err
			}
			got.Survivors = append(got.Survivors, findProcesses(token)...)
			for _, p := range got.Survivors {
				syscall.Kill(p.PID, syscall.SIGKILL)
			}
			after, err := os.ReadDir("/proc/self/fd")
			if err != nil {
				return err
			}
			if before == nil { // the first command may make what stays
				before = after
			}
			got.Lost = max(0, len(after)-len(before))
		}
	}
	return printJSON(got)
}

// takeDescriptors leaves only so many.
func takeDescriptors(free int) []int {
	var held []int
	for {
		fd, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			break
		}
		held = append(held, fd)
	}
	free = min(free, len(held))
	for _, fd := range held[:free] {
		unix.Close(fd)
	}
	return held[free:]
}
