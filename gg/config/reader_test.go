package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotJSON(t *testing.T) {
	nested := strings.Repeat("[", maxDepth)
	for _, c := range []struct {
		name string
		text string
		want string
	}{
		{"empty", "", "gg.json:1:1: empty; a configuration is a JSON object"},
		{"white space", " \n\t", "gg.json:1:1: empty; a configuration is a JSON object"},
		{"byte order mark alone", "\uFEFF", "gg.json:1:1: empty; a configuration is a JSON object"},
		{"open object", "{", "gg.json:1:2: not JSON: got the end of the file, want a key in double quotes"},
		{"open list", "{\"hooks\": [", "gg.json:1:12: not JSON: got the end of the file, want a value"},
		{"no value", `{"hooks": }`, "gg.json:1:11: not JSON: got `}`, want a value"},
		{"no colon", `{"hooks" []}`, "gg.json:1:10: not JSON: got `[`, want `:`"},
		{"no comma", "{\"hooks\": []\n \"limits\": {}}", "gg.json:2:2: not JSON: got `\"`, want `,` or `}`"},
		{"no comma in a list", `{"hooks": [1 true]}`, "gg.json:1:14: not JSON: got `true`, want `,` or `]`"},
		{"wrong bracket", `{"hooks": [}`, "gg.json:1:12: not JSON: got `}`, want a value"},
		{"bare key", `{hooks: []}`, "gg.json:1:2: not JSON: got `hooks`, want a key in double quotes"},
		{"comma alone", `{,}`, "gg.json:1:2: not JSON: got `,`, want a key in double quotes"},
		{"single quotes", `{"$schema": 'x'}`, "gg.json:1:13: not JSON: got `'`, want a value; a string takes double quotes"},
		{"typographic quotes", `{“hooks”: []}`, "gg.json:1:2: not JSON: got `“`, want a key in double quotes"},
		{"no-break space", "{\u00A0}", "gg.json:1:2: not JSON: got `\\u00a0`, want a key in double quotes"},
		{"trailing data", "{\"capabilities\": []}\n{}", "gg.json:2:1: not JSON: got `{` after the end of the configuration"},
		{"trailing word", "{} x1", "gg.json:1:4: not JSON: got `x1` after the end of the configuration"},
		{"trailing NUL", "{}\x00", "gg.json:1:3: not JSON: got `\\u0000` after the end of the configuration"},
		{"NUL", "\x00", "gg.json:1:1: not JSON: got `\\u0000`, want a value"},
		{"a second byte order mark", "\uFEFF\uFEFF{}", "gg.json:1:1: not JSON: got `\\ufeff`, want a value"},

		{"comment", "{\n  // the shell\n  \"hooks\": [] }", "gg.json:2:3: not JSON: a comment"},
		{"comments of all kinds", "{ # one\n /* two\n */ \"hooks\": [] // three", "gg.json:1:3: not JSON: a comment, the first of 3\ngg.json:3:25: not JSON: got the end of the file, want `,` or `}`"},
		{"open comment", "{} /* x", "gg.json:1:4: not JSON: a comment"},
		{"tiny comment", "{} /*/", "gg.json:1:4: not JSON: a comment"},
		{"nothing but a comment", "# gg", "gg.json:1:1: not JSON: a comment\ngg.json:1:5: not JSON: got the end of the file, want a value"},

		{"trailing commas", `{"hooks": [1,], "limits": {},}`, "gg.json:1:13: not JSON: a comma before `]`\ngg.json:1:29: not JSON: a comma before `}`"},
		{"words and numbers", `{"a": [True, NaN, nul, -Infinity, 01, +1, .5, 1., 0x10, 1e, 1e+, --1, -, 1_000]}`, strings.Join([]string{
			"gg.json:1:8: not JSON: got `True`, want a value",
			"gg.json:1:14: not JSON: got `NaN`, want a value",
			"gg.json:1:19: not JSON: got `nul`, want a value",
			"gg.json:1:24: not JSON: got `-Infinity`, want a number",
			"gg.json:1:35: not JSON: got `01`, want a number",
			"gg.json:1:39: not JSON: got `+1`, want a number",
			"gg.json:1:43: not JSON: got `.5`, want a number",
			"gg.json:1:47: not JSON: got `1.`, want a number",
			"gg.json:1:51: not JSON: got `0x10`, want a number",
			"gg.json:1:57: not JSON: got `1e`, want a number",
			"gg.json:1:61: not JSON: got `1e+`, want a number",
			"gg.json:1:66: not JSON: got `--1`, want a number",
			"gg.json:1:71: not JSON: got `-`, want a number",
			"gg.json:1:74: not JSON: got `1_000`, want a number",
		}, "\n")},

		{"open string", `{"hooks`, "gg.json:1:2: not JSON: a string that is never closed"},
		{"line break in a string", "{\"hooks: []\n}", "gg.json:1:12: not JSON: a line break inside a string"},
		{"tab in a string", "{\"a\tb\": 1}", "gg.json:1:4: not JSON: control character U+0009 inside a string"},
		{"backslash of a path", `{"$schema": "C:\gg"}`, "gg.json:1:16: not JSON: `\\g` is no escape; a backslash is written `\\\\`"},
		{"backslash before a wide character", `{"$schema": "\é"}`, "gg.json:1:14: not JSON: `\\é` is no escape; a backslash is written `\\\\`"},
		{"backslash at the end", `{"$schema": "\`, "gg.json:1:14: not JSON: `\\` is no escape; a backslash is written `\\\\`"},
		{"bad hexadecimal", `{"$schema": "\u12G4"}`, "gg.json:1:14: not JSON: `\\u12G4` is no escape; a backslash is written `\\\\`"},
		{"short hexadecimal", `{"$schema": "\u12`, "gg.json:1:14: not JSON: `\\u12` is no escape; a backslash is written `\\\\`"},
		{"signed hexadecimal", `{"$schema": "\u+123"}`, "gg.json:1:14: not JSON: `\\u+123` is no escape; a backslash is written `\\\\`"},
		{"first half of a pair", `{"$schema": "\ud83d"}`, "gg.json:1:14: not JSON: `\\ud83d` is half of a surrogate pair"},
		{"second half of a pair", `{"$schema": "\ude00"}`, "gg.json:1:14: not JSON: `\\ude00` is half of a surrogate pair"},
		{"two first halves", `{"$schema": "\ud83d\ud83d"}`, "gg.json:1:14: not JSON: `\\ud83d` is half of a surrogate pair"},
		{"half of a pair and an escape that is none", `{"$schema": "\ud83d\u00"}`, "gg.json:1:20: not JSON: `\\u00\"}` is no escape; a backslash is written `\\\\`"},

		{"not UTF-8", "{\"$schema\":\n \"caf\xe9\"}", "gg.json:2:6: not UTF-8: byte 0xe9"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "gg.json:1:1: got UTF-16 text, want UTF-8"},
		{"UTF-16, the other way round", "\xfe\xff\x00{\x00}", "gg.json:1:1: got UTF-16 text, want UTF-8"},
		{"too long", strings.Repeat(" ", MaxBytes+1), "gg.json:1:1: larger than 1048576 bytes"},
		{"too deep", `{"hooks": ` + nested, "gg.json:1:74: nested deeper than 64 levels"},
		{"very deep", strings.Repeat("[", MaxBytes), "gg.json:1:65: nested deeper than 64 levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, err := Parse([]byte(c.text), "gg.json", nil)
			require.Nil(t, config)
			require.EqualError(t, err, c.want)
		})
	}
	_, err := Parse([]byte("{]"), "", nil)
	require.EqualError(t, err, "1:2: not JSON: got `]`, want a key in double quotes")
}

// TestDepth: what is exactly as deep as it may be is read, and the depth is given back.
func TestDepth(t *testing.T) {
	deep := `{"hooks": ` + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) + `}`
	_, err := Parse([]byte(deep), "gg.json", nil)
	require.EqualError(t, err, "hooks = `"+strings.Repeat("[", 60)+"…`: not in this version\ncapabilities is missing: must be a list of capabilities")

	_, faults := readDocument([]byte(`[` + strings.Repeat(`[[]],`, 100) + `[]]`))
	require.Empty(t, faults)
}

