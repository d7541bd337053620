// Package shell runs commands: one command line, through the system's shell, in a directory, with an
// environment that nothing in it can wait for, and under one policy for what is shown of its output.
//
//	runner, err := shell.New(shell.Config{
//		Dir:    "/home/me/project",
//		Policy: policy.Policy{Mode: policy.Offload, MaxLines: 200, MaxChars: 8000},
//	})
//	if err != nil {
//		return err                     // every defect of the Config, one a line
//	}
//	defer runner.Close(ctx)            // kills what the commands left running, and says what it was
//	out, err := runner.Run(ctx, shell.Request{Command: "go test ./...", Timeout: time.Minute})
//	if err != nil {
//		return err                     // *LaunchError, *TimeoutError, *StopError, *ArgumentError: see OutputOf
//	}
//	fmt.Println(out.ExitCode, out.Text)
//
// A command that ends is a result, whatever its exit code, also when a signal ended it. It is an error if it
// could not be started, ran into its timeout, or was stopped; the last two carry what had been
// captured, under the same policy.
//
// # A command's life
//
// The command gets a session of its own, /dev/null as its standard input, and no descriptor besides its
// output. Run returns when the shell has exited and its output has ended; when somebody else still holds
// the output, DrainGrace later. Processes left behind go on, their output goes on into their own call's files, and
// Close kills them. When this process is killed itself, nobody does, until somebody calls SweepAbandoned: the marks in
// GG_CALL say whose a process was, and that its owner is dead. No Runner calls it.
//
// At its timeout a command gets SIGTERM and, KillGrace later, SIGKILL; when ctx ends or the Runner is
// closed, 50 ms later. That goes for every process of the call, not only for its process group: on Linux
// for whatever descends from the shell or carries its mark in the environment variable GG_CALL, so that a
// daemon in a session of its own dies as well. The deadline decides, not the exit code: a command that
// catches SIGTERM and exits with 0 has timed out all the same.
//
// # Side effects on the process that uses it
//
// Descriptors above 2 are marked close-on-exec before each command, those the process inherited included. If
// SIGPIPE is ignored, it is not for the moments in which a command is started. For each command with files that
// runs at the same time there is a thread that blocks SIGIO and the real-time signal 60 and takes what comes of them,
// unless Config.Order says otherwise; Config.Apply's Applier and Request.OnOutput are called there. With
// Config.Subreaper, or as process 1, the process adopts and reaps the orphans of its commands; children it
// starts elsewhere are left alone as long as they stay in its own session.
//
// # What is not promised
//
// This is no sandbox: a command can do what the user can. A process that clears its environment, starts a
// session of its own and is orphaned before it is looked for is found again only where orphans are adopted,
// and not by a sweep. On other systems than Linux only the process
// group is killed (on Windows the job), nothing is swept, and the code for them is less well tested.
package shell

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/responses-as-code/gg/shell/capture"
	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// Config describes the commands of one run. Only Policy has no default.
type Config struct {
	// Dir is the working directory of the commands; empty is the process's own. It need not exist yet: a
	// command for which it does not is not launched.
	Dir string

	// Env has further variables, "NAME=value". They win over everything but GG_CALL.
	Env []string

	// Environment says what of Environ the commands inherit. The zero value: all of it.
	Environment Environment

	// Environ is the environment that is inherited from, "NAME=value". Nil: that of the process when New is
	// called.
	Environ []string

	// Policy is what is shown of the output, and whether it is kept in files.
	Policy policy.Policy

	// Apply makes the Applier of each command. Nil: policy.NewCollector. It is the one place where the policy
	// is applied: whoever replaces it changes what every command shows.
	Apply func(policy.Policy) Applier

	// Order is the order in which the two streams are joined where each also has a file. The zero value: the order
	// of the writes.
	Order Order

	// Store is where the files go; several Runners can share it. Nil: a store of this Runner's own in the
	// default directory, made when it is first needed.
	Store *store.Dir

	// Mark names the run in GG_CALL, so that its processes can be told from those of others: 1 to 64
	// letters, digits, '.', '_' or '-', unique among the open Runners of the process. Empty: a number.
	Mark string

	// DrainGrace is how long to wait, after the shell has exited, for the end of output that somebody
	// else holds open. 0: DefaultDrainGrace.
	DrainGrace time.Duration

	// KillGrace is the time between SIGTERM and SIGKILL at a timeout. 0: DefaultKillGrace.
	KillGrace time.Duration

	// Subreaper makes the process adopt the orphans of its commands until Close, so that also those without
	// a mark are found and reaped. Linux only; elsewhere it does nothing.
	Subreaper bool
}

// Order says in which order the output of the two streams is joined.
type Order uint8

const (
	// WriteOrder is the order in which the command and its processes wrote, in whole lines. Linux only: elsewhere it
	// is ArrivalOrder. Package writeorder says how it is found and what cannot be known, and the package comment
	// what it does to the process.
	WriteOrder Order = iota

	// ArrivalOrder is the order in which the bytes are found in the pipes: what is written to both at almost the
	// same time can change places.
	ArrivalOrder
)

