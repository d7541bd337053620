package workspace

import (
	"io/fs"
	"os"
	"strings"
)

const (
	separators = `\/`
	openFlags  = 0
)

// refusedPaths is empty: what the others have in /proc and /dev is not in the file system here, and the
// names of devices (NUL, COM1, `\\.\…`) lead to what is not a regular file.
var refusedPaths []string

func usableAsRoot(string) bool { return true }

// sameName reports whether two names of equal length mean the same file.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// keepOwner does nothing: a new file has the owner and the access control list of its directory.
func keepOwner(*os.File, fs.FileInfo) bool { return true }
