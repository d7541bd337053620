//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals delivers the signals that stop this process's run, to its end. One that was ignored when the process started stays
// ignored: nohup and a shell's background jobs ask for that.
func stopSignals() (<-chan os.Signal, func()) {
	var list []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	signals := make(chan os.Signal, 2)
	if len(list) > 0 {
		signal.Notify(signals, list...)
	}
	// A reader that goes away must not kill this process while a command runs under it: with a handler, the
	// write fails instead.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	return signals, letBe
}

// signalName is the name of a signal that stops a run, and its number.
func signalName(s os.Signal) (string, int) {
	switch s {
	case syscall.SIGINT:
		return "SIGINT", int(syscall.SIGINT)
	case syscall.SIGHUP:
		return "SIGHUP", int(syscall.SIGHUP)
	default:
		return "SIGTERM", int(syscall.SIGTERM)
	}
}
