package runtime

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/source"
)

// execution is the life of one program, from its text to its outcome. All of it but the calls in the
// background and the watch happens on one goroutine.
type execution struct {
	config   Config
	session  gg.Session
	run      gg.Run
	program  Program
	settings gg.Settings
	budget   *budget.Budget
	seed     int64

	accepted *accepted
	vm       *goja.Runtime
	globals  *bindings.Globals
	loop     *loop
	clock    time.Time // what the program's clock shows: it stands still between calls and timers
	started  time.Time // what it showed first
	marks    marks
	promise  *goja.Promise // of the program itself
	raw      rawFailure    // what the engine said of the failure

	ctx    context.Context // of the calls; it holds the run's life, which is this value's life
	cancel context.CancelCauseFunc

	background sync.WaitGroup // the calls in the background
	journal    journal
	console    consoleLog
	showing    showing
	rejections []*goja.Promise // that nothing has handled, in order
	outcome    Outcome

	peak int64 // of the heap, in bytes more than at the start

	memory  memory      // for a diagnosis
	again   *repetition // set when this is one
	watched int         // then: the offset of the name of the member expression that failed
}

func newExecution(config Config, session gg.Session, run gg.Run, program Program) *execution {
	settings := session.Settings().WithDefaults()
	now := config.Now()
	return &execution{
		config: config, session: session, run: run, program: program, settings: settings,
		budget: run.Budget(), loop: newLoop(), clock: now, started: now, seed: newSeed(config.Seed),
		console: consoleLog{bound: settings.ConsoleBytes},
	}
}

// execute takes the program from its text to the end of its last Promise. What stops it is in the outcome.
func (e *execution) execute(ctx context.Context) {
	e.ctx, e.cancel = context.WithCancelCause(ctx)
	defer e.cancel(nil)
	e.budget.Start()
	e.run.Emit(gg.Event{Kind: gg.RunStarted, Text: e.program.Name})

	var refusal error
	var instrument func(*ast.Program)
	if e.again != nil {
		instrument = func(tree *ast.Program) { watch(tree, e.watched) }
	}
	e.accepted, refusal = accept(e.program, e.settings, e.session.Catalogue(), instrument)
	if refusal != nil {
		e.refuse(refusal)
		return
	}
	e.outcome.Notices = append(e.outcome.Notices, e.accepted.notices...)
	if err := e.prepare(); err != nil {
		e.fail(err)
		return
	}
	stopWatching := e.watch()
	defer stopWatching()
	value, err := e.main()
	if err == nil {
		err = e.drain()
	}
	// What follows reads values of the program, which may run its code: it is still watched.
	if err == nil {
		e.outcome.Status = OK
		err = e.takeValue(value)
	}
	if err != nil {
		e.guarded(func() { e.fail(err) })
	}
	if stopped := (*stopped)(nil); !errors.As(err, &stopped) {
		e.guarded(func() { e.outcome.UnhandledRejections = e.unhandled() })
	}
	e.cancel(err)
}

// guarded runs something that may run program code; what stops that is of no further interest.
func (e *execution) guarded(f func()) {
	_, _ = e.enter(func() (goja.Value, error) {
		f()
		return nil, nil
	})
}

// time is what the program's clock shows next. A repeated program is shown what the first one was.
func (e *execution) time() time.Time {
	if e.again != nil {
		return e.again.time(e.clock)
	}
	now := e.config.Now()
	e.memory.times = append(e.memory.times, now)
	return now
}

// main calls the program and drives the loop until its Promise is settled.
func (e *execution) main() (goja.Value, error) {
	outer, err := e.enter(func() (goja.Value, error) { return e.vm.RunProgram(e.accepted.compiled) })
	if err != nil {
		return nil, err
	}
	wrap, _ := goja.AssertFunction(outer)
	inner, err := e.enter(func() (goja.Value, error) { return wrap(goja.Undefined(), e.hidden()...) })
	if err != nil {
		return nil, err
	}
	body, _ := goja.AssertFunction(inner)
	result, err := e.enter(func() (goja.Value, error) { return body(goja.Undefined()) })
	if err != nil {
		return nil, err
	}
	promise := result.Export().(*goja.Promise)
	e.promise = promise
	if err := e.settle(promise); err != nil {
		return nil, err
	}
	// A completion value that is a Promise is awaited like any other: returning it from the async function
	// has done so.
	return promise.Result(), nil
}

// settle drives the loop until a Promise is settled; a rejection is an error.
func (e *execution) settle(promise *goja.Promise) error {
	for {
		switch promise.State() {
		case goja.PromiseStateFulfilled:
			return nil
		case goja.PromiseStateRejected:
			if cause := context.Cause(e.ctx); cause != nil {
				// What was thrown is a consequence: a call that was cut short.
				consequence := &stopped{reason: cause}
				if failed, ok := e.globals.Failure(promise.Result()); ok {
					consequence.site, consequence.output = failed.Site, endOf(failed.Data["output"])
				}
				return consequence
			}
			return &thrown{value: promise.Result(), site: e.marks.throwSite(promise.Result())}
		}
		if e.loop.idle() {
			return &neverSettles{e.marks.pendingAwait()}
		}
		if err := e.turn(); err != nil {
			return err
		}
	}
}

// drain drives the loop until nothing can happen any more: calls and timers that the program did not
// wait for are part of it.
func (e *execution) drain() error {
	for !e.loop.idle() {
		if err := e.turn(); err != nil {
			return err
		}
	}
	return nil
}

// turn waits for one thing to happen and lets the program see it.
func (e *execution) turn() error {
	e.budget.Pause()
	if e.again != nil {
		e.loop.hurry()
	}
	happened := e.loop.next(e.ctx)
	if happened == nil {
		return context.Cause(e.ctx)
	}
	e.clock = e.time()
	_, err := e.enter(func() (goja.Value, error) { return nil, happened() })
	return err
}

// enter lets JavaScript run, on the compute clock, and returns what stopped it.
func (e *execution) enter(f func() (goja.Value, error)) (value goja.Value, err error) {
	e.budget.Resume()
	defer e.budget.Pause()
	defer func() {
		if x := recover(); x != nil {
			value, err = nil, engineFault(x)
		}
	}()
	value, err = f()
	return value, e.cause(err)
}

// cause makes of an engine's error what really happened: an interrupt carries its reason.
func (e *execution) cause(err error) error {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		if reason, ok := interrupted.Value().(error); ok {
			return &stopped{reason: reason, site: e.firstSite(interrupted.Stack())}
		}
	}
	return err
}

// stop ends the program from outside.
func (e *execution) stop(reason error) {
	e.vm.Interrupt(reason)
	e.cancel(reason)
}

// refuse reports a text that is no program.
func (e *execution) refuse(err error) {
	var limit *source.LimitError
	if errors.As(err, &limit) {
		e.outcome.Status = Limit
	} else {
		e.outcome.Status = CompileError
	}
	e.outcome.Error = e.compileFailure(err)
}
