package capture

import "golang.org/x/sys/unix"

// openPipe returns a pipe with a non-blocking read end. The write end blocks, as programs expect of
// their standard output: each end has flags of its own.
func openPipe() (r, w int, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return -1, -1, err
	}
	if _, err := unix.FcntlInt(uintptr(fds[0]), unix.F_SETFL, unix.O_NONBLOCK); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return -1, -1, err
	}
	// Refused when the user's pipes use up their share (/proc/sys/fs/pipe-user-pages-soft): a quarter may
	// still be had, and 64 KiB are had already.
	for size := PipeBytes; size > 64<<10; size /= 4 {
		if _, err := unix.FcntlInt(uintptr(fds[1]), unix.F_SETPIPE_SZ, size); err == nil {
			break
		}
	}
	return fds[0], fds[1], nil
}

// waiting is how many bytes are in the pipe: TIOCINQ is the other name of FIONREAD.
func waiting(fd int) (int, error) { return unix.IoctlGetInt(fd, unix.TIOCINQ) }

// openWake returns the ends of the wake-up call: here one eventfd.
func openWake() (r, w int, err error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return fd, fd, err
}

func signalWake(fd int) { unix.Write(fd, []byte{1, 0, 0, 0, 0, 0, 0, 0}) }

func clearWake(fd int) {
	var count [8]byte
	unix.Read(fd, count[:])
}
