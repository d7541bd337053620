package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// ArgumentError is a Request that cannot be honoured. Nothing was started.
type ArgumentError struct {
	Problem string // "command is blank"
}

func (e *ArgumentError) Error() string { return e.Problem }

// LaunchError is a command that could not be started.
type LaunchError struct {
	// What is the thing that is missing or unusable: "working directory", "interpreter", "pipe".
	What string

	// Path is where it was looked for; empty for a thing without a path.
	Path string

	// Err is why; errors.Is(err, fs.ErrNotExist) tells what is missing from what is broken.
	Err error
}

func (e *LaunchError) Error() string {
	subject := e.What
	if e.Path != "" {
		subject = fmt.Sprintf("%s %q", e.What, e.Path)
	}
	switch {
	case e.Path != "" && errors.Is(e.Err, fs.ErrNotExist):
		return subject + " does not exist"
	case errors.Is(e.Err, syscall.ENOTDIR):
		return subject + " is not a directory"
	}
	return subject + ": " + e.Err.Error()
}

func (e *LaunchError) Unwrap() error { return e.Err }

// TimeoutError is a command that was killed at its timeout. It is context.DeadlineExceeded to errors.Is.
type TimeoutError struct {
	// Timeout is the limit that was hit.
	Timeout time.Duration

	// FromBudget: what was left of the run set the limit, not the command's own timeout.
	FromBudget bool

	// Output is what had been captured, including what was written until the command was gone. ExitCode and
	// Signal tell how its shell ended in the end.
	Output *Output
}

func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("command timed out after %.3fs and was killed", e.Timeout.Seconds())
	if e.FromBudget {
		text += ": no more was left of the run's wall-clock budget"
	}
	return text
}

func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// StopError is a command that was stopped because its context ended or its Runner was closed.
type StopError struct {
	// Err is the context's error, and Cause its cause, which may be the same.
	Err, Cause error

	// Output is what had been captured; nil if the command had not been started.
	Output *Output
}

func (e *StopError) Error() string {
	if e.Output == nil {
		return fmt.Sprintf("command was not started: %v", e.Cause)
	}
	return fmt.Sprintf("command was stopped: %v", e.Cause)
}

func (e *StopError) Unwrap() []error { return []error{e.Err, e.Cause} }

// OutputOf returns the partial output that an error of Run carries, nil if there is none.
func OutputOf(err error) *Output {
	if e := (*TimeoutError)(nil); errors.As(err, &e) {
		return e.Output
	}
	if e := (*StopError)(nil); errors.As(err, &e) {
		return e.Output
	}
	return nil
}
