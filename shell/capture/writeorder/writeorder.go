// Package writeorder finds out in which order a program wrote to two pipes.
//
// Who gives a program one pipe for its standard output and another for its standard error can read both,
// but not tell which of two writes came first: the program is done with them long before its reader has woken up. What
// the kernel does tell, on Linux and without privileges, is that there was a write. This package listens.
//
//	watch, err := writeorder.Start()          // a thread that listens
//	if err != nil {
//		return err                            // not here: read the pipes as they come
//	}
//	defer watch.Stop()
//	watch.Add(policy.Stdout, stdout)          // the read ends, before the program is started
//	watch.Add(policy.Stderr, stderr)
//	var window writeorder.Window
//	for {
//		poll(stdout, stderr)
//		watch.Do(func() { window.Gather(source, sink) }) // calls sink with what has its place
//	}
//	watch.Do(func() { window.Flush(sink) })
//
// # What the kernel tells
//
// A pipe with O_ASYNC sends a signal for every write(2) into it. With F_SETSIG it is a real-time signal, and those
// are queued, one by one and in order, each with the number of the descriptor; with F_SETOWN_EX it goes to
// one thread, which blocks it and reads the queue through a signalfd. That is all of [Watch]: a sequence of streams, an
// announcement for each write. Three things disturb it.
//
// A write is announced after its data has become visible, by some microseconds, or by as long as a
// scheduler takes that interrupts the writer between the two: a write can be under way. A write that has to wait
// for room is announced more than once, and the end of a stream is announced like a write. And when the user's queue of
// signals is full (RLIMIT_SIGPENDING, some tens of thousands) the kernel sends one plain SIGIO instead of what is
// lost.
//
// # What it does not tell
//
// How many bytes a write had. [Window] has the announcements of both streams in their order, the bytes of each
// in theirs, and must match them. It goes by lines: as a rule a program writes one line at a time, or each line in
// two goes (Python does, unbuffered), or several lines at once. With as many announcements as lines there is
// nothing to guess; nor where all of a stream was written before or after all of the other. In between a rate is
// looked for, so many lines a write or writes a line, that explains everything there is, given that the first announcements
// may be of data that has been placed already and the last write may not be announced yet. If more than
// one does, the window waits for what comes next. What no rate explains is shared out evenly.
//
// Both sides are read in turns until no announcement comes any more; then the window is settled, and all but
// a write under way is in it. Where a program writes faster than that, the window is placed as far as the
// established rate and the data reach; nothing is spread over a window that is not understood, because
// one line too many would misplace half of them.
//
// # What is not promised
//
// Where a write without a line end stops, nobody can know: when both streams are written to within a
// millisecond, a line is kept whole although the other stream may have spoken in the middle of it, and everything that
// was said there stands before or after it. Writes of different numbers of lines, close to each other, can be cut in the
// wrong place, at a line end: then lines of the two streams change places. Two processes that write at the same
// moment have no order. After a lost announcement the window falls back to the order of arrival, until
// everything queued has been read.
//
// Bytes are never lost, doubled, or moved within their stream, whatever the announcements say.
package writeorder
