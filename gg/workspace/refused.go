package workspace

import (
	"io/fs"
	"os"
)

// refusedDir is a directory whose contents are never opened.
type refusedDir struct {
	path string
	info fs.FileInfo // nil if it does not exist
}

// refusedDirs looks up the directories that this platform refuses.
func refusedDirs() []refusedDir {
	var dirs []refusedDir
	for _, path := range refusedPaths {
		info, _ := os.Stat(path)
		dirs = append(dirs, refusedDir{path, info})
	}
	return dirs
}

// refusedByName returns the refused directory in which an absolute, cleaned path lies, or "".
func (w *Workspace) refusedByName(path string) string {
	for _, d := range w.refused {
		if _, ok := cutDir(path, d.path); ok {
			return d.path
		}
	}
	return ""
}

// refusedByIdentity returns the refused directory that info is of, or "". It catches what a name cannot: a
// bind mount, and a spelling in other letters on a file system that takes them for the same.
func (w *Workspace) refusedByIdentity(info fs.FileInfo) string {
	if !info.IsDir() {
		return ""
	}
	for _, d := range w.refused {
		if d.info != nil && os.SameFile(info, d.info) {
			return d.path
		}
	}
	return ""
}

// exempts reports whether path belongs to a directory of the Config that lies in a refused one.
func (w *Workspace) exempts(path string) bool {
	for _, dir := range w.exempt {
		if _, ok := cutDir(path, dir); ok {
			return true
		}
	}
	return false
}

// notRegular is the reason for refusing what is not a regular file, "" for one that is.
func notRegular(mode fs.FileMode) string {
	what := "not a regular file"
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "is a directory, not a file"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe, not a regular file"
	case mode&fs.ModeSocket != 0:
		what = "a socket, not a regular file"
	case mode&fs.ModeDevice != 0:
		what = "a device, not a regular file"
	}
	return "is refused: " + what
}
