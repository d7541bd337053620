package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
)

// endTimeout bounds the end of a run: killing what is left takes its grace periods and not more.
const endTimeout = 30 * time.Second

// takeValue exports the program's value. Its getters may run into a limit: that is the error.
func (e *execution) takeValue(value goja.Value) error {
	if value == nil {
		return nil
	}
	var exported bindings.Exported
	_, err := e.enter(func() (goja.Value, error) {
		var err error
		exported, err = bindings.Export(e.vm, value)
		return nil, err
	})
	if err != nil {
		return err
	}
	e.outcome.Value, e.outcome.Conversions, e.outcome.ConversionsOmitted = exported.JSON, exported.Conversions, exported.Omitted
	return nil
}

// finish ends the run and completes the outcome. A fault of the end is a warning to the operator: what the
// program did is known all the same.
func (e *execution) finish() *Outcome {
	o := &e.outcome
	info := e.run.Info()
	o.RunID, o.SessionID, o.Labels = info.ID, info.Session, info.Labels
	e.background.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	ending, err := e.run.End(ctx)
	if err != nil {
		o.Warnings = append(o.Warnings, "end of the run: "+err.Error())
	}
	o.Background = append([]gg.Leftover{}, ending.Background...)
	o.Warnings = append(append([]string{}, o.Warnings...), ending.Warnings...)
	if ending.Finished && o.Status == OK {
		o.Finish = &ending.Finish
	}
	o.Calls = e.journal.list()
	o.Console, o.ConsoleDropped = e.console.lines(), e.console.dropped
	o.Views, o.Closed = append([]View{}, e.showing.views...), e.showing.closed
	if o.UnhandledRejections == nil {
		o.UnhandledRejections = []Rejection{}
	}
	o.Budget = useOf(e.budget.Usage(), e.settings)
	o.Budget.PeakBytes = e.peak
	e.notice()
	e.run.Emit(gg.Event{Kind: gg.RunEnded, Text: string(o.Status), Duration: e.budget.Usage().Wall})
	return o
}

// mostRejections is how many rejected Promises a model is told of one by one.
const mostRejections = 5

// notice adds what the model should know about a run that went well, or almost.
func (e *execution) notice() {
	o := &e.outcome
	o.Notices = append(o.Notices, e.showing.cutNotices()...)
	if e.globals != nil {
		for _, call := range e.globals.Unawaited() {
			o.Notices = append(o.Notices, fmt.Sprintf("line %d: nobody awaited the Promise of `%s`; write `await` in front of the call", call.Site.Line, call.Function.Name))
		}
	}
	for i, r := range o.UnhandledRejections {
		if i == mostRejections {
			o.Notices = append(o.Notices, fmt.Sprintf("%d more rejected Promises were not handled", len(o.UnhandledRejections)-i))
			break
		}
		o.Notices = append(o.Notices, fmt.Sprintf("line %d: nothing handled the rejection of a Promise: %s", r.Line, r.Message))
	}
	if o.Status == OK && len(o.Views) == 0 {
		switch {
		case len(o.Value) > 0 && e.settings.ShowValue == gg.ShowWhenNoViews:
			o.Views = append(o.Views, resultView(o.Value))
		case o.Finish == nil:
			o.Notices = append(o.Notices, "the program ended well and showed nothing: open a view (`gg.views.openText`, `gg.views.openFile`) or end with a value to see something")
		}
	}
	if o.Notices == nil {
		o.Notices = []string{}
	}
}

// unhandled describes the rejections that nothing handled, but for the program's own Promise. There may be
// many of them, so none is worth running the program again.
func (e *execution) unhandled() []Rejection {
	e.memory.spoilt = true
	list := []Rejection{}
	const most = 100
	for _, p := range e.rejections {
		if p == e.promise || len(list) == most {
			continue
		}
		f := &Failure{}
		site := e.describe(f, &thrown{value: p.Result(), site: e.marks.throwSite(p.Result())})
		list = append(list, Rejection{Message: f.Headline(), Line: site.Line, Column: site.Column})
	}
	return list
}

func useOf(u budget.Usage, s gg.Settings) Use {
	return Use{
		WallMs: milliseconds(u.Wall), WallLimitMs: milliseconds(u.Limits.Wall),
		ComputeMs: milliseconds(u.Compute), ComputeLimitMs: milliseconds(u.Limits.Compute),
		Calls: u.Calls, CallLimit: u.Limits.Calls, MemoryLimit: s.MaxMemoryBytes,
	}
}

func indentJSON(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return string(value)
	}
	return b.String()
}
