package writeorder

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// write is one write(2) of a simulated program.
type write struct {
	stream policy.Stream
	text   string
}

// simulation is two pipes, a program that writes into them and is interrupted anywhere, and the reader's view
// of both. It is a Source.
type simulation struct {
	rng     *rand.Rand
	hurry   int // how many steps the program makes between two looks of the reader, on average
	script  []write
	next    int
	telling bool // the last write's data is there, its announcement is not
	pipes   [2][]byte
	told    []policy.Stream
}

// step lets the program do one thing: put data into a pipe, or announce it.
func (k *simulation) step() {
	switch {
	case k.telling:
		k.told = append(k.told, k.script[k.next-1].stream)
		k.telling = false
	case k.next < len(k.script):
		w := k.script[k.next]
		k.pipes[w.stream] = append(k.pipes[w.stream], w.text...)
		k.next++
		k.telling = true
	}
}

func (k *simulation) over() bool { return k.next == len(k.script) && !k.telling }

func (k *simulation) run() {
	if k.hurry == 0 {
		return
	}
	for range k.rng.IntN(2*k.hurry + 1) {
		k.step()
	}
}

func (k *simulation) Listen(w *Window) (int, bool) {
	k.run()
	n := min(len(k.told), max(0, w.Wants()))
	for _, s := range k.told[:n] {
		w.Announce(s)
	}
	k.told = k.told[n:]
	return n, len(k.told) == 0
}

func (k *simulation) Read(w *Window) (total int) {
	for s := range k.pipes {
		k.run()
		n := copy(w.Room(policy.Stream(s)), k.pipes[s])
		w.Filled(policy.Stream(s), n)
		w.Left(policy.Stream(s), len(k.pipes[s])-n)
		k.pipes[s] = k.pipes[s][n:]
		total += n
	}
	return total
}

// placed runs the program to its end and returns what the Window makes of its output.
func (k *simulation) placed(t *testing.T) string {
	var w Window
	defer w.Release()
	var got strings.Builder
	var each [2]strings.Builder
	sink := func(s policy.Stream, b []byte) {
		got.Write(b)
		each[s].Write(b)
	}
	for !k.over() || len(k.told)+len(k.pipes[0])+len(k.pipes[1]) > 0 {
		held, _ := w.Gather(k, sink)
		k.step()
		// An unfinished line is not waited for so long.
		if next, telling := k.next, k.telling; held && k.rng.IntN(8) == 0 {
			w.Gather(k, sink)
			if k.next == next && k.telling == telling && len(k.told) == 0 && w.Unfinished() {
				w.Flush(sink)
			}
		}
		// Nothing new for a while: the reader gives up waiting, but not on a write that is under way.
		if held && !k.telling && len(k.told) == 0 && k.rng.IntN(8) == 0 {
			w.Gather(k, sink)
			if !k.telling && len(k.told) == 0 && len(k.pipes[0])+len(k.pipes[1]) == 0 {
				w.Flush(sink)
			}
		}
	}
	w.Flush(sink)
	var want [2]strings.Builder
	for _, x := range k.script {
		want[x.stream].WriteString(x.text)
	}
	for s := range want {
		require.Equal(t, want[s].String(), each[s].String(), "%v is not what was written", policy.Stream(s))
	}
	return got.String()
}

func truth(script []write) string {
	var b strings.Builder
	for _, w := range script {
		b.WriteString(w.text)
	}
	return b.String()
}

// kinds are ways in which programs write, of which the order can be told exactly.
var kinds = map[string]func(rng *rand.Rand, s policy.Stream, n int) []write{
	"a line a write": func(_ *rand.Rand, s policy.Stream, n int) []write {
		return []write{{s, fmt.Sprintf("%v %d\n", s, n)}}
	},
	"two writes a line": func(_ *rand.Rand, s policy.Stream, n int) []write {
		return []write{{s, fmt.Sprintf("%v %d", s, n)}, {s, "\n"}}
	},
	"two lines a write": func(_ *rand.Rand, s policy.Stream, n int) []write {
		return []write{{s, fmt.Sprintf("%v %d\n  and more\n", s, n)}}
	},
	"one way each": func(_ *rand.Rand, s policy.Stream, n int) []write {
		if s == policy.Stdout {
			return []write{{s, fmt.Sprintf("%v %d", s, n)}, {s, "\n"}}
		}
		return []write{{s, fmt.Sprintf("%v %d\n", s, n)}}
	},
}

