package policy

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// footprint is what c holds, but for the map of long lines.
func (c *Collector) footprint() int {
	return int(unsafe.Sizeof(*c)) + cap(c.tail.buf) + 4*cap(c.ending.starts)
}

func TestMemoryIsBounded(t *testing.T) {
	p := Policy{Mode: Offload, MaxLines: MaxLinesLimit, MaxChars: MaxCharsLimit}
	for name, text := range map[string][]byte{
		"newlines": bytes.Repeat([]byte("\n"), 1<<20),
		"yes":      bytes.Repeat([]byte("y\n"), 1<<19),
		"invalid":  bytes.Repeat([]byte("\xff"), 1<<20),
		"log":      bytes.Repeat([]byte(strings.Repeat("l", 72)+"\n"), 1<<13),
	} {
		for _, size := range []int{7, 1000, tailBytes - 1, tailBytes, 1 << 20} {
			c := NewCollector(p)
			for rest := text; len(rest) > 0; {
				n := min(size, len(rest))
				c.Write(Stdout, rest[:n])
				rest = rest[n:]
				// Growing holds the old ring and the new one for a moment.
				if held := c.footprint() + 2*cap(c.ending.starts); held > 1<<20 {
					require.LessOrEqual(t, held, 1<<20, "%s by %d", name, size)
				}
			}
			require.Empty(t, c.streams[Stdout].lengths.long, "no line here is long")
		}
	}
}

func TestWriteDoesNotAllocate(t *testing.T) {
	for name, text := range map[string]string{
		"log":     strings.Repeat(strings.Repeat("l", 72)+"\r\n", 1000),
		"cjk":     strings.Repeat(strings.Repeat("漢", 40)+"\n", 1000),
		"latin-1": strings.Repeat(strings.Repeat("\xe9t\xe9 ", 40)+"\n", 1000),
		"long":    strings.Repeat(strings.Repeat("x", 5000)+"\n", 10),
		"torn":    "\xe2\x82",
	} {
		for _, mode := range Modes() {
			c := NewCollector(Policy{Mode: mode, MaxLines: 5000, MaxChars: 100_000})
			b := []byte(text)
			for range 10 {
				c.Write(Stdout, b)
				c.Write(Stderr, b)
			}
			allocs := testing.AllocsPerRun(20, func() {
				for rest := b; len(rest) > 0; {
					n := min(999, len(rest))
					c.Write(Stdout, rest[:n])
					c.Write(Stderr, rest[:n])
					rest = rest[n:]
				}
			})
			require.Zero(t, allocs, "%s, %s", name, mode)
		}
	}
}

// The starts of lines are kept modulo 1<<32: pass that count of characters within
// the test.
func TestBeyondFourGigaCharacters(t *testing.T) {
	p := Policy{Mode: Offload, MaxLines: 50, MaxChars: 3000}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		few, many := NewCollector(p), NewCollector(p)
		before := strings.Repeat("x\n", p.MaxChars)
		few.Write(Stdout, []byte(before))
		many.Write(Stdout, []byte(before))
		skip := 1<<32 - 2*int64(p.MaxChars) - rng.Int64N(5000)
		many.ending.chars += skip
		for i := range many.ending.starts {
			many.ending.starts[i] += uint32(skip)
		}
		for range rng.IntN(200) {
			b := []byte(strings.Repeat("€", rng.IntN(120)) + "\n"[:rng.IntN(2)])
			few.Write(Stdout, b)
			many.Write(Stdout, b)
			require.Equal(t, few.Render(Files{}).Text, many.Render(Files{}).Text)
		}
	}
}

// A line start is dropped before the count of characters after it could wrap, also
// where every write is only a part of a character.
func TestStartsAreDroppedInTinyWrites(t *testing.T) {
	c := NewCollector(Policy{Mode: Offload, MaxLines: 5, MaxChars: 10})
	c.Write(Stdout, []byte("\n"))
	for _, b := range []byte(strings.Repeat("€", 20)) {
		c.Write(Stdout, []byte{b})
	}
	require.Equal(t, c.ending.next, c.ending.first)
}
