// Package workspace reads, writes and lists files for programs, no further than it is told to.
//
//	ws, err := workspace.New(workspace.Config{Dir: "/home/me/project"})
//	…
//	defer ws.Close()
//	f, err := ws.ReadFile(ctx, "src/main.go", workspace.ReadOptions{Offset: 100, Limit: 151})
//	…
//	fmt.Printf("%d-%d of %d\n%s", f.FirstLine, f.LastLine, f.TotalLines, f.Contents)
//	_, err = ws.WriteFile(ctx, "notes/today.md", []byte("# Today\n"))
//	…
//	entries, err := ws.ListDir(ctx, "src")
//
// A relative path starts at Config.Dir, an absolute one is taken as it is, and `..` and symbolic links
// mean what they mean to the kernel. Where a path leads is found out first, one component after another;
// what is then opened is opened without following a link out of its place: below its root through an
// [os.Root], or, when unconfined on Linux, with openat2. A link that is swapped in between leads nowhere.
//
// Two things are refused wherever they are: what is not a regular file (a FIFO would hang the call, a
// device may do anything), and everything in /proc, /sys and /dev, where the host's environment and its
// standard output can be found. (A Dir or a root of the Config may lie in /dev/shm, and can then be used.)
//
// All errors but those of the context are [*Error]s.
//
// Not promised: a sandbox. The rule keeps a program's file calls where its author expects them, and a
// program that may also run unconfined commands can do with them what it likes. Nor durability: a file
// that was written is whole to every reader at every moment, but is not forced to the disk before the call
// returns. Nor hard links, extended attributes and access control lists of a file that is overwritten: it
// is replaced by a new one with the same mode and, where allowed, the same owner.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/responses-as-code/gg/views/window"
)

// Config says where a Workspace is and how far it reaches.
type Config struct {
	// Dir is the directory at which relative paths start: the workspace, or the agent's own worktree.
	// It is required, absolute, and exists.
	Dir string

	// Unconfined lets the calls reach everything that the user of this process may reach.
	Unconfined bool

	// Roots are the directories the calls may reach when not Unconfined; relative ones start at Dir. None
	// means Dir alone. One that does not exist yet is looked for again when it is needed, and then taken
	// only if no symbolic link leads to it.
	Roots []string

	// MaxBytes bounds the contents one call reads, in bytes of UTF-8. 0 means window.MaxContents, 16 MiB.
	MaxBytes int64
}

// Workspace serves the file calls of one session. Its methods may be called at the same time.
type Workspace struct {
	home       root // Config.Dir; only its names are used
	reach      reach
	maxBytes   int64
	maxEntries int // MaxEntries, but for tests
	refused    []refusedDir
	exempt     []string // what of home and roots lies in a refused directory, and may
}

// New opens the directories that c names. All defects of c come in one error.
func New(c Config) (*Workspace, error) {
	w := &Workspace{maxBytes: c.MaxBytes, maxEntries: MaxEntries, refused: refusedDirs()}
	if w.maxBytes == 0 {
		w.maxBytes = window.MaxContents
	}
	var defects []error
	if c.MaxBytes < 0 {
		defects = append(defects, fmt.Errorf("maxBytes: got %d, want at least 0", c.MaxBytes))
	}
	if c.Unconfined && len(c.Roots) > 0 {
		defects = append(defects, errors.New("roots: got some, want none when unconfined"))
	}
	home, err := w.findHome(c.Dir)
	if err != nil {
		return nil, errors.Join(append(defects, err)...) // nothing can be said about roots relative to it
	}
	w.home = home
	if c.Unconfined {
		w.reach = anywhere{}
	} else {
		roots := c.Roots
		if len(roots) == 0 {
			roots = []string{home.given}
		}
		confined, err := w.openRoots(roots)
		if err != nil {
			defects = append(defects, err)
		}
		w.reach = confined
	}
	if defects != nil {
		w.reach.Close()
		return nil, errors.Join(defects...)
	}
	return w, nil
}

// findHome checks Config.Dir and finds its real path.
func (w *Workspace) findHome(dir string) (root, error) {
	if !filepath.IsAbs(dir) {
		return root{}, fmt.Errorf("dir %q: want an absolute path", dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return root{}, fmt.Errorf("dir %q: %w", dir, cause(err))
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return root{}, fmt.Errorf("dir %q: %w", dir, cause(err))
	case !info.IsDir():
		return root{}, fmt.Errorf("dir %q: not a directory", dir)
	}
	if err := w.admit(real); err != nil {
		return root{}, fmt.Errorf("dir %q: %w", dir, err)
	}
	return root{given: filepath.Clean(dir), real: real}, nil
}

// admit refuses a directory of the Config that lies in a refused one, but for those that may.
func (w *Workspace) admit(real string) error {
	name := w.refusedByName(real)
	switch {
	case name == "":
		return nil
	case !usableAsRoot(real):
		return fmt.Errorf("it lies in %s, which is never opened", name)
	}
	w.exempt = append(w.exempt, real)
	return nil
}

// Close lets go of the roots. Calls of a confined workspace fail after it.
func (w *Workspace) Close() error { return w.reach.Close() }

// Locate returns the absolute path without symbolic links that path leads to: one for all spellings, also
// of a file that does not exist (yet). It opens nothing.
func (w *Workspace) Locate(path string) (string, error) {
	p, err := w.resolve("locate", path)
	return p.real, err
}
