package runtime

import (
	"context"
	"errors"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/gg"
)

// errOtherCall ends a diagnosis in which the program does something else than before.
var errOtherCall = errors.New("the program made another call than before")

// call does a call that the program waits for.
func (e *execution) call(c bindings.Call) (gg.Result, error) {
	if e.again != nil {
		a, ok := e.again.serve(c)
		if !ok {
			e.stop(errOtherCall)
		}
		e.clock = e.time()
		return a.result, a.err
	}
	e.budget.Pause()
	result, err := e.do(c)
	e.clock = e.time()
	e.budget.Resume()
	e.memory.add(answer{c.Function.Name, string(c.Args), result, err})
	e.showing.apply(c.Function.Name, result)
	return result, err
}

// start does a call in the background; its completion comes through the loop.
func (e *execution) start(c bindings.Call, settle func(gg.Result, error) error) {
	e.memory.spoilt = true // calls in the background end in an order that is not remembered
	if e.again != nil {
		e.stop(errOtherCall)
		return
	}
	e.loop.pending++
	seq, call := e.begin(c)
	e.background.Add(1)
	go func() {
		defer e.background.Done()
		result, err := e.run.Call(e.ctx, call)
		e.journal.end(seq, err, e.cut(err))
		e.heed()
		e.loop.post(func() error {
			e.loop.pending--
			e.showing.apply(c.Function.Name, result)
			return settle(result, err)
		})
	}()
}

func (e *execution) do(c bindings.Call) (gg.Result, error) {
	seq, call := e.begin(c)
	result, err := e.run.Call(e.ctx, call)
	e.journal.end(seq, err, e.cut(err))
	e.heed()
	return result, err
}

// heed stops the program when the call has spent the last of a budget: an exception could be caught, and
// a loop around a refused call would never end.
func (e *execution) heed() {
	if cause := e.budget.Cause(); cause != nil {
		e.stop(cause)
	}
}

func (e *execution) begin(c bindings.Call) (int, gg.Call) {
	call := gg.Call{Op: c.Function.Name, Args: c.Args, Site: c.Site, Refused: c.Refused}
	call.Seq = e.journal.begin(call, c.Function.CallBrief(c.Args))
	return call.Seq, call
}

// cut reports whether a call failed because the run was stopped while it was under way.
func (e *execution) cut(err error) bool { return err != nil && context.Cause(e.ctx) != nil }
