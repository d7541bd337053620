package writeorder

// Source is what a Window is filled from: pipes and the announcements of the writes into them.
type Source interface {
	// Listen passes announcements to w, as many as there are and it wants. It returns how many, and whether they
	// were all.
	Listen(w *Window) (n int, all bool)

	// Read reads from both pipes as much as there is and w has room for, and returns how many bytes that were.
	Read(w *Window) int
}

// mostRounds bounds one Gather: other things than output want to be looked at.
const mostRounds = 64

// Gather takes what there is from src and places what can be placed. Announcements and data are read in
// turns until no announcement comes any more: then both are complete; or until there is enough to place some of it
// without that, because reading announcements as fast as they are made slows down both sides. It reports whether
// something is waited for, and how many bytes it has read.
func (w *Window) Gather(src Source, sink Sink) (waiting bool, read int) {
	for range mostRounds {
		_, heard := src.Listen(w)
		w.resume(sink)
		w.mark()
		n := src.Read(w)
		read += n
		news, all := src.Listen(w)
		c := busy
		switch {
		case !heard || !all:
			c = busyUnheard
		case w.full():
			c = busyFull
		case news == 0:
			c = settled
		}
		if c == settled || w.large() {
			for i := range w.streams {
				w.streams[i].expected = false // of a stream that is not looked at
			}
			waiting = w.place(sink, c)
			w.held = waiting && c == settled
			return waiting, read
		}
	}
	return true, read
}

// Unfinished reports whether nothing is waited for but the rest of a line: all that is there has been
// announced.
func (w *Window) Unfinished() bool {
	for i := range w.streams {
		if t := &w.streams[i]; t.pieces() > t.writes || t.owed > 0 || t.left > 0 {
			return false
		}
	}
	if len(w.order) == 0 {
		return false
	}
	first := &w.streams[w.order[0].stream()]
	return first.lines == 0 && first.partial()
}
