package shell

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// procStat is what /proc/<pid>/stat tells of a process.
type procStat struct {
	pid, parent, group, session int
	state                       byte
	loaded                      bool   // it has a program, or is a thread of the kernel and never will
	start                       uint64 // clock ticks since boot: with pid, the identity of the process
}

// dead reports whether only the entry in the process table is left.
func (p procStat) dead() bool { return p.state == 'Z' || p.state == 'X' || p.state == 'x' }

// readStat reads the entry of pid; false if there is none.
func readStat(pid int) (procStat, bool) {
	var buf [1024]byte
	b, ok := readProc(pid, "stat", buf[:])
	if !ok {
		return procStat{}, false
	}
	return parseStat(pid, b)
}

// parseStat takes a line of /proc/<pid>/stat apart. The second field is the program's name in parentheses,
// which may hold anything, parentheses and line ends included.
func parseStat(pid int, b []byte) (procStat, bool) {
	end := bytes.LastIndexByte(b, ')')
	if end < 0 {
		return procStat{}, false
	}
	fields := bytes.Fields(b[end+1:])
	if len(fields) < 25 || len(fields[0]) != 1 {
		return procStat{}, false
	}
	p := procStat{pid: pid, state: fields[0][0]}
	for _, f := range []struct {
		to    *int
		field []byte
	}{{&p.parent, fields[1]}, {&p.group, fields[2]}, {&p.session, fields[3]}} {
		n, err := strconv.Atoi(string(f.field))
		if err != nil {
			return procStat{}, false
		}
		*f.to = n
	}
	flags, flagsErr := strconv.ParseUint(string(fields[6]), 10, 64)
	start, startErr := strconv.ParseUint(string(fields[19]), 10, 64)
	p.start = start
	p.loaded = string(fields[24]) != "0" || flags&kernelThread != 0 // the end of the program's code
	return p, flagsErr == nil && startErr == nil
}

// kernelThread is PF_KTHREAD of the kernel's <linux/sched.h>.
const kernelThread = 0x00200000

// startTime is when pid was started, as text; "0" if that cannot be told.
func startTime(pid int) string {
	p, _ := readStat(pid)
	return strconv.FormatUint(p.start, 10)
}

// ended reports whether it is certain that no process has the number pid, or only a dead one: /proc may hide those of
// others.
func ended(pid int) bool {
	p, ok := readStat(pid)
	return ok && p.dead() || !ok && unix.Kill(pid, 0) == unix.ESRCH
}

// ended reports whether it is certain that the process has ended. Its number may be another's by now.
func (id identity) ended() bool {
	p, ok := readStat(id.pid)
	return ok && p.start != id.start || ended(id.pid)
}

// environMark returns the value of GG_CALL in the environment that p was started with. It fails for
// processes of others, and for one that has written over its environment.
func environMark(p procStat) (string, bool) {
	if value, ok, empty := readMark(p.pid); ok || !empty {
		return value, ok // most have one, and whether it has a program need not be asked
	}
	for until := time.Now().Add(maxExec); ; time.Sleep(100 * time.Microsecond) {
		now, alive := readStat(p.pid)
		value, ok, empty := readMark(p.pid)
		if ok || !empty || !alive || now.loaded || time.Now().After(until) {
			return value, ok
		}
	}
}

// maxExec is how long a process may have neither an environment nor a program before it is given up: in the
// middle of an exec, where it has lost the old ones and does not have the new ones yet, it is for
// microseconds, as long as it gets to run.
const maxExec = 200 * time.Millisecond

