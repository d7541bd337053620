//go:build unix && !linux

package capture

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// openPipe returns a pipe with a non-blocking read end. The write end blocks, as programs expect of
// their standard output: each end has flags of its own.
func openPipe() (r, w int, err error) {
	var fds [2]int
	// No pipe2 everywhere: the lock keeps a fork of somebody else from inheriting the ends meanwhile.
	syscall.ForkLock.RLock()
	err = unix.Pipe(fds[:])
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return -1, -1, err
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return -1, -1, err
	}
	return fds[0], fds[1], nil
}

// fionread is FIONREAD, which x/sys does not export for every system: _IOR('f', 127, int) on all the BSDs.
const fionread = 0x4004667f

// waiting is how many bytes are in the pipe.
func waiting(fd int) (int, error) { return unix.IoctlGetInt(fd, fionread) }

// openWake returns the ends of the wake-up call: a pipe.
func openWake() (r, w int, err error) {
	if r, w, err = openPipe(); err != nil {
		return -1, -1, err
	}
	// A full pipe wakes as well: no caller of Wake may ever wait.
	if err := unix.SetNonblock(w, true); err != nil {
		unix.Close(r)
		unix.Close(w)
		return -1, -1, err
	}
	return r, w, nil
}

func signalWake(fd int) { unix.Write(fd, []byte{1}) }

func clearWake(fd int) {
	var b [64]byte
	for {
		if n, err := unix.Read(fd, b[:]); err != nil || n < len(b) {
			return
		}
	}
}
