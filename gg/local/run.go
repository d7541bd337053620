package local

import (
	"context"
	"errors"
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

	mu       sync.Mutex
	runner   *shell.Runner // made by the first command
	finish   string
	finished bool
	ended    bool
	calls    sync.WaitGroup
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
	r.calls.Add(1)
	r.mu.Unlock()
	defer r.calls.Done()

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
	return function.Invoke(context.WithValue(ctx, callKey{}, &scope{run: r, call: call}), call)
}

// scope is what a built-in function knows of the call it does.
type scope struct {
	*run
	call gg.Call
}

type callKey struct{}

// scopeOf finds it. A built-in function is never called but through run.Call.
func scopeOf(ctx context.Context) *scope { return ctx.Value(callKey{}).(*scope) }

// End refuses further calls, waits for those under way, whose contexts are their callers' business, and
// kills what the commands left behind.
func (r *run) End(ctx context.Context) (gg.Ending, error) {
	r.mu.Lock()
	r.ended = true
	runner := r.runner
	ending := gg.Ending{Finish: r.finish, Finished: r.finished}
	r.mu.Unlock()
	r.calls.Wait()
	if runner == nil {
		return ending, nil
	}
	leftovers, err := runner.Close(ctx)
	for _, l := range leftovers {
		ending.Background = append(ending.Background, gg.Leftover{PID: l.PID, Command: l.Command, Fate: string(l.Fate)})
	}
	return ending, err
}
