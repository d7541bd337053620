// Package cli is the command line of gg: the commands, their flags, what they print and how they exit.
//
//	os.Exit(cli.Main(cli.Process()))
//
// Everything the world gives a command (arguments, environment, working directory, standard streams,
// terminal, clock, signals) comes in through one [World], so that a test can be the world.
//
// # Conventions
//
// Standard output is what a model would read, standard error is for the person: the value of a program as
// `=> …`, its console as it comes, a progress line on a terminal for whatever takes longer than a second.
//
// With --json, standard output is exactly one JSON document, whatever happens, and standard error keeps
// nothing but the progress line, and a line about what a gg that was killed had left, if it had. A command that did its work prints its result: `gg run` the outcome. One that
// could not prints
//
//	{"error": {"code": "usage", "message": "unknown flag --jsno; did you mean --json?"}}
//
// where code is `usage` (64), `internal` (70), `configuration` (78, with `defects`), `interrupted` (with
// `signal`), or for a call that failed the code of its error.
//
// # What is not promised
//
// The texts on standard error are for people and may change; scripts read --json and exit codes.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/responses-as-code/gg/shell"
)

// World is everything a command gets from outside.
type World struct {
	Args []string // without the program's name
	Env  []string // NAME=value
	Dir  string   // the working directory, absolute

	Stdin          io.Reader
	Stdout, Stderr io.Writer
	StdinTerminal  bool       // standard input is a terminal
	StdoutTerminal bool       // standard output is a terminal
	StderrTerminal bool       // standard error is a terminal
	Columns        func() int // how wide the terminal of standard error is; 80 when nil

	// Signals starts to deliver the signals that stop a run; stop is called when everything is printed. Nil:
	// there are none.
	Signals func() (signals <-chan os.Signal, stop func())
	// Exit ends the process at once, for a second signal.
	Exit func(code int)

	Now  func() time.Time                                          // time.Now when nil
	Tick func(time.Duration) (ticks <-chan time.Time, stop func()) // of a time.Ticker when nil

	// Subreaper makes the process adopt the orphans of commands, so that none survives.
	Subreaper bool

	// Sweep ends what processes of gg that were killed have left; see shell.SweepAbandoned. Nil: nobody does.
	Sweep func(context.Context) ([]shell.Leftover, error)
}

// app is one command being carried out.
type app struct {
	World
	json   bool // --json
	quiet  bool // --quiet
	screen *screen
	sweep  sweep
	over   func() // when everything is printed
}

// Main carries out one command and returns the exit code of the process.
func Main(w World) (code int) {
	a := newApp(w)
	defer func() { a.over() }()
	defer func() {
		if x := recover(); x != nil {
			code = a.fail(&failure{code: exitInternal, kind: kindInternal,
				message: fmt.Sprintf("panic: %v\n%s", x, strings.TrimSpace(string(debug.Stack())))})
		}
	}()
	err := a.execute(context.Background())
	a.tellSwept()
	return a.fail(err)
}

func newApp(w World) *app {
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Columns == nil {
		w.Columns = func() int { return 80 }
	}
	if w.Tick == nil {
		w.Tick = func(d time.Duration) (<-chan time.Time, func()) {
			ticker := time.NewTicker(d)
			return ticker.C, ticker.Stop
		}
	}
	a := &app{World: w, json: asksForJSON(w.Args), over: func() {}}
	dumb := w.variable("TERM") == "dumb"
	a.screen = &screen{
		out: w.Stderr, columns: w.Columns, terminal: w.StderrTerminal, redraws: w.StderrTerminal && !dumb,
		colors: w.StderrTerminal && !dumb && w.variable("NO_COLOR") == "",
	}
	return a
}

// asksForJSON looks for --json before any flag is parsed: a command line that cannot be parsed is refused
// in JSON as well.
func asksForJSON(args []string) (asked bool) {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg+"=true", "--json="); ok {
			asked, _ = strconv.ParseBool(strings.TrimSuffix(value, "=true"))
		}
	}
	return asked
}

// jsonFlag defines --json, which asksForJSON has read already.
func jsonFlag(flags *pflag.FlagSet, usage string) { flags.Bool("json", false, usage) }

// variable is an environment variable, empty when it is not set.
func (w *World) variable(name string) string {
	for _, entry := range w.Env {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// path makes a path of a person's absolute.
func (w *World) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Dir, name)
}
