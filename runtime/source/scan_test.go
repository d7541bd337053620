package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every snippet of accepted.txt is taken by node 20 inside an async function. The scanner has to find their
// brackets and literals closed, and nothing suspicious in them.
func TestScanAgreesWithNode(t *testing.T) {
	all := snippets(t, "accepted.txt")
	require.GreaterOrEqual(t, len(all), 150)
	for _, src := range all {
		s := scanText(src, Limits{}.withDefaults())
		require.Empty(t, s.issues, "%q", src)
		require.Empty(t, s.suspicious, "%q", src)
		require.Nil(t, s.limit, "%q", src)
		for _, f := range s.features {
			require.NotEqual(t, ChainedComparison, f.kind, "%q", src)
			require.NotEqual(t, Using, f.kind, "%q", src)
			require.NotEqual(t, Accessor, f.kind, "%q", src)
		}
	}
}

// Tokens, with the kind of those that are easily mistaken.
func TestScanTokens(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"a / b / c", "a / b / c"},
		{"a = /b/g", "a = re:/b/g"},
		{"a\n/b/g", "a / b / g"},
		{"(a) / b", "( a ) / b"},
		{"if (a) /b/", "if ( a ) re:/b/"},
		{"f(a) /b/ c", "f ( a ) / b / c"},
		{"while (a) /b/.c", "while ( a ) re:/b/ . c"},
		{"{} /a/", "{ } re:/a/"},
		{"x = {} / a", "x = { } / a"},
		{"({}) / a", "( { } ) / a"},
		{"function f() {} /a/", "function f ( ) { } re:/a/"},
		{"x = function () {} / a", "x = function ( ) { } / a"},
		{"class A { static { if (a) /b/ } }", "class A { static { if ( a ) re:/b/ } }"},
		{"class A {} /a/", "class A { } re:/a/"},
		{"x = class {} / a", "x = class { } / a"},
		{"async function f() {} /a/", "async function f ( ) { } re:/a/"},
		{"x = async function () {} / a", "x = async function ( ) { } / a"},
		{"a++ / b", "a ++ / b"},
		{"a\n++/b/.c", "a ++ re:/b/ . c"},
		{"a[b] / c", "a [ b ] / c"},
		{"`a` / b", "t:`a` / b"},
		{"1 / 2", "1 / 2"},
		{"this / a", "this / a"},
		{"return /a/", "return re:/a/"},
		{"a.return / b", "a . return / b"},
		{"typeof /a/", "typeof re:/a/"},
		{"x => {}\n/a/", "x => { } re:/a/"},
		{"case /a/: /b/", "case re:/a/ : re:/b/"},
		{"for (x of /a/) ;", "for ( x of re:/a/ ) ;"},
		{"of / a", "of / a"},
		{"a ? /b/ : /c/", "a ? re:/b/ : re:/c/"},
		{"x = { a: /b/, c() { } , d: e / f }", "x = { a : re:/b/ , c ( ) { } , d : e / f }"},
		{"[/a/, b / c]", "[ re:/a/ , b / c ]"},
		{"/[/]\\//g", "re:/[/]\\//g"},
		{"/=/", "re:/=/"},
		{"a /= b", "a /= b"},
		{"`a${/b/}c` / d", "t:`a${ re:/b/ t:}c` / d"},
		{"`${`${a}`}`", "t:`${ t:`${ a t:}` t:}`"},
		{"`${{a: 1}}`", "t:`${ { a : 1 } t:}`"},
		{"`\\``", "t:`\\``"},
		{"a?.b", "a ?. b"},
		{"a?.5:1", "a ? .5 : 1"},
		{"1..a", "1. . a"},
		{"0x1e+1", "0x1e + 1"},
		{"1e+1", "1e+1"},
		{"1_0n", "1_0n"},
		{"#a in b", "#a in b"},
		{"a // b\nc", "a c"},
		{"a /* b */ c", "a c"},
		{"'a\\\nb'", "'a\\\nb'"},
		{"\\u0061b \\u{62}c", "\\u0061b \\u{62}c"},
		{"a>>>=b**=c", "a >>>= b **= c"},
		{"日本 é", "日本 é"},
	} {
		s := scanText(test.src, Limits{}.withDefaults())
		var got []string
		for _, token := range s.tokens {
			text := test.src[token.start:token.end]
			switch token.kind {
			case tokenRegExp:
				text = "re:" + text
			case tokenTemplate:
				text = "t:" + text
			}
			got = append(got, text)
		}
		require.Equal(t, test.want, strings.Join(got, " "), "%q", test.src)
		require.Empty(t, s.issues, "%q", test.src)
	}
}

