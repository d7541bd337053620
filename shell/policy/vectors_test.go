package policy_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// A vector is a line of testdata/shell-policy.jsonl: streams in, exact text out.
type vector struct {
	Name      string      `json:"name"`
	Mode      policy.Mode `json:"mode"`
	MaxLines  int         `json:"maxLines"`
	MaxChars  int         `json:"maxChars"`
	Chunks    []chunk     `json:"chunks"`
	Output    string      `json:"output"` // <STDOUT> and <STDERR> stand for the paths
	Truncated bool        `json:"truncated"`
}

type chunk struct {
	Stream string `json:"stream"`
	Text   string `json:"text"`
	Base64 string `json:"base64"`
	Repeat int    `json:"repeat"` // the bytes, so many times; 0 is once
}

var vectorFiles = policy.Files{
	Stdout: policy.File{Path: "<STDOUT>"},
	Stderr: policy.File{Path: "<STDERR>"},
}

func readVectors(t *testing.T) []vector {
	f, err := os.Open("../../testdata/shell-policy.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var vectors []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		require.NoError(t, d.Decode(&v), lines.Text())
		vectors = append(vectors, v)
	}
	require.NoError(t, lines.Err())
	require.Len(t, vectors, 70)
	return vectors
}

// writes returns the chunks joined where the stream stays the same.
func (v vector) writes(t *testing.T) []write {
	var ws []write
	for _, c := range v.Chunks {
		b := []byte(c.Text)
		if c.Base64 != "" {
			var err error
			b, err = base64.StdEncoding.DecodeString(c.Base64)
			require.NoError(t, err)
		}
		b = bytes.Repeat(b, max(1, c.Repeat))
		s := policy.Stdout
		if c.Stream == policy.Stderr.String() {
			s = policy.Stderr
		} else {
			require.Equal(t, policy.Stdout.String(), c.Stream)
		}
		ws = append(ws, write{s, b})
	}
	return joinWrites(ws)
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			p := policy.Policy{Mode: v.Mode, MaxLines: v.MaxLines, MaxChars: v.MaxChars}
			require.NoError(t, p.Validate())
			writes := v.writes(t)

			want := policy.Output{Text: v.Output, Truncated: v.Truncated}
			check := func(got policy.Output, of string) {
				// Not require.Equal on the whole: its diff of 16 KiB of one letter is slow.
				require.Equal(t, want.Truncated, got.Truncated, of)
				if want.Text != got.Text {
					require.Fail(t, "text differs", "%s\n got ...%q\nwant ...%q", of, end(got.Text), end(want.Text))
				}
			}
			check(reference(p, writes, vectorFiles), "reference")
			check(collect(p, writes).Render(vectorFiles), "in few writes")
			check(collect(p, split(writes, func(int) int { return 1 })).Render(vectorFiles), "byte by byte")
			rng := rand.New(rand.NewPCG(1, 2))
			for range 10 {
				most := 1 << rng.IntN(17)
				ws := split(writes, func(int) int { return 1 + rng.IntN(most) })
				check(collect(p, ws).Render(vectorFiles), "in random writes")
			}
		})
	}
}

// end returns the end of a long text, which has the note.
func end(s string) string { return s[max(0, len(s)-700):] }
