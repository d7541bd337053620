package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/store"
)

// aloneVariable is set where a test runs as process 1 of a PID namespace.
const aloneVariable = "GG_TEST_ALONE"

// alone runs the test again, as process 1 of a PID namespace in which nobody else is, and returns true there. A sweep
// is for all that a user has: what other tests leave, and whoever tests beside us, must be none of its business.
func alone(t *testing.T) bool {
	if os.Getenv(aloneVariable) != "" {
		return true
	}
	needs(t, "unshare")
	in := []string{"--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if out, err := exec.Command("unshare", append(in, "true")...).CombinedOutput(); err != nil {
		missing(t, "needs PID namespaces: "+string(out))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command("unshare", append(in, self, "-test.run=^"+t.Name()+"$", "-test.v")...)
	cmd.Env = append(os.Environ(), aloneVariable+"=yes")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: "+t.Name()+" ", "the test has run")
	return false
}

func init() {
	hosts["abandoning"] = hostAbandoning
	hosts["sweeping"] = hostSweeping
}

// hostAbandoning runs a command until somebody kills it, the host or the command.
func hostAbandoning(command string) error {
	dir, err := store.New(store.Config{Path: "files", ReserveBytes: 1})
	if err != nil {
		return err
	}
	r, err := New(Config{Policy: offload, Store: dir, Subreaper: true})
	if err != nil {
		return err
	}
	if _, err = r.Run(context.Background(), Request{Command: command}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// hostSweeping sweeps, and prints what it found.
func hostSweeping(string) error {
	left, err := SweepAbandoned(context.Background())
	if err != nil {
		return err
	}
	return printJSON(left)
}

// abandoner starts a host that runs a command, and returns when the command has made a file of the name "started", the
// host those for its output, and processes with these command lines run.
func abandoner(t *testing.T, command string, running ...string) *exec.Cmd {
	t.Helper()
	cmd := hostCommand(t, "abandoning", command)
	cmd.Env = append(cmd.Env, "GG_CALL=what is no mark")
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	eventually(t, "the command runs: "+command, func() bool {
		_, err := os.Stat(filepath.Join(cmd.Dir, "started"))
		files, _ := filepath.Glob(filepath.Join(cmd.Dir, "files", "*.std*"))
		return err == nil && len(files) == 2
	})
	for _, name := range running {
		eventually(t, name+" runs", func() bool { return slices.Contains(living(name), name) })
	}
	return cmd
}

// kill ends a process with SIGKILL.
func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
}

// sweep is one by a process of its own.
func sweep(t *testing.T) []string {
	t.Helper()
	return swept(t, runHost(t, "sweeping", ""))
}

func swept(t *testing.T, printed string) []string {
	t.Helper()
	var left []Leftover
	require.NoError(t, json.Unmarshal([]byte(printed), &left), printed)
	commands := []string{}
	for _, l := range left {
		require.NotEqual(t, Survived, l.Fate)
		commands = append(commands, l.Command)
	}
	return commands
}

// living returns the command lines of the processes with a word in them.
func living(word string) []string {
	commands := []string{}
	for _, pid := range listProcesses() {
		if p, ok := readStat(pid); ok && !p.dead() && pid != os.Getpid() {
			if line := commandLine(p); strings.Contains(line, word) {
				commands = append(commands, line)
			}
		}
	}
	return commands
}

// A18: whatever a host was in the middle of when it was killed is found and ended.
func TestSweepAbandoned(t *testing.T) {
	if !alone(t) {
		return
	}
	needs(t, "setsid", "yes")
	const started = " : > started; wait"
	for _, c := range []struct {
		name, command string
		want          []string // that run, and are swept, beside others
	}{
		{"flood", "yes & yes >&2 & yes 7301 > flood & until [ -s flood ]; do sleep 0.01; done;" + started, []string{"yes 7301"}},
		{"flood that SIGPIPE does not end", `trap "" PIPE; : > started; while :; do echo flood 2>/dev/null; done`, nil},
		{"tree", "setsid sleep 7301 & sh -c 'sleep 7302 & sleep 7303' & (setsid sh -c 'sleep 7304 & sleep 7305; :' >/dev/null 2>&1 &);" + started,
			[]string{"sleep 7301", "sleep 7302", "sleep 7303", "sleep 7304", "sleep 7305"}},
		{"TERM is ignored", `trap "" TERM; : > started; while :; do sleep 0.0173; done`, nil},
		{"stopped", "sh -c 'kill -STOP $$; :' &" + started, []string{"sh -c kill -STOP $$; :"}},
		{"shell stopped", ": > started; kill -STOP $$; sleep 7301", nil},
		{"shell gone", "sleep 7301 >/dev/null 2>&1 & : > started", []string{"sleep 7301"}},
		{"no mark, a parent", "sh -c 'env -i setsid sleep 7301; :' &" + started, []string{"sleep 7301"}},
		{"no mark, a session", "(env -i sleep 7301 &); sleep 7302 & : > started; kill -KILL $$", []string{"sleep 7301", "sleep 7302"}},
		{"breeds", "echo 'trap \"\" TERM\nsleep 0.005\nsetsid sh ./hydra &\nsetsid sleep 7301 &\nsleep 0.005' > hydra; sh ./hydra &" + started, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := abandoner(t, c.command, c.want...)
			kill(t, host)
			got := sweep(t)
			for _, want := range c.want {
				require.Contains(t, got, want)
			}
			require.NotEmpty(t, got)
			// Nobody is left in this namespace but the test.
			require.Empty(t, living(""))
			require.FileExists(t, filepath.Join(host.Dir, "files", fmt.Sprintf("cmd-%d-0000.stdout", host.Process.Pid)))
			require.Empty(t, sweep(t), "a second sweep finds nothing")
		})
	}
}

// Two that sweep at once are not in each other's way.
func TestSweepTwiceAtOnce(t *testing.T) {
	if !alone(t) {
		return
	}
	for range 5 {
		kill(t, abandoner(t, `sh -c 'trap "" TERM; sleep 7301; :' & for i in 1 2 3 4 5 6 7 8; do sleep 7302 & done; : > started; wait`,
			"sleep 7301", "sleep 7302"))
		var sweepers []*exec.Cmd
		var printed [2]strings.Builder
		for i := range printed {
			s := hostCommand(t, "sweeping", "")
			s.Stdout, s.Stderr = &printed[i], os.Stderr
			require.NoError(t, s.Start())
			sweepers = append(sweepers, s)
		}
		both := 0
		for i, s := range sweepers {
			require.NoError(t, s.Wait())
			both += len(swept(t, printed[i].String()))
		}
		require.GreaterOrEqual(t, both, 11)
		require.Empty(t, living(""))
	}
}

// What is not abandoned, or cannot be told to be, is left alone.
func TestSweepSpares(t *testing.T) {
	if !alone(t) {
		return
	}
	needs(t, "unshare", "setsid")
	host := abandoner(t, "sleep 7301 & : > started; wait", "sleep 7301")
	dead := strconv.Itoa(host.Process.Pid) + "." + startTime(host.Process.Pid)
	kill(t, host)
	stranger := fmt.Sprintf("%d.%s.r1/1", os.Getpid(), startTime(os.Getpid()))

	sleeps := 0
	// sleeper is a process with a mark; it is started in a session of its own.
	sleeper := func(mark string, command ...string) string {
		sleeps++
		name := "sleep 8" + fmt.Sprintf("%03d", sleeps)
		if len(command) == 0 {
			command = []string{"sh", "-c", "exec " + name}
		} else {
			command = append(command, "sh", "-c", name+"; :")
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), markVariable+"="+mark)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
		eventually(t, name+" runs", func() bool { return slices.Contains(living(name), name) })
		return name
	}
	var spared, wanted []string
	for _, mark := range []string{
		"", ":", "r1/1", stranger, stranger + ":", "-" + dead + ".r1/1", dead, dead + ".r1", dead + "/1", dead + ".r1/x", dead + ".r1/",
		dead + "./1", " " + dead + ".r1/1", "0" + dead + ".r1/1", strings.Replace(dead, ".", ".0", 1) + ".r1/1",
		strings.Replace(dead, ".", ".+", 1) + ".r1/1", "99999999999999999999." + dead + ".r1/1",
		strconv.Itoa(host.Process.Pid) + ".0.r1/1", strconv.Itoa(host.Process.Pid) + "..r1/1",
		"31999.1.r1/1", // older than the namespace: of another one
	} {
		spared = append(spared, sleeper(mark))
	}
	wanted = append(wanted, "sleep 7301",
		sleeper(dead+".r1/1"), sleeper(stranger+":"+dead+".r.2-_x/17"), sleeper(dead+".r1/1:"+stranger), sleeper("no mark:"+dead+".r1/1"),
		sleeper(strconv.Itoa(os.Getpid())+"."+strings.TrimPrefix(dead, strconv.Itoa(host.Process.Pid)+".")+"9.r1/1"))

	// A process of another user, and one of another namespace that is not a descendant of anybody's here.
	if os.Getuid() == 0 {
		if out, err := exec.Command("setpriv", "--reuid=65534", "true").CombinedOutput(); err == nil {
			spared = append(spared, sleeper(dead+".r1/1", "setpriv", "--reuid=65534"))
		} else {
			t.Logf("no other users here: %s", out)
		}
	}
	inner := sleeper(stranger, "unshare", "--pid", "--fork", "env", markVariable+"="+dead+".r1/1")
	spared = append(spared, inner)

	// A living host.
	alive := abandoner(t, "sleep 7401 & setsid sleep 7402 & : > started; wait", "sleep 7401", "sleep 7402")

	got := sweep(t)
	for _, want := range wanted {
		require.Contains(t, got, want)
	}
	for _, name := range append(spared, "sleep 7401", "sleep 7402") {
		require.NotContains(t, got, name)
		require.NotEmpty(t, living(name), name)
	}
	require.NoError(t, alive.Process.Signal(syscall.Signal(0)))
}

