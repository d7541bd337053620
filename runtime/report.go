package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/bindings"
	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/runtime/source"
)

// fail turns what stopped a program into the outcome's status and error.
func (e *execution) fail(err error) {
	var limit *budget.Exceeded
	var overflow *goja.StackOverflowError
	var threw *thrown
	var waits *neverSettles
	var broken *fault
	f := &Failure{Stack: []Frame{}}
	e.outcome.Status, e.outcome.Error = RuntimeError, f
	var site gg.Site
	switch {
	case errors.As(err, &limit):
		site = e.stopSite(err)
		e.outcome.Status = Limit
		f.Kind, f.Limit = "limit", limit.Limit
		f.Message = e.limitMessage(limit, site)
		f.Hint = e.limitHint(limit, site)
	case errors.As(err, &overflow):
		e.outcome.Status = Limit
		f.Kind, f.Limit = "limit", budget.Stack
		f.Stack = e.frames(overflow.Stack())
		site = top(f.Stack)
		f.Message = fmt.Sprintf("the program's calls are nested deeper than %d", e.settings.MaxStackFrames)
		if name := repeated(f.Stack); name != "" {
			f.Message += fmt.Sprintf(": `%s` calls itself without end", name)
		}
		f.Stack = shortenStack(f.Stack)
	case errors.As(err, &threw):
		site = e.describe(f, threw)
	case errors.As(err, &waits):
		site = waits.site
		f.Kind, f.Message = "Error", waits.Error()
		f.Hint = "nothing is left that could settle it: no timer is set and no call is under way; resolve it, or await something that ends"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		site = e.stopSite(err)
		e.outcome.Status = Canceled
		f.Kind, f.Message = "canceled", "the run was canceled"
		if reason := err; !errors.Is(reason, context.Canceled) {
			f.Message += ": " + reason.Error()
		}
	case errors.As(err, &broken):
		site = e.stopSite(err)
		f.Kind, f.Message = "InternalError", broken.Error()
		f.Hint = "the JavaScript engine failed, not the program's logic: write the statement in another way"
		e.outcome.Warnings = append(e.outcome.Warnings, broken.Error())
	default:
		var exception *goja.Exception
		if errors.As(err, &exception) {
			site = e.describe(f, &thrown{value: exception.Value()})
			if e.vm == nil || f.Kind == "SyntaxError" && len(e.journal.list()) == 0 && site == (gg.Site{}) {
				e.outcome.Status = CompileError
			}
			break
		}
		site = e.stopSite(err)
		e.outcome.Status = Canceled
		f.Kind, f.Message = "canceled", "the run was stopped: "+err.Error()
	}
	if s := (*stopped)(nil); errors.As(err, &s) {
		f.Output = s.output
	}
	f.Line, f.Column = site.Line, site.Column
	f.Snippet = e.accepted.snippet(site)
}

// compileFailure reports a text that is no program: the first problem in full, the others in a line each.
func (e *execution) compileFailure(err error) *Failure {
	f := &Failure{Kind: "SyntaxError", Message: err.Error(), Stack: []Frame{}}
	var limit *source.LimitError
	var list source.Errors
	switch {
	case errors.As(err, &limit):
		f.Kind, f.Limit, f.Message = "limit", budget.Source, limit.Error()
		f.Line, f.Column = limit.Position.Line, limit.Position.Column
		e.budget.Exceed(budget.Source, limit.Error())
	case errors.As(err, &list) && len(list) > 0:
		f.Line, f.Column, f.Message, f.Hint = list[0].Line, list[0].Column, list[0].Message, list[0].Hint
		for _, p := range list[1:] {
			f.More = append(f.More, Problem{Line: p.Line, Column: p.Column, Message: p.Message, Hint: p.Hint})
		}
	}
	f.Snippet = e.accepted.snippet(gg.Site{Line: f.Line, Column: f.Column})
	return f
}

// describe fills in what a program threw and returns where.
func (e *execution) describe(f *Failure, threw *thrown) gg.Site {
	t, err := e.globals.Thrown(threw.value)
	if err != nil {
		t = bindings.Thrown{Message: "a value that could not be read"}
	}
	if failed, ok := e.globals.Failure(threw.value); ok {
		f.Kind, f.Message, f.Operation, f.Code, f.Hint = "ApiError", failed.Message, failed.Operation, failed.Code, failed.Hint
		f.Stack = e.parseStack(t.Stack)
		f.Output = endOf(failed.Data["output"])
		if failed.Site != (gg.Site{}) {
			return failed.Site
		}
		return top(f.Stack)
	}
	f.Kind, f.Message = t.Name, t.Message
	if t.Name == "" {
		f.Kind = "thrown"
	}
	f.Stack = e.parseStack(t.Stack)
	site := top(f.Stack)
	if site == (gg.Site{}) {
		site = threw.site
	}
	if site == (gg.Site{}) {
		site = e.marks.awaitOf(threw.value)
	}
	f.Cause = e.causes(t)
	if f.Kind == "SyntaxError" {
		f.Message = strings.TrimPrefix(f.Message, "SyntaxError: ") // of a text given to eval
	}
	e.raw = rawFailure{f.Kind, f.Message, site}
	if site != (gg.Site{}) && !e.marks.made(threw.value) {
		site = e.explain(f, site, fromBuiltin(t.Stack))
	}
	if len(f.Stack) > 0 {
		f.Stack[0].Line, f.Stack[0].Column = site.Line, site.Column
	}
	return site
}

