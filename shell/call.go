package shell

import (
	"context"
	"sync"
	"time"

	"github.com/responses-as-code/gg/shell/capture"
	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// Run runs one command and returns how it ended. The error is an *ArgumentError, a *LaunchError, a
// *TimeoutError, or a *StopError when ctx ended or the Runner was closed.
func (r *Runner) Run(ctx context.Context, req Request) (*Output, error) {
	began := time.Now()
	if err := r.check(&req); err != nil {
		return nil, err
	}
	if !r.begin() {
		return nil, &StopError{Err: context.Canceled, Cause: ErrClosed}
	}
	defer r.live.Done()
	if err := ctx.Err(); err != nil {
		return nil, &StopError{Err: err, Cause: context.Cause(ctx)}
	}

	c := &call{runner: r, ctx: ctx, req: req}
	if req.Timeout > 0 {
		c.deadline = began.Add(req.Timeout)
	}
	if err := c.launch(); err != nil {
		return nil, err
	}
	defer c.collector.Close()
	defer context.AfterFunc(ctx, c.collector.Wake)()
	defer context.AfterFunc(r.closing, c.collector.Wake)()

	v := c.attend()
	out := c.finish(v)
	switch v {
	case timedOut:
		return nil, &TimeoutError{Timeout: req.Timeout, FromBudget: req.TimeoutFromBudget, Output: out}
	case stopped:
		return nil, c.stopError(out)
	}
	return out, nil
}

// call is one command from its launch to its result. It belongs to the goroutine that called Run, and
// ctx is that call's.
type call struct {
	runner   *Runner
	ctx      context.Context
	req      Request
	deadline time.Time // zero: none

	leader    *leader
	family    family
	collector capture.Collector
	cleanup   func()

	apply       Applier
	creating    sync.WaitGroup // of the pair: it may be looked at after Wait
	pair        *store.Pair    // nil in inline mode, and when it could not be created
	unavailable string         // why it could not

	ownPeak         int64 // the resident set of this process before the launch
	started, exited time.Time
	seen            capture.Event // Exited and Ended, as far as they have been reported
}

// verdict is what ended a command.
type verdict uint8

const (
	finished verdict = iota // its shell exited
	timedOut                // the deadline passed first
	stopped                 // nobody wanted it any more
)

// launch starts the shell and what goes with it.
func (c *call) launch() error {
	r := c.runner
	if r.config.Subreaper {
		r.prune() // what has ended meanwhile would make an orphan's origin doubtful
	}
	shell, err := interpreter()
	if err != nil {
		return err
	}
	stdin, err := r.devNull.open(nullDevice)
	if err != nil {
		return &LaunchError{What: "standard input", Path: nullDevice, Err: plain(err)}
	}
	layout := capture.Shared
	if c.req.Policy.Mode == policy.Offload {
		layout = capture.Separate
	}
	c.collector, err = r.open(layout)
	if err != nil {
		return &LaunchError{What: "pipe", Err: err}
	}

	mark := r.marks.mark(r.calls.Add(1))
	env := make([]string, 0, len(r.base)+3)
	env = append(append(env, r.base...), r.marks.entry(mark))
	inv, err := invoke(shell, c.req.Command, c.req.Dir, env)
	if err != nil {
		c.collector.Close()
		return err
	}
	c.cleanup = inv.done
	c.ownPeak = peakRSS()
	stdout, stderr := c.collector.Child()
	c.apply = r.config.Apply(*c.req.Policy) // may be anybody's: before there is a process to lose
	if layout == capture.Separate {
		c.creating.Go(c.createFiles) // while the process starts
	}
	c.started = time.Now()
	c.leader, err = launch(inv, stdin.Fd(), stdout, stderr)
	if err != nil {
		if c.creating.Wait(); c.pair != nil {
			c.pair.Discard()
		}
		c.collector.Close()
		c.clean()
		return err
	}
	c.family = family{
		leaders: map[int]bool{c.leader.pid: true},
		held:    true,
		born:    c.started,
		match:   func(m string) bool { return m == mark },
		alone:   c.alone,
	}
	c.collector.Started(uintptr(c.leader.exit))
	return nil
}

// createFiles makes the pair, or notes why there is none.
func (c *call) createFiles() {
	dir, err := c.runner.store()
	if err == nil {
		c.pair, err = dir.Create()
	}
	if err != nil {
		c.unavailable = err.Error()
	}
}

// alone reports whether an orphan nobody can name must be this call's.
func (c *call) alone() bool {
	r := c.runner
	_, command := adopting.alone()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config.Subreaper && command && len(r.left) == 0
}

// take is the sink of the command's output as it is read. Its place in the text comes later: see next.
func (c *call) take(s policy.Stream, b []byte) {
	c.keep(s, b)
	if c.req.OnOutput != nil {
		c.req.OnOutput(s, len(b))
	}
}

// keep is the sink of what its processes write after it has returned.
func (c *call) keep(s policy.Stream, b []byte) {
	c.creating.Wait()
	switch {
	case c.pair == nil:
	case s == policy.Stdout:
		c.pair.Stdout.Append(b)
	default:
		c.pair.Stderr.Append(b)
	}
}

// next waits for news until the deadline and remembers what lasts.
func (c *call) next(deadline time.Time) capture.Event {
	news := c.collector.Next(c.take, c.apply.Write, deadline)
	if news&capture.Exited != 0 {
		c.exited = time.Now()
	}
	c.seen |= news & (capture.Exited | capture.Ended)
	return news
}

func (c *call) hasExited() bool { return c.seen&capture.Exited != 0 }
func (c *call) hasEnded() bool  { return c.seen&capture.Ended != 0 }

// unwanted reports whether the result is of no use any more.
func (c *call) unwanted() bool { return c.ctx.Err() != nil || c.runner.closing.Err() != nil }

func (c *call) stopError(out *Output) error {
	if err := c.ctx.Err(); err != nil {
		return &StopError{Err: err, Cause: context.Cause(c.ctx), Output: out}
	}
	return &StopError{Err: context.Canceled, Cause: ErrClosed, Output: out}
}

// attend takes the output until the command is over, one way or the other.
func (c *call) attend() verdict {
	for !c.hasExited() {
		news := c.next(c.deadline)
		switch {
		case news&capture.Exited != 0:
		case news&capture.Woken != 0 && c.unwanted():
			c.stop(c.runner.grace)
			return stopped
		case news&capture.Expired != 0:
			c.stop(c.runner.config.KillGrace)
			return timedOut
		}
	}
	c.drain()
	return finished
}

// drain takes what still comes after the shell has exited, without waiting for whoever holds on to the
// output: what the shell itself wrote has been taken already.
func (c *call) drain() {
	until := time.Now().Add(c.runner.config.DrainGrace)
	for !c.hasEnded() {
		news := c.next(until)
		if news&capture.Expired != 0 || news&capture.Woken != 0 && c.unwanted() {
			return
		}
	}
}

// finish makes the result of a command that is over, and hands what lives on to the Runner.
func (c *call) finish(v verdict) *Output {
	c.creating.Wait()
	c.family.ended = c.hasExited()
	members := c.family.members()
	end := c.reap()
	c.clean()
	kept := c.pair != nil && c.pair.Verify()
	shown := c.apply.Render(c.files())
	out := &Output{
		ExitCode:  end.exitCode,
		Signal:    end.signal,
		Text:      shown.Text,
		Truncated: shown.Truncated,
		Stdout:    shown.Stdout,
		Stderr:    shown.Stderr,
		Duration:  c.exited.Sub(c.started),
		CPUTime:   end.cpu,
	}
	// The kernel counts in what the process was before it became the shell: a copy of this one.
	if end.peakRSS > c.ownPeak+peakSlack {
		out.PeakRSS = end.peakRSS
	}
	if kept {
		out.Files = &Files{Stdout: c.pair.Stdout.Path(), Stderr: c.pair.Stderr.Path()}
	}
	describe(members)
	for _, m := range members {
		out.Background = append(out.Background, Process{PID: m.pid, Command: m.command})
	}
	c.leave(members)
	adopting.settle()
	return out
}

// peakSlack is by how much two figures for the same resident set can differ: the kernel adds up what each
// processor has counted only now and then.
const peakSlack = 4 << 20

// reap takes the leader's status.
func (c *call) reap() ending {
	if c.hasExited() {
		return c.leader.reap()
	}
	c.exited = time.Now()
	return c.leader.abandon()
}

// files tells the policy where the streams are.
func (c *call) files() policy.Files {
	if c.pair == nil {
		return policy.Files{Unavailable: c.unavailable}
	}
	file := func(f *store.File) policy.File {
		return policy.File{Path: f.Path(), Stored: f.Stored(), Short: f.Short()}
	}
	return policy.Files{Stdout: file(c.pair.Stdout), Stderr: file(c.pair.Stderr)}
}

func (c *call) clean() {
	if c.cleanup != nil {
		c.cleanup()
		c.cleanup = nil
	}
}

// leave hands what outlives the command to the Runner, or closes it if nothing does.
func (c *call) leave(members []member) {
	rest := c.collector.Detach(c.keep)
	if len(members) == 0 && !c.family.blind && rest == nil && !c.leader.populated() {
		c.leader.release()
		if c.pair != nil {
			c.pair.Close()
		}
		return
	}
	c.family.held = false
	c.runner.prune()
	c.runner.keep(&remains{leader: c.leader, family: &c.family, rest: rest, pair: c.pair})
	adopting.follow()
}
