package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many symbolic links a path may lead through: Linux's own bound.
const maxLinks = 40

// place is where a path leads.
type place struct {
	real string      // absolute, without symbolic links, `.` and `..`
	info fs.FileInfo // what is there; nil if nothing is

	absent    string // the first thing on the way that is not there; "" if all of it is
	parentToo bool   // absent lies above real: the directory for it is missing as well
	directory bool   // the path can only mean a directory: it ends in a slash, say
	link      string // the target of the symbolic link that led here, as written; "" if none did
}

// resolve follows path as the kernel does, component by component. What lies outside of the reach is
// refused before it is looked at, so that a refusal does not tell what is there.
//
// A path that leads to nothing is no error here: it may be about to be written.
func (w *Workspace) resolve(op, path string) (place, error) {
	fail := func(family error, reason string, err error) (place, error) {
		return place{}, newError(family, op, path, reason, err)
	}
	switch {
	case path == "":
		return place{}, &Error{Family: ErrInvalid, Op: op, Text: "`path` must not be empty"}
	case strings.ContainsRune(path, 0):
		return fail(ErrInvalid, "holds a NUL character, which no path can", nil)
	}
	w.reach.refresh()

	var p place
	var rest string
	links, behindLink := 0, 0
	p.real, rest = w.start(path)
	for {
		name, behind := nextComponent(rest)
		if name == "" {
			break
		}
		if len(rest) <= behindLink {
			p.link = "" // it led somewhere, and this is behind it
		}
		rest = behind
		p.directory = rest != "" || name == "." || name == ".."
		switch {
		case name == ".":
			continue
		case p.absent != "" && name == "..": // to the kernel, too, `missing/..` is nothing
			return fail(ErrNotFound, noDirectory(p.absent), fs.ErrNotExist)
		case p.absent != "":
			p.real, p.parentToo = filepath.Join(p.real, name), true
			continue
		case name == "..":
			p.real, p.info = filepath.Dir(p.real), nil
			continue
		}

		next := filepath.Join(p.real, name)
		if !w.reach.passes(next) {
			return fail(ErrRefused, w.outside(p.link), nil)
		}
		info, err := w.look(op, path, next, p.link)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			p.real, p.info, p.absent = next, nil, next
		case err != nil:
			return place{}, err
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return fail(ErrIO, "leads through too many symbolic links", syscall.ELOOP)
			}
			target, err := os.Readlink(next)
			if err != nil {
				return place{}, ioError(op, path, err)
			}
			p.link, p.info, behindLink = target, nil, len(rest)
			if filepath.IsAbs(target) {
				p.real, target = w.start(target)
			}
			rest = target + rest
		case rest != "" && !info.IsDir():
			return fail(ErrNotFound, "does not exist: "+quote(next)+" is not a directory", syscall.ENOTDIR)
		default:
			p.real, p.info = next, info
		}
	}
	if !w.reach.holds(p.real) {
		return fail(ErrRefused, w.outside(p.link), nil)
	}
	if p.info == nil && p.absent == "" { // the path ended in `..`, or where it started
		info, err := w.look(op, path, p.real, p.link)
		if err != nil {
			return place{}, ioError(op, path, err)
		}
		p.info = info
	}
	return p, nil
}

// look returns what is at the absolute path at, unless that lies in one of the refused directories.
func (w *Workspace) look(op, path, at, link string) (fs.FileInfo, error) {
	if dir := w.refusedByName(at); dir != "" && !w.exempts(at) {
		return nil, newError(ErrRefused, op, path, neverOpened(dir, link), nil)
	}
	info, err := os.Lstat(at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			err = ioError(op, path, err)
		}
		return nil, err
	}
	if dir := w.refusedByIdentity(info); dir != "" {
		return nil, newError(ErrRefused, op, path, neverOpened(dir, link), nil)
	}
	return info, nil
}

// start returns the directory without symbolic links at which path starts, and what is left to follow.
func (w *Workspace) start(path string) (at, rest string) {
	if rest, ok := w.home.below(path); ok {
		return w.home.real, rest
	}
	if real, rest, ok := w.reach.known(path); ok {
		return real, rest
	}
	volume := filepath.VolumeName(path)
	if volume == "" && !os.IsPathSeparator(path[0]) {
		return w.home.real, path
	}
	if volume == "" { // on Windows `\temp` is on the volume one is on
		volume = filepath.VolumeName(w.home.real)
	} else {
		path = path[len(volume):]
	}
	return volume + string(filepath.Separator), path
}

// nextComponent cuts the first component off a path. What is left begins with a separator or is empty.
func nextComponent(path string) (name, rest string) {
	path = strings.TrimLeft(path, separators)
	if i := strings.IndexAny(path, separators); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// missing is the error for a place where nothing is.
func (p place) missing(op, path string) error {
	reason := "does not exist"
	switch {
	case p.parentToo:
		reason = noDirectory(p.absent)
	case p.link != "":
		reason += ": its symbolic link leads to " + quote(p.link)
	}
	return newError(ErrNotFound, op, path, reason, fs.ErrNotExist)
}

func noDirectory(dir string) string { return "does not exist: there is no directory " + quote(dir) }

// outside is the reason for refusing what lies outside of the reach.
func (w *Workspace) outside(link string) string {
	if link != "" {
		return "is refused: its symbolic link to " + quote(link) + " leads out of " + w.reach.bounds()
	}
	return "is refused: it lies outside of " + w.reach.bounds()
}

// neverOpened is the reason for refusing what lies in a refused directory.
func neverOpened(dir, link string) string {
	if link != "" {
		return "is refused: its symbolic link to " + quote(link) + " leads into " + dir + ", which is never opened"
	}
	return "is refused: " + dir + " is never opened"
}