// endOf is the end of what a command had printed: as much as helps to see how far it came.
func endOf(output json.RawMessage) string {
	const mostLines, mostBytes = 10, 1000
	var text string
	if json.Unmarshal(output, &text) != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	text = strings.Join(lines[max(0, len(lines)-mostLines):], "\n")
	if len(text) > mostBytes {
		text = "…" + strings.ToValidUTF8(text[len(text)-mostBytes:], "")
	}
	return text
}

// causes tells the chain of causes, and the members of an AggregateError, those of inner ones too.
func (e *execution) causes(t bindings.Thrown) string {
	const most = 20
	var parts []string
	seen := map[goja.Value]bool{}
	var tell func(prefix string, v goja.Value)
	all := func(t bindings.Thrown) {
		for _, member := range t.Errors {
			tell("", member)
		}
		if t.Cause != nil {
			tell("caused by ", t.Cause)
		}
	}
	tell = func(prefix string, v goja.Value) {
		if _, isObject := v.(*goja.Object); isObject && seen[v] || len(parts) == most {
			return
		}
		if _, isObject := v.(*goja.Object); isObject {
			seen[v] = true
		}
		t, err := e.globals.Thrown(v)
		if err != nil {
			return
		}
		parts = append(parts, prefix+errorText(t))
		all(t)
	}
	all(t)
	return strings.Join(parts, "; ")
}

func errorText(t bindings.Thrown) string {
	switch {
	case t.Name == "":
		return t.Message
	case t.Message == "":
		return t.Name
	}
	return t.Name + ": " + t.Message
}

// parseStack reads the frames of the program in the engine's stack text, whose lines read
// `at f (reply.js:3:9(17))` or `at reply.js:3:9(17)`. Frames of the engine and of the host are left out.
func (e *execution) parseStack(stack string) []Frame {
	frames := []Frame{}
	for line := range strings.Lines(stack) {
		before, after, found := strings.Cut(line, e.accepted.file.Name()+":")
		function, isFrame := strings.CutPrefix(strings.TrimSpace(before), "at")
		if !found || !isFrame {
			continue
		}
		var row, column int
		if n, _ := fmt.Sscanf(after, "%d:%d(", &row, &column); n != 2 {
			continue
		}
		function = strings.TrimSuffix(strings.TrimSpace(function), "(")
		frames = append(frames, Frame{Function: e.accepted.functionName(strings.TrimSpace(function)), Line: row, Column: column})
	}
	return shortenStack(frames)
}

// fromBuiltin reports whether an error was made inside a function of the language: then its message is not
// about the program's call.
func fromBuiltin(stack string) bool {
	_, frames, _ := strings.Cut(stack, "\n\tat ")
	first, _, _ := strings.Cut(frames, "\n")
	return strings.HasSuffix(first, "(native)") || first == "native"
}

// frames reads the frames of the program in a stack.
func (e *execution) frames(stack []goja.StackFrame) []Frame {
	frames := []Frame{}
	for _, frame := range stack {
		if frame.SrcName() != e.accepted.file.Name() {
			continue
		}
		at := frame.Position()
		frames = append(frames, Frame{Function: e.accepted.functionName(frame.FuncName()), Line: at.Line, Column: at.Column})
	}
	return frames
}

// functionName is what the author called a function, empty when that is nothing.
func (a *accepted) functionName(name string) string {
	if name == "<anonymous>" || name == a.hidden {
		return ""
	}
	return name
}

func (e *execution) firstSite(stack []goja.StackFrame) gg.Site { return top(e.frames(stack)) }

// stopSite is where a program was when it was ended from outside.
func (e *execution) stopSite(err error) gg.Site {
	var s *stopped
	if errors.As(err, &s) && s.site != (gg.Site{}) {
		return s.site
	}
	return e.marks.pendingAwait()
}

func top(frames []Frame) gg.Site {
	if len(frames) == 0 {
		return gg.Site{}
	}
	return gg.Site{Line: frames[0].Line, Column: frames[0].Column}
}

// repeated names the function that most of a stack consists of.
func repeated(frames []Frame) string {
	counts := map[string]int{}
	best := ""
	for _, f := range frames {
		if f.Function == "" {
			continue
		}
		counts[f.Function]++
		if counts[f.Function] > counts[best] {
			best = f.Function
		}
	}
	if counts[best]*2 < len(frames) {
		return ""
	}
	return best
}

// shortenStack keeps the ends of a long stack.
func shortenStack(frames []Frame) []Frame {
	const ends = 10
	if len(frames) <= 2*ends {
		return frames
	}
	return append(frames[:ends:ends], frames[len(frames)-ends:]...)
}
