package source

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRecover(t *testing.T) {
	const fence2 = "removed one Markdown fence (2 lines)"
	for _, test := range []struct {
		name, src string
		want      string // the program that is left, white space around it trimmed
		notices   []string
	}{
		{"backticks", "```js\n1 + 1\n```", "1 + 1", []string{fence2}},
		{"no tag", "```\n1 + 1\n```\n", "1 + 1", []string{fence2}},
		{"tildes", "~~~js\n1 + 1\n~~~", "1 + 1", []string{fence2}},
		{"CRLF", "~~~js\r\n5\r\n~~~\r\n", "5", []string{fence2}},
		{"CR", "```js\r5\r```\r", "5", []string{fence2}},
		{"prose around", "Here is the program:\n\n```javascript\n7\n```\nDone.\n", "7",
			[]string{fence2 + " and 2 lines of prose around it"}},
		{"one line of prose", "Here:\n```js\n7\n```\n", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"CRLF prose counts each line once", "a\r\nb\r\n```js\r\n7\r\n```\r\n", "7", []string{fence2 + " and 2 lines of prose around it"}},
		{"indented by three", "   ```js\n7\n   ```", "7", []string{fence2}},
		{"longer fence", "`````js\n7\n`````", "7", []string{fence2}},
		{"longer closing fence", "```js\n7\n`````", "7", []string{fence2}},
		{"attributes after the tag", "```js {1,3} title=\"a.js\"\n7\n```", "7", []string{fence2}},
		{"an unknown tag", "```gg\n7\n```", "7", []string{fence2}},
		{"unclosed", "```js\n7\n", "7", []string{"removed one Markdown fence (1 line; the closing one is missing)"}},
		{"unclosed tilde fence after prose", "Here it is:\n~~~js\n7\n", "7",
			[]string{"removed one Markdown fence (1 line; the closing one is missing) and 1 line of prose around it"}},
		{"empty", "```js\n```", "", []string{fence2}},
		{"byte order mark", "\uFEFF7", "7", []string{"removed a byte order mark"}},
		{"byte order mark and fence", "\uFEFF```js\n7\n```", "7", []string{"removed a byte order mark", fence2}},
		{"hashbang", "#!/usr/bin/env gg\n7", "7", nil},
		{"hashbang alone", "#!/usr/bin/env gg", "", nil},
		{"hashbang after a byte order mark", "\uFEFF#!/usr/bin/env gg\r\n7", "7", []string{"removed a byte order mark"}},
		{"hashbang in a fence", "```js\n#!/usr/bin/env gg\n7\n```", "7", []string{fence2}},
		{"hashbang ends at a line separator", "#!x\u20287", "7", nil},
		{"no hashbang", "7 #!x", "7 #!x", nil},

		{"prose with an apostrophe", "Here's the program, it's short:\n```js\n7\n```", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"prose with code", "Use `gg` and `shell`:\n```js\n7\n```", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"prose with a stray backtick", "Use the `gg tool:\n```js\nf({ a: 1 })\n```\n", "f({ a: 1 })", []string{fence2 + " and 1 line of prose around it"}},
		{"stray backticks on both sides", "a ` b\n```js\nf({ a: 1 })\n```\nc ` d", "f({ a: 1 })", []string{fence2 + " and 2 lines of prose around it"}},
		{"prose that opens a comment", "All of src/*:\n```js\n7\n```", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"prose that reads as a program", "done\n```js\n7\n```", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"prose in another script", "これが答えです。\n```js\n7\n```", "7", []string{fence2 + " and 1 line of prose around it"}},
		{"a block of output beside it", "```js\n7\n```\nprints\n```text\n7\n```", "7", []string{fence2 + " and 4 lines of prose around it"}},
		{"a block without a tag beside it", "```\n$ gg\n```\n```js\n7\n```", "7", []string{fence2 + " and 3 lines of prose around it"}},
		{"fence in a comment of the fenced program", "```js\n/*\n```sh\nls\n```\n*/\n7\n```", "/*\n```sh\nls\n```\n*/\n7", []string{fence2}},
		{"fence in a template of the fenced program", "~~~js\n`\n~~~\n`\n~~~", "`\n~~~\n`", []string{fence2}},
		{"shorter fence in a longer one", "````js\n/*\n```\n*/ 7\n````", "/*\n```\n*/ 7", []string{fence2}},
		{"the other fence inside", "```js\n`\n~~~\n`\n```", "`\n~~~\n`", []string{fence2}},
		{"broken program in a fence", "Here:\n```js\nconst a = [1, 2\nconst b = \"x\n```\n", "const a = [1, 2\nconst b = \"x", []string{fence2 + " and 1 line of prose around it"}},
		{"broken template in a fence", "```js\nconst a = `x\n```\n", "const a = `x", []string{fence2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.src)
			require.Equal(t, test.want, strings.TrimSpace(p.Text), "%q", p.Text)
			require.Equal(t, test.notices, p.Notices)
		})
	}
}

