package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/shell"
	"github.com/responses-as-code/gg/shell/policy"
)

// shellFlags are the flags of `gg shell`.
type shellFlags struct {
	place
	timeout            seconds
	mode               shellMode
	maxLines, maxChars count
}

// shellMode is a mode of the policy.
type shellMode policy.Mode

func (m *shellMode) Type() string   { return "MODE" }
func (m *shellMode) String() string { return "" }
func (m *shellMode) Set(text string) error {
	var known []string
	for _, mode := range policy.Modes() {
		known = append(known, string(mode))
	}
	if !slices.Contains(known, text) {
		return usage("--mode %q: not a mode; gg recognizes %s", text, strings.Join(known, ", "))
	}
	*m = shellMode(text)
	return nil
}

func (a *app) shellCommand() *cobra.Command {
	f := shellFlags{
		maxLines: count{flag: "max-lines", least: 1, most: policy.MaxLinesLimit},
		maxChars: count{flag: "max-chars", least: 1, most: policy.MaxCharsLimit},
	}
	cmd := &cobra.Command{
		Use:                   "shell [flags] COMMAND",
		DisableFlagsInUseLine: true,
		Short:                 "Run one command under the policy",
		Long: `Runs one command as a program's gg.shell.shell would, and prints what the program
would get: the tail of its output, and a note that names the files with all of it.
Exits with the command's exit code; with 124 if it timed out, with 125 if it could not
be started. What the command leaves running is ended, and told of on standard error;
so is what a gg that was killed has left.`,
		Example: `  gg shell 'go test ./...'
  gg shell --timeout 10 --max-lines 20 'make -j8'
  gg shell --json --mode inline 'git status --short'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				if strings.HasPrefix(args[1], "--") {
					return usage("gg shell takes its flags before the COMMAND, got %s after it", args[1])
				}
				return usage("gg shell takes one COMMAND, got %d arguments; quote it: gg shell '%s'", len(args), strings.Join(args, " "))
			}
			return arguments(1, 1, "one COMMAND")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.shell(cmd.Context(), &f, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.SetInterspersed(false) // what follows the command is not ours
	f.flags(flags)
	flags.Var(&f.timeout, "timeout", "`SECS` until the command is killed, fractions allowed (default: 3600)")
	flags.Var(&f.mode, "mode", "`MODE`: offload or inline (default: the configuration's)")
	flags.Var(&f.maxLines, "max-lines", "in offload mode, show the last `N` lines at most (default: the configuration's)")
	flags.Var(&f.maxChars, "max-chars", "in offload mode, show the last `N` characters at most (default: the configuration's)")
	jsonFlag(flags, "print the result as one JSON document")
	return cmd
}

// shellOp is the function that runs a command.
const shellOp = "shell.shell"

// shellReport is the document of `gg shell --json`.
type shellReport struct {
	ExitCode    *int          `json:"exitCode,omitempty"` // absent when the command was killed or stopped
	Output      string        `json:"output"`
	Truncated   bool          `json:"truncated"`
	TimedOut    bool          `json:"timedOut,omitempty"`
	Interrupted string        `json:"interrupted,omitempty"` // the signal that stopped gg
	Signal      string        `json:"signal,omitempty"`
	Stdout      *streamReport `json:"stdout,omitempty"` // both absent in inline mode: one pipe, no files
	Stderr      *streamReport `json:"stderr,omitempty"`
	DurationMs  float64       `json:"durationMs"`
	Background  []gg.Leftover `json:"background,omitempty"`
}

type streamReport struct {
	Path  string `json:"path,omitempty"` // absent when the file could not be made
	Bytes int64  `json:"bytes"`
	Lines int64  `json:"lines"`
}

// shellValue is what the function gives, or the data of its failure.
type shellValue struct {
	ExitCode   int
	Output     string
	Truncated  bool
	Signal     string
	Files      *struct{ Stdout, Stderr string }
	Background []struct {
		PID     int
		Command string
	}
}

// shell runs a command: a run with one call.
func (a *app) shell(parent context.Context, f *shellFlags, command string) error {
	settings, err := a.settings(&f.place)
	if err != nil {
		return err
	}
	f.apply(settings)
	ctx := a.interruptible(parent)
	a.sweeping(ctx, settings)
	sink, stopFollowing := a.follow()
	defer stopFollowing()
	var collector *policy.Collector
	session, err := a.session(ctx, &f.place, local.Config{
		Config: settings, Events: sink,
		Apply: func(p policy.Policy) shell.Applier {
			collector = policy.NewCollector(p)
			return collector
		},
	})
	if err != nil {
		return err
	}
	defer session.Close(context.WithoutCancel(ctx)) // on the way out of an error; else it is closed by then
	run, err := session.Begin(ctx, gg.RunInfo{Program: "gg shell"})
	if err != nil {
		return internal(err)
	}
	started := a.Now()
	result, callErr := run.Call(ctx, gg.Call{Seq: 1, Op: shellOp, Args: f.arguments(command)})
	took := a.Now().Sub(started)
	ending, endErr := run.End(context.WithoutCancel(ctx))
	closing := errors.Join(endErr, session.Close(context.WithoutCancel(ctx)))
	stopFollowing()

	report := shellReport{DurationMs: float64(took.Microseconds()) / 1000, Background: ending.Background}
	code, err := report.take(ctx, result, callErr)
	if err != nil {
		return err
	}
	if collector != nil && settings.Shell.Mode == policy.Offload {
		report.count(collector)
	}
	if a.json {
		err = a.document(report)
	} else {
		err = a.print(report.Output)
		a.shellAccount(ctx, callErr, ending.Background)
	}
	if err == nil && closing != nil {
		err = internal(closing)
	}
	if err != nil {
		return err
	}
	return status(code)
}

// apply puts the flags in the place of what the configuration says.
func (f *shellFlags) apply(settings *config.Config) {
	if f.mode != "" {
		settings.Shell.Mode = policy.Mode(f.mode)
	}
	if f.maxLines.value > 0 {
		settings.Shell.MaxLines = f.maxLines.value
	}
	if f.maxChars.value > 0 {
		settings.Shell.MaxChars = f.maxChars.value
	}
}

func (f *shellFlags) arguments(command string) json.RawMessage {
	args, _ := json.Marshal(struct { // a text and a finite number always encode
		Command     string  `json:"command"`
		TimeoutSecs float64 `json:"timeoutSecs,omitempty"`
	}{command, float64(f.timeout)})
	return args
}

// take fills in what came of the call and returns the exit code. The error is that of a command that was
// not run.
func (r *shellReport) take(ctx context.Context, result gg.Result, err error) (code int, _ error) {
	var value shellValue
	data := result.Value
	failure := (*gg.Error)(nil)
	stopped := interrupted(ctx)
	if errors.As(err, &failure) {
		data, _ = json.Marshal(failure.Data)
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return 0, internal(fmt.Errorf("result of the command: %w", err))
	}
	r.Output, r.Truncated, r.Signal = value.Output, value.Truncated, value.Signal
	if value.Files != nil {
		r.Stdout, r.Stderr = &streamReport{Path: value.Files.Stdout}, &streamReport{Path: value.Files.Stderr}
	}
	switch {
	case failure == nil:
		r.ExitCode = &value.ExitCode
		return value.ExitCode, nil
	case stopped != nil && failure.Data["output"] != nil:
		r.Interrupted = stopped.name
		return exitSignal + stopped.number, nil
	case stopped != nil:
		return 0, stopped.failure()
	case failure.Data["output"] != nil && errors.Is(failure, context.DeadlineExceeded):
		r.TimedOut = true
		return exitTimedOut, nil
	case failure.Code == gg.InvalidArgument:
		return 0, usage("%s", failure.Message)
	}
	return 0, notLaunched(failure)
}

// notLaunched makes a failure of a command that could not be started.
func notLaunched(e *gg.Error) error {
	return &failure{code: exitNotLaunched, kind: string(e.Code), message: e.Message}
}

// shellAccount tells the person what the output does not say.
func (a *app) shellAccount(ctx context.Context, err error, left []gg.Leftover) {
	var failure *gg.Error
	switch i := interrupted(ctx); {
	case i != nil:
		a.screen.printIn(colorRed, "gg: "+i.Error()+"\n")
	case errors.As(err, &failure):
		a.screen.printIn(colorRed, "gg: "+failure.Message+"\n")
	}
	for _, l := range left {
		a.leftover(l)
	}
}

// count fills in how much the command printed: the collector that applied the policy has seen every byte.
func (r *shellReport) count(c *policy.Collector) {
	for i, stream := range []**streamReport{&r.Stdout, &r.Stderr} {
		if *stream == nil {
			*stream = &streamReport{}
		}
		stats := c.Stats(policy.Stream(i))
		(*stream).Bytes, (*stream).Lines = stats.Bytes, stats.Lines
	}
}
