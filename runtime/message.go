package runtime

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/responses-as-code/gg/budget"
)

// The headings of what a model reads after the views.
const (
	headingCompile = "Compiler error"
	headingRuntime = "Runtime error"
	headingNotice  = "Notice"
)

// Message is what a model reads after the views: notices first, the error last; empty when there is
// nothing to say.
func (o *Outcome) Message() string {
	var blocks []string
	if len(o.Notices) > 0 {
		blocks = append(blocks, headingNotice+"\n----\n"+strings.Join(o.Notices, "\n"))
	}
	if o.Error != nil {
		heading := headingRuntime
		if o.Status == CompileError {
			heading = headingCompile
		}
		blocks = append(blocks, heading+"\n----\n"+strings.Join(o.explain(), "\n\n"))
	}
	if len(blocks) == 0 {
		return ""
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// explain is the report on a failure, in paragraphs: what happened and where, what had happened before,
// which budget stopped it, what to do.
func (o *Outcome) explain() []string {
	f := o.Error
	head := f.Headline()
	if f.Line > 0 {
		head += fmt.Sprintf("\n    at line %d, column %d", f.Line, f.Column)
	}
	paragraphs := []string{head}
	if f.Snippet != "" {
		paragraphs = append(paragraphs, f.Snippet)
	}
	if path := f.path(); path != "" {
		paragraphs = append(paragraphs, path)
	}
	if f.Output != "" {
		paragraphs = append(paragraphs, "It had printed:\n"+f.Output)
	}
	if f.Cause != "" {
		paragraphs = append(paragraphs, capitalised(f.Cause))
	}
	if len(f.More) > 0 {
		lines := []string{"Also:"}
		for _, p := range f.More {
			lines = append(lines, "  "+p.String())
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	if o.Status != CompileError {
		paragraphs = append(paragraphs, o.callsSoFar())
	}
	if o.Status == Limit {
		paragraphs = append(paragraphs, o.Budget.text(f.Limit))
	}
	if f.Hint != "" {
		paragraphs = append(paragraphs, "Hint: "+f.Hint)
	}
	return paragraphs
}

// Headline is what happened, in a line.
func (f *Failure) Headline() string {
	switch {
	case f.Operation != "":
		return fmt.Sprintf("`%s` failed (%s): %s", f.Operation, f.Code, f.Message)
	case f.Kind == "thrown":
		return "Uncaught: " + f.Message
	case f.Kind == "limit", f.Kind == "canceled", f.Kind == "":
		return capitalised(f.Message)
	case f.Message == "":
		return f.Kind
	}
	return f.Kind + ": " + f.Message
}

// path is the way through the program's functions, when there is more than one step.
func (f *Failure) path() string {
	if len(f.Stack) < 2 && (len(f.Stack) == 0 || f.Stack[0].Function == "") {
		return ""
	}
	var steps []string
	for i := 0; i < len(f.Stack); i++ {
		frame := f.Stack[i]
		name := "the program"
		switch {
		case frame.Function != "":
			name = "`" + frame.Function + "`"
		case i < len(f.Stack)-1:
			name = "a function without a name"
		}
		if i == 0 {
			steps = append(steps, "In "+name)
			continue
		}
		step := fmt.Sprintf("called by %s at line %d", name, frame.Line)
		again := i
		for again+1 < len(f.Stack) && f.Stack[again+1] == frame {
			again++
		}
		if again > i {
			step += " again and again"
		}
		steps, i = append(steps, step), again
	}
	return strings.Join(steps, ", ")
}

// callsSoFar lists what a program had called before it ended: the last calls, and how many there were.
func (o *Outcome) callsSoFar() string {
	const listed = 12
	if len(o.Calls) == 0 {
		return "It had made no calls."
	}
	var finished, failed, unknown int
	for _, c := range o.Calls {
		switch c.State {
		case Finished:
			finished++
		case Failed:
			failed++
		default:
			unknown++
		}
	}
	counts := []string{strconv.Itoa(finished) + " finished"}
	if failed > 0 {
		counts = append(counts, strconv.Itoa(failed)+" failed")
	}
	if unknown > 0 {
		counts = append(counts, strconv.Itoa(unknown)+" unknown (cut short: it may have done its work or not)")
	}
	head := "Calls it had made: " + strings.Join(counts, ", ")
	first := max(0, len(o.Calls)-listed)
	if first > 0 {
		head += fmt.Sprintf("; the last %d", listed)
	}
	lines := []string{head}
	times := 1
	for _, c := range o.Calls[first:] {
		line := fmt.Sprintf("  line %d: %s %s", c.Line, c.Op, c.State)
		if c.Brief != "" {
			line += ": " + c.Brief
		}
		last := lines[len(lines)-1]
		if times > 1 {
			last = strings.TrimSuffix(last, fmt.Sprintf(" (%d times)", times))
		}
		if last != line {
			lines, times = append(lines, line), 1
			continue
		}
		times++
		lines[len(lines)-1] = fmt.Sprintf("%s (%d times)", line, times)
	}
	return strings.Join(lines, "\n")
}

// text says what a run used of the budget that stopped it, and of the others.
func (u Use) text(limit budget.Limit) string {
	secs := func(ms float64) string { return strconv.FormatFloat(ms/1000, 'f', 3, 64) + "s" }
	parts := []string{}
	add := func(l budget.Limit, text string) {
		if l == limit {
			parts = append([]string{text}, parts...)
			return
		}
		parts = append(parts, text)
	}
	add(budget.Wall, fmt.Sprintf("%s of %s by the wall clock", secs(u.WallMs), secs(u.WallLimitMs)))
	add(budget.Compute, fmt.Sprintf("%s of %s computing", secs(u.ComputeMs), secs(u.ComputeLimitMs)))
	if limit == budget.Memory {
		add(budget.Memory, fmt.Sprintf("%s of %s of memory", byteCount(u.PeakBytes), bytesText(u.MemoryLimit)))
	}
	add(budget.Calls, fmt.Sprintf("%d of %d calls", u.Calls, u.CallLimit))
	return "Used: " + strings.Join(parts, ", ")
}