// Whoever sweeps from within a command of a dead host ends neither itself, nor those it descends from, nor the rest
// of its command, nor what it has started; others do.
func TestSweepWithinAbandoned(t *testing.T) {
	if !alone(t) {
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	sweeper := "env " + hostVariable + "=sweeping " + self + " ''"
	host := abandoner(t, "setsid sleep 7301 & mkfifo go; : > started; read x < go; "+sweeper+" 2>&1 | cat > swept; env -u GG_CALL "+sweeper+" > again 2>&1; : > done; sleep 7302", "sleep 7301")
	kill(t, host)
	other := abandoner(t, "sleep 7303 & : > started; wait", "sleep 7303") // a sibling that has died as well
	kill(t, other)
	require.NoError(t, os.WriteFile(filepath.Join(host.Dir, "go"), []byte("\n"), 0o600))
	eventually(t, "it has swept twice", func() bool {
		_, err := os.Stat(filepath.Join(host.Dir, "done"))
		return err == nil
	})
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(host.Dir, name))
		require.NoError(t, err)
		return string(b)
	}
	require.Contains(t, swept(t, read("swept")), "sleep 7303")
	require.NotContains(t, swept(t, read("swept")), "sleep 7301")
	require.Empty(t, swept(t, read("again")))
	require.NotEmpty(t, living("sleep 7301"))
	eventually(t, "the command goes on", func() bool { return slices.Contains(living("sleep 7302"), "sleep 7302") })

	got := sweep(t)
	require.Contains(t, got, "sleep 7301")
	require.Contains(t, got, "sleep 7302")
	require.Empty(t, living(""))
}

