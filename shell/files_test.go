//go:build linux

package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// F02, F04: without files the output comes back inline, and a last line says why.
func TestFilesUnavailable(t *testing.T) {
	parent := t.TempDir()
	for name, prepare := range map[string]func(path string) (want string){
		"symlink": func(path string) string {
			require.NoError(t, os.Mkdir(path+"-target", 0o700))
			require.NoError(t, os.Symlink(path+"-target", path))
			return "is a symbolic link"
		},
		"file": func(path string) string {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			return "is not a directory"
		},
		"too-open": func(path string) string {
			require.NoError(t, os.MkdirAll(filepath.Join(path, "not-ours"), 0o777))
			require.NoError(t, os.Chmod(path, 0o777))
			return "permissions are 0777, want 0700"
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(parent, name)
			line := fmt.Sprintf("[could not write output to %s: %s]", path, prepare(path))
			dir, err := store.New(store.Config{Path: path})
			require.NoError(t, err)
			defer dir.Close()
			w := newWorkbench(t, Config{Store: dir, Policy: policy.Policy{Mode: policy.Offload, MaxLines: 1, MaxChars: 1}})
			for command, want := range map[string]string{
				"echo a; echo b":   "a\nb\n" + line,
				"printf a":         "a\n" + line,
				"true":             line,
				"echo hello; exit": "hello\n" + line,
			} {
				out := w.run(command)
				require.Equal(t, want, out.Text)
				require.False(t, out.Truncated)
				require.Nil(t, out.Files)
			}
			out := w.run("sleep 0.3 && echo later & head -c 20000 /dev/zero | tr '\\0' a; exit 3")
			require.Equal(t, strings.Repeat("a", policy.CapBytes)+"\n"+line, out.Text)
			require.True(t, out.Truncated)
			require.Equal(t, 3, out.ExitCode)
		})
	}
}