func TestCount(t *testing.T) {
	const most = 9007199254740991
	for _, c := range []struct {
		text string
		want int64
		fit  magnitude
	}{
		{"1", 1, fits}, {"40.0", 40, fits}, {"1e2", 100, fits}, {"1E+2", 100, fits}, {"100e-2", 1, fits},
		{"1.5e1", 15, fits}, {"0.001e3", 1, fits}, {"9007199254740991", most, fits},
		{"9007199254740991.000", most, fits}, {"90071992547409910e-1", most, fits},
		{"9007199254740992", 0, excess}, {"9007199254740991.5", 0, unfit}, {"1e19", 0, excess},
		{"18446744073709551617", 0, excess}, {"9999999999999999999", 0, excess}, {"1e999999999999999999999", 0, excess},
		{"0", 0, unfit}, {"-0", 0, unfit}, {"0.0", 0, unfit}, {"0e5", 0, unfit}, {"-1", 0, unfit}, {"-1e400", 0, unfit},
		{"4.5", 0, unfit}, {"1e-1", 0, unfit}, {"15e-1", 0, unfit}, {"1e-999999999999999999999", 0, unfit},
		{"1" + strings.Repeat("0", 400) + "e-400", 1, fits}, {"0." + strings.Repeat("0", 399) + "1e400", 1, fits},
	} {
		got, fit := count(c.text, most)
		require.Equal(t, c.fit, fit, c.text)
		require.Equal(t, c.want, got, c.text)
	}
}

// TestLongName: the place of a fault is to be clicked on, so the name is never cut.
func TestLongName(t *testing.T) {
	name := strings.Repeat("directory/", 20) + "gg\n.json"
	_, err := Parse([]byte("{]"), name, nil)
	require.EqualError(t, err, strings.Repeat("directory/", 20)+"gg\\u000a.json:1:2: not JSON: got `]`, want a key in double quotes")
}
