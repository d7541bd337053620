package shell

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// leader is the command processor of a command, and the job that its descendants are in.
type leader struct {
	pid  int
	exit uintptr        // the process's handle, signalled when it ends
	job  windows.Handle // 0 if there could be none
}

// ending is how a shell ended.
type ending struct {
	exitCode int
	signal   string
	cpu      time.Duration
	peakRSS  int64
}

// launch starts inv with the three handles.
func launch(inv invocation, stdin, stdout, stderr uintptr) (*leader, error) {
	attr := &syscall.ProcAttr{
		Dir:   inv.dir,
		Env:   inv.env,
		Files: []uintptr{stdin, stdout, stderr},
		Sys:   &syscall.SysProcAttr{CmdLine: inv.line, HideWindow: true},
	}
	pid, handle, err := syscall.StartProcess(inv.path, nil, attr)
	if err != nil {
		return nil, whyNotLaunched(inv, err)
	}
	l := &leader{pid: pid, exit: handle}
	// What the command starts before it is in the job stays outside of it: a moment nothing can be done about
	// with the ways there are to start a process here.
	if job, err := windows.CreateJobObject(nil, nil); err == nil {
		if windows.AssignProcessToJobObject(job, windows.Handle(handle)) == nil {
			l.job = job
		} else {
			windows.CloseHandle(job)
		}
	}
	return l, nil
}

// whyNotLaunched finds out which of the two paths an error is about.
func whyNotLaunched(inv invocation, err error) error {
	info, statErr := os.Stat(inv.dir)
	switch {
	case statErr != nil:
		return &LaunchError{What: "working directory", Path: inv.dir, Err: plain(statErr)}
	case !info.IsDir():
		return &LaunchError{What: "working directory", Path: inv.dir, Err: syscall.ENOTDIR}
	}
	return &LaunchError{What: "interpreter", Path: inv.path, Err: err}
}

// plain is err without an operation and a path: a *LaunchError names the path.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// ask does nothing: there is no polite way to end a process that has no window and no console of its own.
func (l *leader) ask() {}

// kill ends every process of the job.
func (l *leader) kill() {
	if l.job != 0 {
		windows.TerminateJobObject(l.job, 1)
	} else if l.exit != 0 {
		windows.TerminateProcess(windows.Handle(l.exit), 1)
	}
}

// reap takes the exit code of the ended leader.
func (l *leader) reap() ending {
	h := syscall.Handle(l.exit)
	defer syscall.CloseHandle(h)
	l.exit = 0
	syscall.WaitForSingleObject(h, syscall.INFINITE)
	var code uint32
	if syscall.GetExitCodeProcess(h, &code) != nil {
		return ending{exitCode: math.MaxUint8}
	}
	e := ending{exitCode: int(code)}
	var creation, exit, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(h, &creation, &exit, &kernel, &user) == nil {
		ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
		e.cpu = time.Duration(ticks(kernel)+ticks(user)) * 100 // of 100 ns
	}
	return e
}

// abandon gives up a leader that does not end although it was killed. Its handle stays open: the
// collector still waits on it.
func (l *leader) abandon() ending {
	l.exit = 0
	return ending{exitCode: 1}
}

// populated reports whether the job has a process.
func (l *leader) populated() bool {
	if l.job == 0 {
		return false
	}
	// JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
	var info struct {
		userTime, kernelTime, periodUserTime, periodKernelTime      int64
		pageFaults, processes, activeProcesses, terminatedProcesses uint32
	}
	err := windows.QueryInformationJobObject(l.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.activeProcesses > 0
}

// unwatch does nothing: the handle that tells of the exit is the process's own.
func (l *leader) unwatch() {}

// release gives up the job; its processes are not affected.
func (l *leader) release() {
	if l.job != 0 {
		windows.CloseHandle(l.job)
		l.job = 0
	}
}

func askMembers([]member, *leader)  {}
func killMembers([]member, *leader) {}

// peakRSS makes every command's smaller: nothing is known of theirs.
func peakRSS() int64 { return math.MaxInt64 - peakSlack }
