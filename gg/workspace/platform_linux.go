package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openNoLinks opens name with openat2, which follows no symbolic link in any component: a link that was put
// into a path after resolve has looked at it cannot lead anywhere. Where the kernel does not have it (before
// 5.6) or a filter hides it, the last component still is no link.
func openNoLinks(name string, flag int, perm fs.FileMode) (*os.File, error) {
	how := unix.OpenHow{
		Flags:   uint64(flag | unix.O_CLOEXEC | unix.O_LARGEFILE),
		Mode:    uint64(perm.Perm()),
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	}
	if flag&os.O_CREATE == 0 {
		how.Mode = 0 // openat2 refuses what open ignores
	}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, name, &how)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), name), nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
			return os.OpenFile(name, flag|unix.O_NOFOLLOW, perm)
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
}

// kernelFileSystems are those that hold no files but the kernel's own state. They may be mounted anywhere.
var kernelFileSystems = map[int64]string{
	unix.PROC_SUPER_MAGIC:    "proc",
	unix.SYSFS_MAGIC:         "sysfs",
	unix.DEVPTS_SUPER_MAGIC:  "devpts",
	unix.DEBUGFS_MAGIC:       "debugfs",
	unix.TRACEFS_MAGIC:       "tracefs",
	unix.SECURITYFS_MAGIC:    "securityfs",
	unix.CGROUP_SUPER_MAGIC:  "cgroup",
	unix.CGROUP2_SUPER_MAGIC: "cgroup2",
	unix.BPF_FS_MAGIC:        "bpf",
}

// kernelFileSystem names the file system of an open file if it is one of those, else "".
func kernelFileSystem(f *os.File) string {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return ""
	}
	return kernelFileSystems[int64(st.Type)]
}
