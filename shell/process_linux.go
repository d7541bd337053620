package shell

import (
	"math"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	rssUnit       = 1 << 10 // ru_maxrss counts KiB
	firstRealTime = 34      // SIGRTMIN, after the two the C library keeps for itself
)

// startLeader starts the process, registers it as ours to wait for, and arranges for its exit to be seen
// without reaping it.
func startLeader(inv invocation, attr *syscall.ProcAttr) (*leader, error) {
	l := &leader{exit: -1}
	attr.Sys.PidFD = &l.exit
	err := adopting.birth(func() (int, error) {
		var err error
		l.pid, err = fork(inv, attr)
		return l.pid, err
	})
	if err != nil {
		return nil, err
	}
	if l.exit < 0 || withoutPidfd {
		if err := l.watchExit(); err != nil {
			l.kill()
			l.reap()
			return nil, err
		}
	}
	return l, nil
}

// withoutPidfd lets a test take the way of kernels before 5.3 and of sandboxes without pidfds.
var withoutPidfd = false

// watchExit makes l.exit readable, by its end of file, when the process ends.
func (l *leader) watchExit() error {
	if l.exit >= 0 {
		unix.Close(l.exit)
		l.exit = -1
	}
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return os.NewSyscallError("pipe", err)
	}
	l.exit = fds[0]
	pid := l.pid
	go func() { // ends with the process
		for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
		unix.Close(fds[1])
	}()
	return nil
}

// sealDescriptors marks every descriptor above 2 close-on-exec.
func sealDescriptors() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		sealEach("/proc/self/fd") // before Linux 5.11
	}
}

// forget gives up the leader's registration, and has it reaped.
func (l *leader) forget(reap func()) { adopting.death(l.pid, reap) }

// emptySignalMask unblocks every signal for a process that is forked on this goroutine before the returned
// function is called: a blocked SIGTERM would be inherited by every command.
func emptySignalMask() func() {
	runtime.LockOSThread() // the mask is the thread's
	var empty, old unix.Sigset_t
	if unix.PthreadSigmask(unix.SIG_SETMASK, &empty, &old) != nil || old == empty {
		return runtime.UnlockOSThread
	}
	return func() {
		unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil)
		runtime.UnlockOSThread()
	}
}
