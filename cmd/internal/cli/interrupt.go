package cli

import (
	"context"
	"errors"
	"os"
)

// interrupt is a signal that stopped a command.
type interrupt struct {
	name   string
	number int
}

func (i *interrupt) Error() string { return "interrupted by " + i.name }

// interruptible returns a context that the first signal ends; a second one ends the process. It holds until
// everything is printed: a.over ends it.
func (a *app) interruptible(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	a.over = func() { cancel(nil) }
	if a.Signals == nil {
		return ctx
	}
	signals, stop := a.Signals()
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		stopped := false
		for {
			select {
			case s := <-signals:
				i := newInterrupt(s)
				if stopped {
					a.screen.erase()
					a.Exit(exitSignal + i.number)
				}
				stopped = true
				cancel(i)
			case <-over:
				return
			}
		}
	}()
	a.over = func() {
		close(over)
		<-gone
		stop()
		cancel(nil)
	}
	return ctx
}

func newInterrupt(s os.Signal) *interrupt {
	name, number := signalName(s)
	return &interrupt{name, number}
}

// interrupted returns the signal that ended ctx, nil when none has.
func interrupted(ctx context.Context) *interrupt {
	var i *interrupt
	errors.As(context.Cause(ctx), &i)
	return i
}

// failure is that of a command which the signal stopped before there was anything to print.
func (i *interrupt) failure() *failure {
	return &failure{code: exitSignal + i.number, kind: kindInterrupted, message: i.Error(), signal: i.name}
}
