package shell

import (
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of <sys/proc.h>

// members returns the living processes of the leaders' groups. Sessions, marks and descent are not
// looked at here.
func (f *family) members() []member {
	if f.seen == nil {
		f.seen = make(map[identity]bool)
	}
	var members []member
	for leader := range f.leaders {
		entries, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", leader)
		if err != nil {
			continue
		}
		for _, e := range entries {
			m := member{
				identity: identity{int(e.Proc.P_pid), startOf(e)},
				group:    int(e.Eproc.Pgid),
				command:  "[" + unix.ByteSliceToString(e.Proc.P_comm[:]) + "]",
			}
			if e.Proc.P_stat != zombie && (f.held || f.seen[m.identity]) {
				f.seen[m.identity] = true
				members = append(members, m)
			}
		}
	}
	return members
}

func startOf(e unix.KinfoProc) uint64 {
	t := e.Proc.P_starttime
	return uint64(t.Sec)*1e6 + uint64(t.Usec)
}

// describe has nothing to add.
func describe([]member) {}

func (m member) alive() bool {
	e, err := unix.SysctlKinfoProc("kern.proc.pid", m.pid)
	return err == nil && e.Proc.P_stat != zombie && startOf(*e) == m.start
}

// signal sends sig to the process if it is still itself.
func (m member) signal(sig syscall.Signal) {
	if m.alive() {
		syscall.Kill(m.pid, sig)
	}
}

// awaitMembers waits until every member has ended, at most until the deadline or until done is closed.
func awaitMembers(members []member, deadline time.Time, done <-chan struct{}) {
	for _, m := range members {
		for m.alive() && time.Now().Before(deadline) {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}
}

// startTime is when pid was started, as text; "0" if that cannot be told.
func startTime(pid int) string {
	e, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "0"
	}
	return strconv.FormatUint(startOf(*e), 10)
}

func startTicks() uint64 { return 0 }
