package policy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/shell/policy"
)

// What the vectors do not have: files that are cut short or were never made.
func TestRenderFiles(t *testing.T) {
	paths := func(stdout, stderr policy.File) policy.Files {
		stdout.Path, stderr.Path = "/d/cmd-41-0003.stdout", "/d/cmd-41-0003.stderr"
		return policy.Files{Stdout: stdout, Stderr: stderr}
	}
	reserve := policy.File{Stored: 123456, Short: "disk reserve reached"}
	noSpace := policy.File{Stored: 1, Short: "no space left on device"}
	unavailable := policy.Files{Unavailable: "/tmp/gg-shell: permission denied"}
	capped := strings.Repeat("q", policy.CapBytes)

	for _, tt := range []struct {
		name      string
		mode      policy.Mode // "" is Offload
		maxLines  int
		output    string
		files     policy.Files
		want      string
		truncated bool
	}{
		{
			name: "stdout cut short though all of it is shown", maxLines: 9, output: "a\nbc\n", files: paths(reserve, policy.File{}),
			want: "a\nbc\n\n[Output complete; files cut short]\n" +
				"stdout: /d/cmd-41-0003.stdout (first 123456 bytes; disk reserve reached)\n" +
				"  2 lines; line length p50 1, p95 2, p99 2\n  longest lines: 2 chars @ 2, 1 @ 1\n" +
				"stderr: /d/cmd-41-0003.stderr\n  0 lines",
		},
		{
			name: "the tail gets its newline there too", maxLines: 9, output: "a", files: paths(policy.File{}, noSpace),
			want: "a\n\n[Output complete; files cut short]\n" +
				"stdout: /d/cmd-41-0003.stdout\n  1 line; line length p50 1, p95 1, p99 1\n  longest lines: 1 chars @ 1\n" +
				"stderr: /d/cmd-41-0003.stderr (first 1 bytes; no space left on device)\n  0 lines",
		},
		{
			name: "cut short and truncated", maxLines: 1, output: "a\nbc\n", files: paths(noSpace, reserve), truncated: true,
			want: "bc\n\n[Output truncated: last 1 line]\n" +
				"stdout: /d/cmd-41-0003.stdout (first 1 bytes; no space left on device)\n" +
				"  2 lines; line length p50 1, p95 2, p99 2\n  longest lines: 2 chars @ 2, 1 @ 1\n" +
				"stderr: /d/cmd-41-0003.stderr (first 123456 bytes; disk reserve reached)\n  0 lines",
		},
		{
			name: "cut short without output", maxLines: 9, files: paths(reserve, policy.File{}),
			want: "[Output complete; files cut short]\n" +
				"stdout: /d/cmd-41-0003.stdout (first 123456 bytes; disk reserve reached)\n  0 lines\n" +
				"stderr: /d/cmd-41-0003.stderr\n  0 lines",
		},
		{
			name: "unavailable ignores the ceilings", maxLines: 1, output: "a\nb\n", files: unavailable,
			want: "a\nb\n[could not write output to /tmp/gg-shell: permission denied]",
		},
		{
			name: "unavailable after an unterminated line", maxLines: 1, output: "a", files: unavailable,
			want: "a\n[could not write output to /tmp/gg-shell: permission denied]",
		},
		{
			name: "unavailable and silent", maxLines: 1, files: unavailable,
			want: "[could not write output to /tmp/gg-shell: permission denied]",
		},
		{
			name: "unavailable at the cap", maxLines: 1, output: capped, files: unavailable,
			want: capped + "\n[could not write output to /tmp/gg-shell: permission denied]",
		},
		{
			name: "unavailable beyond the cap", maxLines: 1, output: "a" + capped, files: unavailable, truncated: true,
			want: capped + "\n[could not write output to /tmp/gg-shell: permission denied]",
		},
		{
			name: "inline has no files", mode: policy.Inline, output: "a\n", files: policy.Files{Stdout: reserve, Unavailable: "/d: x"},
			want: "a\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := policy.Policy{Mode: tt.mode, MaxLines: tt.maxLines, MaxChars: 8000}
			if p.Mode == "" {
				p.Mode = policy.Offload
			}
			ws := []write{{policy.Stdout, []byte(tt.output)}}
			got := collect(p, ws).Render(tt.files)
			require.Equal(t, tt.want, got.Text)
			require.Equal(t, tt.truncated, got.Truncated)
			same(t, reference(p, ws, tt.files), got)
		})
	}
}

// A timeout shows what has come so far; the output then goes on.
func TestRenderAgain(t *testing.T) {
	p := policy.Policy{Mode: policy.Offload, MaxLines: 1, MaxChars: 100}
	c := policy.NewCollector(p)
	require.Equal(t, policy.Output{}, c.Render(vectorFiles))
	for _, step := range []struct{ write, want string }{
		{"one\ntwo", "two\n"},
		{"\xe2\x82", "two\ufffd\ufffd\n"}, // shown as it would end, decoded as it goes on
		{"\xac", "two€\n"},
		{"\r", "two€\r\n"},
		{"\n", "two€\r\n"},
		{"three", "three\n"},
	} {
		c.Write(policy.Stdout, []byte(step.write))
		for range 2 {
			body, _, found := strings.Cut(c.Render(vectorFiles).Text, "\n[Output truncated: last 1 line]\n")
			require.True(t, found)
			require.Equal(t, step.want, body)
		}
	}
	require.Equal(t, policy.StreamStats{
		Bytes: 17, Lines: 3, P50: 4, P95: 5, P99: 5,
		Longest: []policy.Line{{Number: 3, Chars: 5}, {Number: 2, Chars: 4}, {Number: 1, Chars: 3}},
	}, c.Stats(policy.Stdout))
	require.Equal(t, policy.StreamStats{}, c.Stats(policy.Stderr))
}

func TestPathsNeedNotBeText(t *testing.T) {
	p := policy.Policy{Mode: policy.Offload, MaxLines: 1, MaxChars: 1}
	c := collect(p, []write{{policy.Stdout, []byte("ab")}})
	require.Contains(t, c.Render(policy.Files{Stdout: policy.File{Path: "/d\xff/f"}}).Text, "stdout: /d\ufffd/f\n")
	require.Equal(t, "ab\n[could not write output to /d\ufffd: x]", c.Render(policy.Files{Unavailable: "/d\xff: x"}).Text)
}

func TestInlineCountsBytesOnly(t *testing.T) {
	c := policy.NewCollector(policy.Policy{Mode: policy.Inline})
	c.Write(policy.Stdout, []byte("a\nb\n"))
	c.Write(policy.Stderr, []byte("c"))
	require.Equal(t, policy.StreamStats{Bytes: 4}, c.Stats(policy.Stdout))
	require.Equal(t, policy.StreamStats{Bytes: 1}, c.Stats(policy.Stderr))
	require.Equal(t, "a\nb\nc", c.Render(policy.Files{}).Text)
}