func TestOwner(t *testing.T) {
	for mark, want := range map[string]identity{
		"411.98765.r1/1":                      {411, 98765},
		"411.98765.r-ABC.x_y/12":              {411, 98765},
		"2147483647.18446744073709551615.r/1": {1<<31 - 1, 1<<64 - 1},
		"2147483648.1.r/1":                    {},
		"411.18446744073709551616.r/1":        {},
		"411.0.r1/1":                          {},
		"411.00.r1/1":                         {},
		"411.07.r1/1":                         {},
		"0.1.r1/1":                            {},
		"-411.1.r1/1":                         {},
		"+411.1.r1/1":                         {},
		"411.+1.r1/1":                         {},
		"411.1_0.r1/1":                        {},
		"0x411.1.r1/1":                        {},
		"411.1.r1":                            {},
		"411.1.r1/":                           {},
		"411.1.r1/0":                          {},
		"411.1.r1/1/1":                        {},
		"411.1./1":                            {},
		"411.1.r 1/1":                         {},
		"411.1." + strings.Repeat("r", 65) + "/1": {},
		"411.1":            {},
		"411":              {},
		"":                 {},
		"\x00":             {},
		"411.98765.r1/1\n": {},
	} {
		got, ok := owner(mark)
		require.Equal(t, want != identity{}, ok, mark)
		if ok {
			require.Equal(t, want, got, mark)
		}
	}
	got, ok := owner(newMarkSeries("", nil).mark(1))
	require.True(t, ok)
	require.Equal(t, os.Getpid(), got.pid)
}

