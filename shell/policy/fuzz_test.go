package policy_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// fuzzBytes bounds the output of one try: well beyond what a Collector keeps, and
// little enough for the reference.
const fuzzBytes = 80 << 10

// planned divides data, repeated, into writes as plan says: each byte is a write,
// the lowest bit its stream, the rest its length; 127 stands for 4 KiB and more. The
// lowest four bits of repeat shift it, so that most outputs are small and quick.
func planned(data, plan []byte, repeat uint16) []write {
	if len(data) == 0 {
		return nil
	}
	data = bytes.Repeat(data, min(int(repeat>>(repeat&15))+1, max(1, fuzzBytes/len(data))))
	if len(plan) == 0 {
		plan = []byte{0xfe}
	}
	var ws []write
	for i := 0; len(data) > 0; i++ {
		step := plan[i%len(plan)]
		n := int(step >> 1)
		if n == 127 {
			n = 4000 + i*61%9000
		}
		n = min(n, len(data))
		if n == 0 && i%len(plan) == 0 {
			n = 1 // a plan of empty writes alone would not end
		}
		ws = append(ws, write{policy.Stream(step & 1), data[:n]})
		data = data[n:]
	}
	return ws
}

func FuzzCollector(f *testing.F) {
	f.Add([]byte("one\ntwo\nthree"), []byte{3, 8, 5}, uint16(0), false, uint32(2), uint32(8000))
	f.Add([]byte("a\xe2\x82\xac\r\nb\xff\xf0\x9f\x91\n"), []byte{2, 3}, uint16(7<<4), false, uint32(4), uint32(9))
	f.Add([]byte("\xf0\x9f\x91\x8d"), []byte{0xfe}, uint16(5000&^15), false, uint32(1), uint32(1_000_000))
	f.Add([]byte("\xff"), []byte{0xfe, 1}, uint16(6000&^15), true, uint32(1), uint32(1))
	f.Add([]byte("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n"), []byte{0xfe, 0xff}, uint16(2000), false, uint32(500), uint32(21_000))
	f.Add([]byte("\n"), []byte{0xff}, uint16(60_000), false, uint32(50_000), uint32(49_999))
	f.Add([]byte("x\n\n[Output truncated: last 1 line]\nstdout: <STDOUT>"), []byte{}, uint16(9<<4), false, uint32(3), uint32(100))
	f.Fuzz(func(t *testing.T, data, plan []byte, repeat uint16, inline bool, maxLines, maxChars uint32) {
		p := policy.Policy{
			Mode:     policy.Offload,
			MaxLines: 1 + int(maxLines%policy.MaxLinesLimit),
			MaxChars: 1 + int(maxChars%policy.MaxCharsLimit),
		}
		if inline {
			p.Mode = policy.Inline
		}
		checkCollector(t, p, planned(data, plan, repeat))
	})
}

// checkCollector compares a Collector with the reference, halfway and at the end,
// and checks what must hold for every output.
func checkCollector(t *testing.T, p policy.Policy, ws []write) {
	t.Helper()
	c := policy.NewCollector(p)
	for i, w := range ws {
		if i == len(ws)/2 {
			same(t, reference(p, ws[:i], vectorFiles), c.Render(vectorFiles))
		}
		c.Write(w.stream, w.bytes)
	}
	got := c.Render(vectorFiles)
	same(t, reference(p, ws, vectorFiles), got)
	same(t, got, c.Render(vectorFiles))
	unavailable := policy.Files{Unavailable: "/nowhere: permission denied"}
	same(t, reference(p, ws, unavailable), c.Render(unavailable))

	var all []byte
	for _, w := range ws {
		all = append(all, w.bytes...)
	}
	whole := strings.Join(decode(all), "")
	body := got.Text
	if got.Truncated && p.Mode == policy.Offload {
		// The note is the last thing that looks like one.
		body = body[:strings.LastIndex(body, "\n[Output truncated: ")]
		if !strings.HasSuffix(whole, body) {
			body = strings.TrimSuffix(body, "\n") // the one that the tail got
		}
	}
	require.True(t, utf8.ValidString(got.Text), "valid UTF-8")
	require.True(t, strings.HasSuffix(whole, body), "a suffix of the output")
	require.LessOrEqual(t, len(body), policy.CapBytes)
	require.Equal(t, len(body) < len(whole), got.Truncated)
	if p.Mode == policy.Offload {
		require.LessOrEqual(t, utf8.RuneCountInString(body), p.MaxChars)
		lines := strings.Count(body, "\n")
		if body != "" && !strings.HasSuffix(body, "\n") {
			lines++
		}
		require.LessOrEqual(t, lines, p.MaxLines)
	}
}

