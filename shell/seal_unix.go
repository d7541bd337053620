//go:build unix

package shell

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sealEach marks every descriptor above 2 that dir lists close-on-exec.
func sealEach(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}
