package local

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/shell"
)

// run is the innermost run: it dispatches calls to their functions.
type run struct {
	session *session
	info    gg.RunInfo
	budget  *budget.Budget

	life context.Context // ends when the run does; every call's context ends with it
	end  context.CancelCauseFunc

	mu       sync.Mutex
	runner   *shell.Runner // made by the first command
	finish   string
	finished bool
	ended    bool
	calls    int           // under way
	idle     chan struct{} // closed by the last call, when End waits for it
}

func newRun(s *session, info gg.RunInfo, b *budget.Budget) *run {
	r := &run{session: s, info: info, budget: b}
	r.life, r.end = context.WithCancelCause(context.Background())
	return r
}

// wrapped puts the middleware in front of the run.
func (r *run) wrapped() gg.Run {
	var wrapped gg.Run = r
	for _, m := range []gg.Middleware{r.parallel, r.approve, r.grant, r.count, r.observe} {
		wrapped = m(wrapped)
	}
	own := r.session.host.config.Middleware
	for i := len(own) - 1; i >= 0; i-- {
		wrapped = own[i](wrapped)
	}
	return wrapped
}

func (r *run) Info() gg.RunInfo { return r.info }

func (r *run) Budget() *budget.Budget { return r.budget }

// Emit stamps an event and passes it on.
func (r *run) Emit(event gg.Event) {
	sink := r.session.host.config.Events
	if sink == nil {
		return
	}
	event.Session, event.Run, event.Labels = r.session.info.ID, r.info.ID, r.info.Labels
	if event.Time.IsZero() {
		event.Time = time.Now()
	}
	sink.Emit(event)
}

var errEnded = errors.New("the run has ended")

// Call checks a call and does it, no longer than the wall clock allows.
func (r *run) Call(ctx context.Context, call gg.Call) (gg.Result, error) {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return gg.Result{}, located(gg.Errorf(gg.Refused, "%w", errEnded), call)
	}
	r.calls++
	r.mu.Unlock()
	defer r.done()

	if call.Refused != nil {
		refusal := *call.Refused
		return gg.Result{}, located(&refusal, call)
	}
	function := r.session.host.catalogue.Lookup(call.Op)
	if function == nil || function.Local {
		failure := gg.Errorf(gg.NotFound, "no function is called %q", call.Op)
		if near, ok := gg.Nearest(call.Op, r.session.host.catalogue.Names()); ok {
			failure.Hint = "did you mean `" + near + "`?"
		}
		return gg.Result{}, located(failure, call)
	}
	ctx, cancel := context.WithTimeout(ctx, r.budget.WallLeft())
	defer cancel()
	defer context.AfterFunc(r.life, cancel)()
	ctx = context.WithValue(ctx, callKey{}, &scope{run: r, call: call})
	if r.session.host.builtin[call.Op] {
		return function.Invoke(ctx, call)
	}
	return r.invokeForeign(ctx, function, call)
}

// invokeForeign calls a function of the embedder's, which may panic, and may not heed its context: then
// the call ends without it, and End waits for it as long as it may.
func (r *run) invokeForeign(ctx context.Context, f *gg.Function, call gg.Call) (gg.Result, error) {
	type outcome struct {
		result gg.Result
		err    error
	}
	done := make(chan outcome, 1)
	r.mu.Lock()
	r.calls++
	r.mu.Unlock()
	go func() {
		defer r.done()
		defer func() {
			if x := recover(); x != nil {
				r.session.host.logger.Error("function panicked", "function", f.Name, "panic", x, "stack", string(debug.Stack()))
				done <- outcome{err: located(gg.Errorf(gg.Other, "`%s` panicked: %v", f.Name, x), call)}
			}
		}()
		result, err := f.Invoke(ctx, call)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // both have happened: the function's word is the better one
		return o.result, o.err
	default:
		return gg.Result{}, located(gg.AsError(fmt.Errorf("`%s` did not end in time: %w", f.Name, ctx.Err())), call)
	}
}

// done notes that a call is over.
func (r *run) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls--; r.calls == 0 && r.idle != nil {
		close(r.idle)
		r.idle = nil
	}
}

// await waits until no call is under way, no longer than ctx allows.
func (r *run) await(ctx context.Context) error {
	r.mu.Lock()
	if r.calls == 0 {
		r.mu.Unlock()
		return nil
	}
	if r.idle == nil {
		r.idle = make(chan struct{})
	}
	idle := r.idle
	r.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("calls are still under way: %w", ctx.Err())
	}
}

// scope is what a built-in function knows of the call it does.
type scope struct {
	*run
	call gg.Call
}

type callKey struct{}

// scopeOf finds it. A built-in function is never called but through run.Call.
func scopeOf(ctx context.Context) *scope { return ctx.Value(callKey{}).(*scope) }

// End ends the run.
func (r *run) End(ctx context.Context) (gg.Ending, error) {
	r.mu.Lock()
	r.ended = true
	runner := r.runner
	r.mu.Unlock()
	defer r.session.forget(r)
	r.end(errEnded)

	var faults []error
	if err := r.await(ctx); err != nil {
		faults = append(faults, err)
	}
	r.mu.Lock()
	ending := gg.Ending{Finish: r.finish, Finished: r.finished}
	r.mu.Unlock()
	if runner != nil {
		leftovers, err := runner.Close(ctx)
		for _, l := range leftovers {
			ending.Background = append(ending.Background, gg.Leftover{PID: l.PID, Command: l.Command, Fate: string(l.Fate)})
		}
		faults = append(faults, err)
	}
	return ending, errors.Join(faults...)
}
