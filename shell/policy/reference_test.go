package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/responses-as-code/gg/shell/policy"
)

// write is one write of a command.
type write struct {
	stream policy.Stream
	bytes  []byte
}

// collect writes ws to a new Collector. Each write is cleared afterwards, so that
// a Collector that retains one does not go unnoticed.
func collect(p policy.Policy, ws []write) *policy.Collector {
	c := policy.NewCollector(p)
	for _, w := range ws {
		b := slices.Clone(w.bytes)
		c.Write(w.stream, b)
		clear(b)
	}
	return c
}

// split divides writes into pieces of at most next(bytes left) bytes, at least 1.
func split(ws []write, next func(left int) int) []write {
	var pieces []write
	for _, w := range ws {
		for b := w.bytes; len(b) > 0; {
			n := min(len(b), max(1, next(len(b))))
			pieces = append(pieces, write{w.stream, b[:n]})
			b = b[n:]
		}
	}
	return pieces
}

// joinWrites joins neighbours of the same stream.
func joinWrites(ws []write) []write {
	var joined []write
	for _, w := range ws {
		if last := len(joined) - 1; last >= 0 && joined[last].stream == w.stream {
			joined[last].bytes = slices.Concat(joined[last].bytes, w.bytes)
			continue
		}
		joined = append(joined, w)
	}
	return joined
}

// reference is the policy once more, on the whole output at once and as the
// documentation says it, with nothing done for speed or memory.
func reference(p policy.Policy, ws []write, f policy.Files) policy.Output {
	var all []byte
	var each [2][]byte
	for _, w := range ws {
		all = append(all, w.bytes...)
		each[w.stream] = append(each[w.stream], w.bytes...)
	}
	shown := decode(all)
	withFiles := p.Mode == policy.Offload && f.Unavailable == ""

	head := ""
	from := 0
	if withFiles {
		byLines, byChars := 0, max(0, len(shown)-p.MaxChars)
		if starts := lineStarts(shown); len(starts) > p.MaxLines {
			byLines = starts[len(starts)-p.MaxLines]
		}
		from = max(byLines, byChars)
		switch {
		case from == 0:
		case from == byLines:
			head = "last " + plural(p.MaxLines, "line")
		default:
			head = "last " + plural(p.MaxChars, "character")
		}
	}
	text := strings.Join(shown[from:], "")
	if len(text) > policy.CapBytes {
		cut := len(text) - policy.CapBytes
		for !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = text[cut:]
		if head != "" {
			head += ", "
		}
		head += "capped at 16384 bytes"
	}

	out := policy.Output{Truncated: head != ""}
	if p.Mode == policy.Offload {
		out.Stdout, out.Stderr = referenceStats(each[0]), referenceStats(each[1])
	} else {
		out.Stdout.Bytes, out.Stderr.Bytes = int64(len(each[0])), int64(len(each[1]))
	}
	short := f.Stdout.Short != "" || f.Stderr.Short != ""
	switch {
	case p.Mode == policy.Inline:
	case f.Unavailable != "":
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += "[could not write output to " + f.Unavailable + "]"
	case out.Truncated || short:
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		if out.Truncated {
			text += "[Output truncated: " + head + "]\n"
		} else {
			text += "[Output complete; files cut short]\n"
		}
		text += referenceNote("stdout", f.Stdout, out.Stdout) + "\n"
		text += referenceNote("stderr", f.Stderr, out.Stderr)
	}
	out.Text = text
	return out
}

// decode returns the characters of b, each invalid byte as U+FFFD.
func decode(b []byte) []string {
	var chars []string
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		chars = append(chars, string(r))
		b = b[size:]
	}
	return chars
}

// lineStarts returns the index of each line's first character.
func lineStarts(chars []string) []int {
	var starts []int
	for i := range chars {
		if i == 0 || chars[i-1] == "\n" {
			starts = append(starts, i)
		}
	}
	return starts
}

func referenceStats(stream []byte) policy.StreamStats {
	st := policy.StreamStats{Bytes: int64(len(stream))}
	var lines []policy.Line
	for s := string(stream); s != ""; {
		line, rest, ended := strings.Cut(s, "\n")
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		s = rest
		lines = append(lines, policy.Line{Number: int64(len(lines) + 1), Chars: int64(len(decode([]byte(line))))})
	}
	if len(lines) == 0 {
		return st
	}
	st.Lines = int64(len(lines))
	slices.SortStableFunc(lines, func(a, b policy.Line) int { return int(b.Chars - a.Chars) })
	st.Longest = lines[:min(5, len(lines))]
	percentile := func(p int) int64 {
		n := len(lines)
		return lines[n-min(n, max(1, (p*n+50)/100))].Chars
	}
	st.P50, st.P95, st.P99 = percentile(50), percentile(95), percentile(99)
	return st
}

func referenceNote(name string, f policy.File, st policy.StreamStats) string {
	s := name + ": " + f.Path
	if f.Short != "" {
		s += fmt.Sprintf(" (first %d bytes; %s)", f.Stored, f.Short)
	}
	if st.Lines == 0 {
		return s + "\n  0 lines"
	}
	s += fmt.Sprintf("\n  %s; line length p50 %d, p95 %d, p99 %d", plural(int(st.Lines), "line"), st.P50, st.P95, st.P99)
	var longest []string
	for _, l := range st.Longest {
		longest = append(longest, fmt.Sprintf("%d @ %d", l.Chars, l.Number))
	}
	longest[0] = strings.Replace(longest[0], " @", " chars @", 1)
	return s + "\n  longest lines: " + strings.Join(longest, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
