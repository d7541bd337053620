package prelude

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// TestRewriteRegExp shows what becomes of a pattern; whether that is right is what Node is asked for.
func TestRewriteRegExp(t *testing.T) {
	const backtrack = "→ " // in front of what has to run on the engine that backtracks
	for _, test := range []struct{ pattern, flags, want string }{
		{`abc`, "", ""},
		{`[a-z]+\d{2}(x|y)?\.\s`, "gi", ""},
		{`^a$`, "", ""},
		{`\bfoo.\W`, "", ""},
		{`\b`, "iu", `(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`},
		{`(?<year>\d{4})`, "", ""},
		{`\p{L}`, "", ""},
		{`\A\d\Z`, "", ""},
		{`(?=a)(?!b)(?<=c)(?<!d)(?:e)`, "", ""},
		{`(a|b)+(?:c|d)*`, "", ""},

		{`\p{Zl}`, "u", `[\u{2028}]`},
		{`\P{Zl}`, "u", "[\\u{0}-\u2027\\u{2029}-\U0010FFFF]"},
		{`[^\p{Zl}a-c]`, "u", `[^a-c\u{2028}]`},
		{`\p{ASCII}`, "u", `[\u{0}-\u{7f}]`},
		{`\p{ASCII}`, "iu", "[\\u{0}-\\u{7f}ſ\u212a]"},
		{`\p{RI}{2}`, "u", "[\U0001F1E6-\U0001F1FF]{2}"},
		{`[]`, "u", "[^\\u{0}-\U0010FFFF]"},
		{`[^]`, "", "[\\u0000-\uffff]"},

		{`^a$`, "m", backtrack + `^a$`},
		{`[^^]a\$`, "m", ""},
		{`(?<a>.)`, "u", backtrack + `(?<a>.)`},
		{`(?:(a)|b)*`, "", backtrack + `(?:(a)|b)*`},
		{`(?:(a)|b){0,1}`, "", `(?:(a)|b){0,1}`},
		{`(?:(a)|b){1}`, "", ""},
		{`(a*)+b`, "", backtrack + `(a*)+b`},
		{`a*`, "", `a*`},
		{`a*`, "g", backtrack + `a*`},
		{`(?:^|$)`, "g", ""},
		{`İ`, "i", backtrack + `İ`},
		{`[\u0080-\uffff]`, "i", backtrack + `[\u0080-\uffff]`},
		{`[^\u0000-\u007f]`, "i", ""},

		{`\ud83d`, "", "(?:(?![\ue000-\ue01f])[\\ud83d\ue000-\ue01f])"},
		{`x😀+`, "", "x(?:(?![\ue000-\ue01f])[\\ud83d\ue000-\ue01f])(?:(?![\ue040-\ue05f])[\\ude00\ue040-\ue05f])+"},
		{`x😀+`, "u", ""},
		{`[^\ud800-\udfff]`, "", "(?:(?!(?:(?![\ue040-\ue05f])[\\ud800-\\udfff\ue040-\ue05f]))[\\u0000-\uffff])"},
		{`[\ud800-\uffff]`, "", "(?:(?![\u4e00-\u4e1f])[\u4e00-\u4e1f\\ud800-\uffff])"},
	} {
		t.Run("|"+strings.ReplaceAll(test.pattern, "/", "|")+"|"+test.flags, func(t *testing.T) {
			got, changed, err := RewriteRegExp(test.pattern, test.flags)
			require.NoError(t, err)
			require.Equal(t, test.want != "", changed)
			if !changed {
				require.Equal(t, test.pattern, got)
				return
			}
			original, _, ok := originalPattern(got)
			require.True(t, ok)
			require.Equal(t, test.pattern, original)
			head, body, _ := strings.Cut(got, originalEnd)
			if strings.HasSuffix(head, originalBacktrack) {
				body = backtrack + body
			}
			require.Equal(t, test.want, body)
		})
	}
}

// TestDeepPatternsAreLeftAlone takes patterns that would exhaust the stack.
func TestDeepPatternsAreLeftAlone(t *testing.T) {
	deep := strings.Repeat("(", 100_000) + "." + strings.Repeat(")", 100_000)
	got, changed, err := RewriteRegExp(deep, "")
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, deep, got)
}

// FuzzRewriteRegExp looks for patterns that become something else than a pattern: what the engine takes before it must take
// afterwards, and what was written must be found in it.
func FuzzRewriteRegExp(f *testing.F) {
	for _, group := range regExpPatterns {
		for _, pattern := range group.patterns {
			f.Add(pattern, group.flags)
		}
	}
	f.Add(`(?:a|(b)\1)*?[^\s-x]{2,}\u{1F600}\k<n>(?<n>\cA\01\8)`, "gimsuy")
	f.Fuzz(func(t *testing.T, pattern, flags string) {
		if len(pattern) > 200 || strings.ContainsRune(pattern, '\uFFFD') {
			return
		}
		written, changed, err := RewriteRegExp(pattern, flags)
		if err != nil || !changed {
			return
		}
		original, _, ok := originalPattern(written)
		require.True(t, ok)
		require.Equal(t, pattern, original)
		vm := goja.New()
		engine, _ := goja.AssertConstructor(vm.Get("RegExp"))
		if _, err := engine(nil, vm.ToValue(pattern), vm.ToValue(flags)); err != nil {
			return
		}
		_, err = engine(nil, vm.ToValue(written), vm.ToValue(flags))
		require.NoError(t, err, written)
	})
}
