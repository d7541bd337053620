package shell

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// judge tells what is abandoned from what is not for us to end.
type judge struct {
	user int
	self identity
	kin  map[int]bool // this process and those it descends from, process 1 included

	// heirlooms are the owners of the marks that the kin carry. Whoever else carries one is of the same command as
	// we are. They may also be of an outer PID namespace, where we cannot see that they live.
	heirlooms map[identity]bool

	// since is when the PID namespace began: an owner that is older is of another one.
	since uint64

	namespaces map[string]string // of this process, by kind
}

// abandoned is the family of all that is left of dead owners; nil where that cannot be told.
func abandoned() *family {
	if !procUsable() {
		return nil
	}
	j, ok := newJudge()
	if !ok {
		return nil
	}
	return &family{
		match:      j.condemns,
		skip:       j.skips,
		confirm:    j.confirms,
		alone:      func() bool { return false },
		leaderless: true,
	}
}

func newJudge() (*judge, bool) {
	self, ok := readStat(os.Getpid())
	j := &judge{
		user: os.Geteuid(), self: self.identity(),
		kin: map[int]bool{1: true}, heirlooms: map[identity]bool{}, namespaces: map[string]string{},
	}
	for _, kind := range []string{"pid", "time"} {
		if name, ok := namespace(j.self.pid, kind); ok { // "time" since Linux 5.6
			j.namespaces[kind] = name
		}
	}
	pidNamespace, known := j.namespaces["pid"]
	if !ok || !known {
		return nil, false
	}
	if pidNamespace != initialNamespace {
		first, ok := readStat(1)
		if !ok {
			return nil, false
		}
		j.since = first.start
	}
	j.inherit(os.Getenv(markVariable))
	for p := self; ok; p, ok = readStat(p.parent) {
		j.kin[p.pid] = true
		if !j.foreign(p.pid) {
			value, _ := environMark(p)
			j.inherit(value)
		}
	}
	return j, true
}

// initialNamespace is that of PROC_PID_INIT_INO of the kernel's <linux/proc_ns.h>. Nothing is outside of it.
const initialNamespace = "pid:[4026531836]"

func namespace(pid int, kind string) (string, bool) {
	name, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/" + kind)
	return name, err == nil
}

// inherit takes in the marks of one of the kin.
func (j *judge) inherit(value string) {
	for mark := range strings.SplitSeq(value, ":") {
		if id, ok := owner(mark); ok {
			j.heirlooms[id] = true
		}
	}
}

// skips excludes the kin and the processes of others, of which nothing is read.
func (j *judge) skips(pid int) bool { return j.kin[pid] || j.foreign(pid) }

func (j *judge) foreign(pid int) bool {
	var st unix.Stat_t
	return unix.Lstat("/proc/"+strconv.Itoa(pid), &st) != nil || int(st.Uid) != j.user
}

// condemns reports whether a mark is that of a dead owner.
func (j *judge) condemns(mark string) bool {
	id, ok := owner(mark)
	return ok && id.start >= j.since && !j.heirlooms[id] && id.ended()
}

// confirms reports whether the marks of a process, one of which is a dead owner's, mean what they seem to mean.
func (j *judge) confirms(pid int, value string) bool {
	ours := func(mark string) bool {
		id, ok := owner(mark)
		return ok && id == j.self
	}
	if hasMark(value, ours) || effectiveUser(pid) != j.user {
		return false
	}
	// Its owner's number and start are those of its own namespaces, as far as anybody can tell.
	for kind, name := range j.namespaces {
		if its, ok := namespace(pid, kind); !ok || its != name {
			return false
		}
	}
	return true
}

// effectiveUser is the user of a process; -1 if it cannot be told. The owner of its directory in /proc is another one,
// root, when its memory is not to be looked at.
func effectiveUser(pid int) int {
	var buf [1024]byte
	b, _ := readProc(pid, "status", buf[:])
	_, rest, _ := strings.Cut(string(b), "\nUid:\t")
	users := strings.Fields(rest) // real, effective, …
	if len(users) < 2 {
		return -1
	}
	user, err := strconv.Atoi(users[1])
	if err != nil {
		return -1
	}
	return user
}