// same is require.Equal without its diff, which is slow for texts of one letter.
func same(t *testing.T, want, got policy.Output) {
	t.Helper()
	require.Equal(t, want.Truncated, got.Truncated, "truncated")
	require.Equal(t, want.Stdout, got.Stdout, "stdout")
	require.Equal(t, want.Stderr, got.Stderr, "stderr")
	if want.Text != got.Text {
		require.Fail(t, "text differs", " got ...%q\nwant ...%q", end(got.Text), end(want.Text))
	}
}

func FuzzStats(f *testing.F) {
	f.Add([]byte("a\r\nbb\r\r\nccc\r"), []byte{2, 4, 3}, uint16(3<<4))
	f.Add([]byte("\xe2\x82\xac\n\xed\xa0\x80\n\xc0\x80"), []byte{2, 2, 3}, uint16(40<<4))
	f.Add([]byte("\n\n\r\n"), []byte{0xfe, 3}, uint16(9000&^15))
	f.Add([]byte("0123456789"), []byte{0xff, 0xfe}, uint16(900&^15))
	f.Fuzz(func(t *testing.T, data, plan []byte, repeat uint16) {
		checkStats(t, planned(data, plan, repeat))
	})
}

// checkStats compares the statistics of both streams with the reference after the
// first half of the writes and after all of them.
func checkStats(t *testing.T, ws []write) {
	t.Helper()
	c := policy.NewCollector(usual)
	var each [2][]byte
	for i, w := range ws {
		c.Write(w.stream, w.bytes)
		each[w.stream] = append(each[w.stream], w.bytes...)
		if i == len(ws)/2 || i == len(ws)-1 {
			require.Equal(t, referenceStats(each[0]), c.Stats(policy.Stdout), "stdout")
			require.Equal(t, referenceStats(each[1]), c.Stats(policy.Stderr), "stderr")
		}
	}
}

// The fuzz targets look at what a fuzzer found; this looks at text made of what
// the policy is about, in every run of the tests.
func TestRandomOutput(t *testing.T) {
	atoms := []string{
		"\n", "\n", "\n", "\r\n", "\r", "a", "word ", "é", "€", "👍", "\ufffd", "\x00",
		"\xff", "\xe2", "\x82", "\xe2\x82", "\xf0\x9f", "\x91\x8d", "\xed\xa0\x80", "\xc0\x80",
		strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("漢", 300), strings.Repeat("\xff", 40),
		strings.Repeat("\n", 9), strings.Repeat("l\n", 2048),
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var ws []write
		some := atoms[:1+rng.IntN(len(atoms))]
		for left := rng.IntN(1 << rng.IntN(16)); left > 0; {
			a := some[rng.IntN(len(some))]
			ws = append(ws, write{policy.Stream(rng.IntN(2) * rng.IntN(2)), []byte(a)})
			left -= len(a)
		}
		if rng.IntN(2) == 0 {
			ws = joinWrites(ws)
		}
		most := 1 << rng.IntN(14)
		ws = split(ws, func(int) int { return 1 + rng.IntN(most) })
		p := policy.Policy{Mode: policy.Offload, MaxLines: 1 + rng.IntN(1<<rng.IntN(16)), MaxChars: 1 + rng.IntN(1<<rng.IntN(19))}
		if rng.IntN(8) == 0 {
			p.Mode = policy.Inline
		}
		checkCollector(t, p, ws)
		checkStats(t, ws)
	}
}
