package prelude

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// TestRewriteRegExp shows what becomes of a pattern; whether that is right is what Node is asked for.
func TestRewriteRegExp(t *testing.T) {
	for _, test := range []struct{ pattern, flags, want string }{
		{`abc`, "", ""},
		{`[a-z]+\d{2}(x|y)?\.\s`, "gi", ""},
		{`^a$`, "", ""},
		{`(?<year>\d{4})`, "", ""},
		{`\p{L}`, "", `p{L}`},
		{`(?=a)(?!b)(?<=c)(?<!d)(?:e)`, "", ""},
		{`\p{Zl}`, "u", `[\u{2028}]`},
		{`\P{Zl}`, "u", "[\\u{0}-\u2027\\u{2029}-\U0010FFFF]"},
		{`[^\p{Zl}a-c]`, "u", `[^a-c\u{2028}]`},
		{`\p{ASCII}`, "u", `[\u{0}-\u{7f}]`},
		{`\p{ASCII}`, "iu", "[\\u{0}-\\u{7f}ſ\u212a]"},
		{`\p{RI}{2}`, "u", "[\U0001F1E6-\U0001F1FF]{2}"},
		{`[]`, "u", "[^\\u{0}-\U0010FFFF]"},
		{`[^]`, "", "[\\u0000-\uffff]"},
		{`^a$`, "m", multilineStart + "a" + multilineEnd},
		{`.`, "", notLineTerminator},
		{`.x`, "s", ""},
		{`\bfoo\b`, "", `(?<!\w)foo(?!\w)`},
		{`\b(?:foo|bar)\b`, "", `(?<!\w)(?:foo|bar)(?!\w)`},
		{`\b-`, "", `(?<=\w)-`},
		{`-\B`, "", `-(?!\w)`},
		{`\B\w+`, "", `(?<=\w)\w+`},
		{`\b`, "", `(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`},
		{`a?\b`, "", `a?(?:(?<=\w)(?!\w)|(?<!\w)(?=\w))`},
		{`\A\d\Z`, "", `A\dZ`},
		{`İ`, "i", "[^\\u0000-į\u0131-\uffff]"},
		{`[\ud83c][\ud83d]`, "", `[\ud83c](?:(?!\u0003)[\u0003\ud83d])`},
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
			_, body, _ := strings.Cut(got, originalEnd)
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
