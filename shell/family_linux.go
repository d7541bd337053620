package shell

import (
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// youth is how long a family may be looked for among the numbers above its leader's alone. They are given
// out in turn, and going once around takes at least 32768 processes, unless an administrator chose fewer.
const youth = 2 * time.Second

// fewPIDs is how many numbers are rather tried one by one than picked from a listing of /proc: one
// attempt costs about as much as listing four processes.
const fewPIDs = 64

// members returns the living processes of the family, the leaders included.
func (f *family) members() []member {
	if !procUsable() {
		return nil
	}
	defer func(before int64) { f.blind = unread.Load() != before }(unread.Load())
	first, held := f.only()
	pids, certain := f.candidates()
	if held && f.ended && len(pids) == 1 && pids[0] == first {
		return nil // no process has been started since: this is the way of most commands
	}
	var leader procStat
	if held {
		leader, _ = readStat(first)
		if f.since == 0 {
			f.since = leader.start
		}
	}
	own := unixSession()
	var candidates []procStat
	for _, pid := range pids {
		if pid == os.Getpid() || f.skip != nil && f.skip(pid) {
			continue
		}
		p, ok := leader, leader.pid == pid
		if !ok {
			p, ok = readStat(pid)
		}
		// Nobody comes back into the session of this process, and nobody gets out of another command's into
		// ours: what is in one of them needs no closer look.
		if !ok || p.dead() || p.start < f.since || p.session == own && !f.seen[p.identity()] || f.others(p) {
			continue
		}
		candidates = append(candidates, p)
	}
	return f.choose(candidates, own, certain)
}

func (p procStat) identity() identity { return identity{p.pid, p.start} }

// candidates returns the numbers a member can have, and whether all of them are of processes.
func (f *family) candidates() (pids []int, certain bool) {
	if first, ok := f.only(); ok && time.Since(f.born) < youth {
		newest, ok := newestPID()
		if ok && newest >= first && newest-first <= fewPIDs {
			for pid := first; pid <= newest; pid++ {
				pids = append(pids, pid)
			}
			return pids, false
		}
		if ok && newest >= first {
			return slices.DeleteFunc(listProcesses(), func(pid int) bool { return pid < first }), true
		}
	}
	return listProcesses(), true
}

// only returns the leader of a family that has one.
func (f *family) only() (int, bool) {
	if len(f.leaders) != 1 || !f.held {
		return 0, false
	}
	for pid := range f.leaders {
		return pid, true
	}
	return 0, false
}

// others reports whether p is in the session of another command that is running now.
func (f *family) others(p procStat) bool {
	return !f.leaders[p.session] && adopting.isLeader(p.session)
}

// choose picks the members out of the candidates. Only when that is certain are all of these processes: most are
// of others, and whether one is a thread costs as much to find out as all that is known about it.
func (f *family) choose(candidates []procStat, own int, certain bool) []member {
	if f.seen == nil {
		f.seen = make(map[identity]bool)
	}
	chosen := make(map[int]procStat)
	sessions := make(map[int]bool)
	if f.leaderless {
		if f.sessions == nil {
			f.sessions = sessions
		}
		sessions = f.sessions
	}
	threads := make(map[int]bool)
	add := func(p procStat) bool {
		if threads[p.pid] || !certain && isThread(p.pid) {
			threads[p.pid] = true
			return false
		}
		chosen[p.pid] = p
		f.seen[p.identity()] = true
		// A session that begins in another namespace has the number 0 here, like every other of that kind.
		if f.leaders[p.session] || f.leaderless && p.session > 0 {
			sessions[p.session] = true
		}
		return true
	}
	for _, p := range candidates {
		switch {
		case f.seen[p.identity()], f.held && f.leaders[p.session]:
			add(p)
		default:
			if f.carries(p) {
				add(p)
			} else if p.parent == os.Getpid() && p.session != own && adopting.active() && f.alone() {
				add(p)
			}
		}
	}
	// A member's children are members, and so are, when the leader has been reaped, those who share a
	// session with a member that proves it to be still the leader's.
	shares := func(p procStat) bool {
		_, own := chosen[p.session]
		return sessions[p.session] && (own || f.leaders[p.session] || ended(p.session))
	}
	for grown := true; grown; {
		grown = false
		for _, p := range candidates {
			if _, has := chosen[p.pid]; has {
				continue
			}
			if _, child := chosen[p.parent]; child || shares(p) {
				grown = add(p) || grown
			}
		}
	}
	members := make([]member, 0, len(chosen))
	for _, p := range chosen {
		members = append(members, member{identity: p.identity(), group: p.group})
	}
	slices.SortFunc(members, func(a, b member) int { return a.pid - b.pid })
	return members
}

// carries reports whether p has a mark of the family.
func (f *family) carries(p procStat) bool {
	value, ok := environMark(p)
	return ok && hasMark(value, f.match) && (f.confirm == nil || f.confirm(p.pid, value))
}

// describe fills in what a reader knows the members by.
func describe(members []member) {
	for i := range members {
		members[i].command = commandLine(procStat{pid: members[i].pid})
	}
}

// signal sends sig to the process, not to another that has got its number meanwhile: the descriptor is
// taken first, so that what is verified is what is signalled.
func (m member) signal(sig syscall.Signal) {
	fd, err := unix.PidfdOpen(m.pid, 0)
	if err == unix.ESRCH {
		return
	}
	p, ok := readStat(m.pid)
	if err == nil && ok {
		defer unix.Close(fd)
	} else if err == nil {
		// It has gone, or there was only one descriptor left.
		unix.Close(fd)
		err = unix.EMFILE
		p, ok = readStat(m.pid)
	}
	if !ok || p.dead() || p.start != m.start {
		return
	}
	if err == nil && unix.PidfdSendSignal(fd, sig, nil, 0) != unix.ENOSYS {
		return
	}
	syscall.Kill(m.pid, sig) // no pidfd: the moment since the look must do
}

// awaitMembers waits until every member has ended, at most until the deadline.
func awaitMembers(members []member, deadline time.Time, done <-chan struct{}) {
	for _, m := range members {
		for m.alive() && time.Now().Before(deadline) {
			if !m.await(deadline, done) {
				return
			}
		}
	}
}

func (m member) alive() bool {
	p, ok := readStat(m.pid)
	return ok && !p.dead() && p.start == m.start
}

// await waits a glance for the end of the process; false when done was closed.
func (m member) await(deadline time.Time, done <-chan struct{}) bool {
	pause := min(glance, time.Until(deadline))
	if fd, err := unix.PidfdOpen(m.pid, 0); err == nil {
		defer unix.Close(fd)
		if m.alive() {
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			unix.Poll(fds, int((pause+time.Millisecond-1)/time.Millisecond))
		}
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
	select {
	case <-done:
		return false
	case <-time.After(pause):
		return true
	}
}

func unixSession() int {
	sid, err := unix.Getsid(0)
	if err != nil {
		return -1
	}
	return sid
}

func startTicks() uint64 {
	p, _ := readStat(os.Getpid())
	return p.start
}
