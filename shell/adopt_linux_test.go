package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A16: a host that adopts its commands' orphans reaps them as they end, takes nobody else's child, and
// finds those that no mark leads to.
func TestSubreaper(t *testing.T) {
	var got adoptionReport
	token := fmt.Sprintf("gg-adopted-%d-%d", os.Getpid(), tokens.Add(1))
	require.NoError(t, json.Unmarshal([]byte(runHost(t, "subreaper", filepath.Join(t.TempDir(), token))), &got))
	require.Equal(t, adoptionReport{
		Adopts: true, OwnWaits: 100, Background: []string{"tail -f " + token}, Left: []string{"tail -f " + token},
	}, got)
}

// adoptionReport is what the host saw.
type adoptionReport struct {
	Adopts      bool     // while the Runner was open
	OwnWaits    int      // children it started elsewhere, and could wait for
	Zombies     []int    // that stayed, with the Runner open
	Background  []string // command lines of the nameless daemon's call
	Left        []string // and of Close
	Survivors   []Process
	AdoptsAfter bool
}

func init() { hosts["subreaper"] = hostAdopting }

func hostAdopting(token string) error {
	r, err := New(Config{Policy: inline, Subreaper: true})
	if err != nil {
		return err
	}
	got := adoptionReport{Adopts: isSubreaper()}
	errs := make(chan error, 1000)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for range 25 {
				command := "(sleep 0.01 & exec true) & (setsid sleep 0.03 >/dev/null 2>&1 &); exit 7"
				out, err := r.Run(context.Background(), Request{Command: command})
				if err != nil || out.ExitCode != 7 {
					errs <- fmt.Errorf("got %+v, %v", out, err)
				}
			}
		})
	}
	for range 100 {
		if err := exec.Command("sh", "-c", "exit 0").Run(); err == nil {
			got.OwnWaits++
		}
	}
	workers.Wait()
	for deadline := time.Now().Add(10 * time.Second); ; <-time.After(time.Millisecond) {
		if got.Zombies = zombies(); len(got.Zombies) == 0 && !adopting.hasChildren() || time.Now().After(deadline) {
			break
		}
	}

	if err := os.WriteFile(token, nil, 0o600); err != nil {
		return err
	}
	dir, name := filepath.Split(token)
	command := "(env -i setsid tail -f " + name + " >/dev/null 2>&1 &); sleep 0.2"
	out, err := r.Run(context.Background(), Request{Command: command, Dir: dir})
	if err != nil {
		return err
	}
	for _, p := range out.Background {
		got.Background = append(got.Background, p.Command)
	}
	left, err := r.Close(context.Background())
	if err != nil {
		return err
	}
	for _, l := range left {
		got.Left = append(got.Left, l.Command)
	}
	got.Survivors = slices.DeleteFunc(findProcesses(name), func(p Process) bool { return p.PID == os.Getppid() })
	got.AdoptsAfter = isSubreaper()
	close(errs)
	for err := range errs {
		return err
	}
	return printJSON(got)
}

// Without pidfds, as before Linux 5.3 and in some sandboxes, everything works the same.
func TestWithoutPidfd(t *testing.T) {
	withoutPidfd = true
	defer func() { withoutPidfd = false }()
	w := newWorkbench(t, Config{KillGrace: 50 * time.Millisecond})
	require.Equal(t, "hi\n", w.run("echo hi").Text)
	require.NotEmpty(t, w.run("sleep 30 & echo hi").Background)
	_, err := w.Run(context.Background(), Request{Command: "trap '' TERM; echo armed; while :; do sleep 0.05; done", Timeout: 100 * time.Millisecond})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, "armed\n", OutputOf(err).Text)
}
