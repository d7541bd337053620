package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/responses-as-code/gg/shell/policy"
	"github.com/responses-as-code/gg/shell/store"
)

// disk is a workbench whose files are on a small disk of their own.
type disk struct {
	*workbench
	mountPoint string
	store      *store.Dir
}

// newDisk mounts a tmpfs with these options, and a Runner that keeps its files there.
func newDisk(t *testing.T, options string, c store.Config) *disk {
	t.Helper()
	d := &disk{mountPoint: t.TempDir()}
	d.mount(t, options, 0)
	c.Path = filepath.Join(d.mountPoint, "files")
	var err error
	d.store, err = store.New(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.store.Close()) })
	d.workbench = newWorkbench(t, Config{Store: d.store})
	return d
}

func (d *disk) mount(t *testing.T, options string, flags uintptr) {
	t.Helper()
	if err := unix.Mount("tmpfs", d.mountPoint, "tmpfs", flags, options); err != nil {
		missing(t, "needs to mount a tmpfs: "+err.Error())
	}
	t.Cleanup(func() { unix.Unmount(d.mountPoint, unix.MNT_DETACH) })
}

// fill leaves no room on the disk.
func (d *disk) fill() {
	f, err := os.Create(filepath.Join(d.mountPoint, "filler"))
	require.NoError(d.t, err)
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 64<<10))
	}
	require.ErrorIs(d.t, err, unix.ENOSPC)
}

// open creates the file that a command waits for.
func (d *disk) open(gate string) {
	require.NoError(d.t, os.WriteFile(filepath.Join(d.dir, gate), nil, 0o600))
}

func (d *disk) free() int64 {
	var st unix.Statfs_t
	require.NoError(d.t, unix.Statfs(d.mountPoint, &st))
	return int64(st.Bavail) * st.Bsize
}

// A flood is diskLines lines of diskLine, more than any of the disks can take, by a program that exits with 3
// unless a write fails.
const (
	diskLine  = "aaaaaaa\n"
	diskLines = 400_000
)

func diskFlood(prints string) string {
	return fmt.Sprintf(`awk 'BEGIN { for (i = 0; i < %d; i++) { %s } exit 3 }'`, diskLines, prints)
}

const (
	printsStdout = `print "aaaaaaa";`
	printsStderr = `print "aaaaaaa" >"/dev/stderr";`
)

// noteOf is what the note has to say of a stream: short is why its file is not complete, if it is not.
func (d *disk) noteOf(name, path, short, statistics string) string {
	d.t.Helper()
	note := name + ": " + path
	if short != "" {
		info, err := os.Stat(path)
		require.NoError(d.t, err)
		note += fmt.Sprintf(" (first %d bytes; %s)", info.Size(), short)
	}
	return note + "\n  " + statistics
}

const floodStatistics = "400000 lines; line length p50 7, p95 7, p99 7\n  longest lines: 7 chars @ 1, 7 @ 2, 7 @ 3, 7 @ 4, 7 @ 5"

// requirePrefix fails unless the file holds the beginning of a flood after before.
func (d *disk) requirePrefix(path, before string) {
	d.t.Helper()
	whole := before + strings.Repeat(diskLine, diskLines)
	stored := d.read(path)
	require.Less(d.t, len(stored), len(whole))
	require.True(d.t, whole[:len(stored)] == stored, "the file is not the beginning of the stream")
}

// F02, E17: whatever the disk has no room for costs the files their end, and nothing else.
func TestDisk(t *testing.T) {
	if !again(t, mounts()) {
		return
	}
	needs(t, "awk")
	for name, test := range map[string]func(*testing.T){
		"flood":                       testDiskFlood,
		"filled while a command runs": testDiskFilled,
		"full from the start":         testDiskFull,
		"no inodes":                   testDiskWithoutInodes,
		"filled behind a command":     testDiskFilledBehind,
		"unmounted":                   testDiskUnmounted,
		"unlimited":                   testDiskUnlimited,
	} {
		t.Run(name, test)
	}
}

