package cli

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/shell"
)

// sweep is what is done, beside the work of a command, about what a gg that was killed has left.
type sweep struct {
	looking sync.WaitGroup
	left    []shell.Leftover // complete when looking is over
	fault   error            // of the looking itself, or of those that survived

	files int           // removed because of their age; complete when the session is closed
	keep  time.Duration // that age
}

// sweeping starts to end the processes that a gg which was killed has left. Every command that runs something
// does it; Main tells what came of it.
func (a *app) sweeping(ctx context.Context, settings *config.Config) {
	a.sweep.keep = settings.Shell.Keep
	if a.Sweep == nil {
		return
	}
	a.sweep.looking.Go(func() {
		a.sweep.left, a.sweep.fault = a.Sweep(ctx)
	})
}

// tellSwept says in one line what was swept, also beside a document: it is in no outcome, because it is not of
// this run.
func (a *app) tellSwept() {
	a.sweep.looking.Wait()
	if line := a.sweep.line(); line != "" && !a.quiet {
		a.screen.printIn(colorYellow, "gg: "+line+"\n")
	}
}

// line is what was swept; empty when there was nothing.
func (s *sweep) line() string {
	var ended, survived []shell.Leftover
	for _, l := range s.left {
		if l.Fate == shell.Survived {
			survived = append(survived, l)
		} else {
			ended = append(ended, l)
		}
	}
	var swept, all []string
	if len(ended) > 0 {
		swept = append(swept, abandoned(ended))
	}
	if s.files > 0 {
		swept = append(swept, fmt.Sprintf("%s of output older than %d h", counted(s.files, "file"), s.keep/time.Hour))
	}
	if len(swept) > 0 {
		all = append(all, "swept "+strings.Join(swept, " and "))
	}
	if len(survived) > 0 {
		all = append(all, "could not kill "+abandoned(survived))
	} else if s.fault != nil { // told by those who survived
		all = append(all, "what a killed gg has left: "+s.fault.Error())
	}
	return strings.Join(all, "; ")
}

const (
	sweptNamed   = 3  // processes that are named
	sweptColumns = 40 // of a command line that are shown
)

// abandoned is a list of processes in words. Their command lines are quoted: who wrote them may have meant the
// terminal.
func abandoned(list []shell.Leftover) string {
	count, label := "1 process", "pid "
	if len(list) > 1 {
		count, label = fmt.Sprintf("%d processes", len(list)), "pids "
	}
	var named []string
	for _, l := range list[:min(len(list), sweptNamed)] {
		named = append(named, fmt.Sprintf("%d %q", l.PID, fit(l.Command, sweptColumns)))
	}
	text := label + strings.Join(named, ", ")
	if more := len(list) - sweptNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return count + " left by a gg that was killed (" + text + ")"
}
