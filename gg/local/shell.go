package local

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

type shellIn struct {
	Command     string  `json:"command" jsonschema:"a command line for sh, up to 1 MiB" gg:"nonempty"`
	TimeoutSecs float64 `json:"timeoutSecs,omitempty" jsonschema:"seconds, fractions allowed; more than 86400 counts as 86400; 3600 by default" gg:"positive"`
}

// ShellResult is what `gg.shell.shell()` returns.
type ShellResult struct {
	ExitCode   int         `json:"exitCode" jsonschema:"128+n when signal n ended the shell"`
	Output     string      `json:"output" jsonschema:"stdout and stderr in the order of the writes, lines kept whole; only the tail when truncated"`
	Truncated  bool        `json:"truncated" jsonschema:"whether output is only the tail"`
	Signal     string      `json:"signal,omitempty" jsonschema:"the signal that ended the shell: SIGKILL, say"`
	Background []Process   `json:"background,omitempty" jsonschema:"processes still running when the call returned"`
	Files      *ShellFiles `json:"files,omitempty" jsonschema:"where both streams are kept, whole unless the output says otherwise"`
}

// ShellFiles names the files that hold the streams of a command.
type ShellFiles struct {
	Stdout string `json:"stdout" jsonschema:"absolute path"`
	Stderr string `json:"stderr" jsonschema:"absolute path"`
}

// Process is a process that a command left running.
type Process struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// defaultTimeoutSecs is the timeout of a command that asks for none.
const defaultTimeoutSecs = 3600

// shellFunctions are the functions of `gg.shell`.
func shellFunctions() []*gg.Function {
	return []*gg.Function{
		gg.Func("shell.shell", "runs a command line with sh; the tail of its output comes back, all of it is in the files that the note names", runShell,
			gg.Positional("command"),
			gg.Detail("A non-zero exit is a result, not a failure. The command has no terminal and an empty stdin. It is killed with all its children when its time is up; what it leaves running in the background is killed at the end of the program."),
			gg.Fails(gg.LimitExceeded, "the command timed out and was killed; `error.output`, `error.truncated` and `error.files` hold what it had printed"),
			gg.Fails(gg.NotFound, "the workspace or the shell does not exist"),
			gg.Fails(gg.IOError, "the command could not be started"),
			gg.Example("const test = gg.shell.shell(\"echo fine; exit 3\", { timeoutSecs: 10 });\n[test.exitCode, test.output]")),
	}
}

func runShell(ctx context.Context, in shellIn) (ShellResult, error) {
	scope := scopeOf(ctx)
	runner, err := scope.shell()
	if err != nil {
		return ShellResult{}, shellError(err)
	}
	asked := in.TimeoutSecs
	if asked == 0 {
		asked = defaultTimeoutSecs
	}
	timeout, byBudget := scope.budget.Clamp(asked)
	if timeout <= 0 {
		return ShellResult{}, gg.Errorf(gg.LimitExceeded, "%w; the command was not started", scope.budget.Spend(budget.Wall))
	}
	out, err := runner.Run(ctx, shell.Request{
		Command:           in.Command,
		Timeout:           timeout,
		TimeoutFromBudget: byBudget,
		OnOutput: func(stream policy.Stream, n int) {
			scope.Emit(gg.Event{Kind: gg.Output, Seq: scope.call.Seq, Op: scope.call.Op, Stream: stream.String(), Bytes: int64(n)})
		},
	})
	if err != nil {
		out = shell.OutputOf(err)
	}
	if u, ok := ctx.Value(usageKey{}).(*usage); ok && out != nil {
		u.cpu, u.peakBytes = out.CPUTime, out.PeakRSS
	}
	if timeout := (*shell.TimeoutError)(nil); errors.As(err, &timeout) && timeout.FromBudget {
		scope.budget.Spend(budget.Wall)
	}
	if err != nil {
		return ShellResult{}, shellError(err)
	}
	return shellResult(out), nil
}

// orders are the runner's names for the configuration's.
var orders = map[config.Order]shell.Order{config.OrderWrite: shell.WriteOrder, config.OrderArrival: shell.ArrivalOrder}

// shell is the runner of this run's commands, made by the first one.
func (r *run) shell() (*shell.Runner, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runner != nil {
		return r.runner, nil
	}
	s := r.session
	c := s.host.settings.Shell
	runner, err := shell.New(shell.Config{
		Dir: s.dir,
		Env: s.host.config.Env,
		Environment: shell.Environment{
			Inherit: shell.Inherit(c.Env.Inherit), Pass: c.Env.Pass, Set: c.Env.Set,
		},
		Policy:     c.Policy,
		Apply:      s.host.config.Apply,
		Order:      orders[c.Order],
		Store:      s.store,
		Mark:       r.info.ID,
		DrainGrace: c.DrainGrace,
		KillGrace:  c.KillGrace,
		Subreaper:  s.host.config.Subreaper,
	})
	if err != nil {
		return nil, err
	}
	r.runner = runner
	return runner, nil
}

// openStore is where the session's commands keep their output.
func (s *session) openStore() (*store.Dir, error) {
	c := s.host.settings.Shell
	path := c.OffloadDir
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	return store.New(store.Config{
		Path:           path,
		ReserveBytes:   c.DiskReserveBytes,
		MaxStreamBytes: c.MaxStreamBytes,
		KeepHours:      int(c.Keep / time.Hour),
		Swept:          s.host.config.FilesSwept,
	})
}

func shellResult(out *shell.Output) ShellResult {
	result := ShellResult{ExitCode: out.ExitCode, Output: out.Text, Truncated: out.Truncated, Signal: out.Signal, Files: shellFiles(out)}
	for _, p := range out.Background {
		result.Background = append(result.Background, Process{p.PID, p.Command})
	}
	return result
}

func shellFiles(out *shell.Output) *ShellFiles {
	if out.Files == nil {
		return nil
	}
	return &ShellFiles{out.Files.Stdout, out.Files.Stderr}
}

// shellError gives an error of package shell its code, and what the command had printed by then.
func shellError(err error) error {
	failure := &gg.Error{Code: gg.Other, Message: err.Error(), Cause: err}
	var argument *shell.ArgumentError
	var launch *shell.LaunchError
	switch {
	case errors.As(err, &argument):
		failure.Code = gg.InvalidArgument
		failure.Message = strings.Replace(argument.Problem, "command ", "`command` ", 1)
	case errors.As(err, &launch) && errors.Is(err, fs.ErrNotExist):
		failure.Code = gg.NotFound
	case errors.As(err, &launch):
		failure.Code = gg.IOError
	case errors.Is(err, context.DeadlineExceeded):
		failure.Code = gg.LimitExceeded
	}
	if out := shell.OutputOf(err); out != nil {
		failure.Data = map[string]json.RawMessage{"output": mustJSON(out.Text), "truncated": mustJSON(out.Truncated)}
		if files := shellFiles(out); files != nil {
			failure.Data["files"] = mustJSON(files)
		}
	}
	return failure
}

// mustJSON writes a value that always encodes.
func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
