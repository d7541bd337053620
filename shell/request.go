package shell

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/responses-as-code/gg/shell/policy"
)

// Request is one command.
type Request struct {
	// Command is the command line, passed to the shell byte for byte: not blank, without NUL, at most
	// MaxCommandBytes.
	Command string

	// Timeout is how long the command may take, counted from the call of Run on the monotonic clock: setting
	// the wall clock does not move it, and on Linux time that the machine is suspended does not count. 0: as long as it likes.
	Timeout time.Duration

	// TimeoutFromBudget: Timeout is what was left of the run. The *TimeoutError then says so.
	TimeoutFromBudget bool

	// Dir replaces Config.Dir, relative to it. Empty: Config.Dir.
	Dir string

	// Policy replaces Config.Policy. Nil: Config.Policy.
	Policy *policy.Policy

	// OnOutput, if not nil, is called with the size of each chunk as it is captured, while Run waits, which it
	// must not keep waiting. The thread has signals blocked (see the package comment): no process should be started
	// there. In inline mode every chunk is of standard output.
	OnOutput func(s policy.Stream, n int)
}

// Output is a command that has ended.
type Output struct {
	// ExitCode is 0 to 255; on Windows any 32-bit number. For a shell that a signal ended it is 128 and the
	// signal's number.
	ExitCode int

	// Signal is the name of the signal that ended the shell, "SIGKILL" say; else empty.
	Signal string

	// Text is what is to be shown of the output, as the policy says, and Truncated whether that leaves any
	// of it out.
	Text      string
	Truncated bool

	// Files is where the whole output is, or the beginning of it, if Text says so. It is nil in inline mode, when
	// no files could be created, and when one of them was lost while the command ran: removed, say, by the
	// command itself. Text then says which.
	Files *Files

	// Stdout and Stderr are the statistics of the streams; in inline mode all output counts as Stdout, and
	// only bytes are counted.
	Stdout, Stderr policy.StreamStats

	// Background has the processes of the command that were alive when Run returned, by number.
	Background []Process

	// Duration is from the start of the shell to its exit.
	Duration time.Duration

	// CPUTime is the user and system time of the shell and of all processes that were waited for in it.
	CPUTime time.Duration

	// PeakRSS is the largest resident set of the shell or of one of these processes, in bytes. 0: not known,
	// because it was smaller than that of this process, which the system counts in.
	PeakRSS int64
}

// Files are the absolute paths of the two streams, as the command wrote them.
type Files struct {
	Stdout, Stderr string
}

// Process is a process that a command left running.
type Process struct {
	PID int

	// Command is its command line as far as it can be told, arguments joined by blanks, at most 200
	// characters.
	Command string
}

// check refuses a request that cannot be honoured and fills in what it leaves to the Config.
func (r *Runner) check(req *Request) error {
	refuse := func(format string, args ...any) error {
		return &ArgumentError{Problem: fmt.Sprintf(format, args...)}
	}
	switch nul := strings.IndexByte(req.Command, 0); {
	case strings.TrimSpace(req.Command) == "":
		return refuse("command is blank")
	case nul >= 0:
		return refuse("command has a NUL byte at offset %d", nul)
	case len(req.Command) > MaxCommandBytes:
		return refuse("command is too long: got %d bytes, want at most %d", len(req.Command), MaxCommandBytes)
	case req.Timeout < 0:
		return refuse("timeout: got %v, want a positive duration", req.Timeout)
	}
	switch {
	case strings.IndexByte(req.Dir, 0) >= 0:
		return refuse("working directory %q has a NUL byte", req.Dir)
	case req.Dir == "":
		req.Dir = r.config.Dir
	case !filepath.IsAbs(req.Dir):
		req.Dir = filepath.Join(r.config.Dir, req.Dir)
	}
	if req.Policy == nil {
		req.Policy = &r.config.Policy
	} else if err := req.Policy.Validate(); err != nil {
		return refuse("policy: %v", err)
	}
	return nil
}
