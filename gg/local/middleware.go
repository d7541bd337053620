package local

import (
	"context"
	"fmt"
	"time"

	"github.com/responses-as-code/gg/gg"
)

// middleware is a run whose Call is something else's.
type middleware struct {
	gg.Run
	call func(ctx context.Context, call gg.Call) (gg.Result, error)
}

func (m *middleware) Call(ctx context.Context, call gg.Call) (gg.Result, error) {
	return m.call(ctx, call)
}

// observe tells whoever listens that a call starts and ends.
func (r *run) observe(next gg.Run) gg.Run {
	return &middleware{next, func(ctx context.Context, call gg.Call) (gg.Result, error) {
		brief := ""
		if f := r.session.host.catalogue.Lookup(call.Op); f != nil {
			brief = f.CallBrief(call.Args)
		}
		r.Emit(gg.Event{Kind: gg.CallStarted, Seq: call.Seq, Op: call.Op, Site: call.Site, Text: brief})
		started := time.Now()
		ctx, usage := withUsage(ctx)
		result, err := next.Call(ctx, call)
		event := gg.Event{Kind: gg.CallFinished, Seq: call.Seq, Op: call.Op, Site: call.Site, Duration: time.Since(started)}
		event.CPU, event.PeakBytes = usage.cpu, usage.peakBytes
		if err != nil {
			failure := gg.AsError(err)
			event.Code, event.Text = failure.Code, failure.Message
		}
		r.Emit(event)
		return result, err
	}}
}

// count takes a call from the budget.
func (r *run) count(next gg.Run) gg.Run {
	return &middleware{next, func(ctx context.Context, call gg.Call) (gg.Result, error) {
		if err := r.budget.Count(); err != nil {
			return gg.Result{}, located(&gg.Error{Code: gg.LimitExceeded, Message: err.Error(), Cause: err}, call)
		}
		return next.Call(ctx, call)
	}}
}

// grant refuses what the configuration does not grant.
func (r *run) grant(next gg.Run) gg.Run {
	return &middleware{next, func(ctx context.Context, call gg.Call) (gg.Result, error) {
		if ok, reason := r.session.host.settings.Granted(call.Op); !ok {
			return gg.Result{}, located(&gg.Error{Code: gg.Unavailable, Message: reason}, call)
		}
		return next.Call(ctx, call)
	}}
}

// approve asks the embedder. The wall clock stands still meanwhile.
func (r *run) approve(next gg.Run) gg.Run {
	ask := r.session.host.config.Approve
	if ask == nil {
		return next
	}
	return &middleware{next, func(ctx context.Context, call gg.Call) (gg.Result, error) {
		if call.Refused != nil {
			return next.Call(ctx, call)
		}
		done := r.budget.Excuse()
		decision, err := ask(ctx, call)
		done()
		switch {
		case err != nil:
			return gg.Result{}, located(gg.Errorf(gg.Other, "approval: %w", err), call)
		case !decision.Allow:
			reason := decision.Reason
			if reason == "" {
				reason = "the call was not approved"
			}
			return gg.Result{}, located(&gg.Error{Code: gg.Refused, Message: reason}, call)
		}
		return next.Call(ctx, call)
	}}
}

// parallel lets so many calls of a run be under way at once.
func (r *run) parallel(next gg.Run) gg.Run {
	places := make(chan struct{}, max(1, r.session.host.settings.Limits.MaxParallel))
	return &middleware{next, func(ctx context.Context, call gg.Call) (gg.Result, error) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			return next.Call(ctx, call)
		case <-ctx.Done():
			return gg.Result{}, located(gg.AsError(fmt.Errorf("waiting for other calls: %w", context.Cause(ctx))), call)
		}
	}}
}

// located says in an error which call it was.
func located(failure *gg.Error, call gg.Call) error {
	failure.Operation, failure.Site = call.Op, call.Site
	return failure
}

// usage is what the command of a call has used of the machine.
type usage struct {
	cpu       time.Duration
	peakBytes int64
}

type usageKey struct{}

func withUsage(ctx context.Context) (context.Context, *usage) {
	u := &usage{}
	return context.WithValue(ctx, usageKey{}, u), u
}
