package runtime

// consoleLog keeps what a program wrote to its console: the first half of the bound, and the last half.
type consoleLog struct {
	bound   int
	head    []ConsoleLine
	tail    []ConsoleLine
	size    [2]int // bytes of head and tail
	full    bool   // head takes no more
	dropped int
}

// add keeps a line, cut when it is longer than what may be kept of one end.
func (c *consoleLog) add(line ConsoleLine) {
	const lineCost = 16 // bytes that a line counts besides its text, or empty lines would be kept without bound
	half := max(1, c.bound/2)
	if len(line.Text) > half {
		kept := cutText(line.Text, half)
		c.dropped += len(line.Text) - len(kept)
		line.Text = kept
	}
	if !c.full && (c.size[0]+len(line.Text)+lineCost <= half || len(c.head) == 0) {
		c.head = append(c.head, line)
		c.size[0] += len(line.Text) + lineCost
		return
	}
	c.full = true
	c.tail = append(c.tail, line)
	c.size[1] += len(line.Text) + lineCost
	for c.size[1] > half && len(c.tail) > 1 {
		c.size[1] -= len(c.tail[0].Text) + lineCost
		c.dropped += len(c.tail[0].Text)
		c.tail = c.tail[1:]
	}
}

func (c *consoleLog) lines() []ConsoleLine {
	return append(append([]ConsoleLine{}, c.head...), c.tail...)
}