func testDiskFlood(t *testing.T) {
	const reserve, page = "disk reserve reached", 4096
	for _, c := range []struct {
		name, options  string
		config         store.Config
		prints         string
		stdout, stderr string // why their files are cut short
		stored         int64  // in each file that is; 0: as the room there is
		free           int64  // is left at the least
		fileSize       uint64 // that the process may write
	}{
		{name: "stdout", options: "size=1m", config: store.Config{ReserveBytes: 64 << 10}, prints: printsStdout, stdout: reserve, free: 64 << 10},
		{name: "stderr", options: "size=1m", config: store.Config{ReserveBytes: 64 << 10}, prints: printsStderr, stderr: reserve, free: 64 << 10},
		{name: "both", options: "size=1m", config: store.Config{ReserveBytes: 64 << 10}, prints: printsStdout + printsStderr, stdout: reserve, stderr: reserve, free: 64 << 10},
		{name: "reserve", options: "size=1m", config: store.Config{ReserveBytes: 512 << 10}, prints: printsStdout, stdout: reserve, free: 512 << 10},
		{name: "default reserve", options: "size=2000k", prints: printsStdout, stdout: reserve, free: 100 << 10},
		{name: "reserve and both", options: "size=2000k", prints: printsStdout + printsStderr, stdout: reserve, stderr: reserve, free: 100 << 10},
		{name: "size limit", options: "size=1m", config: store.Config{ReserveBytes: 1, MaxStreamBytes: 100_001}, prints: printsStdout + printsStderr,
			stdout: "size limit reached", stderr: "size limit reached", stored: 100_001},
		{name: "limit of the process", options: "size=1m", config: store.Config{ReserveBytes: 1}, prints: printsStderr,
			stderr: "file too large", stored: 300_001, fileSize: 300_001},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDisk(t, c.options, c.config)
			if c.fileSize > 0 {
				limitFileSize(t, c.fileSize)
			}
			out := d.run(diskFlood(c.prints))
			require.Equal(t, 3, out.ExitCode)
			require.Empty(t, out.Signal)
			require.True(t, out.Truncated)
			want := strings.Repeat(diskLine, 200) + "\n[Output truncated: last 200 lines]"
			for _, s := range []struct{ name, path, short, prints string }{
				{"stdout", out.Files.Stdout, c.stdout, printsStdout},
				{"stderr", out.Files.Stderr, c.stderr, printsStderr},
			} {
				statistics := "0 lines"
				if strings.Contains(c.prints, s.prints) {
					statistics = floodStatistics
				}
				want += "\n" + d.noteOf(s.name, s.path, s.short, statistics)
				d.requirePrefix(s.path, "")
				if c.stored > 0 && s.short != "" {
					require.Len(t, d.read(s.path), int(c.stored))
				}
			}
			require.Equal(t, want, out.Text)
			// A file takes up whole pages.
			require.GreaterOrEqual(t, d.free(), c.free-2*page)
			if c.stored == 0 {
				require.LessOrEqual(t, d.free(), c.free+2*page, "there was room for more")
			}
		})
	}
}

// limitFileSize is `ulimit -f` for this process and what it starts, until the test ends.
func limitFileSize(t *testing.T, size uint64) {
	var old unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &old))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: old.Max}))
	t.Cleanup(func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &old)) })
}