// Defaults and limits.
const (
	// DefaultDrainGrace is long enough for a pipeline's last process to let go of its output on a loaded
	// machine, and short enough not to be felt when a background process never does.
	DefaultDrainGrace = 100 * time.Millisecond

	// DefaultKillGrace is what a build needs to remove its temporary files.
	DefaultKillGrace = 2 * time.Second

	// StopGrace is the time between SIGTERM and SIGKILL when nobody wants the result any more.
	StopGrace = 50 * time.Millisecond

	// MaxCommandBytes is the longest command.
	MaxCommandBytes = 1 << 20
)

// Applier applies a policy to the output of one command; *policy.Collector is the one in use. Its methods
// are not called concurrently.
type Applier interface {
	// Write takes the next bytes, in write order over both streams. It must not retain b.
	Write(s policy.Stream, b []byte)

	// Render returns what is to be shown of everything written.
	Render(f policy.Files) policy.Output
}

// Runner runs the commands of one run. It is safe for concurrent use, and costs nothing until the first
// command. It must be closed.
type Runner struct {
	config Config
	base   []string // the environment, without GG_CALL
	marks  markSeries
	order  capture.Orderer
	open   func(capture.Layout) (capture.Collector, error)
	grace  time.Duration // StopGrace

	devNull  lazyFile
	ownStore struct {
		once sync.Once
		dir  *store.Dir
		err  error
	}

	calls   atomic.Int64
	closing context.Context // ends when Close is called: its life is the Runner's
	close   context.CancelCauseFunc

	mu     sync.Mutex
	closed bool
	live   sync.WaitGroup // calls of Run
	left   []*remains     // what they left running
}

// ErrClosed is the cause of the *StopError of a command that Close stopped, or did not let start.
var ErrClosed = errors.New("the run has ended")

// New returns a Runner for c, or an error that names every defect of c, one a line.
func New(c Config) (*Runner, error) {
	var defects []error
	defect := func(format string, args ...any) { defects = append(defects, fmt.Errorf(format, args...)) }

	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		defect("Dir: %q: %w", c.Dir, err)
	}
	c.Dir = dir
	if err := c.Policy.Validate(); err != nil {
		defects = append(defects, err)
	}
	defects = append(defects, c.Environment.defects()...)
	defects = append(defects, entryDefects("Env", c.Env)...)
	if c.Order > ArrivalOrder {
		defect("Order: got %d, want WriteOrder or ArrivalOrder", c.Order)
	}
	if c.Mark != "" && !validMark(c.Mark) {
		defect("Mark: got %q, want 1 to 64 of letters, digits, '.', '_' and '-'", c.Mark)
	}
	for _, g := range []struct {
		name     string
		value    *time.Duration
		standard time.Duration
	}{{"DrainGrace", &c.DrainGrace, DefaultDrainGrace}, {"KillGrace", &c.KillGrace, DefaultKillGrace}} {
		if *g.value < 0 {
			defect("%s: got %v, want 0 or more", g.name, *g.value)
		} else if *g.value == 0 {
			*g.value = g.standard
		}
	}
	if err := errors.Join(defects...); err != nil {
		return nil, err
	}

	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	if c.Apply == nil {
		c.Apply = func(p policy.Policy) Applier { return policy.NewCollector(p) }
	}
	c.Env = append([]string(nil), c.Env...)
	c.Environment.Set = maps.Clone(c.Environment.Set)
	r := &Runner{config: c, grace: StopGrace}
	r.open = r.order.Open
	if c.Order == ArrivalOrder {
		r.open = capture.Arrival
	}
	r.base = c.Environment.variables(c.Environ, c.Env)
	r.marks = newMarkSeries(c.Mark, c.Environ)
	r.closing, r.close = context.WithCancelCause(context.Background())
	adopting.begin(c.Subreaper)
	return r, nil
}

// begin registers a call of Run, unless the Runner is closed.
func (r *Runner) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.live.Add(1)
	return true
}

// store returns where files go.
func (r *Runner) store() (*store.Dir, error) {
	if r.config.Store != nil {
		return r.config.Store, nil
	}
	own := &r.ownStore
	own.once.Do(func() { own.dir, own.err = store.New(store.Config{}) })
	return own.dir, own.err
}

// Close stops the commands that are running, kills every process that earlier ones left behind, and
// returns these with their fate. Like a stop it gives them SIGTERM, and StopGrace later SIGKILL; when ctx ends, SIGKILL
// at once. The files of their calls are complete when it returns.
//
// The error is that of a process which could not be killed within some seconds; a second call returns nothing.
func (r *Runner) Close(ctx context.Context) ([]Leftover, error) {
	r.mu.Lock()
	again := r.closed
	r.closed = true
	r.mu.Unlock()
	if again {
		return nil, nil
	}
	r.close(ErrClosed)
	r.live.Wait()

	left, err := r.clearAway(ctx)
	r.order.Close()
	r.devNull.close()
	if r.ownStore.dir != nil {
		r.ownStore.dir.Close()
	}
	adopting.end(r.config.Subreaper)
	return left, err
}

// lazyFile is a file that is opened when it is first needed.
type lazyFile struct {
	mu   sync.Mutex
	file *os.File
}

func (l *lazyFile) open(path string) (*os.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		l.file = f
	}
	return l.file, nil
}

func (l *lazyFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}
