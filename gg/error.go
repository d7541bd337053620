package gg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Code says what kind of failure a call met. The set is closed: programs branch on it.
type Code string

// The codes.
const (
	InvalidArgument Code = "invalid-argument" // the call was made wrongly; making it again fails again
	NotFound        Code = "not-found"        // what it names does not exist
	Conflict        Code = "conflict"         // what it names is not in the state it needs
	Refused         Code = "refused"          // a rule, a hook or a person said no
	Unavailable     Code = "unavailable"      // not granted, or not on this machine
	LimitExceeded   Code = "limit-exceeded"   // a budget, a timeout or a size
	IOError         Code = "io-error"         // the system said no
	Other           Code = "other"
)

// Codes lists every code.
func Codes() []Code {
	return []Code{InvalidArgument, NotFound, Conflict, Refused, Unavailable, LimitExceeded, IOError, Other}
}

// Error is a call that failed, as the program sees it.
type Error struct {
	Operation string // the function: `shell.shell`
	Code      Code
	Message   string                     // without operation and code
	Site      Site                       // of the call
	Hint      string                     // what to do instead, where that is certain
	Data      map[string]json.RawMessage // more properties of the error object: `output`, `files`
	Cause     error                      // for Go callers only; never shown to a program
}

// Error is the failure in one line: “`shell.shell` failed (limit-exceeded): …”.
func (e *Error) Error() string {
	if e.Operation == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("`%s` failed (%s): %s", e.Operation, e.Code, e.Message)
}

// Unwrap returns the cause, so that errors.Is finds context.DeadlineExceeded and the like.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an Error of a code and a message; a final %w becomes its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Cause: errors.Unwrap(err)}
}

// AsError makes an *Error of any error: itself where it is one, LimitExceeded for a deadline that
// passed, Other for a cancellation and for everything else.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	code := Other
	if errors.Is(err, context.DeadlineExceeded) {
		code = LimitExceeded
	}
	return &Error{Code: code, Message: err.Error(), Cause: err}
}