// Somebody else fills the disk, between two looks at the free space: a write fails.
func testDiskFilled(t *testing.T) {
	for _, c := range []struct {
		name, prints string
		text         string // down to the note's head
		truncated    bool
		statistics   string
	}{
		// What has been written already has a page of 4096 bytes.
		{"the end fits", "head -c 5000 /dev/zero | tr '\\0' a; echo",
			"hello\n" + strings.Repeat("a", 5000) + "\n\n[Output complete; files cut short]\n", false,
			"2 lines; line length p50 5, p95 5000, p99 5000\n  longest lines: 5000 chars @ 2, 5 @ 1"},
		{"flood", diskFlood(printsStdout),
			strings.Repeat(diskLine, 200) + "\n[Output truncated: last 200 lines]\n", true,
			"400001 lines; line length p50 7, p95 7, p99 7\n  longest lines: 7 chars @ 2, 7 @ 3, 7 @ 4, 7 @ 5, 7 @ 6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDisk(t, "size=1m", store.Config{ReserveBytes: 1})
			gate := sync.OnceFunc(func() {
				d.fill()
				d.open("gate")
			})
			out, err := d.Run(context.Background(), Request{
				Command:  "echo hello; until [ -e gate ]; do sleep 0.001; done; " + c.prints + "; exit 3",
				OnOutput: func(policy.Stream, int) { gate() },
			})
			require.NoError(t, err)
			require.Equal(t, 3, out.ExitCode)
			require.Equal(t, c.truncated, out.Truncated)
			require.Equal(t, c.text+
				d.noteOf("stdout", out.Files.Stdout, "no space left on device", c.statistics+"\n")+
				d.noteOf("stderr", out.Files.Stderr, "", "0 lines"), out.Text)
			if c.truncated {
				d.requirePrefix(out.Files.Stdout, "hello\n")
			} else {
				require.Equal(t, c.text[:4096], d.read(out.Files.Stdout))
			}
		})
	}
}

// Where files can be made but not written, what was not written is told.
func testDiskFull(t *testing.T) {
	d := newDisk(t, "size=1m", store.Config{ReserveBytes: 1})
	d.fill()
	out := d.run("exit 3")
	require.Equal(t, 3, out.ExitCode)
	require.Empty(t, out.Text, "nothing is missing")

	const full = "no space left on device"
	out = d.run("echo hello; exit 3")
	require.Equal(t, 3, out.ExitCode)
	require.False(t, out.Truncated)
	require.Empty(t, d.read(out.Files.Stdout))
	require.Equal(t, "hello\n\n[Output complete; files cut short]\n"+
		d.noteOf("stdout", out.Files.Stdout, full, "1 line; line length p50 5, p95 5, p99 5\n  longest lines: 5 chars @ 1\n")+
		d.noteOf("stderr", out.Files.Stderr, "", "0 lines"), out.Text)

	out = d.run(diskFlood(printsStdout + printsStderr))
	require.Equal(t, 3, out.ExitCode)
	require.True(t, out.Truncated)
	require.Equal(t, strings.Repeat(diskLine, 200)+"\n[Output truncated: last 200 lines]\n"+
		d.noteOf("stdout", out.Files.Stdout, full, floodStatistics+"\n")+
		d.noteOf("stderr", out.Files.Stderr, full, floodStatistics), out.Text)

	// With room again, files are whole again.
	require.NoError(t, os.Remove(filepath.Join(d.mountPoint, "filler")))
	out = d.run("echo hello")
	require.Equal(t, "hello\n", out.Text)
	require.Equal(t, "hello\n", d.read(out.Files.Stdout))
}

