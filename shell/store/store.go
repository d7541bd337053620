// Package store keeps what commands print: a directory of file pairs, one file for each of the two
// streams of a command, written while the command runs.
//
//	dir, err := store.New(store.Config{Path: "/tmp/gg-shell"})
//	if err != nil {
//		return err
//	}
//	defer dir.Close()
//	pair, err := dir.Create()       // cmd-41-0003.stdout and cmd-41-0003.stderr
//	if err != nil {
//		return err                  // a *store.Error: the directory and why
//	}
//	defer pair.Close()
//	pair.Stdout.Append([]byte("building\n"))
//	fmt.Println(pair.Stdout.Path(), pair.Stdout.Stored(), pair.Stdout.Short())
//
// A file that cannot take more, because the disk is full or is to keep a reserve, stops growing and says why;
// nobody who prints is disturbed by it. What it holds is then the beginning of the stream, byte for byte.
//
// # Who else may be in the directory
//
// It usually lies in a directory that everybody can write to, so nothing in it is trusted that is not
// ours: it must be a real directory, owned by this user, closed to all others (0700); files are created by
// descriptor, exclusively, and never by following a link (0600). Any number of processes may share it, also
// from containers where all of them have the same process number.
//
// Files older than Config.KeepHours go when a process uses the directory for the first time, except those of
// a process that is alive. Alive is who holds a lock, not whose number exists: a number means nothing to
// somebody in another container.
//
// The directory and the files can go, or be replaced, at any time: by a command, for one. Whoever has a pair writes on
// without being led astray, File.Verify tells whether there is something to be found at the path, and the
// next Create makes, or judges, the directory again.
//
// # What is not promised
//
// Nothing is flushed to the medium: the files are to be read soon, and on the same machine. The reserve is
// kept against what is written here, not against others: somebody else may fill the disk. On file
// systems without locks age alone decides about sweeping.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"
)

// Config says where the files go and how much of them there may be. The zero Config is usable.
type Config struct {
	// Path is the directory; it is created when it is first needed, its parents too. Empty: /tmp/gg-shell
	// (on Windows gg-shell in the directory for temporary files). If it belongs to another user, the path
	// with "-<uid>" appended takes its place.
	Path string

	// ReserveBytes is how much of the file system stays free: writing stops before less would be left.
	// 0: the smaller of 1 GiB and a twentieth of the file system.
	ReserveBytes int64

	// MaxStreamBytes is the largest a file may become. 0: no limit.
	MaxStreamBytes int64

	// KeepHours is the age, counted from the last write, beyond which files are swept. 0: DefaultKeepHours.
	KeepHours int

	// Swept, when set, is told how many files were removed because of their age, once they are; not when there were
	// none. It is called at most once, before Close returns, by another goroutine.
	Swept func(files int)

	// Now tells the age of files. Nil: time.Now.
	Now func() time.Time
}

// DefaultKeepHours is a week: long enough to come back to yesterday's session after a weekend.
const DefaultKeepHours = 7 * 24

// maxReserve and reserveShare make the default of Config.ReserveBytes.
const (
	maxReserve   = 1 << 30
	reserveShare = 20
)

// Error is why a pair could not be created.
type Error struct {
	Path string // the directory
	Err  error
}

func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// ErrClosed is what Create returns, inside an *Error, after Close.
var ErrClosed = errors.New("the store is closed")

// Dir is one directory. It is safe for concurrent use, and costs nothing until the first Create.
type Dir struct {
	config Config

	mu     sync.Mutex
	handle *handle // nil until the first Create
	closed bool
	credit int64 // bytes that may be written before the file system is asked again

	sweeps sync.WaitGroup
	stop   chan struct{} // closed by Close: ends a sweep early
}

// New returns the Dir for c, or an error that names every defect of c. It does not touch the disk.
func New(c Config) (*Dir, error) {
	var defects []error
	negative := func(name string, n int64) {
		if n < 0 {
			defects = append(defects, fmt.Errorf("%s: got %d, want 0 or more", name, n))
		}
	}
	negative("ReserveBytes", c.ReserveBytes)
	negative("MaxStreamBytes", c.MaxStreamBytes)
	negative("KeepHours", int64(c.KeepHours))
	if c.Path == "" {
		c.Path = defaultPath()
	}
	// A relative path would mean another directory after a change of the working directory, and the
	// paths are for somebody who works in another one anyway.
	path, err := filepath.Abs(c.Path)
	if err != nil {
		defects = append(defects, fmt.Errorf("Path: %q: %w", c.Path, err))
	}
	c.Path = path
	if c.KeepHours == 0 {
		c.KeepHours = DefaultKeepHours
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := errors.Join(defects...); err != nil {
		return nil, err
	}
	return &Dir{config: c, stop: make(chan struct{})}, nil
}

// Path is the directory in use: Config.Path until the first Create, which may have to move aside.
func (d *Dir) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.handle != nil {
		return d.handle.path
	}
	return d.config.Path
}

// Create makes the next pair of files. Its error is an *Error.
func (d *Dir) Create() (p *Pair, err error) {
	// Somebody may remove the directory at any moment, also between one step here and the next.
	for range maxRemovals {
		if p, err = d.createNow(); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return p, err
}

// maxRemovals is how often in a row one pair can find its directory gone: who removes it again and again has
// his way.
const maxRemovals = 4

func (d *Dir) createNow() (*Pair, error) {
	h, err := d.open()
	if err != nil {
		return nil, err
	}
	defer h.release()
	p, err := d.create(h)
	if err != nil {
		return nil, &Error{Path: h.path, Err: err}
	}
	return p, nil
}

// open returns the directory, verified now, with a hold on it that the caller releases.
func (d *Dir) open() (*handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, &Error{Path: d.config.Path, Err: ErrClosed}
	}
	// Commands can remove the directory, or put another in its place: the path is what readers are
	// given, so it must still lead to what is held.
	if d.handle != nil && !d.handle.current() {
		d.handle.release()
		d.handle = nil
	}
	if d.handle == nil {
		h, err := openHandle(d.config.Path)
		if err != nil {
			return nil, err
		}
		d.handle, d.credit = h, 0
		d.sweepOnce(h)
	}
	d.handle.hold()
	return d.handle, nil
}

// Close releases the directory, its lock included, and waits for a sweep that is going on. Pairs that are
// still open stay usable, but are no longer protected from other processes' sweeping.
func (d *Dir) Close() error {
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.stop)
		if d.handle != nil {
			d.handle.release()
		}
	}
	d.mu.Unlock()
	d.sweeps.Wait()
	return nil
}
