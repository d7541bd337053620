//go:build unix

package shell

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// leader is the shell of a command: the first process of its session and group. Its number, and with it
// those of the session and the group, is its own until reap: nothing may be signalled by number after that.
type leader struct {
	pid    int
	exit   int // becomes readable when it ends
	reaped bool
}

// ending is how a shell ended.
type ending struct {
	exitCode int
	signal   string
	cpu      time.Duration
	peakRSS  int64
}

// launch starts inv with the three descriptors.
func launch(inv invocation, stdin, stdout, stderr uintptr) (*leader, error) {
	// Descriptors that this process inherited, or got from code that does not mark them, are not the
	// command's business.
	sealDescriptors()
	attr := &syscall.ProcAttr{
		Dir:   inv.dir,
		Env:   inv.env,
		Files: []uintptr{stdin, stdout, stderr},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	l, err := startLeader(inv, attr)
	if err != nil {
		return nil, whyNotLaunched(inv, err)
	}
	return l, nil
}

// fork starts the process with the signals as a program expects them: nothing blocked, SIGPIPE not ignored.
func fork(inv invocation, attr *syscall.ProcAttr) (int, error) {
	defer defaultSIGPIPE()()
	defer emptySignalMask()()
	return syscall.ForkExec(inv.path, inv.argv, attr)
}

// whyNotLaunched finds out which of the two paths an error of fork and exec is about.
func whyNotLaunched(inv invocation, err error) error {
	if dirErr := unusableDir(inv.dir); dirErr != nil {
		return dirErr
	}
	return &LaunchError{What: "interpreter", Path: inv.path, Err: err}
}

// unusableDir says what is wrong with dir as a working directory; nil: nothing.
func unusableDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
	case !info.IsDir():
		err = syscall.ENOTDIR
	default:
		err = unix.Faccessat(unix.AT_FDCWD, dir, unix.X_OK, unix.AT_EACCESS)
	}
	if err != nil {
		return &LaunchError{What: "working directory", Path: dir, Err: plain(err)}
	}
	return nil
}

// plain is err without an operation and a path: a *LaunchError names the path.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// ask tells the process group to end, also one that has been suspended.
func (l *leader) ask() {
	l.signalGroup(syscall.SIGTERM)
	l.signalGroup(syscall.SIGCONT)
}

// kill ends the process group.
func (l *leader) kill() { l.signalGroup(syscall.SIGKILL) }

// signalGroup does nothing once the group's number may be another's.
func (l *leader) signalGroup(sig syscall.Signal) {
	if !l.reaped {
		syscall.Kill(-l.pid, sig)
	}
}

// reap takes the exit status of the ended leader and gives its number back.
func (l *leader) reap() ending {
	l.reaped = true
	var status syscall.WaitStatus
	var used syscall.Rusage
	var err error
	l.forget(func() {
		for {
			if _, err = syscall.Wait4(l.pid, &status, 0, &used); err != syscall.EINTR {
				return
			}
		}
	})
	l.unwatch()
	if err != nil {
		// Somebody in this process waits for children that are not his, and the status is gone. Whatever is
		// said instead must not be success.
		return ending{exitCode: math.MaxUint8}
	}
	e := ending{
		exitCode: status.ExitStatus(),
		cpu:      time.Duration(used.Utime.Nano() + used.Stime.Nano()),
		peakRSS:  int64(used.Maxrss) * rssUnit,
	}
	if status.Signaled() {
		e.exitCode = 128 + int(status.Signal())
		e.signal = signalName(status.Signal())
	}
	return e
}

// abandon gives up a leader that does not end although it was killed: it waits in the kernel, for a dead
// network file system say. It is reaped by a goroutine that nobody waits for, because nobody could.
func (l *leader) abandon() ending {
	l.reaped = true // by us, as far as signals are concerned
	go func() {
		syscall.Wait4(l.pid, nil, 0, nil)
		l.forget(func() {})
		unix.Close(l.exit)
	}()
	return ending{exitCode: 128 + int(syscall.SIGKILL), signal: "SIGKILL"}
}

// unwatch gives back the descriptor that has told of the exit. The leader stays unreaped.
func (l *leader) unwatch() {
	if l.exit >= 0 {
		unix.Close(l.exit)
		l.exit = -1
	}
}

// release gives up what reap has not; nothing here.
func (l *leader) release() {}

// populated reports whether the group is known to have members when they cannot be listed; here they can.
func (l *leader) populated() bool { return false }

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return realTimeName(int(s))
}

// peakRSS is the largest resident set this process has had so far, in bytes.
func peakRSS() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return math.MaxInt64 - peakSlack
	}
	return int64(used.Maxrss) * rssUnit
}

// askMembers tells the members outside the group of l, which has been told already, to end. l may be nil.
func askMembers(members []member, l *leader) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGCONT} {
		signalMembers(members, l, sig)
	}
}

// killMembers ends the members outside the group of l. l may be nil.
func killMembers(members []member, l *leader) { signalMembers(members, l, syscall.SIGKILL) }

func signalMembers(members []member, l *leader, sig syscall.Signal) {
	for _, m := range members {
		if l == nil || m.group != l.pid {
			m.signal(sig)
		}
	}
}
