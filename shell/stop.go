package shell

import (
	"time"

	"github.com/responses-as-code/gg/shell/capture"
)

// killPatience is how long a process may take to end after SIGKILL before it is given up. One that waits
// in the kernel cannot be helped; one that only has to give back a lot of memory takes a second or two.
const killPatience = 5 * time.Second

// stop ends the command: politely first, and with force when grace is over. Everything that is written meanwhile
// is taken. When it returns, no process of the family is left that could be found and killed.
func (c *call) stop(grace time.Duration) {
	// Looked for first: who loses its parent now is still known later.
	members := c.family.members()
	c.leader.ask()
	askMembers(members, c.leader)

	until := time.Now().Add(grace)
	for pause := glance; ; pause = min(2*pause, 10*glance) {
		wake := until
		if c.hasExited() {
			// The descendants have the rest of the time, and nothing tells when the last one is gone.
			if c.hasEnded() && len(c.family.members()) == 0 && !c.family.blind {
				return
			}
			wake = earlier(until, time.Now().Add(pause))
		}
		news := c.next(wake)
		if news&capture.Woken != 0 && c.unwanted() {
			until = earlier(until, time.Now().Add(c.runner.grace))
		}
		if !time.Now().Before(until) {
			break
		}
	}
	c.kill()
	c.drain()
}

// kill ends every process of the family, those included that are started meanwhile.
func (c *call) kill() {
	until := time.Now().Add(killPatience)
	for {
		c.leader.kill()
		members := c.family.members()
		killMembers(members, c.leader)
		now := time.Now()
		switch {
		case c.hasExited() && len(members) == 0 && !c.family.blind, now.After(until):
			return
		case c.hasExited() && c.family.blind:
			c.leader.unwatch() // one descriptor is enough to look; the end of the output gives back more
			c.next(earlier(until, now.Add(glance)))
		case !c.hasExited():
			c.next(earlier(until, now.Add(glance)))
		default:
			awaitMembers(members, earlier(until, now.Add(glance)), nil)
		}
	}
}

// glance is how long to wait at most in one piece for something that cannot be waited for.
const glance = 10 * time.Millisecond

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
