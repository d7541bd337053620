package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/responses-as-code/gg/shell/capture"
	"github.com/responses-as-code/gg/shell/store"
)

// Fate is what became of a process at the end of its run.
type Fate string

const (
	Terminated Fate = "terminated" // it ended when it was told to, with SIGTERM
	Killed     Fate = "killed"     // it took SIGKILL
	Survived   Fate = "survived"   // it was there some seconds after SIGKILL
)

var (
	errSurvived = errors.New("survived SIGKILL")
	errBlind    = errors.New("processes left behind: cannot be looked for: too many open files")
)

// Leftover is a process that was alive when its run ended.
type Leftover struct {
	Process
	Fate Fate
}

// remains is what a call of Run left behind: processes, pipes they write to, files these are written to.
type remains struct {
	leader *leader
	family *family
	rest   *capture.Rest // nil: all its output has ended
	pair   *store.Pair   // nil: none
}

// over reports whether nothing is left of it after all.
func (m *remains) over() bool {
	if m.rest != nil {
		select {
		case <-m.rest.Done():
		default:
			return false
		}
	}
	for id := range m.family.seen {
		if (member{identity: id}).alive() {
			return false
		}
	}
	// What they have started since carries their mark.
	return len(m.family.members()) == 0 && !m.family.blind && !m.leader.populated()
}

// close ends the call for good. By now nobody should write to it any more; a descriptor of the output that
// somebody was passed who is none of ours must not hold up the end of the run.
func (m *remains) close(patience time.Duration) {
	if m.rest != nil {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-m.rest.Done():
		case <-timer.C:
		}
		m.rest.Close()
	}
	if m.pair != nil {
		m.pair.Close()
	}
	m.leader.release()
}

// keep remembers m until Close.
func (r *Runner) keep(m *remains) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = append(r.left, m)
}

// prune forgets what has ended by itself, so that a long run does not collect open files.
func (r *Runner) prune() {
	r.mu.Lock()
	left := r.left
	r.left = nil // others who prune at the same time have nothing to do
	r.mu.Unlock()
	for _, m := range left {
		if m.over() {
			m.close(0)
		} else {
			r.keep(m)
		}
	}
}

// clearAway ends everything that the calls of the run left behind.
func (r *Runner) clearAway(ctx context.Context) ([]Leftover, error) {
	r.mu.Lock()
	left := r.left
	r.left = nil
	r.mu.Unlock()
	if len(left) == 0 && !(r.config.Subreaper && adopting.hasChildren()) {
		return nil, nil
	}
	family := r.wholeFamily(left)
	leftovers := family.end(ctx, r.grace, left)
	for _, m := range left {
		m.close(r.config.DrainGrace)
	}
	adopting.settle()
	return leftovers, family.survivors(leftovers)
}

// survivors is the error of those that could not be killed, or not be looked for.
func (f *family) survivors(leftovers []Leftover) error {
	var errs []error
	if f.blind {
		errs = append(errs, errBlind)
	}
	for _, l := range leftovers {
		if l.Fate == Survived {
			errs = append(errs, fmt.Errorf("process %d %q %w", l.PID, l.Command, errSurvived))
		}
	}
	return errors.Join(errs...)
}

// wholeFamily joins the families of the calls that left something. Their leaders have been reaped.
func (r *Runner) wholeFamily(left []*remains) *family {
	f := &family{
		leaders: make(map[int]bool),
		seen:    make(map[identity]bool),
		match:   func(mark string) bool { return strings.HasPrefix(mark, r.marks.run) },
		alone: func() bool {
			runner, _ := adopting.alone()
			return r.config.Subreaper && runner
		},
	}
	for i, m := range left {
		for pid := range m.family.leaders {
			f.leaders[pid] = true
		}
		for id := range m.family.seen {
			f.seen[id] = true
		}
		if i == 0 || m.family.since < f.since {
			f.since = m.family.since
		}
	}
	if len(left) == 0 {
		f.since = startTicks() // an orphan of ours is younger than we are
	}
	return f
}

// end ends the members of f and the groups of what is left, in the way of a stop, and tells the members' fates.
func (f *family) end(ctx context.Context, grace time.Duration, left []*remains) []Leftover {
	members := f.members()
	if len(members) == 0 && len(left) == 0 && !f.blind {
		return nil
	}
	describe(members)
	for _, m := range left {
		m.leader.ask()
	}
	askMembers(members, nil)
	awaitMembers(members, time.Now().Add(grace), ctx.Done())

	fates := make(map[identity]Fate)
	for _, m := range members {
		fates[m.identity] = Terminated
	}
	for until := time.Now().Add(killPatience); ; {
		for _, m := range left {
			m.leader.kill()
		}
		now := f.members()
		for _, m := range now {
			if _, known := fates[m.identity]; !known {
				one := []member{m}
				describe(one)
				members = append(members, one...)
			}
			fates[m.identity] = Killed
		}
		if len(now) == 0 && !f.blind {
			break
		}
		if time.Now().After(until) {
			for _, m := range now {
				fates[m.identity] = Survived
			}
			break
		}
		killMembers(now, nil)
		if awaitMembers(now, time.Now().Add(glance), nil); f.blind {
			<-time.After(glance) // for somebody to give a descriptor back
		}
	}
	leftovers := make([]Leftover, 0, len(members))
	for _, m := range members {
		leftovers = append(leftovers, Leftover{Process{m.pid, m.command}, fates[m.identity]})
	}
	return leftovers
}
