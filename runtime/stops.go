package runtime

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/dop251/goja"

	"github.com/responses-as-code/gg/gg"
)

// thrown is a value that a program threw and did not catch.
type thrown struct {
	value goja.Value
	site  gg.Site // of the throw statement, when it was one
}

func (*thrown) Error() string { return "the program threw" }

// neverSettles is a program that waits for what cannot come.
type neverSettles struct {
	site gg.Site // of the await
}

func (*neverSettles) Error() string { return "awaiting a promise that nothing will settle" }

// stopped is a program that was ended from outside.
type stopped struct {
	reason error   // *budget.Exceeded, or why the context ended
	site   gg.Site // where it was
	output string  // what the command had printed that was stopped with it
}

func (s *stopped) Error() string { return s.reason.Error() }
func (s *stopped) Unwrap() error { return s.reason }

// fault is a panic of the engine: the program met a defect that is not its own.
type fault struct {
	text  string
	stack []byte
}

func (f *fault) Error() string { return "fault in the engine: " + f.text }

// engineFault makes an error of a recovered panic. A JavaScript exception that got here is still one.
func engineFault(x any) error {
	if err, ok := x.(error); ok {
		var exception *goja.Exception
		var interrupted *goja.InterruptedError
		var overflow *goja.StackOverflowError
		if errors.As(err, &exception) || errors.As(err, &interrupted) || errors.As(err, &overflow) {
			return err
		}
	}
	return &fault{text: strings.TrimSpace(fmt.Sprint(x)), stack: debug.Stack()}
}
