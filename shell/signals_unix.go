//go:build unix

package shell

import (
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
)

// sigpipe counts the launches that need SIGPIPE not to be ignored.
var sigpipe struct {
	sync.Mutex
	launches int
	sink     chan os.Signal
}

// defaultSIGPIPE makes a process that is forked before the returned function is called start with the default
// action for SIGPIPE, without which `yes | head` is noisy or endless. An ignored signal stays ignored through exec,
// a handled one does not: so while a command is launched, a process that ignores SIGPIPE handles it, by
// doing nothing.
func defaultSIGPIPE() func() {
	sigpipe.Lock()
	defer sigpipe.Unlock()
	if sigpipe.launches == 0 {
		if !signal.Ignored(syscall.SIGPIPE) {
			return func() {}
		}
		sigpipe.sink = make(chan os.Signal, 1)
		signal.Notify(sigpipe.sink, syscall.SIGPIPE)
	}
	sigpipe.launches++
	return func() {
		sigpipe.Lock()
		defer sigpipe.Unlock()
		if sigpipe.launches--; sigpipe.launches == 0 {
			signal.Ignore(syscall.SIGPIPE)
		}
	}
}

// realTimeName names a signal that has no name of its own.
func realTimeName(n int) string {
	if n >= firstRealTime {
		return "SIGRTMIN+" + strconv.Itoa(n-firstRealTime)
	}
	return "signal " + strconv.Itoa(n)
}