// E17: a file stops at its limit, the command does not.
func TestStreamLimit(t *testing.T) {
	dir, err := store.New(store.Config{Path: filepath.Join(t.TempDir(), "files"), ReserveBytes: 1, MaxStreamBytes: 100_000})
	require.NoError(t, err)
	defer dir.Close()
	w := newWorkbench(t, Config{Store: dir})
	ctx, cancel := context.WithCancel(context.Background())
	captured := 0
	_, err = w.Run(ctx, Request{Command: "yes", OnOutput: func(_ policy.Stream, n int) {
		if captured += n; captured > 200_000 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	out := OutputOf(err)
	require.Contains(t, out.Text, "stdout: "+out.Files.Stdout+" (first 100000 bytes; size limit reached)\n")
	require.Greater(t, out.Stdout.Bytes, int64(200_000))
	require.Equal(t, strings.Repeat("y\n", 50_000), w.read(out.Files.Stdout))

	out = w.run("head -c 100000 /dev/zero")
	require.NotContains(t, out.Text, "limit")
}

// inNamespace runs a host where it may mount file systems.
func inNamespace(t testing.TB, name, arg string) string {
	cmd := hostCommand(t, name, arg)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err != nil && !isExit(err, &exit):
		missing(t, "needs user namespaces: "+err.Error())
	case err != nil && strings.Contains(stderr.String(), "tmpfs: "):
		missing(t, "needs to mount a tmpfs: "+stderr.String())
	}
	require.NoError(t, err, stderr.String())
	return string(out)
}

func isExit(err error, to **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*to = e
	return ok
}

// A full temporary directory does not stop a command that is too long for an argument, nor does one on a disk
// that cannot be written.
func TestDiskFullForLongCommand(t *testing.T) {
	for _, host := range []string{"long-full", "long-read-only"} {
		require.Regexp(t, `^ok sh 0 0[0-7]{3}\n$`, inNamespace(t, host, t.TempDir()))
	}
}

func init() {
	hosts["long-full"] = func(mountPoint string) error {
		if err := mountTemp(mountPoint, 0); err != nil {
			return err
		}
		for size := 100 << 10; size > 0; size /= 2 { // down to the last page
			os.WriteFile(filepath.Join(mountPoint, fmt.Sprint("filler", size)), make([]byte, size), 0o600)
		}
		return hostLong("")
	}
	hosts["long-read-only"] = func(mountPoint string) error {
		if err := mountTemp(mountPoint, unix.MS_RDONLY); err != nil {
			return err
		}
		return hostLong("")
	}
}

// mountTemp makes a small file system the temporary directory.
func mountTemp(mountPoint string, flags uintptr) error {
	if err := unix.Mount("tmpfs", mountPoint, "tmpfs", flags, "size=200k"); err != nil {
		return fmt.Errorf("tmpfs: %w", err)
	}
	return os.Setenv("TMPDIR", mountPoint)
}

// The reserve is kept from the first byte on.
func TestDiskReserve(t *testing.T) {
	dir, err := store.New(store.Config{Path: filepath.Join(t.TempDir(), "files"), ReserveBytes: 1 << 60})
	require.NoError(t, err)
	defer dir.Close()
	w := newWorkbench(t, Config{Store: dir})
	out := w.run("echo hello; exit 3")
	require.Equal(t, 3, out.ExitCode)
	require.False(t, out.Truncated)
	head := "hello\n\n[Output complete; files cut short]\nstdout: " + out.Files.Stdout + " (first 0 bytes; disk reserve reached)\n"
	require.True(t, strings.HasPrefix(out.Text, head), out.Text)
	require.Empty(t, w.read(out.Files.Stdout))
}

// C05 and friends: commands start with the signals they expect, whatever the host does with its own.
func TestSignalsOfCommands(t *testing.T) {
	type report struct {
		Pipe, Status string // through a shell
		Bare         string // without one: some of them tidy up themselves
		StillIgnored bool
		StillBlocked bool
	}
	// What whoever started the tests ignores (nohup: SIGHUP) stays ignored.
	own, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("needs /proc")
	}
	inherited := regexp.MustCompile(`(?m)^SigIgn:\s+([0-9a-f]+)$`).FindStringSubmatch(string(own))[1]
	for _, host := range []string{"plain", "ignores-sigpipe", "blocks-signals"} {
		for _, parent := range []string{"", `trap "" PIPE; `} {
			t.Run(host+" "+parent, func(t *testing.T) {
				cmd := hostCommand(t, host, "")
				cmd.Args = []string{"sh", "-c", parent + `exec "$0" ""`, cmd.Path}
				cmd.Path = "/bin/sh"
				out, err := cmd.Output()
				require.NoError(t, err)
				var got report
				require.NoError(t, json.Unmarshal(out, &got))
				require.Equal(t, "y\n", got.Pipe)
				for _, status := range []string{got.Status, got.Bare} {
					require.Regexp(t, `(?m)^SigBlk:\s+0+$`, status)
					require.Regexp(t, `(?m)^SigIgn:\s+`+inherited+`$`, status)
				}
				require.Equal(t, host == "ignores-sigpipe", got.StillIgnored)
				require.Equal(t, host == "blocks-signals", got.StillBlocked)
			})
		}
	}
}

// G07: what the host has inherited or forgot to mark does not reach a command.
func TestDescriptorsOfCommands(t *testing.T) {
	require.Equal(t, "0 1 2 3\n", runHost(t, "leaky", ""))
}

// F06: two hosts with one directory, as in two containers also with the same number.
func TestHostsShareADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	var results [2]string
	var hosts sync.WaitGroup
	for i := range results {
		hosts.Go(func() { results[i] = runHost(t, "share", dir) })
	}
	hosts.Wait()
	seen := make(map[string]bool)
	for _, r := range results {
		for line := range strings.Lines(r) {
			path, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			require.False(t, seen[path], path)
			seen[path] = true
			stored, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, text+"\n", string(stored))
		}
	}
	require.Len(t, seen, 128)
}

// E15: memory does not grow with the output.
func TestMemoryIsBounded(t *testing.T) {
	var got struct{ Before, After, Bytes int64 }
	require.NoError(t, json.Unmarshal([]byte(runHost(t, "flood", t.TempDir())), &got))
	require.Equal(t, int64(2*25_000_000), got.Bytes)
	require.Less(t, got.After-got.Before, int64(24<<20), "growth of the resident set")
}

func init() {
	hosts["plain"] = func(string) error { return reportSignals() }
	hosts["ignores-sigpipe"] = hostIgnoringSIGPIPE
	hosts["blocks-signals"] = hostBlockingSignals
	hosts["leaky"] = hostLeakingDescriptors
	hosts["share"] = hostSharing
	hosts["flood"] = hostFlooded
}

