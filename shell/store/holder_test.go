//go:build unix

package store

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// holdVariable makes the test binary a process that uses the directory it names until its input ends.
const holdVariable = "GG_TEST_HOLD"

// hold makes a pair for each line of its input, writes its number to both files, and prints the first's path.
func hold(path string) error {
	d, err := New(Config{Path: path, ReserveBytes: 1})
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		p, err := d.Create()
		if err != nil {
			return err
		}
		d.sweeps.Wait() // or it would find its own file, once the test has made that old
		p.Stdout.Append(lines.Bytes())
		p.Stderr.Append(lines.Bytes())
		fmt.Println(os.Getpid(), p.Stdout.Path())
	}
	return nil
}

// holder is another process that uses a directory.
type holder struct {
	t      *testing.T
	cmd    *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
	pid    string // as it knows it
	stop   func() // lets it end by itself
}

func startHolder(t *testing.T, path string, attributes *syscall.SysProcAttr) *holder {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	h := &holder{t: t, cmd: exec.Command(self)}
	h.cmd.Env = append(os.Environ(), holdVariable+"="+path)
	h.cmd.SysProcAttr = attributes
	h.cmd.Stderr = os.Stderr
	h.input, err = h.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := h.cmd.StdoutPipe()
	require.NoError(t, err)
	h.output = bufio.NewReader(stdout)
	if err := h.cmd.Start(); err != nil {
		missing(t, "needs to start it: "+err.Error())
	}
	h.stop = sync.OnceFunc(func() {
		h.input.Close()
		require.NoError(t, h.cmd.Wait())
	})
	t.Cleanup(func() { h.stop() })
	return h
}

// create makes it create a pair, and returns the first file.
func (h *holder) create() string {
	h.t.Helper()
	_, err := fmt.Fprintln(h.input, h.cmd.Process.Pid)
	require.NoError(h.t, err)
	line, err := h.output.ReadString('\n')
	require.NoError(h.t, err)
	pid, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	h.pid = pid
	require.Equal(h.t, fmt.Sprint(h.cmd.Process.Pid), read(h.t, path))
	return path
}

// kill ends it as a crash would.
func (h *holder) kill() {
	h.t.Helper()
	require.NoError(h.t, h.cmd.Process.Kill())
	h.cmd.Wait()
	h.input.Close()
	h.stop = func() {}
}
