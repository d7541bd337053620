package config

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// known is what the host of these tests can grant.
var known = Functions{
	"shell":    {"shell"},
	"programs": {"finish", "remaining", "sleep"},
	"files":    {"readFile", "readTextFile", "writeFile", "listDir"},
	"views":    {"openFile", "openText", "close", "current"},
	"docs":     {"search", "open"},
}

// refused lists texts and the exact lines of their refusal.
var refused = []struct {
	name string
	text string
	want []string
}{
	{"five defects", `{
  "capabilities": [
    { "id": "shell", "enabled": true, "implementation": "offlaod", "params": { "maxLines": 0 } },
    { "id": "programs", "enabled": true, "params": { "computeSec": 30 } }
  ],
  "limits": { "maxCalls": "lots" }
}`, []string{
		"shell.implementation = `offlaod`: not a mode; gg recognizes `inline`, `offload`",
		"shell.params.maxLines = `0`: must be a whole number of at least 1",
		"shell.params.maxChars is missing: must be a whole number of at least 1",
		"programs.params.computeSec: unknown key; did you mean `computeSecs`?",
		"limits.maxCalls = `\"lots\"`: must be a whole number of at least 1",
	}},

	// Counts.
	{"numbers that count nothing", shellWith(`"maxLines": 4.5, "maxChars": -1, "keepHours": null, "killGraceMs": 1e-1, "drainGraceMs": -0, "maxStreamBytes": 0e999999999999`), []string{
		"shell.params.maxLines = `4.5`: must be a whole number of at least 1",
		"shell.params.maxChars = `-1`: must be a whole number of at least 1",
		"shell.params.keepHours = `null`: must be a whole number of at least 1",
		"shell.params.killGraceMs = `1e-1`: must be a whole number of at least 1",
		"shell.params.drainGraceMs = `-0`: must be a whole number of at least 1",
		"shell.params.maxStreamBytes = `0e999999999999`: must be a whole number of at least 1",
	}},
	{"values that are no numbers", shellWith(`"maxLines": true, "maxChars": [1], "keepHours": {"a": [ 1, "b" ]}, "killGraceMs": ""`), []string{
		"shell.params.maxLines = `true`: must be a whole number of at least 1",
		"shell.params.maxChars = `[1]`: must be a whole number of at least 1",
		"shell.params.keepHours = `{\"a\":[1,\"b\"]}`: must be a whole number of at least 1",
		"shell.params.killGraceMs = `\"\"`: must be a whole number of at least 1",
	}},
	{"numbers beyond a range", shellWith(`"maxLines": 100001, "maxChars": 1e7, "keepHours": 1e999999999999, "drainGraceMs": 9223372036855, "maxStreamBytes": 18446744073709551617, "diskReserveBytes": 9007199254740992`), []string{
		"shell.params.maxLines = `100001`: must be a whole number of at most 100000",
		"shell.params.maxChars = `1e7`: must be a whole number of at most 1000000",
		"shell.params.keepHours = `1e999999999999`: must be a whole number of at most 2562047",
		"shell.params.drainGraceMs = `9223372036855`: must be a whole number of at most 9223372036854",
		"shell.params.maxStreamBytes = `18446744073709551617`: must be a whole number of at most 9007199254740991",
		"shell.params.diskReserveBytes = `9007199254740992`: must be a whole number of at most 9007199254740991",
	}},
	{"a long number", shellWith(`"maxChars": 1, "maxLines": 0.` + strings.Repeat("7", 100)), []string{
		"shell.params.maxLines = `0." + strings.Repeat("7", 58) + "…`: must be a whole number of at least 1",
	}},
	{"limits", `{"capabilities": [], "limits": {"maxRuntimeSecs": 0, "maxCalls": 2147483648, "maxParallel": 0.5}}`, []string{
		"limits.maxRuntimeSecs = `0`: must be a whole number of at least 1",
		"limits.maxCalls = `2147483648`: must be a whole number of at most 2147483647",
		"limits.maxParallel = `0.5`: must be a whole number of at least 1",
	}},

	// What must be there.
	{"nothing", `{}`, []string{"capabilities is missing: must be a list of capabilities"}},
	{"an enabled shell without parameters", `{"capabilities": [{"id": "shell", "enabled": true, "implementation": "inline"}]}`, []string{
		"shell.params.maxLines is missing: must be a whole number of at least 1",
		"shell.params.maxChars is missing: must be a whole number of at least 1",
	}},
	{"parameters that are none", `{"capabilities": [{"id": "shell", "enabled": true, "params": null}]}`, []string{
		"shell.params = `null`: must be an object",
	}},
	{"an entry without anything", `{"capabilities": [{}]}`, []string{
		"capabilities[0].id is missing: must be one of `shell`, `programs`, `files`, `views`, `docs`, `run`",
		"capabilities[0].enabled is missing: must be true or false",
	}},
	{"a shell that says neither", `{"capabilities": [{"id": "shell"}]}`, []string{
		"shell.enabled is missing: must be true or false",
		"shell.params.maxLines is missing: must be a whole number of at least 1",
		"shell.params.maxChars is missing: must be a whole number of at least 1",
	}},

	// Types.
	{"the wrong kinds of things", `{"capabilities": {}, "limits": [], "hooks": null, "$schema": 1}`, []string{
		"capabilities = `{}`: must be a list of capabilities",
		"limits = `[]`: must be an object",
		"hooks = `null`: must be a list",
		"$schema = `1`: must be a string",
	}},
	{"no object", `[]`, []string{"configuration = `[]`: must be an object"}},
	{"entries that are none", `{"capabilities": ["shell", null, []]}`, []string{
		"capabilities[0] = `\"shell\"`: must be an object",
		"capabilities[1] = `null`: must be an object",
		"capabilities[2] = `[]`: must be an object",
	}},
	{"enabled is not a boolean", `{"capabilities": [{"id": "docs", "enabled": "yes"}, {"id": "views", "enabled": 1}, {"id": "shell", "enabled": "false"}]}`, []string{
		"docs.enabled = `\"yes\"`: must be true or false",
		"views.enabled = `1`: must be true or false",
		"shell.enabled = `\"false\"`: must be true or false",
	}},
	{"programs", `{"capabilities": [{"id": "programs", "enabled": true, "params": {"isolation": "container", "rewriteStrings": 0, "showValue": "", "requireConfinement": null}}]}`, []string{
		"programs.params.isolation = `container`: not an isolation; gg recognizes `process`, `none`",
		"programs.params.rewriteStrings = `0`: must be true or false",
		"programs.params.showValue = `\"\"`: not a setting; gg recognizes `whenNoViews`, `never`",
		"programs.params.requireConfinement = `null`: must be true or false",
	}},
	{"paths", `{"capabilities": [{"id": "files", "enabled": true, "params": {"roots": ["", "~", "~/src", 1, "a\u0000b"]}}, {"id": "shell", "enabled": false, "params": {"offloadDir": ""}}]}`, []string{
		"files.params.roots[0] = `\"\"`: must not be empty",
		"files.params.roots[1] = `\"~\"`: `~` is not expanded; write the path out",
		"files.params.roots[2] = `\"~/src\"`: `~` is not expanded; write the path out",
		"files.params.roots[3] = `1`: must be a string",
		"files.params.roots[4] = `\"a\\u0000b\"`: must not contain U+0000",
		"shell.params.offloadDir = `\"\"`: must not be empty",
	}},
	{"no roots", `{"capabilities": [{"id": "files", "enabled": true, "params": {"roots": []}}]}`, []string{
		"files.params.roots = `[]`: must not be empty",
	}},
	{"environment", `{"capabilities": [{"id": "shell", "enabled": false, "params": {"order": "sorted", "env": {
		"inherit": "some", "pass": ["A=B", ""], "set": {"": "x", "A=B": "x", "GG_CALL": "", "N": 1, "Z": "\u0000"}, "unset": []}}}]}`, []string{
		"shell.params.order = `sorted`: not an order; gg recognizes `write`, `arrival`",
		"shell.params.env.inherit = `some`: not a setting; gg recognizes `all`, `minimal`, `none`",
		"shell.params.env.pass[0] = `\"A=B\"`: must be the name of a variable, without `=`",
		"shell.params.env.pass[1] = `\"\"`: must not be empty",
		"shell.params.env.set[\"\"]: must not be empty",
		"shell.params.env.set[\"A=B\"]: must be the name of a variable, without `=`",
		"shell.params.env.set.GG_CALL: set by gg itself",
		"shell.params.env.set.N = `1`: must be a string",
		"shell.params.env.set.Z = `\"\\u0000\"`: must not contain U+0000",
		"shell.params.env.unset: unknown key; did you mean `set`?",
	}},
	{"lists that are none", `{"capabilities": [{"id": "shell", "enabled": false, "functions": "shell", "params": {"env": {"pass": {}, "set": []}}}]}`, []string{
		"shell.functions = `\"shell\"`: must be a list of strings",
		"shell.params.env.pass = `{}`: must be a list of strings",
		"shell.params.env.set = `[]`: must be an object",
	}},
	{"a disabled capability is judged", `{"capabilities": [{"id": "shell", "enabled": false, "implementation": "none", "params": {"maxLines": 0}}]}`, []string{
		"shell.implementation = `none`: not a mode; gg recognizes `inline`, `offload`",
		"shell.params.maxLines = `0`: must be a whole number of at least 1",
	}},

	// Names.
	{"unknown keys", `{"capability": [], "capabilities": [{"id": "files", "enabled": true, "root": ".", "params": {"x y": 1}}, {"id": "docs", "enabled": true, "params": {"depth": 1}}], "verbose": true}`, []string{
		"capability: unknown key; did you mean `capabilities`?",
		"files.root: unknown key; gg recognizes `id`, `enabled`, `functions`, `params`",
		"files.params[\"x y\"]: unknown key; gg recognizes `roots`",
		"docs.params.depth: unknown key; `docs.params` has none",
		"verbose: unknown key; gg recognizes `$schema`, `capabilities`, `limits`, `hooks`",
	}},
	{"keys in the wrong place", `{"maxCalls": 1, "computeSecs": 1, "capabilities": [
		{"id": "shell", "enabled": false, "maxLines": 1, "inherit": "all", "params": {"enabled": true, "implementation": "inline", "hooks": []}},
		{"id": "views", "enabled": true, "implementation": "inline"}]}`, []string{
		"maxCalls: unknown key; it belongs in `limits`",
		"computeSecs: unknown key; it belongs in `programs.params`",
		"shell.maxLines: unknown key; it belongs in `shell.params`",
		"shell.inherit: unknown key; it belongs in `shell.params.env`",
		"shell.params.enabled: unknown key; it belongs in `shell`",
		"shell.params.implementation: unknown key; it belongs in `shell`",
		"shell.params.hooks: unknown key; it belongs at the top level",
		"views.implementation: unknown key; it belongs in `shell`",
	}},
	{"keys given twice", `{"capabilities": [{"id": "docs", "enabled": true, "id": "views", "\u0065nabled": false}], "hooks": [], "hooks": [], "colour": 1, "colour": 2}`, []string{
		"docs.id: given twice",
		"docs.enabled: given twice",
		"hooks: given twice",
		"colour: unknown key; gg recognizes `$schema`, `capabilities`, `limits`, `hooks`",
		"colour: given twice",
	}},
	{"a wrong id and a right one", `{"capabilities": [{"id": "x", "id": "docs", "enabled": true}]}`, []string{
		"capabilities[0].id = `x`: not a capability; gg recognizes `shell`, `programs`, `files`, `views`, `docs`, `run`",
		"capabilities[0].id: given twice",
	}},
	{"variables given twice", `{"capabilities": [{"id": "shell", "enabled": false, "params": {"env": {"set": {"A": "1", "A": "2"}}}}]}`, []string{
		"shell.params.env.set.A: given twice",
	}},
	{"unknown capabilities", `{"capabilities": [{"id": "shel", "enabled": true, "params": {"maxLines": 0}}, {"id": "network", "enabled": 1, "params": {"a": 0}, "x": 1}, {"id": 7, "enabled": true}, {"id": "", "enabled": true}]}`, []string{
		"capabilities[0].id = `shel`: not a capability; did you mean `shell`?",
		"capabilities[0].params.maxLines = `0`: must be a whole number of at least 1",
		"capabilities[0].params.maxChars is missing: must be a whole number of at least 1",
		"capabilities[1].id = `network`: not a capability; gg recognizes `shell`, `programs`, `files`, `views`, `docs`, `run`",
		"capabilities[1].enabled = `1`: must be true or false",
		"capabilities[1].x: unknown key; gg recognizes `id`, `enabled`, `functions`, `implementation`, `params`",
		"capabilities[2].id = `7`: not a capability; gg recognizes `shell`, `programs`, `files`, `views`, `docs`, `run`",
		"capabilities[3].id = `\"\"`: not a capability; gg recognizes `shell`, `programs`, `files`, `views`, `docs`, `run`",
	}},
	{"a capability twice", `{"capabilities": [{"id": "docs", "enabled": true}, {"id": "docs", "enabled": 1}, {"id": "docs", "enabled": false}]}`, []string{
		"capabilities[1].id = `docs`: already at capabilities[0]",
		"capabilities[1].enabled = `1`: must be true or false",
		"capabilities[2].id = `docs`: already at capabilities[0]",
	}},
	{"functions", `{"capabilities": [{"id": "files", "enabled": true, "functions": ["readFile", "readfile", "files.listDir", "gg.files.listdir", "crawl", "", 1]}, {"id": "run", "enabled": false, "functions": ["run"]}]}`, []string{
		"files.functions[1] = `readfile`: not a function of `files`; did you mean `readFile`?",
		"files.functions[2] = `files.listDir`: not a function of `files`; did you mean `listDir`?",
		"files.functions[3] = `gg.files.listdir`: not a function of `files`; did you mean `listDir`?",
		"files.functions[4] = `crawl`: not a function of `files`; gg recognizes `readFile`, `readTextFile`, `writeFile`, `listDir`",
		"files.functions[5] = `\"\"`: must not be empty",
		"files.functions[6] = `1`: must be a string",
		"run.functions[0] = `run`: not a function of `run`; it has none",
	}},
	{"names that would break a line", `{"capabilities": [], "a\nb": 1, "` + strings.Repeat("x", 200) + `": 1, "hooks": {"\u001b[31m": "\u2028` + "\U000E0001" + `"}}`, []string{
		"[\"a\\u000ab\"]: unknown key; gg recognizes `$schema`, `capabilities`, `limits`, `hooks`",
		"[\"" + strings.Repeat("x", 59) + "…]: unknown key; gg recognizes `$schema`, `capabilities`, `limits`, `hooks`",
		"hooks = `{\"\\u001b[31m\":\"\\u2028\\u{e0001}\"}`: must be a list",
	}},

	// What a later version will take.
	{"not in this version", `{"capabilities": [
    {"id": "shell", "enabled": true, "params": {"maxLines": 1, "maxChars": 1, "sandbox": {"required": true}, "limits": {}}},
    {"id": "programs", "enabled": true, "params": {"requireConfinement": true}},
    {"id": "run", "enabled": true, "params": {"secretDirs": [""]}}],
  "hooks": [{"event": "pre-shell", "command": "make lint"}]}`, []string{
		"shell.params.sandbox = `{\"required\":true}`: not in this version",
		"shell.params.limits = `{}`: not in this version",
		"programs.params.requireConfinement = `true`: not in this version",
		"run.enabled = `true`: not in this version",
		"run.params.secretDirs[0] = `\"\"`: must not be empty",
		"hooks = `[{\"event\":\"pre-shell\",\"command\":\"make lint\"}]`: not in this version",
	}},
}

