package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"", 5, ""}, {"abc", 5, "abc"}, {"abcde", 5, "abcde"}, {"abcdef", 5, "abcd…"}, {"a\n b\t\tc", 5, "a b c"},
		{"長長長", 6, "長長長"}, {"長長長", 5, "長長…"}, {"長長長", 4, "長…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"abc", 1, "…"}, {"abc", 0, "…"},
	} {
		require.Equal(t, c.want, fit(c.text, c.columns), "%q in %d", c.text, c.columns)
	}
}

func FuzzFit(f *testing.F) {
	f.Add("go test ./...", 10)
	f.Add("長い行\x1b[31m", 3)
	f.Fuzz(func(t *testing.T, text string, columns int) {
		if columns < 1 || columns > 1000 || !utf8.ValidString(text) {
			t.Skip()
		}
		fitted := fit(visible(text), columns)
		require.LessOrEqual(t, cellsOf(fitted), columns)
		require.True(t, utf8.ValidString(fitted))
		require.NotContains(t, fitted, "\n")
		require.NotContains(t, fitted, "\x1b")
		if whole := strings.Join(strings.Fields(visible(text)), " "); fitted != whole {
			require.True(t, strings.HasPrefix(whole, strings.TrimSuffix(fitted, "…")))
			require.Greater(t, cellsOf(whole), columns)
		}
	})
}

func cellsOf(text string) (n int) {
	for _, r := range text {
		n += cells(r)
	}
	return n
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "\x1b]0;title\x07": `\x1b]0;title\x07`, "a\rb": `a\x0db`, "\u009b31m": `\x9b31m`, "größe": "größe",
	} {
		require.Equal(t, want, visible(text))
	}
}

func TestColors(t *testing.T) {
	for _, c := range []struct {
		env      []string
		terminal bool
		want     string
	}{
		{nil, true, colorRed + "no\x07"[:2] + `\x07` + colorReset + "\n"},
		{[]string{"NO_COLOR=1"}, true, `no\x07` + "\n"},
		{[]string{"NO_COLOR="}, true, colorRed + `no\x07` + colorReset + "\n"},
		{[]string{"TERM=dumb"}, true, `no\x07` + "\n"},
		{nil, false, "no\x07\n"},
	} {
		s := newStage(t)
		s.Env, s.StderrTerminal = c.env, c.terminal
		newApp(s.World).screen.printIn(colorRed, "no\x07\n")
		require.Equal(t, c.want, s.stderr.String())
	}
}

func TestAsksForJSON(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "run x": false, "run --json x": true, "run --json=true x": true, "run --json=1 x": true, "run --json=false x": false,
		"run --json --json=false x": false, "run -- --json": false, "shell --json -- x": true, "run --jsonx": false, "run json": false,
	} {
		require.Equal(t, want, asksForJSON(strings.Fields(args)), args)
	}
}
