//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package shell

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const firstRealTime = 65 // the real-time signals of these systems, where there are any, begin here

// startLeader starts the process and arranges for its exit to be seen without reaping it.
func startLeader(inv invocation, attr *syscall.ProcAttr) (*leader, error) {
	pid, err := fork(inv, attr)
	if err != nil {
		return nil, err
	}
	l := &leader{pid: pid, exit: -1}
	if l.exit, err = exitDescriptor(pid); err != nil {
		l.kill()
		l.reap()
		return nil, err
	}
	return l, nil
}

// exitDescriptor returns a descriptor that becomes readable when the child pid ends: a kernel queue that
// waits for this one event.
func exitDescriptor(pid int) (int, error) {
	queue, err := unix.Kqueue()
	if err != nil {
		return -1, os.NewSyscallError("kqueue", err)
	}
	unix.CloseOnExec(queue)
	var exit [1]unix.Kevent_t
	unix.SetKevent(&exit[0], pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	exit[0].Fflags = unix.NOTE_EXIT
	_, err = unix.Kevent(queue, exit[:], nil, nil)
	if err == nil {
		return queue, nil
	}
	unix.Close(queue)
	if err != unix.ESRCH {
		return -1, os.NewSyscallError("kevent", err)
	}
	return readable() // it has ended already
}

// readable returns a descriptor that is at its end.
func readable() (int, error) {
	f, err := os.Open(nullDevice)
	if err != nil {
		return -1, err
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	return fd, os.NewSyscallError("fcntl", err)
}

// forget has the leader reaped: nobody here keeps a list of children.
func (l *leader) forget(reap func()) { reap() }

func sealDescriptors() { sealEach("/dev/fd") }

// emptySignalMask would unblock every signal for the command; the mask is within reach on Linux only.
func emptySignalMask() func() { return func() {} }
