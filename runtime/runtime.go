// Package runtime runs programs: it takes the text an agent answered with, accepts it, runs it in a
// JavaScript engine against a session of a host, holds it to its budget, and tells what happened.
//
//	host, err := local.New(local.Config{})
//	session, err := host.Session(ctx, gg.SessionInfo{Workspace: "."})
//	rt, err := runtime.New(runtime.Config{})
//	outcome, err := rt.Run(ctx, session, runtime.Program{
//		Name:   "reply.js",
//		Source: `gg.views.openText("files", gg.shell.shell("ls").output)`,
//	})
//	fmt.Print(outcome.ModelText())      // what the model should see
//	defer rt.Close(ctx)
//
// A program that fails is an outcome, not an error; errors are the host's own faults.
//
// What is not promised: a program that runs in the caller's process (isolation "none") can exhaust its
// memory, or keep a core busy inside a built-in function of the engine that looks for no interrupt. See
// the README's section on security.
package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/responses-as-code/gg/gg"
)

// ErrClosed is returned by Run after Close.
var ErrClosed = errors.New("runtime is closed")

// Config says how programs are run. The zero Config is good.
type Config struct {
	// Isolation overrides that of the session's settings when set. In this version every program runs in
	// the caller's process, whatever it says.
	Isolation gg.Isolation
	// Console, when set, is given each piece of console output as it comes, on the program's goroutine.
	Console func(ConsoleLine)
	// Now is the clock that programs see; time.Now when nil.
	Now func() time.Time
	// Seed makes Math.random and crypto the same on every run; 0 makes them different on each.
	Seed int64
}

// Runtime runs programs, any number at once.
type Runtime struct {
	config Config

	mu      sync.Mutex
	closed  bool
	running int           // programs
	idle    chan struct{} // closed by the last program, when Close waits for it
}

// New checks a Config.
func New(config Config) (*Runtime, error) {
	switch config.Isolation {
	case "", gg.IsolationNone, gg.IsolationProcess:
	default:
		return nil, fmt.Errorf("isolation must be %q or %q, got %q", gg.IsolationProcess, gg.IsolationNone, config.Isolation)
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Runtime{config: config}, nil
}

// Program is the text of a program.
type Program struct {
	Name   string            // for reports; its ending says the language. `program.js` when empty
	Source string            // at most Settings.MaxSourceBytes bytes
	Args   map[string]string // `gg.args`
	Run    gg.RunInfo        // ID, labels and wall clock of this run
}

// Run runs one program to its end. ctx cancels it: calls under way are stopped, and the outcome says so.
// The error is ErrClosed, or a fault of the host.
func (rt *Runtime) Run(ctx context.Context, session gg.Session, program Program) (*Outcome, error) {
	rt.mu.Lock()
	if rt.closed {
		rt.mu.Unlock()
		return nil, ErrClosed
	}
	rt.running++
	rt.mu.Unlock()
	defer rt.done()

	if program.Name == "" {
		program.Name = "program.js"
	}
	program.Run.Program = program.Name
	run, err := session.Begin(ctx, program.Run)
	if err != nil {
		return nil, err
	}
	e := newExecution(rt.config, session, run, program)
	e.execute(ctx)
	return e.finish(), nil
}

// done notes that a program is over.
func (rt *Runtime) done() {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.running--; rt.running == 0 && rt.idle != nil {
		close(rt.idle)
		rt.idle = nil
	}
}

// Close waits until no program runs any more, or until ctx ends. Programs started later are refused.
func (rt *Runtime) Close(ctx context.Context) error {
	rt.mu.Lock()
	rt.closed = true
	if rt.running == 0 {
		rt.mu.Unlock()
		return nil
	}
	if rt.idle == nil {
		rt.idle = make(chan struct{})
	}
	idle := rt.idle
	rt.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
