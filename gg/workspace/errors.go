package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The families of errors. errors.Is(err, ErrNotFound) asks for one.
var (
	ErrNotFound = errors.New("not found")    // nothing has that name
	ErrRefused  = errors.New("refused")      // outside of the reach, or not a regular file
	ErrInvalid  = errors.New("invalid")      // an argument makes no sense, also in view of the file
	ErrTooLarge = errors.New("too large")    // more than the bound of one call
	ErrIO       = errors.New("input/output") // what the system said: permissions, a full disk …
)

// Error is a file call that could not be done.
type Error struct {
	Family error  // ErrNotFound, ErrRefused …
	Op     string // "read", "write", "list" or "locate"
	Path   string // as the caller wrote it
	Text   string // the message, which names the path unless an option is to blame
	Err    error  // the cause, if there is one: errors.Is(err, fs.ErrPermission) works
}

func (e *Error) Error() string { return e.Text }

// Is reports whether target is e's family.
func (e *Error) Is(target error) bool { return target == e.Family }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an error whose message is the quoted path and what is the matter with it.
func newError(family error, op, path, matter string, err error) *Error {
	return &Error{Family: family, Op: op, Path: path, Text: quote(path) + " " + matter, Err: err}
}

// ioError wraps what the system said about op on path. The context's own errors stay as they are.
func ioError(op, path string, err error) error {
	var ours *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return newError(ErrNotFound, op, path, "does not exist", err)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return newError(ErrInvalid, op, path, "is too long a name for this file system", err)
	}
	return &Error{Family: ErrIO, Op: op, Path: path, Text: op + " " + quote(path) + ": " + cause(err).Error(), Err: err}
}

// cause is what the system said, without the operation and the path that package os puts in front: these
// are not what the caller wrote.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	var s *os.SyscallError
	switch {
	case errors.As(err, &p):
		return cause(p.Err)
	case errors.As(err, &l):
		return cause(l.Err)
	case errors.As(err, &s):
		return cause(s.Err)
	}
	return err
}

// maxQuoted bounds a path in a message, in bytes: a message is to be read.
const maxQuoted = 400

// quote quotes a path, shortened in the middle if it is very long.
func quote(path string) string {
	if len(path) <= maxQuoted {
		return strconv.Quote(path)
	}
	head := strings.ToValidUTF8(path[:maxQuoted/2], "")
	tail := strings.ToValidUTF8(path[len(path)-maxQuoted/2:], "")
	return strconv.Quote(head+"…"+tail) + " (" + strconv.Itoa(len(path)) + " bytes)"
}
