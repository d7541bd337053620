package policy

// Collector takes the output of one command as it comes and keeps of it what the
// text and its note need: the last bytes, the starts of the last lines, and the
// statistics of each stream. The result does not depend on how the output is
// divided into writes, only on the order of the streams' bytes.
//
// Its memory is bounded (see the package comment), and a Write allocates nothing
// once the buffers have grown to what the command needs. It is not safe for
// concurrent use.
type Collector struct {
	policy  Policy
	tail    tail
	ending  ending
	streams [2]lineStats
	piece   piece // scratch space of Write, here so that it is not cleared for each
}

// NewCollector returns an empty Collector for p, which must be valid: see
// [Policy.Validate].
func NewCollector(p Policy) *Collector {
	c := &Collector{policy: p}
	if p.Mode == Offload {
		c.ending = newEnding(p)
	}
	return c
}

// Write takes the next bytes of s; calls are in write order over both streams. b
// is not retained. Write never fails: it panics only on an s that is neither
// Stdout nor Stderr.
func (c *Collector) Write(s Stream, b []byte) {
	stream := &c.streams[s]
	stream.bytes += int64(len(b))
	c.tail.write(b)
	if c.policy.Mode == Inline {
		return // the text needs no more than the tail, and there is no note
	}

	// The joined text and the stream decode the same bytes differently only right
	// after a character was torn apart by the other stream; else once is enough.
	joined, own := c.ending.resume(b), stream.resume(b)
	if joined == own {
		c.read(b[own:], &c.ending, stream)
		return
	}
	c.read(b[joined:], &c.ending)
	c.read(b[own:], stream)
}

// A reader follows a sequence of bytes that starts at a character boundary.
type reader interface {
	// add takes the next bytes and what was found in them.
	add(p *piece, b []byte)
	// hold takes what may be the beginning of a character, at the end of a write.
	hold(b []byte)
}

// read scans b, which starts at a character boundary, for each of to.
func (c *Collector) read(b []byte, to ...reader) {
	for len(b) > 0 {
		n := c.piece.scan(b)
		if n == 0 {
			for _, r := range to {
				r.hold(b)
			}
			return
		}
		for _, r := range to {
			r.add(&c.piece, b[:n])
		}
		b = b[n:]
	}
}

// Stats returns the statistics of s as they are now. An unterminated last line
// counts as a line, as it does in Render. In Inline mode only Bytes is counted.
//
// The percentiles cost a walk over the distinct line lengths seen: some
// microseconds as a rule, nothing to ask for after every write.
func (c *Collector) Stats(s Stream) StreamStats { return c.streams[s].stats() }