// patterns are orders of the streams.
var patterns = map[string]func(rng *rand.Rand, n int) policy.Stream{
	"alternating": func(_ *rand.Rand, n int) policy.Stream { return policy.Stream(n % 2) },
	"bursts":      func(_ *rand.Rand, n int) policy.Stream { return policy.Stream(n % 5 / 3) },
	"random":      func(rng *rand.Rand, _ int) policy.Stream { return policy.Stream(rng.IntN(2)) },
	"rare errors": func(rng *rand.Rand, _ int) policy.Stream {
		if rng.IntN(30) == 0 {
			return policy.Stderr
		}
		return policy.Stdout
	},
}

func TestOrderIsKept(t *testing.T) {
	for name, kind := range kinds {
		for order, pattern := range patterns {
			t.Run(name+"/"+order, func(t *testing.T) {
				for _, c := range []struct{ lines, rounds int }{{30, 400}, {3000, 8}} {
					wrong := 0
					var example string
					for seed := range uint64(c.rounds) {
						rng := rand.New(rand.NewPCG(seed, 7))
						k := &simulation{rng: rng, hurry: []int{0, 1, 3, 30, 300}[rng.IntN(5)]}
						for n := range 1 + rng.IntN(c.lines) {
							k.script = append(k.script, kind(rng, pattern(rng, n), n)...)
						}
						want := truth(k.script)
						if got := k.placed(t); got != want {
							wrong++
							if example == "" {
								example = fmt.Sprintf("seed %d hurry %d: %s", seed, k.hurry, firstDifference(want, got))
							}
						}
					}
					if wrong > 0 {
						t.Errorf("%d of %d wrong with up to %d lines; %s", wrong, c.rounds, c.lines, example)
					}
				}
			})
		}
	}
}

// Writes of any number of lines are told apart when the program pauses between them, however short that is.
func TestPausesTellWritesApart(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		k := &simulation{rng: rng}
		var w Window
		var got strings.Builder
		sink := func(_ policy.Stream, b []byte) { got.Write(b) }
		for n := range 30 {
			s := policy.Stream(rng.IntN(2))
			var text strings.Builder
			for i := range 1 + rng.IntN(4) {
				fmt.Fprintf(&text, "%v %d.%d\n", s, n, i)
			}
			k.script = append(k.script, write{s, text.String()})
			k.step()
			k.step()
			w.Gather(k, sink)
		}
		w.Flush(sink)
		w.Release()
		require.Equal(t, truth(k.script), got.String(), "seed %d", seed)
	}
}

// What is written after more than a window holds comes after it, whatever the rate.
func TestFloodsKeepTheirPlace(t *testing.T) {
	for name, lines := range map[string]int{"a line a write": 1, "seven lines a write": 7, "a block a write": 200} {
		t.Run(name, func(t *testing.T) {
			k := &simulation{rng: rand.New(rand.NewPCG(1, 2)), hurry: 1 << 20}
			line := strings.Repeat("x", 60) + "\n"
			for range 2 {
				for range 3 * WindowBytes / (lines * len(line)) {
					k.script = append(k.script, write{policy.Stdout, strings.Repeat(line, lines)})
				}
				k.script = append(k.script, write{policy.Stderr, "failed\n"})
			}
			require.Equal(t, truth(k.script), k.placed(t))
		})
	}
}

// A guess about a write under way that was wrong is forgotten when nothing comes of it.
func TestWrongGuessIsForgotten(t *testing.T) {
	var w Window
	defer w.Release()
	var got strings.Builder
	sink := func(_ policy.Stream, b []byte) { got.Write(b) }
	round := func(order, out, err string) {
		for _, c := range order {
			w.Announce(streamOf(c))
		}
		w.mark()
		fill(&w, policy.Stdout, out)
		fill(&w, policy.Stderr, err)
		w.place(sink, settled)
	}
	for n := range 20 { // a line a write, beyond doubt
		round("o", fmt.Sprintln(n), "")
	}
	got.Reset()
	round("o", "b\nc\n", "")
	w.Flush(sink) // a while later
	round("oeoe", "o1\no2\n", "e1\ne2\n")
	w.Flush(sink)
	require.Equal(t, "b\nc\no1\ne1\no2\ne2\n", got.String())
}

func firstDifference(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d of %d: want %q, got %q", i+1, len(w), w[max(0, i-2):min(len(w), i+4)], g[max(0, i-2):min(len(g), i+4)])
		}
	}
	return "one is longer"
}