// What is a program as it stands, or would be one but for an error outside of any fence, is left alone.
func TestRecoverLeavesProgramsAlone(t *testing.T) {
	for _, src := range []string{
		"const md = \"```\" + \"js\";\nmd",
		"/*\n```js\nexample()\n```\n*/\n7",
		"// a\n/**\n```\nx\n```\n */ function f() {}",
		"const s = \"\\\n```\\\n\";",
		"const md = `\n~~~js\n1\n~~~\n`;",
		"const md = `\n\\`\\`\\`js\n1\n\\`\\`\\`\n`;",
		"~~~x",
		"~~~\nx",
		"/*\n```js\nexample()\n```\n*/\nconst b = [1, 2\n",
		"const md = `\n~~~js\n1\n~~~\n`; const b = [1, 2\n",
		"x = `a`\n    ```js\n1",
		"```js 1 + 1```",
		"a ``` b",
		"``\n`x`",
	} {
		p := read(t, src)
		require.Equal(t, src, p.Text)
		require.Empty(t, p.Notices)
	}
}

func TestRecoverRefuses(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"two programs", "One:\n```js\n1\n```\nTwo:\n```js\n2\n```\n",
			"6:1: the reply holds 2 fenced programs, at lines 2 and 6 (answer with one program)"},
		{"three programs of different tags", "```js\n1\n```\n~~~ts\n2\n~~~\n```javascript\n3\n```",
			"4:1: the reply holds 3 fenced programs, at lines 1, 4 and 7 (answer with one program)"},
		{"two blocks without a tag", "```\n1\n```\n\n```\n2\n```",
			"5:1: the reply holds 2 fenced programs, at lines 1 and 5 (answer with one program)"},
		{"another language", "Run:\n```python\nprint(1)\n```",
			"2:1: the fenced block is tagged \"python\", want a program in JavaScript (answer with a JavaScript program; commands are run with gg.shell.shell)"},
		{"commands", "```bash\nls\n```",
			"1:1: the fenced block is tagged \"bash\", want a program in JavaScript (answer with a JavaScript program; commands are run with gg.shell.shell)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.src, Options{})
			require.EqualError(t, err, test.want)
		})
	}
}

// FuzzRecover: nothing moves, what a parser takes and no fence is in is not touched, and reading twice is reading
// once.
func FuzzRecover(f *testing.F) {
	for _, seed := range []string{
		"```js\n1 + 1\n```", "~~~\r\n5\r\n~~~", "a ` b\n```js\nf()\n```\nc ` d", "\uFEFF#!x\n1", "/*\n```\n*/", "`\n~~~\n`",
		"```js\n1\n```\n```js\n2\n```", "#!\u2028```", "```\n`\n```\n`\n```",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || len(src) > 1<<14 {
			return
		}
		p := &Program{Original: NewText(src), Text: src}
		if p.recover() != nil {
			return
		}
		requireUnmoved(t, src, p.Text)
		if len(fenceLines(src, 0)) == 0 && !strings.HasPrefix(src, byteOrderMark) && !strings.HasPrefix(src, "#!") {
			require.Equal(t, src, p.Text)
		}
		require.Equal(t, p.Text != src, len(p.Notices) > 0 || strings.HasPrefix(src, "#!"), "%q became %q, notices %q", src, p.Text, p.Notices)
	})
}