func TestRefused(t *testing.T) {
	schema := compiled(t)
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			config, err := Parse([]byte(c.text), "gg.json", known)
			require.Nil(t, config)
			require.Error(t, err)
			require.Equal(t, strings.Join(c.want, "\n"), err.Error())
			require.IsType(t, new(Error), err)
			if !strings.Contains(c.text, "999999999999") && !seenByParseAlone(err) {
				require.Error(t, accepts(t, schema, []byte(c.text)))
			}
		})
	}
}

// seenByParseAlone reports whether a schema may come to another verdict: it sees only the last value of a
// key that is given twice, and does not know the functions of the host.
func seenByParseAlone(err error) bool {
	defects := err.(*Error).Defects
	twice := slices.ContainsFunc(defects, func(d Defect) bool { return d.Problem == "given twice" })
	other := slices.ContainsFunc(defects, func(d Defect) bool { return !strings.HasPrefix(d.Problem, "not a function of") })
	return twice || !other
}

func TestPlaces(t *testing.T) {
	text := "\uFEFF{\r\n" +
		"  \"capabilities\": [\n" +
		"    {\"id\": \"files\", \"enabled\": true, \"params\": {\"roots\": [\"\U0001F600é\", \"\"]}, \"nmae\": 1},\n" +
		"    {\"id\": \"docs\"\n" +
		"    }], \"limits\": {\"maxCalls\": 0}}"
	_, err := Parse([]byte(text), "gg.json", nil)
	var got []string
	for _, d := range err.(*Error).Defects {
		place, _ := json.Marshal([]int{d.Line, d.Column})
		got = append(got, d.Path+" "+string(place))
	}
	require.Equal(t, []string{
		"files.params.roots[1] [3,66]",
		"files.nmae [3,72]",
		"docs.enabled [5,5]",
		"limits.maxCalls [5,32]",
	}, got)
}

func TestDefectJSON(t *testing.T) {
	_, err := Parse([]byte(`{"limits": {"maxCalls": 0}}`), "gg.json", nil)
	data, _ := json.Marshal(err.(*Error).Defects)
	require.JSONEq(t, `[
		{"path": "limits.maxCalls", "value": "0", "problem": "must be a whole number of at least 1", "line": 1, "column": 25},
		{"path": "capabilities", "missing": true, "problem": "must be a list of capabilities", "line": 1, "column": 27}]`, string(data))
}
