package writeorder

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
)

// writeSignal tells of a write: a real-time signal, because those are queued one by one. Any would do that
// nobody else in the process uses; the C library and the Go runtime keep to the lowest.
const writeSignal = 60

// overflowSignal is what the kernel sends instead when the user's queue of signals is full.
const overflowSignal = unix.SIGIO

// Watch tells of every write into some pipes, in the order of the writes. It has a thread of its own, which
// blocks the two signals and never runs anything but what is given to Do: no other thread and no process
// inherits its mask, unless it is started there.
type Watch struct {
	tid  int
	fd   int    // the signalfd: what it says depends on the thread that reads it
	fds  [2]int // the pipes' read ends by stream; -1: none
	buf  [batch]unix.SignalfdSiginfo
	jobs chan job
	over chan struct{} // closed when the thread is gone

	// Lost is set by Listen when the kernel could not queue an announcement.
	Lost bool
}

// job is something to do on the thread. done gets what it panicked with, or nil; it may be nil.
type job struct {
	do   func()
	done chan any
}

// batch is how many announcements are read at once.
const batch = 128

// errNotHere is the error of Start where the kernel does not tell of writes in the way this package needs.
var errNotHere = errors.New("this system does not announce writes")

// Start starts the thread.
func Start() (*Watch, error) {
	w := &Watch{fds: [2]int{-1, -1}, jobs: make(chan job), over: make(chan struct{})}
	ready := make(chan error)
	go w.run(ready)
	if err := <-ready; err != nil {
		<-w.over
		return nil, err
	}
	return w, nil
}

// run is the thread. It is given back as it was: to end with it could take the process's first one away.
func (w *Watch) run(ready chan<- error) {
	defer close(w.over)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var set unix.Sigset_t
	for _, sig := range []unix.Signal{writeSignal, overflowSignal} {
		bits := uint(unsafe.Sizeof(set.Val[0]) * 8)
		set.Val[uint(sig-1)/bits] |= 1 << (uint(sig-1) % bits)
	}
	var before unix.Sigset_t
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &set, &before); err != nil {
		ready <- err
		return
	}
	defer unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	var err error
	w.tid = unix.Gettid()
	if w.fd, err = unix.Signalfd(-1, &set, unix.SFD_NONBLOCK|unix.SFD_CLOEXEC); err != nil {
		ready <- err
		return
	}
	defer unix.Close(w.fd)
	// What is still queued at the end would be delivered to the process.
	defer w.Listen(math.MaxInt, func(policy.Stream) {})
	if !works(w) {
		ready <- errNotHere
		return
	}
	ready <- nil
	for j := range w.jobs {
		j.run()
	}
}

func (j job) run() {
	if j.done == nil {
		j.do()
		return
	}
	defer func() { j.done <- recover() }()
	j.do()
}

// Do runs f on the thread and waits for it. f alone may call Listen.
func (w *Watch) Do(f func()) {
	done := make(chan any, 1)
	w.jobs <- job{f, done}
	if p := <-done; p != nil {
		panic(p)
	}
}

// Reset stops watching, and lets the thread forget what it has not been asked for before it calls idle: then it can
// watch other pipes, whatever numbers these have. It does not wait.
func (w *Watch) Reset(idle func()) {
	for s := range w.fds {
		w.Remove(policy.Stream(s))
	}
	w.jobs <- job{do: func() {
		w.Listen(math.MaxInt, func(policy.Stream) {})
		w.Lost = false
		idle()
	}}
}

// Stop ends the thread and waits for its end. Nothing else may be called any more.
func (w *Watch) Stop() {
	for s := range w.fds {
		w.Remove(policy.Stream(s))
	}
	close(w.jobs)
	<-w.over
}

// FD becomes readable, for the thread of the Watch, when a write has been made.
func (w *Watch) FD() int { return w.fd }

// owner is struct f_owner_ex: signals go to the thread tid.
type owner struct{ kind, tid int32 }

const (
	setOwner    = 15 // F_SETOWN_EX
	setSignal   = 10 // F_SETSIG
	ownerThread = 0  // F_OWNER_TID
)

// Add watches the pipe with the read end fd, which becomes non-blocking.
func (w *Watch) Add(s policy.Stream, fd int) error {
	o := owner{ownerThread, int32(w.tid)}
	if _, _, errno := unix.Syscall(unix.SYS_FCNTL, uintptr(fd), setOwner, uintptr(unsafe.Pointer(&o))); errno != 0 {
		return errno
	}
	if _, err := unix.FcntlInt(uintptr(fd), setSignal, writeSignal); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_ASYNC|unix.O_NONBLOCK); err != nil {
		return err
	}
	w.fds[s] = fd
	return nil
}

// Remove stops watching s, whose descriptor must be open: when it is closed first, Forget is what to call.
func (w *Watch) Remove(s policy.Stream) {
	if w.fds[s] >= 0 {
		unix.FcntlInt(uintptr(w.fds[s]), unix.F_SETFL, unix.O_NONBLOCK)
		w.Forget(s)
	}
}

// Forget stops watching s, whose descriptor is being closed: that number can be another file's from then on.
func (w *Watch) Forget(s policy.Stream) { w.fds[s] = -1 }

// Listen, on the thread, passes announcements that are there to told, at most most of them or a few more. It returns how many
// there were, and whether they were all.
func (w *Watch) Listen(most int, told func(s policy.Stream)) (n int, all bool) {
	const size = int(unsafe.Sizeof(unix.SignalfdSiginfo{}))
	space := unsafe.Slice((*byte)(unsafe.Pointer(&w.buf)), batch*size)
	for n < most {
		read, err := unix.Read(w.fd, space)
		if err == unix.EINTR {
			continue
		}
		if err != nil || read < size {
			return n, true
		}
		for _, info := range w.buf[:read/size] {
			if info.Signo != writeSignal {
				w.Lost = true
				continue
			}
			for s, fd := range w.fds {
				if fd >= 0 && int(info.Fd) == fd {
					told(policy.Stream(s))
					n++
				}
			}
		}
		if read < batch*size {
			return n, true
		}
	}
	return n, false
}

// proof is what is known of the kernel: whether it announces writes one by one, in order.
var proof struct {
	sync.Mutex
	known, works bool
}

// works tries the mechanism, once in a process as a rule.
func works(w *Watch) bool {
	proof.Lock()
	defer proof.Unlock()
	if !proof.known {
		proof.works, proof.known = prove(w)
	}
	return proof.works
}

// prove writes into two pipes and looks at what is announced. It proves nothing when there are no descriptors for
// that, or when the user's queue of signals is full.
func prove(w *Watch) (works, conclusive bool) {
	var ends [2][2]int
	for s := range ends {
		if unix.Pipe2(ends[s][:], unix.O_CLOEXEC) != nil {
			return false, false
		}
		defer unix.Close(ends[s][0])
		defer unix.Close(ends[s][1])
		if w.Add(policy.Stream(s), ends[s][0]) != nil {
			return false, true
		}
		defer w.Remove(policy.Stream(s))
	}
	order := []policy.Stream{0, 1, 1, 0, 1, 0, 0, 0, 1}
	for _, s := range order {
		if _, err := unix.Write(ends[s][1], newline); err != nil {
			return false, false
		}
	}
	var told []policy.Stream
	w.Listen(math.MaxInt, func(s policy.Stream) { told = append(told, s) })
	if w.Lost {
		w.Lost = false
		return false, false
	}
	return slices.Equal(told, order), true
}
