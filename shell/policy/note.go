package policy

import (
	"fmt"
	"math"
	"strings"
)

// File is where the whole of one stream is.
type File struct {
	// Path is the file's absolute path.
	Path string

	// Stored is how many bytes of the stream the file holds. It is shown only if
	// Short says why these are not all.
	Stored int64

	// Short is why writing stopped before the end of the stream, as in "disk
	// reserve reached" or "no space left on device"; empty for a complete file.
	Short string
}

// Files is the pair of files in which Offload mode keeps the streams. In Inline
// mode there is none, and the zero Files is right.
type Files struct {
	Stdout, Stderr File

	// Unavailable is why the pair could not be created: "<directory>: <error>". The
	// output is then shown as in Inline mode, with a last line that says so.
	Unavailable string
}

// Output is what is shown of a command's output.
type Output struct {
	// Text is valid UTF-8: the output or the end of it, at most CapBytes bytes,
	// and the note or the line about unavailable files where there is one.
	Text string

	// Truncated is whether Text leaves out any of the output.
	Truncated bool

	Stdout, Stderr StreamStats
}

// Render returns what is to be shown of the output written so far. It does not
// change the Collector: more may be written, and Render called again.
func (c *Collector) Render(f Files) Output {
	chars, by := int64(math.MaxInt64), noCut
	offloaded := c.policy.Mode == Offload && f.Unavailable == ""
	if offloaded {
		chars, by = c.ending.keep()
	}
	text, capped := c.tail.appendText(nil, chars)
	out := Output{
		Truncated: capped || by != noCut,
		Stdout:    c.Stats(Stdout),
		Stderr:    c.Stats(Stderr),
	}
	switch {
	case c.policy.Mode == Inline:
	case !offloaded:
		text = fmt.Appendf(endLine(text), "[could not write output to %s]", f.Unavailable)
	case out.Truncated || f.Stdout.Short != "" || f.Stderr.Short != "":
		if text = endLine(text); len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, c.policy.noteHead(by, capped)...)
		text = appendStream(text, Stdout, f.Stdout, out.Stdout)
		text = appendStream(text, Stderr, f.Stderr, out.Stderr)
	}
	// The output is valid by now; a path need not be.
	out.Text = strings.ToValidUTF8(string(text), "\ufffd")
	return out
}

// endLine ends the last line of text, if there is one.
func endLine(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

// noteHead returns the first line of the note, without its end.
func (p Policy) noteHead(by cut, capped bool) string {
	var reasons []string
	switch by {
	case cutLines:
		reasons = append(reasons, "last "+count(int64(p.MaxLines), "line"))
	case cutChars:
		reasons = append(reasons, "last "+count(int64(p.MaxChars), "character"))
	}
	if capped {
		reasons = append(reasons, fmt.Sprintf("capped at %d bytes", CapBytes))
	}
	if len(reasons) == 0 {
		return "[Output complete; files cut short]"
	}
	return "[Output truncated: " + strings.Join(reasons, ", ") + "]"
}

// appendStream appends the note's lines about one stream, each with the line end
// before it.
func appendStream(text []byte, s Stream, f File, st StreamStats) []byte {
	text = fmt.Appendf(text, "\n%s: %s", s, f.Path)
	if f.Short != "" {
		text = fmt.Appendf(text, " (first %d bytes; %s)", f.Stored, f.Short)
	}
	text = append(text, "\n  "+count(st.Lines, "line")...)
	if st.Lines == 0 {
		return text
	}
	text = fmt.Appendf(text, "; line length p50 %d, p95 %d, p99 %d", st.P50, st.P95, st.P99)
	for i, l := range st.Longest {
		if i == 0 {
			text = fmt.Appendf(text, "\n  longest lines: %d chars @ %d", l.Chars, l.Number)
		} else {
			text = fmt.Appendf(text, ", %d @ %d", l.Chars, l.Number)
		}
	}
	return text
}

// count returns "1 line", "2 lines" and so on.
func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
