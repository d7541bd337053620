package runtime

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/prelude"
)

// prepare makes the VM of this program.
func (e *execution) prepare() error {
	random := rand.New(rand.NewPCG(uint64(e.seed), 0))
	e.vm = goja.New()
	e.vm.SetParserOptions(parser.WithDisableSourceMaps)
	e.vm.SetMaxCallStackSize(e.settings.MaxStackFrames)
	e.vm.SetTimeSource(func() time.Time { return e.clock })
	e.vm.SetRandSource(random.Float64)
	e.vm.SetPromiseRejectionTracker(e.trackRejection)
	if err := prelude.Install(e.vm, prelude.Host{
		Now: func() time.Time { return e.clock },
		Read: func(p []byte) {
			for i := range p {
				p[i] = byte(random.Uint32())
			}
		},
	}); err != nil {
		return err
	}
	var err error
	e.globals, err = bindings.Install(e.vm, bindings.Config{
		Catalogue: e.session.Catalogue(),
		Program:   e.accepted.file.Name(),
		Args:      e.program.Args,
		Call:      e.call,
		Start:     e.start,
		Sleep:     func(ms float64, done func() error) { e.loop.setTimer(duration(ms), 0, done) },
		Now:       func() float64 { return float64(e.clock.UnixMilli()) },
		Console:   e.print,
	})
	if err != nil {
		return err
	}
	return e.installTimers()
}

// installTimers defines setTimeout and its family.
func (e *execution) installTimers() error {
	timers := map[int64]*timer{}
	set := func(repeat bool) func(goja.FunctionCall) goja.Value {
		return func(call goja.FunctionCall) goja.Value {
			callback, ok := goja.AssertFunction(call.Argument(0))
			if !ok {
				panic(e.vm.NewTypeError("the first argument of a timer must be a function"))
			}
			var args []goja.Value
			if len(call.Arguments) > 2 {
				args = slices.Clone(call.Arguments[2:]) // the VM's own stack
			}
			delay := max(duration(call.Argument(1).ToFloat()), 0)
			interval := time.Duration(0)
			if repeat {
				interval = max(delay, time.Millisecond)
			}
			var t *timer
			t = e.loop.setTimer(delay, interval, func() error {
				if !repeat {
					delete(timers, int64(t.id))
				}
				_, err := callback(goja.Undefined(), args...)
				return e.uncaught(err)
			})
			timers[int64(t.id)] = t
			return e.vm.ToValue(t.id)
		}
	}
	clearOne := func(call goja.FunctionCall) goja.Value {
		id := call.Argument(0)
		if t := timers[id.ToInteger()]; goja.IsNumber(id) && t != nil {
			e.loop.clearTimer(t)
			delete(timers, int64(t.id))
		}
		return goja.Undefined()
	}
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"setTimeout": set(false), "setInterval": set(true), "clearTimeout": clearOne, "clearInterval": clearOne,
	} {
		if err := e.globals.Define(name, f); err != nil {
			return err
		}
	}
	return nil
}

// uncaught is what ends the program when a timer's callback failed.
func (e *execution) uncaught(err error) error {
	if exception, ok := err.(*goja.Exception); ok {
		return &thrown{value: exception.Value(), site: e.marks.throwSite(exception.Value())}
	}
	return err
}

// trackRejection keeps the Promises that were rejected and that nothing handles.
func (e *execution) trackRejection(p *goja.Promise, operation goja.PromiseRejectionOperation) {
	if operation == goja.PromiseRejectionReject {
		e.rejections = append(e.rejections, p)
		return
	}
	for i, other := range e.rejections {
		if other == p {
			e.rejections = append(e.rejections[:i], e.rejections[i+1:]...)
			return
		}
	}
}

// print takes a piece of console output.
func (e *execution) print(level, text string, site gg.Site) {
	if e.again != nil {
		return
	}
	line := ConsoleLine{Level: level, Text: text, Line: site.Line}
	e.console.add(line)
	e.run.Emit(gg.Event{Kind: gg.Console, Level: level, Text: text, Site: site})
	if e.config.Console != nil {
		e.budget.Pause() // whoever reads the console takes the time that takes
		e.config.Console(line)
		e.budget.Resume()
	}
}

// duration makes a duration of milliseconds: NaN is none, and what is longer than a timer can be is cut.
func duration(ms float64) time.Duration {
	const most = math.MaxInt64 / 2
	switch {
	case !(ms > 0):
		return 0
	case ms >= most/float64(time.Millisecond):
		return most
	}
	return time.Duration(ms * float64(time.Millisecond))
}
