package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
)

// Pair is the two files of one command.
type Pair struct {
	Stdout, Stderr *File
}

// Close closes both files; they stay where they are.
func (p *Pair) Close() {
	p.Stdout.close(false)
	p.Stderr.close(false)
}

// Discard closes both files and removes them: nobody has been told of them.
func (p *Pair) Discard() {
	p.Stdout.close(true)
	p.Stderr.close(true)
}

// Verify verifies both files and reports whether both are where their paths say.
func (p *Pair) Verify() bool {
	stdout, stderr := p.Stdout.Verify(), p.Stderr.Verify()
	return stdout && stderr
}

// Reasons for File.Short besides those of the operating system.
const (
	shortReserve  = "disk reserve reached"
	shortFull     = "no space left on device" // in the words of a write that is told so
	shortLimit    = "size limit reached"
	shortRemoved  = "file removed"
	shortReplaced = "file replaced"
	shortChanged  = "file changed by others"
)

// File is one stream on disk. It is safe for concurrent use.
type File struct {
	path string
	dir  *Dir
	from *handle // asked for the free space

	mu     sync.Mutex
	out    output
	closed bool
	lost   bool // Verify did not find it
	stored int64
	short  string
}

// Path is the file's absolute path.
func (f *File) Path() string { return f.path }

// Stored is how many bytes of what was appended the file holds; 0 once Verify has found it lost.
func (f *File) Stored() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stored
}

// Short is why the file holds only the beginning of what was appended, as in "disk reserve reached" or
// "no space left on device". It is empty as long as the file is complete.
func (f *File) Short() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.short
}

// Append writes b to the end of the file, or as much of it as there is room for. Once something could not be
// written, nothing is any more: the file is a beginning of the stream, without gaps.
func (f *File) Append(b []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.short != "" || f.closed || len(b) == 0 {
		return
	}
	room, short := int64(len(b)), ""
	if most := f.dir.config.MaxStreamBytes; most > 0 && room > most-f.stored {
		room, short = most-f.stored, shortLimit
	}
	if got, why := f.dir.take(f.from, room); got < room {
		room, short = got, why
	}
	n, err := f.out.write(b[:room])
	f.stored += int64(n)
	f.short = short
	if err != nil {
		f.short = reason(err)
	}
}

// reason is the error without the path, which stands beside it already.
func reason(err error) string {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

var errReplaced = errors.New("another file is there")

// Verify looks whether the path still leads to the file, and the file still has what was appended, and
// reports it. A command can remove, rename, replace or empty the file, or the directory, as its user can. Once that is
// found the file counts as lost: Stored is 0, Short says why, and nothing is written to it any more. After
// Close it only repeats what it has reported.
func (f *File) Verify() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.lost {
		return !f.lost
	}
	size, err := f.out.sizeAt(f.path)
	why := ""
	switch {
	case errors.Is(err, errReplaced):
		why = shortReplaced
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		why = shortRemoved
	case err != nil:
		why = reason(err)
	// A write that failed may have left more behind than it owned up to.
	case size < f.stored, size > f.stored && f.short == "":
		why = shortChanged
	}
	if why != "" {
		f.lost, f.stored, f.short = true, 0, why
	}
	return !f.lost
}

func (f *File) close(remove bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	f.out.close()
	if remove {
		f.from.remove(filepath.Base(f.path))
	}
	f.from.release()
}

// sequence numbers the pairs of this process, over all directories: a number names one command of it.
var sequence atomic.Int64

// process is this process's number. Asking for it is a system call each time, and it does not change.
var process = os.Getpid()

// create makes a pair under the next number that is free for both files. Taken ones belong to a process
// with our number in another container, or before us.
func (d *Dir) create(h *handle) (*Pair, error) {
	for {
		name := fmt.Sprintf("cmd-%d-%04d", process, sequence.Add(1)-1)
		stdout, err := h.create(name + ".stdout")
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, plain(err)
		}
		stderr, err := h.create(name + ".stderr")
		if err != nil {
			stdout.close()
			h.remove(name + ".stdout")
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return nil, plain(err)
		}
		return &Pair{
			Stdout: d.file(h, name+".stdout", stdout),
			Stderr: d.file(h, name+".stderr", stderr),
		}, nil
	}
}

func (d *Dir) file(h *handle, name string, out output) *File {
	h.hold()
	return &File{path: h.path + string(filepath.Separator) + name, dir: d, from: h, out: out}
}

// plain is err without an operation and a path: an *Error names the directory.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