func TestScanFindsStatements(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"a; b", "a b"},
		{"a\nb", "a b"},
		{"a +\nb", "a"},
		{"a\n+ b", "a"},
		{"a\n(b)", "a"},
		{"a\n++b", "a ++"},
		{"{ a } b", "{ a b"},
		{"if (a) b", "if"},
		{"if (a) { b } c", "if b c"},
		{"x = { a }\nb", "x b"},
		{"function f() {} b", "function b"},
		{"x = function () {}\nb", "x b"},
		{"`a`\n`b`", "`a`"},
		{"a\nin b", "a"},
		{"'use strict'\na", "'use strict' a"},
	} {
		var got []string
		for _, token := range scanText(test.src, Limits{}.withDefaults()).tokens {
			if token.fresh {
				got = append(got, test.src[token.start:token.end])
			}
		}
		require.Equal(t, test.want, strings.Join(got, " "), "%q", test.src)
	}
}

func TestScanIssues(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"const a = 1;\nconst b = [1, 2\nconst c = 3;", "`[` opened at 2:11 is never closed"},
		{"f(1))\n", "`)` at 1:5 closes nothing"},
		{"x;\n  y;\n   )", "`)` at 3:4 closes nothing"},
		{"if (a {\n}", "`(` opened at 1:4 is never closed"},
		{"x = (a\n}", "`(` opened at 1:5 is closed by `}` at 2:1"},
		{"x = [1, 2)", "`[` opened at 1:5 is closed by `)` at 1:10"},
		{"f([1, 2)", "`[` opened at 1:3 is closed by `)` at 1:8"},
		{"f(a])", "`]` at 1:4 closes nothing"},
		{"{ ( [ }", "`[` opened at 1:5 is closed by `}` at 1:7; `(` opened at 1:3 is closed by `}` at 1:7"},
		{"( [ {", "`{` opened at 1:5 is never closed; `[` opened at 1:3 is never closed; `(` opened at 1:1 is never closed"},
		{"`a${b", "`${` opened at 1:3 is never closed"},
		{"(`${)}`)", "`)` at 1:5 closes nothing"},
		{"`a${b)}`", "`)` at 1:6 closes nothing"},
		{"x = 'abc\ny", "the string opened at 1:5 is not closed on its line"},
		{"x = `abc\n${1} y", "the template opened at 1:5 is never closed"},
		{"f(`abc", "the template opened at 1:3 is never closed"},
		{"f( /* abc", "the comment opened at 1:4 is never closed"},
		{"日本(", "`(` opened at 1:3 is never closed"},
	} {
		text := NewText(test.src)
		var got []string
		for _, i := range scanText(test.src, Limits{}.withDefaults()).issues {
			got = append(got, i.describe(text))
		}
		require.Equal(t, test.want, strings.Join(got, "; "), "%q", test.src)
	}
}

