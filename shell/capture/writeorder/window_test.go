package writeorder

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// told makes a window of announcements, `o` and `e`, and what the streams hold; it is what one round of a
// Gather has found.
func told(order, out, err string) *Window {
	w := new(Window)
	for _, c := range order {
		w.Announce(streamOf(c))
	}
	w.mark()
	fill(w, policy.Stdout, out)
	fill(w, policy.Stderr, err)
	return w
}

func streamOf(c rune) policy.Stream {
	if c == 'e' {
		return policy.Stderr
	}
	return policy.Stdout
}

func fill(w *Window, s policy.Stream, text string) { w.Filled(s, copy(w.Room(s), text)) }

// TestPlace has what is placed when everything is settled, and then, behind the bar, when nothing more comes.
func TestPlace(t *testing.T) {
	for _, c := range []struct{ name, order, out, err, want string }{
		{"nothing", "", "", "", "|"},
		{"one stream", "ooo", "a\nb\nc\n", "", "a\nb\nc\n|"},
		{"a line a write", "oeoe", "a\nc\n", "b\nd\n", "a\nb\nc\nd\n|"},
		{"two writes a line", "ooeeoo", "a\nc\n", "b\n", "a\nb\nc\n|"},
		{"two writes a line, and more of it", "ooeeooee", "a\nc\n", "b\nd\n", "a\nb\nc\nd\n|"},
		{"two lines a write", "oeo", "a\nb\nd\ne\n", "c\n", "a\nb\nc\nd\ne\n|"},
		{"a single write has all lines", "eo", "b\nc\nd\n", "a\n", "a\nb\nc\nd\n|"},
		{"a stream after the other", "oooeee", "a\n", "b\n", "a\nb\n|"},
		{"a prompt is held", "o", "name: ", "", "|name: "},
		{"a line that the other waits for", "oe", "name: ", "x\n", "|name: x\n"},
		{"a line in the middle of another", "oeo", "a b\n", "x\n", "a b\nx\n|"},
		{"a write that is not announced yet", "oe", "a\nc\n", "b\n", "|a\nc\nb\n"},
		{"a write that never is", "oeoe", "a\nc\ne\n", "b\nd\n", "|a\nc\nb\ne\nd\n"},
		{"more lines than writes", "oeoe", "a\nb\nc\ne\nf\n", "d\ng\n", "|a\nb\nc\nd\ne\nf\ng\n"},
		{"an announcement without data", "oeo", "a\n", "b\n", "a\nb\n|"},
		{"data without announcements", "", "a\n", "b\n", "|a\nb\n"},
		{"announcements without data", "oeoe", "", "", "|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := told(c.order, c.out, c.err)
			defer w.Release()
			var got strings.Builder
			sink := func(_ policy.Stream, b []byte) { got.Write(b) }
			held := w.place(sink, settled)
			require.Equal(t, c.want[strings.Index(c.want, "|")+1:] != "", held)
			got.WriteString("|")
			require.False(t, w.place(sink, final))
			require.Equal(t, c.want, got.String())
			require.Zero(t, w.writes)
		})
	}
}

// A write of which the data was placed before it was announced must not take the line of the next one.
func TestAnnouncedLate(t *testing.T) {
	w := new(Window)
	defer w.Release()
	var got strings.Builder
	sink := func(_ policy.Stream, b []byte) { got.Write(b) }
	w.Announce(policy.Stdout)
	fill(w, policy.Stdout, "1\n2\n") // the second is under way
	w.place(sink, final)
	for _, c := range "oeo" {
		w.Announce(streamOf(c))
	}
	fill(w, policy.Stdout, "4\n")
	fill(w, policy.Stderr, "3\n")
	w.place(sink, final)
	require.Equal(t, "1\n2\n3\n4\n", got.String())
}

// The end of a stream is announced like a write.
func TestRetract(t *testing.T) {
	w := told("oeoeoe", "a\nc\n", "b\nd\n")
	defer w.Release()
	w.Retract(policy.Stdout)
	w.Retract(policy.Stderr)
	var got strings.Builder
	require.False(t, w.place(func(_ policy.Stream, b []byte) { got.Write(b) }, settled))
	require.Equal(t, "a\nb\nc\nd\n", got.String())
	w.Retract(policy.Stdout) // none is left
}

// Whatever is announced, no byte is lost, doubled or moved within its stream.
func FuzzWindow(f *testing.F) {
	f.Add([]byte("oeoe\x00a\n\x01b\nP"))
	f.Add([]byte("ooeeoo\x02abc\ndef\x03xyzS\x00!F"))
	f.Add([]byte("LRrBoe\x00line\n\x01line\nB\x00more"))
	f.Fuzz(func(t *testing.T, steps []byte) {
		var w Window
		defer w.Release()
		var want, got [2]bytes.Buffer
		sink := func(s policy.Stream, b []byte) {
			require.NotEmpty(t, b)
			got[s].Write(b)
		}
		for i := 0; i < len(steps); i++ {
			switch c := steps[i]; {
			case c == 'o' || c == 'e':
				w.Announce(streamOf(rune(c)))
			case c == 'R' || c == 'r':
				w.Retract(policy.Stream(c & 32 >> 5))
			case c == 'L':
				w.Lose()
			case c == 'M':
				w.mark()
			case strings.ContainsRune("BGUSF", rune(c)):
				w.place(sink, map[byte]certainty{'B': busy, 'G': busyFull, 'U': busyUnheard, 'S': settled, 'F': final}[c])
			case c == 'X':
				w.Flush(sink)
			default: // data: what follows, many times over
				s := policy.Stream(c & 1)
				end := min(len(steps), i+1+int(c>>4))
				data := bytes.Repeat(steps[i+1:end], 1+int(c>>1&7)*600)
				n := copy(w.Room(s), data)
				require.Equal(t, data[:n], w.Filled(s, n))
				want[s].Write(data[:n])
				w.Left(s, len(data)-n)
				i = end - 1
			}
			for s := range want {
				require.True(t, bytes.HasPrefix(want[s].Bytes(), got[s].Bytes()), "stream %d", s)
			}
			require.GreaterOrEqual(t, w.writes, 0)
			sum := 0
			for _, g := range w.order {
				require.Positive(t, g.writes())
				sum += g.writes()
			}
			require.Equal(t, w.writes, sum)
			require.Equal(t, w.writes, w.streams[0].writes+w.streams[1].writes)
			for s := range w.streams {
				w.streams[s].count()
				require.Equal(t, bytes.Count(w.streams[s].data(), newline), w.streams[s].lines)
			}
		}
		w.Flush(sink)
		require.Zero(t, w.writes)
		for s := range want {
			require.True(t, bytes.Equal(want[s].Bytes(), got[s].Bytes()), "stream %d", s)
		}
	})
}
