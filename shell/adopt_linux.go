package shell

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adopting is this process's dealings with children it did not start. Adoption is a property of a
// process, so unlike all else here it cannot belong to a Runner.
var adopting adoption

// adoption reaps orphans that the kernel gives to this process because it is their subreaper, or process 1,
// and keeps its hands off the children somebody waits for: the leaders of commands, by their number,
// and what other code has started, by its session, which is ours. A descendant of a command can never be in it.
type adoption struct {
	// births is held for reading while a child is made and written down, and for writing while it is
	// decided whose an ended child is: it may end before its number is known.
	births sync.RWMutex

	mu      sync.Mutex
	leaders map[int]bool // shells that have not been reaped
	runners int          // open ones
	reapers int          // those of them with Config.Subreaper
	set     bool         // we made the process a subreaper, and will undo it
	watch   chan struct{}
	watched chan struct{}

	on atomic.Bool
}

// begin counts an open Runner.
func (a *adoption) begin(subreaper bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.runners++
	if subreaper {
		a.reapers++
	}
	already := isSubreaper()
	if subreaper && !already {
		a.set = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
		already = a.set
	}
	if already || os.Getpid() == 1 {
		a.on.Store(true)
	}
}

// end counts a closed Runner; the last one stops watching.
func (a *adoption) end(subreaper bool) {
	a.settle()
	a.mu.Lock()
	a.runners--
	if subreaper {
		a.reapers--
	}
	if a.reapers == 0 && a.set {
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
		a.set = false
		a.on.Store(os.Getpid() == 1)
	}
	stop, done := a.watch, a.watched
	if a.runners == 0 {
		a.watch, a.watched = nil, nil
	} else {
		stop = nil
	}
	a.mu.Unlock()
	if stop != nil {
		close(stop)
		<-done
	}
}

func isSubreaper() bool {
	var is int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&is)), 0, 0, 0)
	return err == nil && is != 0
}

// active reports whether this process adopts orphans.
func (a *adoption) active() bool { return a.on.Load() }

// birth makes a child and registers it as a leader.
func (a *adoption) birth(fork func() (pid int, err error)) error {
	a.births.RLock()
	defer a.births.RUnlock()
	pid, err := fork()
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.leaders == nil {
		a.leaders = make(map[int]bool)
	}
	a.leaders[pid] = true
	return nil
}

// death forgets a leader and reaps it. It is one step to whoever decides about ended children: a
// leader that is not written down any more would be an orphan.
func (a *adoption) death(pid int, reap func()) {
	a.births.RLock()
	defer a.births.RUnlock()
	a.mu.Lock()
	delete(a.leaders, pid) // before it is reaped: its number may be the next child's at once
	a.mu.Unlock()
	reap()
}

func (a *adoption) isLeader(pid int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.leaders[pid]
}

// alone reports whether only one Runner is open, so that an orphan nobody can name is one of its, and only
// one command is running.
func (a *adoption) alone() (runner, command bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.runners == 1, a.runners == 1 && len(a.leaders) == 1
}

// hasChildren reports whether this process has any child, of whatever origin, that has not been reaped.
func (a *adoption) hasChildren() bool {
	var info unix.Siginfo
	return unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) != unix.ECHILD
}

// settle reaps the orphans that have ended.
func (a *adoption) settle() {
	if !a.active() {
		return
	}
	a.births.Lock()
	defer a.births.Unlock()
	own := unixSession()
	for {
		pid := endedChild()
		if pid <= 0 {
			return
		}
		// One of somebody who is about to reap it hides the others behind it. If it is a leader, the end of its
		// call brings us back.
		if p, ok := readStat(pid); !ok || p.session == own || a.isLeader(pid) {
			a.passOver(own)
			return
		}
		syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// passOver reaps the orphans behind a child that must be left alone.
func (a *adoption) passOver(own int) {
	for _, pid := range listProcesses() {
		p, ok := readStat(pid)
		if ok && p.dead() && p.parent == os.Getpid() && p.session != own && !a.isLeader(pid) {
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// endedChild returns the number of a child that has ended, without reaping it; 0 when there is none.
func endedChild() int {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return 0
		}
	}
	// siginfo_t begins with three ints and continues, at a pointer's alignment, with the number.
	const at = (3*4 + unsafe.Sizeof(uintptr(0)) - 1) &^ (unsafe.Sizeof(uintptr(0)) - 1)
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), at)))
}

// follow reaps orphans as they end, until the last Runner is closed. It is asked for when a command leaves
// processes behind; before that there is nothing to come.
func (a *adoption) follow() {
	if !a.active() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.watch != nil || a.runners == 0 {
		return
	}
	stop, done := make(chan struct{}), make(chan struct{})
	a.watch, a.watched = stop, done
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		defer close(done)
		defer signal.Stop(ended)
		for {
			select {
			case <-ended:
				a.settle()
			case <-stop:
				return
			}
		}
	}()
}
