//go:build !unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals delivers what stops this process's run, to its end: Ctrl-C, and the end of the session.
func stopSignals() (<-chan os.Signal, func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return signals, letBe
}

// signalName is the name of a signal that stops a run, and its number.
func signalName(s os.Signal) (string, int) {
	if s == os.Interrupt {
		return "SIGINT", int(syscall.SIGINT)
	}
	return "SIGTERM", int(syscall.SIGTERM)
}