// Where not both files can be made there is none, and the output is shown as without files.
func testDiskWithoutInodes(t *testing.T) {
	for inodes, what := range []string{1: "directory", 2: "lock", 3: "standard output", 4: "standard error", 5: ""} {
		if inodes == 0 {
			continue
		}
		t.Run(fmt.Sprint(inodes), func(t *testing.T) {
			d := newDisk(t, fmt.Sprintf("size=1m,nr_inodes=%d", inodes), store.Config{ReserveBytes: 1})
			if what == "" {
				out := d.run("echo hello; exit 3")
				require.Equal(t, "hello\n", out.Text)
				require.Equal(t, "hello\n", d.read(out.Files.Stdout))
			}
			line := "[could not write output to " + d.store.Path() + ": no space left on device]"
			for command, want := range map[string]string{
				"echo hello; exit 3":          "hello\n" + line,
				"printf hello; exit 3":        "hello\n" + line,
				"exit 3":                      line,
				diskFlood(printsStdout):       strings.Repeat(diskLine, policy.CapBytes/len(diskLine)) + line,
				"seq 300; echo no >&2;exit 3": strings.Join(numbers(1, 300), "") + "no\n" + line,
			} {
				out := d.run(command)
				require.Equal(t, 3, out.ExitCode)
				require.Equal(t, want, out.Text)
				require.Equal(t, len(want) > policy.CapBytes, out.Truncated)
				require.Nil(t, out.Files)
			}
			entries, err := os.ReadDir(d.store.Path())
			if !errors.Is(err, os.ErrNotExist) {
				require.NoError(t, err)
			}
			for _, e := range entries {
				if what != "" {
					require.True(t, strings.HasSuffix(e.Name(), ".lock"), "half a pair was left: %s", e.Name())
				}
			}
		})
	}
}

func numbers(from, to int) (lines []string) {
	for i := from; i <= to; i++ {
		lines = append(lines, fmt.Sprintln(i))
	}
	return lines
}

// What a command left running is not disturbed by a disk that fills up behind it.
func testDiskFilledBehind(t *testing.T) {
	d := newDisk(t, "size=1m", store.Config{ReserveBytes: 1})
	out := d.run("(until [ -e gate ]; do sleep 0.001; done; " + diskFlood(printsStdout+printsStderr) + "; echo $? >status.new; mv status.new status) & echo started")
	require.Equal(t, "started\n", out.Text)
	require.NotEmpty(t, out.Background)
	d.fill()
	d.open("gate")
	status := filepath.Join(d.dir, "status")
	eventually(t, "the process that was left is done", func() bool { _, err := os.Stat(status); return err == nil })
	require.Equal(t, "3\n", d.read(status))
	_, err := d.Close(context.Background())
	require.NoError(t, err)
	d.requirePrefix(out.Files.Stdout, "started\n")
	d.requirePrefix(out.Files.Stderr, "")
}

// The disk goes away under a command, and one that cannot be written to takes its place.
func testDiskUnmounted(t *testing.T) {
	d := newDisk(t, "size=1m", store.Config{ReserveBytes: 1})
	gate := sync.OnceFunc(func() {
		require.NoError(t, unix.Unmount(d.mountPoint, unix.MNT_DETACH))
		d.mount(t, "size=1m", unix.MS_RDONLY)
		d.open("gate")
	})
	out, err := d.Run(context.Background(), Request{
		Command:  "echo hello; until [ -e gate ]; do sleep 0.001; done; echo again; exit 3",
		OnOutput: func(policy.Stream, int) { gate() },
	})
	require.NoError(t, err)
	require.Equal(t, 3, out.ExitCode)
	require.Nil(t, out.Files)
	require.Regexp(t, `^hello\nagain\n\n\[Output complete; files cut short]\n`+
		`stdout: \S+\.stdout \(first 0 bytes; file removed\)\n  2 lines; line length p50 5, p95 5, p99 5\n  longest lines: 5 chars @ 1, 5 @ 2\n`+
		`stderr: \S+\.stderr \(first 0 bytes; file removed\)\n  0 lines$`, out.Text)

	out = d.run("echo hello; exit 3")
	require.Equal(t, 3, out.ExitCode)
	require.Equal(t, "hello\n[could not write output to "+d.store.Path()+": read-only file system]", out.Text)
}

// A file system that says neither how large it is nor what is free has no reserve to keep.
func testDiskUnlimited(t *testing.T) {
	d := newDisk(t, "size=0", store.Config{})
	out := d.run(diskFlood(printsStdout))
	require.Equal(t, 3, out.ExitCode)
	require.NotContains(t, out.Text, "(first ")
	require.True(t, strings.Repeat(diskLine, diskLines) == d.read(out.Files.Stdout), "the file is not whole")
}
