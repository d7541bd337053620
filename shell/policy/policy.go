// Package policy decides what of a command's output is shown: it takes the
// bytes of the two streams in the order in which they were written and gives
// back the text for the reader, cut to the configured ceilings, with a note that
// says what was left out and where the whole of it is.
//
// It is pure: bytes in, text out. Starting commands, reading pipes and writing
// files is the business of other packages; they hand every piece of output to a
// [Collector] as it comes and ask it for the text at the end, or earlier.
//
//	p := policy.Policy{Mode: policy.Offload, MaxLines: 2, MaxChars: 8000}
//	if err := p.Validate(); err != nil {
//		return err
//	}
//	c := policy.NewCollector(p)
//	c.Write(policy.Stdout, []byte("building\nlinking\n"))
//	c.Write(policy.Stderr, []byte("undefined: main\n"))
//	out := c.Render(policy.Files{
//		Stdout: policy.File{Path: "/tmp/gg-shell/cmd-41-0003.stdout"},
//		Stderr: policy.File{Path: "/tmp/gg-shell/cmd-41-0003.stderr"},
//	})
//	fmt.Println(out.Text) // the last two lines, a blank line, the note
//
// # Units
//
// A character is a Unicode code point. A byte that is not part of one, by the
// rule of [unicode/utf8.DecodeRune], counts as one character and is shown as
// U+FFFD. A line is ended by '\n' alone, and a final '\n' starts no further line.
//
// The text is the joined bytes of both streams, decoded: a character whose bytes
// are torn apart by a write of the other stream shows as invalid bytes. The
// [StreamStats] decode each stream on its own, as it is in its file.
//
// # What is not promised
//
// The text says nothing about which stream a line came from. A command can print
// something that looks like a note: [Output].Truncated is the authority. Nothing
// is escaped or stripped: terminal sequences and NUL bytes pass. Lines are
// measured in characters, not in columns of a terminal.
//
// # Cost
//
// A Collector holds at most 1 MiB, plus one map entry for each distinct length of
// long lines, whatever the volume; see the benchmarks for its speed.
package policy

import (
	"errors"
	"fmt"
)

// Mode is how the output of a command reaches the reader: the `implementation`
// of the shell capability in the configuration.
type Mode string

const (
	// Offload shows the tail that satisfies both ceilings and the cap, and names
	// the two files that hold the whole streams in a note when something was cut.
	Offload Mode = "offload"

	// Inline shows the output, or its last CapBytes bytes. There are no files, no
	// ceilings and no note.
	Inline Mode = "inline"
)

// Modes returns the modes there are, in alphabetical order.
func Modes() []Mode { return []Mode{Inline, Offload} }

const (
	// CapBytes is the most bytes of text shown in any mode, counted in UTF-8 as it
	// is returned: an invalid byte costs the three of U+FFFD. The note is not
	// counted. It stands behind the ceilings, which count lines and characters and
	// so do not bound bytes. 16 KiB are about 4000 tokens of English.
	CapBytes = 16384

	// MaxLinesLimit is the largest Policy.MaxLines. CapBytes holds no more than
	// 16384 lines; what lies beyond only decides which ceiling a note names.
	MaxLinesLimit = 100_000

	// MaxCharsLimit is the largest Policy.MaxChars, for the same reason.
	MaxCharsLimit = 1_000_000
)

// Policy is the rule for one command. It has no defaults: how much a reader can
// take in is the configuration's to say.
type Policy struct {
	// Mode is Offload or Inline.
	Mode Mode

	// MaxLines is the most trailing lines shown: 1 to MaxLinesLimit. Inline mode
	// does not use it and takes 0 as well.
	MaxLines int

	// MaxChars is the most trailing characters shown: 1 to MaxCharsLimit. Inline
	// mode does not use it and takes 0 as well.
	MaxChars int
}

// Validate reports every defect of p in one error, one line each, or nil.
func (p Policy) Validate() error {
	var defects []error
	if p.Mode != Offload && p.Mode != Inline {
		defects = append(defects, fmt.Errorf("mode: got %q, want %q or %q", p.Mode, Inline, Offload))
	}
	ceiling := func(name string, got, limit int) {
		if got >= 1 && got <= limit || got == 0 && p.Mode == Inline {
			return
		}
		defects = append(defects, fmt.Errorf("%s: got %d, want 1 to %d", name, got, limit))
	}
	ceiling("maxLines", p.MaxLines, MaxLinesLimit)
	ceiling("maxChars", p.MaxChars, MaxCharsLimit)
	return errors.Join(defects...)
}

// Stream is one of the two output streams of a command.
type Stream uint8

const (
	Stdout Stream = iota // file descriptor 1; also what comes through one pipe shared by both
	Stderr               // file descriptor 2
)

// String returns "stdout" or "stderr".
func (s Stream) String() string {
	switch s {
	case Stdout:
		return "stdout"
	case Stderr:
		return "stderr"
	}
	return fmt.Sprintf("Stream(%d)", uint8(s))
}