func TestScanFeatures(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"for await (const x of y) ;", "1:1 `for await` is not supported by the engine"},
		{"async function f() { for await (x of y) ; }", "1:22 `for await` is not supported by the engine"},
		{"async function* f() {}", "1:1 async generators are not supported by the engine"},
		{"x = async function* () {}", "1:5 async generators are not supported by the engine"},
		{"x = { async *m() {} }", "1:7 async generators are not supported by the engine"},
		{"class A { a() {} async *b() {} }", "1:18 async generators are not supported by the engine"},
		{"class A { a = 1; async *b() {} }", "1:18 async generators are not supported by the engine"},
		{"class A { static async *m() {} }", "1:18 async generators are not supported by the engine"},
		{"x = await import('a')", "1:11 dynamic `import()` is not supported by the engine"},
		{"import.meta.url", "1:1 `import.meta` is not supported by the engine"},
		{"@a class B {}", "1:1 decorators are not supported by the engine"},
		{"{ using x = y }", "1:3 `using` declarations are not supported by the engine"},
		{"{ await using x = y }", "1:9 `using` declarations are not supported by the engine"},
		{"class A { accessor x = 1 }", "1:11 `accessor` fields are not supported by the engine"},
		{"x = /a/v", "1:5 the regular expression flag `v` is not supported by the engine"},
		{"x = /a/gd", "1:5 the regular expression flag `d` is not supported by the engine"},
		{"/(?i:a)(?-s:b)/", "1:1 regular expression modifiers such as `(?i:…)` are not supported by the engine"},
		{"a < b < c", "1:7 chained comparisons such as `a < b < c` are not supported by the engine"},
		{"if (0 <= i <= n) f()", "1:12 chained comparisons such as `a < b < c` are not supported by the engine"},
		{"a instanceof B in c", "1:16 chained comparisons such as `a < b < c` are not supported by the engine"},
		{"a <!-- b", "1:3 HTML-like comments (`<!--`) are not supported by the engine"},
		{"x = 089", "1:5 decimal numbers with a leading zero are not supported by the engine"},

		{"async function f() {} function* g() {}", ""},
		{"x = { async: a * b, async m() {}, *n() {} }", ""},
		{"async * 2; using = 1; using; accessor = 1", ""},
		{"x = { using: 1 }; for (using of x) ;", ""},
		{"o.import('a'); o = { import() {}, import: 1 }", ""},
		{"/(?:a)(?=b)(?!c)(?<=d)(?<n>e)[(?i:)]/gimsuy", "1:1 regular expression modifiers such as `(?i:…)` are not supported by the engine"},
		{"/a/u.v; 'a @ b'; // @c\n/a/.d", ""},
		{"a < b && c < d || e > f, g < h; i < j ? k < l : m > n", ""},
		{"a < b === c < d; a < b == (c < d); x = a < b, y = c < d", ""},
		{"for (const k in a) if (k < b) c < d", ""},
		{"#x in a && b < c; a < (b < c)", ""},
		{"x = { in: a < b, instanceof: c < d, in() { return e < f } }", ""},
		{"class A { in = a < b; in() { } instanceof = c < d }", ""},
		{"a < b\n!c < d\n~e < f\n'g' < h\nthis < i\n{ j < k } l < m", ""},
		{"f = () => { a < b }\nc < d; if (e < f) g < h; else i < j\nk: l < m", ""},
		{"switch (a < b) { case c < d: e < f; default: g < h }", ""},
		{"0.8 + 0 + 0x89 + 10", ""},
	} {
		p := &Program{Original: NewText(test.src)}
		var got []string
		for _, f := range scanText(test.src, Limits{}.withDefaults()).publicFeatures(p.Original) {
			got = append(got, fmt.Sprintf("%s %s", f.Position, f.Kind))
		}
		require.Equal(t, test.want, strings.Join(got, "; "), "%q", test.src)
	}
}

func TestEveryFeatureHasItsWords(t *testing.T) {
	seen := map[string]bool{}
	for k := ForAwait; k <= LegacyDecimal; k++ {
		text := k.text()
		require.NotEmpty(t, text.hint)
		require.Contains(t, text.message, "not supported by the engine")
		require.False(t, seen[text.message], "%d", k)
		seen[text.message] = true
	}
}

