package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/runtime"
)

// The exit codes. 64, 70 and 78 are those of sysexits.h, 124 and 125 those of timeout(1), 128 and more those
// of a shell.
const (
	exitOK            = 0
	exitThrew         = 1 // the program threw; a tool replied with an error
	exitCompile       = 2
	exitLimit         = 3
	exitWall          = 4
	exitDiverged      = 5
	exitHook          = 6
	exitUnknownCall   = 7
	exitUsage         = 64
	exitInternal      = 70
	exitConfiguration = 78
	exitTimedOut      = 124 // `gg shell`
	exitNotLaunched   = 125 // `gg shell`
	exitSignal        = 128 // and the signal's number
)

// The kinds of failure that are no call's.
const (
	kindUsage         = "usage"
	kindInternal      = "internal"
	kindConfiguration = "configuration"
	kindInterrupted   = "interrupted"
)

// failure is why a command could not do its work. It is printed once, by fail.
type failure struct {
	code    int    // exit code
	kind    string // `code` of the JSON document
	message string
	signal  string          // of kindInterrupted
	defects []config.Defect // of kindConfiguration
}

func (f *failure) Error() string { return f.message }

// usage makes a failure of a command line that was written wrongly.
func usage(format string, args ...any) *failure {
	return &failure{code: exitUsage, kind: kindUsage, message: fmt.Sprintf(format, args...)}
}

// internal makes a failure that nobody but gg is to blame for.
func internal(err error) *failure {
	return &failure{code: exitInternal, kind: kindInternal, message: err.Error()}
}

// status is the exit code of a command that has done its work and printed everything.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// fail prints why a command failed, if it did, and returns the exit code.
func (a *app) fail(err error) int {
	var code status
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case !errors.As(err, &f):
		f = internal(err)
	}
	if a.json && a.document(map[string]any{"error": f}) == nil {
		return f.code
	}
	switch f.kind {
	case kindConfiguration: // one line for each defect, and nothing else
		a.screen.print(f.message + "\n")
	case kindInternal:
		a.screen.print("gg: internal error: " + f.message + "\n")
	default:
		a.screen.print("gg: " + f.message + "\n")
	}
	return f.code
}

// MarshalJSON writes the failure as it stands in the document.
func (f *failure) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Signal  string          `json:"signal,omitempty"`
		Defects []config.Defect `json:"defects,omitempty"`
	}{f.kind, f.message, f.signal, f.defects})
}

// refused makes a failure of a configuration that cannot be used.
func refused(path string, err error) *failure {
	f := &failure{code: exitConfiguration, kind: kindConfiguration}
	var refusal *config.Error
	if errors.As(err, &refusal) {
		f.message, f.defects = refusal.Error(), refusal.Defects
		return f
	}
	f.message = fmt.Sprintf("gg: configuration %q: %s", path, reason(err))
	return f
}

// exitOf is the exit code of a run.
func exitOf(o *runtime.Outcome) int {
	switch o.Status {
	case runtime.OK:
		return exitOK
	case runtime.RuntimeError:
		return exitThrew
	case runtime.CompileError:
		return exitCompile
	case runtime.Limit:
		if o.Error != nil && o.Error.Limit == budget.Wall {
			return exitWall
		}
		return exitLimit
	case runtime.Diverged:
		return exitDiverged
	case runtime.HookError:
		return exitHook
	case runtime.UnknownCall:
		return exitUnknownCall
	default:
		return exitInternal
	}
}

// nearest ends a message with the known name that was probably meant: `; did you mean "run"?`.
func nearest(name string, known []string) string {
	if near, ok := gg.Nearest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// reason is what the system said, without the path that the message names already.
func reason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return strings.TrimSpace(err.Error())
		}
		err = inner
	}
}
