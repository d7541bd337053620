package shell

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const againVariable = "GG_TEST_AGAIN"

// again runs the test a second time, in a process of its own with these attributes, and reports whether this
// is that process. The first time the test has nothing more to do.
func again(t *testing.T, attributes *syscall.SysProcAttr) bool {
	t.Helper()
	if os.Getenv(againVariable) == t.Name() {
		return true
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.v", "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), againVariable+"="+t.Name(), "GORACE=atexit_sleep_ms=0")
	cmd.Dir = t.TempDir()
	cmd.SysProcAttr = attributes
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		missing(t, "needs user namespaces: "+err.Error())
	}
	require.NoError(t, err, "%s", out)
	if strings.Contains(string(out), "--- SKIP") {
		missing(t, string(out))
	}
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	t.Logf("%s", out)
	return false
}

// mounts are the attributes of a process that may mount file systems, where only it sees them.
func mounts() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}
