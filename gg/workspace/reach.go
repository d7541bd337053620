package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// reach is how far the calls of a Workspace go. Its paths are absolute and cleaned.
type reach interface {
	refresh()                                       // before a path is followed: takes hold of roots that exist by now
	passes(path string) bool                        // path may be looked at: it is in reach, or leads there
	holds(path string) bool                         // path is in reach
	known(path string) (real, rest string, ok bool) // path is rest, seen from a directory that is there
	tree(path string) (t tree, name string)         // where to open a path that is in reach; nil if its root is not there
	bounds() string                                 // the limits of the reach, for a message
	Close() error
}

// tree is where files are opened: an *os.Root, or host.
type tree interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	MkdirAll(name string, perm fs.FileMode) error
	Rename(oldname, newname string) error
	Remove(name string) error
}

// anywhere is the reach of an unconfined workspace.
type anywhere struct{}

func (anywhere) refresh()                                  {}
func (anywhere) passes(string) bool                        { return true }
func (anywhere) holds(string) bool                         { return true }
func (anywhere) known(string) (real, rest string, ok bool) { return "", "", false }
func (anywhere) tree(path string) (tree, string)           { return host{}, path }
func (anywhere) bounds() string                            { return "" }
func (anywhere) Close() error                              { return nil }

// root is a directory that the calls may reach, with everything below it.
type root struct {
	given string   // as configured: absolute, cleaned
	real  string   // without symbolic links, as far as it exists
	dir   *os.Root // nil as long as it does not exist
}

// below returns what is left of path behind the root, for a path that is it or lies below it.
func (r *root) below(path string) (rest string, ok bool) {
	if rest, ok := cutDir(path, r.given); ok {
		return rest, true
	}
	return cutDir(path, r.real)
}

// open takes hold of the root. Symbolic links in its name are followed: it is the operator who wrote it.
func (r *root) open() error {
	r.real = realPath(r.given)
	dir, err := os.OpenRoot(r.real)
	if err != nil {
		return err
	}
	r.dir = dir
	return nil
}

// openLate is open for a root that did not exist when the Workspace was made. Who has made it since is not
// known, a program in the session perhaps: it is taken only if it is a directory at the very place that was
// meant, and no symbolic link leads there.
func (r *root) openLate() {
	dir, err := os.OpenRoot(r.real)
	if err != nil {
		return
	}
	opened, err := dir.Stat(".")
	meant, errMeant := os.Lstat(r.real)
	if err != nil || errMeant != nil || !os.SameFile(opened, meant) || realPath(r.real) != r.real {
		dir.Close()
		return
	}
	r.dir = dir
}

// realPath is path without symbolic links, as far as it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), filepath.Base(path))
}

// confined is the reach of a workspace with roots.
type confined struct {
	mu     sync.Mutex
	roots  []*root
	closed bool
}

// openRoots opens those of the directories that exist.
func (w *Workspace) openRoots(dirs []string) (*confined, error) {
	c := new(confined)
	var defects []error
	for _, dir := range dirs {
		if dir == "" {
			defects = append(defects, errors.New(`root "": want a directory`))
			continue
		}
		given := filepath.Clean(dir)
		if !filepath.IsAbs(given) {
			given = filepath.Join(w.home.given, given)
		}
		r := &root{given: given}
		if err := r.open(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			defects = append(defects, fmt.Errorf("root %q: %w", dir, cause(err)))
		}
		if err := w.admit(r.real); err != nil {
			defects = append(defects, fmt.Errorf("root %q: %w", dir, err))
		}
		c.roots = append(c.roots, r)
	}
	return c, errors.Join(defects...)
}

// refresh opens roots that exist by now. Those that cannot be opened stay what is not there.
func (c *confined) refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.roots {
		if r.dir == nil && !c.closed {
			r.openLate()
		}
	}
}

// find returns the innermost root that path lies in, of those that are there.
func (c *confined) find(path string) (in root, rest string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.roots {
		behind, below := r.below(path)
		if below && r.dir != nil && (!ok || len(behind) < len(rest)) {
			in, rest, ok = *r, behind, true
		}
	}
	return in, rest, ok
}

func (c *confined) holds(path string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.roots {
		if _, ok := r.below(path); ok {
			return true
		}
	}
	return false
}

func (c *confined) passes(path string) bool {
	if c.holds(path) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.roots {
		for _, dir := range []string{r.given, r.real} {
			if _, above := cutDir(dir, path); above {
				return true
			}
		}
	}
	return false
}

func (c *confined) known(path string) (real, rest string, ok bool) {
	in, rest, ok := c.find(path)
	return in.real, rest, ok
}

func (c *confined) tree(path string) (tree, string) {
	in, rest, ok := c.find(path)
	if !ok {
		return nil, ""
	}
	if rest = strings.Trim(rest, separators); rest == "" {
		rest = "."
	}
	return in.dir, rest
}

func (c *confined) bounds() string {
	names := make([]string, len(c.roots))
	for i, r := range c.roots {
		names[i] = quote(r.given)
	}
	return strings.Join(names, " and ")
}

func (c *confined) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var errs []error
	for _, r := range c.roots {
		if r.dir != nil {
			errs = append(errs, r.dir.Close())
		}
	}
	return errors.Join(errs...)
}

// cutDir returns what is left of path behind dir, for a path that is dir or lies below it.
func cutDir(path, dir string) (rest string, ok bool) {
	if len(path) < len(dir) || !sameName(path[:len(dir)], dir) {
		return "", false
	}
	rest = path[len(dir):]
	if rest == "" || os.IsPathSeparator(dir[len(dir)-1]) || os.IsPathSeparator(rest[0]) {
		return rest, true
	}
	return "", false
}
