package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

// runFlags are the flags of `gg run`.
type runFlags struct {
	place
	budget    span
	isolation isolation
	args      pairs
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE|-",
		Short: "Run a program against a workspace",
		Long: `Runs a program against a workspace: the main job.

Standard output is what a model would read: the views that the program opened, then
a message if there is something to say. Standard error is for you: the program's
value as "=> ...", its console as it comes, and on a terminal a line that tells what
it is doing. FILE is - for standard input.

A configuration decides what the program may do and how much it may use; --budget
can only lower it. In this version a program runs in this process, whatever
--isolation says.

Processes that a gg which was killed has left running are ended, and a line on standard
error says so (on Linux).`,
		Example: `  gg run script.js
  gg run --workspace ~/src/app --budget 10m script.js
  gg run --arg branch=main --arg depth=3 script.js      # gg.args.branch, gg.args.depth
  generate-program | gg run --json -`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.run(cmd.Context(), &f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.flags(flags)
	flags.Var(&f.budget, "budget", "wall clock of the run: a `TIME` such as 10m, 1h30m, 90s or 90")
	flags.Var(&f.isolation, "isolation", "where the program runs: process or none")
	flags.Var(&f.args, "arg", "`NAME=VALUE` for gg.args; give it once for each")
	jsonFlag(flags, "print the outcome as one JSON document")
	flags.BoolVar(&a.quiet, "quiet", false, "keep standard error for errors")
	return cmd
}

// run runs a program, prints its outcome, and exits as it ended.
func (a *app) run(parent context.Context, f *runFlags, file string) error {
	settings, err := a.settings(&f.place)
	if err != nil {
		return err
	}
	ctx := a.interruptible(parent)
	if file == "-" && a.StdinTerminal {
		a.remark("reading the program from the terminal; end it with Ctrl-D")
	}
	most := settings.Programs.Settings.WithDefaults().MaxSourceBytes
	program, err := a.read(ctx, file, most)
	if err != nil {
		return err
	}
	if program.cut {
		a.remark(fmt.Sprintf("%s: reading stopped after %d bytes", file, most+1))
	}
	wall := time.Duration(f.budget)
	if allowed := settings.Limits.MaxRuntime; wall > allowed {
		a.remark(fmt.Sprintf("--budget %v is more than the configuration allows; %v holds", wall, allowed))
	}
	a.sweeping(ctx, settings)
	sink, stopFollowing := a.follow()
	defer stopFollowing()
	session, err := a.session(ctx, &f.place, local.Config{Config: settings, Events: sink})
	if err != nil {
		return err
	}
	defer session.Close(context.WithoutCancel(ctx)) // on the way out of an error; else it is closed by then
	rt, err := runtime.New(runtime.Config{Isolation: gg.Isolation(f.isolation), Console: a.console()})
	if err != nil {
		return internal(err)
	}
	outcome, err := rt.Run(ctx, session, runtime.Program{
		Name: program.name, Source: program.text, Args: f.args.values, Run: gg.RunInfo{Wall: wall},
	})
	closing := errors.Join(rt.Close(context.WithoutCancel(ctx)), session.Close(context.WithoutCancel(ctx)))
	stopFollowing()
	if err != nil {
		return internal(err)
	}
	code := exitOf(outcome)
	if i := interrupted(ctx); i != nil && outcome.Status == runtime.Canceled {
		code = exitSignal + i.number
	}
	if a.json {
		err = a.document(outcome)
	} else {
		err = a.print(outcome.ModelText())
		a.account(program.name, outcome)
	}
	if err == nil && closing != nil {
		err = internal(closing)
	}
	if err != nil {
		return err
	}
	return status(code)
}

// remark tells the person something about the command line.
func (a *app) remark(text string) {
	if !a.quiet && !a.json {
		a.screen.printIn(colorYellow, "gg: "+text+"\n")
	}
}

// console shows a program's console as it comes.
func (a *app) console() func(runtime.ConsoleLine) {
	if a.quiet || a.json {
		return nil
	}
	return func(line runtime.ConsoleLine) {
		color := map[string]string{"warn": colorYellow, "error": colorRed, "debug": colorDim}[line.Level]
		a.screen.printIn(color, line.Text+"\n")
	}
}

// valueChars is the most of a program's value that is shown to a person: a screenful.
const valueChars = 2000

// account tells the person what the model does not read: the value, the summary, where it failed, and what
// an operator should know.
func (a *app) account(name string, o *runtime.Outcome) {
	if a.quiet {
		return
	}
	if len(o.Value) > 0 {
		text := string(o.Value)
		if n := utf8.RuneCountInString(text); n > valueChars {
			text = string([]rune(text)[:valueChars]) + fmt.Sprintf("… (%d more characters; --json has all of it)", n-valueChars)
		}
		a.screen.print("=> " + text + "\n")
	}
	if o.Finish != nil {
		a.screen.print("finish: " + strings.TrimSpace(*o.Finish) + "\n")
	}
	if e := o.Error; e != nil {
		a.screen.printIn(colorRed, "gg: "+at(name, e.Line, e.Column)+": "+headline(e)+"\n")
	}
	for _, r := range o.UnhandledRejections {
		a.screen.printIn(colorYellow, "gg: "+at(name, r.Line, r.Column)+": unhandled rejection: "+r.Message+"\n")
	}
	a.warn(o.Warnings)
	for _, left := range o.Background {
		a.leftover(left)
	}
	if o.ConsoleDropped > 0 {
		a.screen.print(fmt.Sprintf("gg: %d bytes of console output are not in the outcome\n", o.ConsoleDropped))
	}
}

// warn tells of what an operator should know.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		a.screen.printIn(colorYellow, "gg: warning: "+w+"\n")
	}
}

// leftover tells of a process that outlived its command, and of its fate.
func (a *app) leftover(l gg.Leftover) {
	a.screen.print(fmt.Sprintf("gg: left running: %d %s (%s)\n", l.PID, l.Command, l.Fate))
}

// at is a place as editors understand it: `reply.js:3:14`, or the name alone when the place is not known.
func at(name string, line, column int) string {
	if line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}

// headline is why a run ended otherwise than well, in one line: a message may have several.
func headline(e *runtime.Failure) string {
	first, _, _ := strings.Cut(e.Headline(), "\n")
	return first
}
