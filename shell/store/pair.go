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
	p.Stdout.close()
	p.Stderr.close()
}

// Reasons for File.Short besides those of the operating system.
const (
	shortReserve = "disk reserve reached"
	shortLimit   = "size limit reached"
)

// File is one stream on disk. It is safe for concurrent use.
type File struct {
	path string
	dir  *Dir
	from *handle // asked for the free space

	mu     sync.Mutex
	file   *os.File
	stored int64
	short  string
}

// Path is the file's absolute path.
func (f *File) Path() string { return f.path }

// Stored is how many bytes the file holds.
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
	if f.short != "" || f.file == nil || len(b) == 0 {
		return
	}
	room, short := int64(len(b)), ""
	if most := f.dir.config.MaxStreamBytes; most > 0 && room > most-f.stored {
		room, short = most-f.stored, shortLimit
	}
	if got := f.dir.take(f.from, room); got < room {
		room, short = got, shortReserve
	}
	n, err := f.file.Write(b[:room])
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

func (f *File) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		f.file.Close()
		f.file = nil
		f.from.release()
	}
}

// sequence numbers the pairs of this process, over all directories: a number names one command of it.
var sequence atomic.Int64

// create makes a pair under the next number that is free for both files. Taken ones belong to a process
// with our number in another container, or before us.
func (d *Dir) create(h *handle) (*Pair, error) {
	for {
		name := fmt.Sprintf("cmd-%d-%04d", os.Getpid(), sequence.Add(1)-1)
		stdout, err := h.create(name + ".stdout")
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, plain(err)
		}
		stderr, err := h.create(name + ".stderr")
		if err != nil {
			stdout.Close()
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

func (d *Dir) file(h *handle, name string, f *os.File) *File {
	h.hold()
	return &File{path: filepath.Join(h.path, name), dir: d, from: h, file: f}
}

// plain is err without an operation and a path: an *Error names the directory.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// Discard closes both files and removes them: those of a command that could not be started.
func (p *Pair) Discard() {
	for _, f := range []*File{p.Stdout, p.Stderr} {
		f.from.remove(filepath.Base(f.path))
		f.close()
	}
}
