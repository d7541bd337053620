package shell

import "time"

// family is the processes of a call, or of a whole run, as far as they can be found: the members of the
// shell's session, everything that descends from one of them, and everything that carries the mark.
type family struct {
	// leaders are the shells, by number. Until theirs is reaped a session's number is proof: held.
	leaders map[int]bool
	held    bool

	// ended: the only leader is known to have ended.
	ended bool

	// since is when the first of the shells was started, on the clock of procStat.start; what is older
	// cannot belong to it. 0: not known.
	since uint64

	// born is the same on our own clock.
	born time.Time

	// match accepts the marks of the family.
	match func(mark string) bool

	// alone: an orphan that this process has adopted and that nobody can name belongs to the family.
	alone func() bool

	// blind: the last look could not see everything, for want of descriptors.
	blind bool

	// skip excludes a process before anything is read of it. Nil: none.
	skip func(pid int) bool

	// confirm has the last word on a process whose GG_CALL, value, has a mark that matches. Nil: it is a member.
	confirm func(pid int, value string) bool

	// leaderless: the leaders are not known, and mostly gone. What shares a session with a member belongs to the
	// family as well, unless somebody leads the session who does not.
	leaderless bool

	// sessions are those of a leaderless family's members, past ones included: the one that proved a session to be
	// the family's may be gone at the next look.
	sessions map[int]bool

	// seen are the members that were found so far: they stay members when they lose their parent.
	seen map[identity]bool
}

// identity names a process for good: its number may be given out again, but not with the same start.
type identity struct {
	pid   int
	start uint64
}

// member is a living process of a family.
type member struct {
	identity
	group   int
	command string // filled in by describe
}
