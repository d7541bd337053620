package cli

import (
	"os"

	"golang.org/x/term"

	"github.com/responses-as-code/gg/shell"
)

// letBe leaves the signals as they are: the process is about to exit, and to give them back their effects
// takes longer than many a run (signal.Stop waits for the thread that delivers signals, once for each).
func letBe() {}

// Process is the World of this process.
func Process() World {
	dir, _ := os.Getwd() // a directory that is gone is found out by whoever uses it
	stderr := int(os.Stderr.Fd())
	return World{
		Args: os.Args[1:], Env: os.Environ(), Dir: dir,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(stderr),
		Columns: func() int {
			if columns, _, err := term.GetSize(stderr); err == nil && columns > 0 {
				return columns
			}
			return 80
		},
		Signals:   stopSignals,
		Exit:      os.Exit,
		Subreaper: true,
		Sweep:     shell.SweepAbandoned,
	}
}