func FuzzOwner(f *testing.F) {
	f.Add("411.98765.r1/1")
	f.Fuzz(func(t *testing.T, mark string) {
		if id, ok := owner(mark); ok {
			require.True(t, strings.HasPrefix(mark, fmt.Sprintf("%d.%d.", id.pid, id.start)), mark)
		}
	})
}

// A mark condemns when its owner is dead for certain.
func TestCondemns(t *testing.T) {
	zombie := exec.Command("true")
	require.NoError(t, zombie.Start())
	eventually(t, "it has ended", func() bool { return ended(zombie.Process.Pid) })
	of := func(pid int, start string) string { return strconv.Itoa(pid) + "." + start + ".r1/1" }
	self, parent := os.Getpid(), os.Getppid()
	for _, c := range []struct {
		what, mark string
		want       bool
	}{
		{"this process", of(self, startTime(self)), false},
		{"another with our number", of(self, startTime(self)+"0"), true},
		{"our parent", of(parent, startTime(parent)), false},
		{"a thread of the kernel", of(2, startTime(2)), false},
		{"nobody", of(1<<30, "17"), true},
		{"a zombie", of(zombie.Process.Pid, startTime(zombie.Process.Pid)), true},
		{"nobody knows when", of(self, "0"), false},
		{"nobody knows when, nobody there", of(1<<30, "0"), false},
		{"nonsense", "nonsense", false},
	} {
		j, ok := newJudge()
		require.True(t, ok)
		j.since = 0
		require.Equal(t, c.want, j.condemns(c.mark), c.what)

		j.inherit("x:" + c.mark + ":y")
		require.False(t, j.condemns(c.mark), "%s, in our own GG_CALL", c.what)
	}
	t.Setenv(markVariable, of(1<<30, "17"))
	j, _ := newJudge()
	require.False(t, j.condemns(of(1<<30, "17")), "what our commands would inherit")
	os.Unsetenv(markVariable)
	j, _ = newJudge()
	j.since = 18
	require.False(t, j.condemns(of(1<<30, "17")), "older than the namespace")
	require.True(t, j.condemns(of(1<<30, "18")))
	require.NoError(t, zombie.Wait())
}

// What is judged beside the mark.
func TestConfirms(t *testing.T) {
	child := exec.Command("sleep", "30")
	require.NoError(t, child.Start())
	defer func() {
		child.Process.Kill()
		child.Wait()
	}()
	pid := child.Process.Pid
	const dead = "1073741824.17.r1/1"
	j, ok := newJudge()
	require.True(t, ok)
	require.True(t, j.confirms(pid, dead))
	require.False(t, j.skips(pid))
	for kin := range map[int]bool{os.Getpid(): true, os.Getppid(): true, 1: true} {
		require.True(t, j.skips(kin), kin)
	}
	require.True(t, j.skips(1<<30))
	require.False(t, j.confirms(1<<30, dead))
	require.False(t, j.confirms(pid, dead+":"+newMarkSeries("", nil).mark(1)), "our own")

	for _, change := range []func(*judge){
		func(j *judge) { j.user++ },
		func(j *judge) { j.namespaces["pid"] += "1" },
		func(j *judge) { j.namespaces["time"] = "time:[1]" },
	} {
		j, _ := newJudge()
		change(j)
		require.False(t, j.confirms(pid, dead))
	}
	j.user++
	require.True(t, j.skips(pid))
}

// A session that nobody leads belongs to a member of it; that of number 0 is no session.
func TestLeaderlessSessions(t *testing.T) {
	const far = 1 << 29 // numbers nobody has
	own := os.Getppid() // led by somebody
	for _, c := range []struct {
		what       string
		leaderless bool
		session    int
		want       int
	}{
		{"led by nobody", true, far + 7, 2},
		{"of a family that knows its leaders", false, far + 7, 1},
		{"led by a stranger", true, own, 1},
		{"in another namespace", true, 0, 1},
	} {
		one, two := procStat{pid: far + 1, session: c.session, start: 1}, procStat{pid: far + 2, session: c.session, start: 1}
		f := &family{
			seen:  map[identity]bool{one.identity(): true},
			match: func(string) bool { return false }, alone: func() bool { return false }, leaderless: c.leaderless,
		}
		require.Len(t, f.choose([]procStat{one, two}, -1, true), c.want, c.what)
		require.Len(t, f.choose([]procStat{two}, -1, true), c.want-1, "%s, at the next look", c.what)

		three := procStat{pid: far + 3, session: c.session, start: 2}
		require.Len(t, f.choose([]procStat{three}, -1, true), c.want-1, "%s, one that was not there before", c.what)
	}
}
