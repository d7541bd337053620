package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// stdinName is what FILE is called when it is `-`.
const stdinName = "stdin.js"

// program is the text of a FILE.
type program struct {
	name string // for reports: the path as the person wrote it
	text string
	cut  bool // there is more of it than a program may have
}

// read reads the text of a program, one byte more than most at the most: that is enough to see that it is
// too long. ctx ends a wait for standard input or a pipe.
func (a *app) read(ctx context.Context, file string, most int) (program, error) {
	p := program{name: file}
	if file == "-" {
		p.name = stdinName
	}
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() { // a read that never returns is left behind when ctx ends: the process is about to exit
		text, err := a.readBytes(file, int64(most)+1)
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return p, a.unreadable(file, r.err)
		}
		p.text, p.cut = string(r.text), len(r.text) > most
		return p, nil
	case <-ctx.Done():
		return p, interrupted(ctx).failure()
	}
}

func (a *app) readBytes(file string, most int64) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(io.LimitReader(a.Stdin, most))
	}
	f, err := os.Open(a.path(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errDirectory
	}
	return io.ReadAll(io.LimitReader(f, most))
}

var errDirectory = errors.New("a directory, not a program")

// unreadable says why a file cannot be read, and which one there is instead.
func (a *app) unreadable(file string, err error) error {
	if file == "-" {
		return usage("standard input: %s", reason(err))
	}
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = a.nearFile(file)
	}
	return usage("%s: %s%s", file, reason(err), hint)
}

// nearFile looks for a file of a similar name in the directory where one was expected.
func (a *app) nearFile(file string) string {
	dir, base := filepath.Split(file)
	entries, err := os.ReadDir(a.path(dir))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return nearest(base, names)
}
