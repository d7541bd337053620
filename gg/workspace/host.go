package workspace

import (
	"io/fs"
	"os"
)

// host is the tree of an unconfined workspace: its names are absolute paths that resolve has found to be
// without symbolic links.
type host struct{}

// OpenFile opens name without following a symbolic link, as far as the platform can.
func (host) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return openNoLinks(name, flag, perm)
}

func (host) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }
func (host) Rename(oldname, newname string) error         { return os.Rename(oldname, newname) }
func (host) Remove(name string) error                     { return os.Remove(name) }
