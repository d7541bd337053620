package shell

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	const rest = " S 12 34 56 0 -1 4194304 100 0 0 0 1 2 3 4 20 0 1 0 98765 1 2 3 4 5 6 7"
	for line, want := range map[string]procStat{
		"7 (sh)" + rest:           {pid: 7, parent: 12, group: 34, session: 56, state: 'S', start: 98765, loaded: true},
		"7 (a b) c) (d\n)" + rest: {pid: 7, parent: 12, group: 34, session: 56, state: 'S', start: 98765, loaded: true},
		"7 ()" + rest + "\n":      {pid: 7, parent: 12, group: 34, session: 56, state: 'S', start: 98765, loaded: true},
		"7 (exec)" + strings.Replace(rest, "4 5 6 7", "4 0 6 7", 1): {pid: 7, parent: 12, group: 34, session: 56, state: 'S', start: 98765},
		"":                           {},
		"7 sh S 1 2 3":               {},
		"7 (sh) S 1 2 3":             {},
		"7 (sh) SS" + rest[2:]:       {},
		"7 (sh) S x" + rest[5:]:      {},
		strings.Repeat("( ) ", 1000): {},
	} {
		got, ok := parseStat(7, []byte(line))
		require.Equal(t, want != procStat{}, ok, line)
		if ok {
			require.Equal(t, want, got)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("7 (sh) S 12 34 56 0 -1 4194304 100 0 0 0 1 2 3 4 20 0 1 0 98765 1 2 3 4 5 6 7"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, ok := parseStat(7, b); ok {
			require.Contains(t, string(b), strconv.FormatUint(p.start, 10)[1:])
		}
	})
}

// TestReadProcess reads what is known of a real process.
func TestReadProcess(t *testing.T) {
	self, ok := readStat(os.Getpid())
	require.True(t, ok)
	require.Equal(t, os.Getppid(), self.parent)
	require.Equal(t, unixSession(), self.session)
	require.False(t, self.dead())
	require.True(t, procUsable())

	// A name that looks like the end of the field, and an environment longer than one read.
	path := t.TempDir() + "/a) S (b"
	require.NoError(t, os.Symlink("/bin/sh", path))
	cmd := exec.Command(path, "-c", "read x", strings.Repeat("é", 300))
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	cmd.Env = []string{"A=" + strings.Repeat("x", 40<<10), "XGG_CALL=no", "GG_CALL=1.2.a/1:3.4.b/2", "B=c"}
	cmd.Args[0] = "a\x01\xff"
	require.NoError(t, cmd.Start())
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	p, ok := readStat(cmd.Process.Pid)
	require.True(t, ok)
	require.Equal(t, os.Getpid(), p.parent)
	mark, ok := environMark(p)
	require.True(t, ok)
	require.Equal(t, "1.2.a/1:3.4.b/2", mark)
	want := "a \uFFFD -c read x " + strings.Repeat("é", 300)
	require.Equal(t, string([]rune(want)[:maxCommandLine])+"…", commandLine(p))
	require.False(t, isThread(p.pid))

	_, ok = readStat(1 << 30)
	require.False(t, ok)
	_, ok = environMark(procStat{pid: 1 << 30})
	require.False(t, ok)
	require.Equal(t, "0", startTime(1<<30))
}

// Members of one family are not those of another, and a number that was given out again is another process.
func TestFamily(t *testing.T) {
	w := newWorkbench(t, Config{})
	one := w.run("sleep 30 >/dev/null 2>&1 & (setsid sleep 31 >/dev/null 2>&1 &); sleep 0.1")
	two := w.run("sleep 32 >/dev/null 2>&1 & sleep 0.1")
	require.Len(t, one.Background, 2)
	require.Len(t, two.Background, 1)

	mark := w.marks.mark(1)
	f := &family{match: func(m string) bool { return m == mark }, alone: func() bool { return false }}
	members := f.members()
	require.Len(t, members, 2)
	stranger := members[0]
	stranger.start++
	stranger.signal(9)
	require.False(t, stranger.alive())
	require.True(t, members[0].alive())
	awaitMembers([]member{stranger}, time.Now().Add(time.Hour), nil)
	done := make(chan struct{})
	close(done)
	awaitMembers(members, time.Now().Add(time.Hour), done)

	// The numbers alone prove nothing once the leader has been reaped.
	f = &family{leaders: map[int]bool{members[0].group: true}, match: func(string) bool { return false }, alone: func() bool { return false }}
	require.Empty(t, f.members())
	require.False(t, hasMark("1.2.a/12:3.4.b/2", func(m string) bool { return m == "1.2.a/1" }))
	require.True(t, hasMark("1.2.a/12:3.4.b/2", func(m string) bool { return m == "3.4.b/2" }))
}

func init() { hosts["threads"] = hostWithThreads }

// hostWithThreads waits on five threads for its end, and opens the named pipe when all are there.
func hostWithThreads(pipe string) error {
	wait := func() {
		for {
			unix.Pause()
		}
	}
	for range 4 {
		go wait()
	}
	for threads := 0; threads <= 4; runtime.Gosched() {
		listed, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		threads = len(listed)
	}
	if err := os.WriteFile(pipe, []byte("\n"), 0); err != nil {
		return err
	}
	wait()
	return nil
}

// Among the numbers above a leader's, which are tried one by one, are those of threads: no thread is a member.
func TestThreadsAreNoMembers(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	w := newWorkbench(t, Config{})
	out := w.run("mkfifo ready && { " + hostVariable + "=threads '" + self + "' ready >/dev/null 2>&1 & read x <ready; }")
	require.Len(t, out.Background, 1, "%s", out.Text)
}