// readMark looks for GG_CALL in the environment as it is now.
func readMark(pid int) (value string, ok, empty bool) {
	fd, opened := openProc("/proc/" + strconv.Itoa(pid) + "/environ")
	if !opened {
		return "", false, false
	}
	defer unix.Close(fd)
	buf := make([]byte, 16<<10)
	var carry []byte // an entry that continues in the next read
	for empty = true; ; empty = false {
		n, err := unix.Read(fd, buf)
		for err == unix.EINTR {
			n, err = unix.Read(fd, buf)
		}
		if err != nil || n <= 0 {
			value, ok = cutMark(carry)
			return value, ok, empty && err == nil
		}
		carry = append(carry, buf[:n]...)
		for {
			end := bytes.IndexByte(carry, 0)
			if end < 0 {
				break
			}
			if value, ok := cutMark(carry[:end]); ok {
				return value, true, false
			}
			carry = carry[end+1:]
		}
	}
}

func cutMark(entry []byte) (string, bool) {
	value, ok := bytes.CutPrefix(entry, []byte(markVariable+"="))
	return string(value), ok
}

// commandLine is the command line of p for a reader.
func commandLine(p procStat) string {
	var buf [4096]byte
	b, _ := readProc(p.pid, "cmdline", buf[:])
	args := strings.TrimRight(string(b), "\x00")
	if args == "" {
		b, _ = readProc(p.pid, "comm", buf[:])
		args = "[" + strings.TrimRight(string(b), "\n") + "]"
	}
	n := 0
	// One line: a newline could draw a line of its own wherever the command is listed.
	args = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, args)
	if !utf8.ValidString(args) {
		args = strings.ToValidUTF8(args, "\uFFFD")
	}
	for i := range args {
		if n++; n > maxCommandLine {
			return args[:i] + "…"
		}
	}
	return args
}

// maxCommandLine is how many characters of a command line are reported.
const maxCommandLine = 200

// readProc reads the beginning of a file of /proc/<pid> into buf.
func readProc(pid int, name string, buf []byte) ([]byte, bool) {
	path := make([]byte, 0, 32)
	path = append(path, "/proc/"...)
	path = strconv.AppendInt(path, int64(pid), 10)
	path = append(path, '/')
	path = append(path, name...)
	return readStart(string(path), buf)
}

// unread counts the files of /proc that could not be opened for want of a descriptor or of memory: what was not found
// meanwhile may be there all the same.
var unread atomic.Int64

// openProc opens a file of /proc.
func openProc(path string) (fd int, ok bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	switch err {
	case unix.EMFILE, unix.ENFILE, unix.ENOMEM:
		unread.Add(1)
	}
	return fd, err == nil
}

// readStart reads once: files of /proc give what fits in one piece.
func readStart(path string, buf []byte) ([]byte, bool) {
	fd, ok := openProc(path)
	if !ok {
		return nil, false
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		return buf[:max(n, 0)], err == nil && n > 0
	}
}

// listProcesses returns the numbers of all processes.
func listProcesses() []int {
	fd, ok := openProc("/proc")
	if !ok {
		return nil
	}
	d := os.NewFile(uintptr(fd), "/proc")
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// newestPID is the number that was given out last, to a process or a thread.
func newestPID() (int, bool) {
	var buf [128]byte
	b, ok := readStart("/proc/loadavg", buf[:])
	if !ok {
		return 0, false
	}
	fields := bytes.Fields(b)
	if len(fields) < 5 {
		return 0, false
	}
	pid, err := strconv.Atoi(string(fields[4]))
	return pid, err == nil
}

// procUsable reports whether /proc shows the processes by the numbers we know them under: it may be missing, or
// belong to another namespace.
var procUsable = sync.OnceValue(func() bool {
	self, err := os.Readlink("/proc/self")
	return err == nil && self == strconv.Itoa(os.Getpid())
})

// isThread reports whether pid is the number of a thread that is not its process's first.
func isThread(pid int) bool {
	var buf [512]byte
	b, ok := readProc(pid, "status", buf[:])
	if !ok {
		return false
	}
	_, rest, ok := strings.Cut(string(b), "\nTgid:\t")
	if !ok {
		return false
	}
	group, _, _ := strings.Cut(rest, "\n")
	return group != strconv.Itoa(pid)
}