func TestScanSuspicious(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"const s = “hello”;", "U+201C LEFT DOUBLE QUOTATION MARK at 1:11: use \" instead; U+201D RIGHT DOUBLE QUOTATION MARK at 1:17: use \" instead"},
		{"x =\u00A01", "U+00A0 NO-BREAK SPACE at 1:4: use a plain space instead"},
		{"x\u200B= 1", "U+200B ZERO WIDTH SPACE at 1:2: delete it"},
		{"x = 1\uFEFF", "U+FEFF ZERO WIDTH NO-BREAK SPACE at 1:6: delete it"},
		{"a\u200Db = 1", "U+200D ZERO WIDTH JOINER at 1:2: delete it"},
		{"é\u200Cb = 1", "U+200C ZERO WIDTH NON-JOINER at 1:2: delete it"},
		{"b\u200Cé = 1", "U+200C ZERO WIDTH NON-JOINER at 1:2: delete it"},
		{"x = 3 − 1", "U+2212 MINUS SIGN at 1:7: use - instead"},
		{"f（1）", "U+FF08 FULLWIDTH LEFT PARENTHESIS at 1:2: use ( instead; U+FF09 FULLWIDTH RIGHT PARENTHESIS at 1:4: use ) instead"},
		{"x → y", "U+2192 RIGHTWARDS ARROW at 1:3: use => instead"},
		{"f(…a)", "U+2026 HORIZONTAL ELLIPSIS at 1:3: use ... instead"},
		{"x = 😀", "U+1F600 at 1:5 cannot stand outside strings and comments"},
		{"x = \x01", "U+0001 at 1:5 cannot stand outside strings and comments"},
		{"x = 1\u0085", "U+0085 NEXT LINE at 1:6: use a plain space instead"},

		{"'“ \u00A0\u200B' + \"−\" + `（😀`", ""},
		{"// “ \u00A0\n/* → */ /“/", ""},
		{"می\u200Cخواهم = 1", ""}, // a joiner between letters that need it
		{"x\u2028y\u2029z", ""},   // line terminators like any other
	} {
		p := &Program{Original: NewText(test.src)}
		var got []string
		for _, c := range scanText(test.src, Limits{}.withDefaults()).suspicious {
			got = append(got, c.problem(p.Original).message)
		}
		require.Equal(t, test.want, strings.Join(got, "; "), "%q", test.src)
	}
}

func TestConfusablesAreOrderedAndFit(t *testing.T) {
	for i, c := range confusables {
		if i > 0 {
			require.Greater(t, c.r, confusables[i-1].r, "%U", c.r)
		}
		require.LessOrEqual(t, len(c.instead), len(string(c.r)), "%U", c.r)
		require.Equal(t, strings.ToUpper(c.name), c.name)
	}
}

func TestMisindented(t *testing.T) {
	src := "function f() {\n  if (x) {\n    a();\n}\ng();\n"
	s := scanText(src, Limits{}.withDefaults())
	require.Equal(t, strings.Index(src, "{\n    a"), s.misindented(strings.Index(src, "{")))
	flat := "function f() { if (x) { a(); }\ng();\n"
	require.Equal(t, -1, scanText(flat, Limits{}.withDefaults()).misindented(strings.Index(flat, "{")))
}

// FuzzScan: the scanner takes any bytes, its tokens are in order and apart, and none is empty.
func FuzzScan(f *testing.F) {
	for _, src := range snippets(f, "accepted.txt") {
		f.Add(src)
	}
	for _, src := range []string{"`${`${", "/[/[/", "({[)]}", "\\u{", "#", "\xff", "'\\", "a\u200D", "}`", "/*"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := scanText(src, Limits{}.withDefaults())
		last := int32(0)
		for _, token := range s.tokens {
			require.GreaterOrEqual(t, token.start, last)
			require.Greater(t, token.end, token.start)
			last = token.end
		}
		require.LessOrEqual(t, int(last), len(src))
		text := NewText(src)
		for _, i := range s.issues {
			require.Less(t, i.open, len(src))
			require.Less(t, i.from, len(src))
			require.NotEmpty(t, i.describe(text))
		}
		require.Len(t, repairCharacters(src, s.suspicious), len(src))
	})
}
