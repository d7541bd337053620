//go:build !linux

package workspace

import (
	"io/fs"
	"os"
)

// openNoLinks opens name; with O_NOFOLLOW among the flags its last component is no symbolic link.
func openNoLinks(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// kernelFileSystem knows none here: their usual places are refused by name.
func kernelFileSystem(*os.File) string { return "" }
