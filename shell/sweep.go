package shell

import "context"

// SweepAbandoned ends what is left of the commands of processes that were killed before they could close
// their Runners, and returns it with its fate. It is for the start of a program, and does nothing else: no Runner calls
// it. It ends processes as Close does: SIGTERM and, StopGrace later, SIGKILL; when ctx ends, SIGKILL at once.
// Several processes may sweep at the same time; each returns what it found.
//
// A process is abandoned if a mark in its GG_CALL names an owner that is dead: whatever ran in a command of a
// dead owner has nobody who waits for it, a living gg and its commands included. With it goes what descends from
// it, and who shares a session with it that nobody else leads. Spared is
//
//   - this process, those it descends from, and everybody who carries a mark that one of these carries: the
//     program at the other end of our pipe is of the same command as we are, whatever has become of its owner;
//   - what carries a mark of this process;
//   - a process of another user, or of another PID namespace, where the owner's number means nothing;
//   - a mark that cannot be read, or whose owner could not tell when it was started.
//
// The error is that of processes that could not be killed within some seconds, which it waits for, or of a look for
// which there were no descriptors. Linux only; elsewhere nothing is found.
func SweepAbandoned(ctx context.Context) ([]Leftover, error) {
	f := abandoned()
	if f == nil {
		return nil, nil
	}
	leftovers := f.end(ctx, StopGrace, nil)
	return leftovers, f.survivors(leftovers)
}