// hostRunner is a Runner of a host, and where its files go.
func hostRunner(config store.Config) (*Runner, *store.Dir, error) {
	dir, err := store.New(config)
	if err != nil {
		return nil, nil, err
	}
	r, err := New(Config{Policy: offload, Store: dir})
	return r, dir, err
}

func hostIgnoringSIGPIPE(string) error {
	signal.Ignore(syscall.SIGPIPE)
	return reportSignals()
}

func reportSignals() error {
	r, err := New(Config{Policy: inline})
	if err != nil {
		return err
	}
	run := func(command string) string {
		out, runErr := r.Run(context.Background(), Request{Command: command})
		if runErr != nil {
			err = runErr
			return ""
		}
		return out.Text
	}
	var old unix.Sigset_t
	pipe, status := run("yes | head -n 1"), run("grep ^Sig /proc/self/status")
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, nil, &old); err != nil {
		return err
	}
	bare, bareErr := bareSignals()
	if err == nil {
		err = bareErr
	}
	_, closeErr := r.Close(context.Background())
	if err != nil || closeErr != nil {
		return fmt.Errorf("%v, %v", err, closeErr)
	}
	return printJSON(map[string]any{
		"Pipe": pipe, "Status": status, "Bare": bare, "StillIgnored": signal.Ignored(syscall.SIGPIPE), "StillBlocked": old != unix.Sigset_t{},
	})
}

// bareSignals launches a program in the place of the shell.
func bareSignals() (string, error) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		return "", err
	}
	out, err := os.Create("status")
	if err != nil {
		return "", err
	}
	defer out.Close()
	l, err := launch(invocation{path: grep, argv: []string{"grep", "^Sig", "/proc/self/status"}, dir: "/"}, 0, out.Fd(), out.Fd())
	if err != nil {
		return "", err
	}
	l.reap()
	b, err := os.ReadFile("status")
	return string(b), err
}

func hostBlockingSignals(string) error {
	runtime.LockOSThread() // what follows runs on this thread, with this mask
	var blocked unix.Sigset_t
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1} {
		blocked.Val[0] |= 1 << (s - 1)
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &blocked, nil); err != nil {
		return err
	}
	return reportSignals()
}

func hostLeakingDescriptors(string) error {
	for range 3 {
		if _, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0); err != nil { // without O_CLOEXEC
			return err
		}
	}
	r, err := New(Config{Policy: inline})
	if err != nil {
		return err
	}
	out, err := r.Run(context.Background(), Request{Command: "ls /proc/self/fd | xargs"})
	if err != nil {
		return err
	}
	fmt.Print(out.Text)
	return nil
}

func hostSharing(path string) error {
	r, dir, err := hostRunner(store.Config{Path: path, ReserveBytes: 1})
	if err != nil {
		return err
	}
	defer dir.Close()
	var mu sync.Mutex
	var calls sync.WaitGroup
	for i := range 64 {
		calls.Go(func() {
			text := fmt.Sprintf("call-%d-of-%d", i, os.Getpid())
			out, runErr := r.Run(context.Background(), Request{Command: "echo " + text})
			mu.Lock()
			defer mu.Unlock()
			if runErr != nil {
				err = runErr
				return
			}
			fmt.Println(out.Files.Stdout, text)
		})
	}
	calls.Wait()
	if _, closeErr := r.Close(context.Background()); closeErr != nil {
		return closeErr
	}
	return err
}

func hostFlooded(path string) error {
	r, dir, err := hostRunner(store.Config{Path: filepath.Join(path, "files"), ReserveBytes: 1, MaxStreamBytes: 1 << 20})
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := r.Run(context.Background(), Request{Command: "seq 1 10000"}); err != nil {
		return err
	}
	before := peakRSS()
	out, err := r.Run(context.Background(), Request{Command: "yes | head -c 25000000; head -c 25000000 /dev/zero >&2"})
	if err != nil {
		return err
	}
	return printJSON(map[string]int64{"Before": before, "After": peakRSS(), "Bytes": out.Stdout.Bytes + out.Stderr.Bytes})
}
