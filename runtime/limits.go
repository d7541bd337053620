package runtime

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
)

// limitMessage says which limit stopped a program, and where it was.
func (e *execution) limitMessage(limit *budget.Exceeded, site gg.Site) string {
	message := limit.Error()
	if site == (gg.Site{}) {
		if line := e.lastLine(); line > 0 {
			message += fmt.Sprintf("; the program was after line %d", line)
		}
	}
	return message
}

// lastLine is where a program was last heard of: its last call.
func (e *execution) lastLine() int {
	calls := e.journal.list()
	if len(calls) == 0 {
		return 0
	}
	return calls[len(calls)-1].Line
}

// clockLoop is a loop that waits for the clock, which stands still while the program computes.
var clockLoop = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:while|for)\s*\(.*(?:Date\.now\(\)|new Date\b|performance\.now\(\))`)
})

// limitHint is what to do about a limit, where that is certain.
func (e *execution) limitHint(limit *budget.Exceeded, site gg.Site) string {
	switch limit.Limit {
	case budget.Compute, budget.Wall:
		if site.Line > 0 && e.accepted.text != nil && clockLoop().MatchString(e.accepted.text.Line(site.Line)) {
			return "the clock stands still while a program computes, so this loop never ends; wait with `await gg.sleep(ms)`"
		}
		if limit.Limit == budget.Wall && e.promise != nil && e.promise.State() != goja.PromiseStatePending {
			return "the program itself had ended; a timer or a call that it did not wait for went on: clear or await it"
		}
	case budget.Calls:
		return "do more in one call: a shell loop, a larger window, a search"
	}
	return ""
}
