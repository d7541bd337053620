package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/shell/policy"
	"github.com/stretchr/testify/require"
)

// example is the configuration of the documentation, which is also the fresh one.
const example = `
    { "capabilities": [
        { "id": "shell", "enabled": true, "implementation": "offload", "params": { "maxLines": 200, "maxChars": 8000 } },
        { "id": "programs", "enabled": true, "params": { "computeSecs": 30, "maxMemoryBytes": 268435456, "isolation": "process" } },
        { "id": "files", "enabled": true }, { "id": "views", "enabled": true }, { "id": "docs", "enabled": true } ],
      "limits": { "maxRuntimeSecs": 3600, "maxCalls": 10000 }, "hooks": [] }
`

// full has every key there is.
const full = `{
  "$schema": "https://example.org/schema.json",
  "capabilities": [
    {"id": "shell", "enabled": true, "implementation": "inline", "functions": ["shell"], "params": {
      "maxLines": 1, "maxChars": 2, "offloadDir": "out", "diskReserveBytes": 3, "maxStreamBytes": 4,
      "keepHours": 5, "drainGraceMs": 6, "killGraceMs": 7, "order": "arrival",
      "env": {"inherit": "minimal", "pass": ["SSH_AUTH_SOCK"], "set": {"TZ": "UTC", "EMPTY": ""}}}},
    {"id": "programs", "enabled": true, "functions": ["finish", "sleep"], "params": {
      "computeSecs": 8, "maxMemoryBytes": 9, "maxStackFrames": 10, "maxSourceBytes": 11, "maxNesting": 12,
      "consoleBytes": 13, "isolation": "none", "requireConfinement": false, "rewriteStrings": false, "showValue": "never"}},
    {"id": "files", "enabled": true, "functions": [], "params": {"roots": [".", "/srv/data"]}},
    {"id": "views", "enabled": false, "params": {}},
    {"id": "docs", "enabled": true},
    {"id": "run", "enabled": false, "functions": ["detail"], "params": {"secretDirs": ["~/.aws"], "secretEnvPatterns": ["*_TOKEN"]}}
  ],
  "limits": {"maxRuntimeSecs": 14, "maxCalls": 15, "maxParallel": 16},
  "hooks": []
}`

func fullConfig() *Config {
	return &Config{
		Shell: Shell{
			Grant:            Grant{Enabled: true, Functions: []string{"shell"}},
			Policy:           policy.Policy{Mode: policy.Inline, MaxLines: 1, MaxChars: 2},
			OffloadDir:       "out",
			DiskReserveBytes: 3,
			MaxStreamBytes:   4,
			Keep:             5 * time.Hour,
			DrainGrace:       6 * time.Millisecond,
			KillGrace:        7 * time.Millisecond,
			Order:            OrderArrival,
			Env:              Env{InheritMinimal, []string{"SSH_AUTH_SOCK"}, map[string]string{"TZ": "UTC", "EMPTY": ""}},
		},
		Programs: Programs{
			Grant:   Grant{Enabled: true, Functions: []string{"finish", "sleep"}},
			Compute: 8 * time.Second,
			Settings: gg.Settings{MaxMemoryBytes: 9, MaxStackFrames: 10, MaxSourceBytes: 11, MaxNesting: 12,
				ConsoleBytes: 13, Isolation: gg.IsolationNone, ShowValue: gg.ShowNever, KeepStrings: true},
		},
		Files: Files{Grant: Grant{Enabled: true, Functions: []string{}}, Roots: []string{".", "/srv/data"}},
		Docs:  Grant{Enabled: true},
		Run: Run{Grant: Grant{Functions: []string{"detail"}},
			SecretDirs: []string{"~/.aws"}, SecretEnvPatterns: []string{"*_TOKEN"}},
		Limits: Limits{MaxRuntime: 14 * time.Second, MaxCalls: 15, MaxParallel: 16},
	}
}

// defaultShell is the shell of a configuration that does not name it.
var defaultShell = Shell{
	Policy:     policy.Policy{Mode: policy.Offload},
	Keep:       168 * time.Hour,
	DrainGrace: 100 * time.Millisecond,
	KillGrace:  2 * time.Second,
	Order:      OrderWrite,
	Env:        Env{Inherit: InheritAll},
}

var defaultPrograms = Programs{
	Compute: 30 * time.Second,
	Settings: gg.Settings{MaxMemoryBytes: 256 << 20, MaxStackFrames: 500, MaxSourceBytes: 256 << 10, MaxNesting: 200,
		ConsoleBytes: 1 << 20, ShowValue: gg.ShowWhenNoViews},
}

var defaultLimits = Limits{MaxRuntime: time.Hour, MaxCalls: 10000, MaxParallel: 8}

func TestFresh(t *testing.T) {
	require.JSONEq(t, example, string(FreshJSON()))

	want := &Config{Shell: defaultShell, Programs: defaultPrograms, Limits: defaultLimits}
	want.Shell.Enabled, want.Shell.MaxLines, want.Shell.MaxChars = true, 200, 8000
	want.Programs.Enabled, want.Programs.Isolation = true, gg.IsolationProcess
	want.Files.Enabled, want.Views.Enabled, want.Docs.Enabled = true, true, true
	require.Equal(t, want, Fresh())

	c, err := Parse([]byte(example), "gg.json", nil)
	require.NoError(t, err)
	require.Equal(t, want, c)
	require.NoError(t, c.Shell.Policy.Validate())
	require.Equal(t, budget.Limits{Wall: time.Hour, Compute: 30 * time.Second, Calls: 10000}, c.Budget())
}

func TestEmbeddedTextsCannotBeChanged(t *testing.T) {
	clear(FreshJSON())
	clear(Schema())
	require.JSONEq(t, example, string(FreshJSON()))
	require.True(t, json.Valid(Schema()))
}

func TestEveryKey(t *testing.T) {
	c, err := Parse([]byte(full), "gg.json", nil)
	require.NoError(t, err)
	require.Equal(t, fullConfig(), c)
}

func TestDefaults(t *testing.T) {
	c, err := Parse([]byte(`{"capabilities":[]}`), "gg.json", nil)
	require.NoError(t, err)
	require.Equal(t, &Config{Shell: defaultShell, Programs: defaultPrograms, Limits: defaultLimits}, c)
}

func TestAccepted(t *testing.T) {
	for name, text := range map[string]string{
		"byte order mark":                        "\uFEFF" + example,
		"CRLF":                                   strings.ReplaceAll(example, "\n", "\r\n"),
		"whole numbers in other forms":           shellWith(`"maxLines": 40.0, "maxChars": 1e2, "keepHours": 0.5E+1, "killGraceMs": 1200e-2`),
		"many zeros":                             shellWith(`"maxLines": 1` + strings.Repeat("0", 30) + `e-30, "maxChars": 0.` + strings.Repeat("0", 40) + `1e41`),
		"largest ceilings":                       shellWith(`"maxLines": 100000, "maxChars": 1000000`),
		"largest durations":                      shellWith(`"maxLines": 1, "maxChars": 1, "keepHours": 2562047, "drainGraceMs": 9223372036854`),
		"order write":                            shellWith(`"maxLines": 1, "maxChars": 1, "order": "write"`),
		"shell without a mode":                   `{"capabilities":[{"id":"shell","enabled":true,"params":{"maxLines":1,"maxChars":1}}]}`,
		"disabled shell without ceilings":        `{"capabilities":[{"id":"shell","enabled":false}]}`,
		"disabled shell with one ceiling":        `{"capabilities":[{"id":"shell","enabled":false,"params":{"maxLines":1}}]}`,
		"run that stays disabled":                `{"capabilities":[{"id":"run","enabled":false}]}`,
		"escaped key":                            `{"capabilities":[{"\u0069d":"docs","enabled":true}]}`,
		"surrogate pair":                         `{"capabilities":[{"id":"files","enabled":true,"params":{"roots":["\ud83d\ude00"]}}]}`,
		"object members in any order":            `{"hooks":[],"capabilities":[{"params":{"maxChars":1,"maxLines":1},"enabled":true,"id":"shell"}]}`,
		"names with a dash":                      `{"capabilities":[{"id":"shell","enabled":false,"params":{"env":{"set":{"A-B.c":"="}}}}]}`,
		"directory whose name begins with tilde": `{"capabilities":[{"id":"files","enabled":true,"params":{"roots":["~x"]}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(text), "gg.json", nil)
			require.NoError(t, err)
			require.NoError(t, accepts(t, compiled(t), []byte(text)))
		})
	}
}

// shellWith is a configuration with an enabled shell that has these parameters.
func shellWith(params string) string {
	return `{"capabilities":[{"id":"shell","enabled":true,"params":{` + params + `}}]}`
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "gg.json")
	require.NoError(t, os.WriteFile(path, FreshJSON(), 0o600))
	c, err := Load(path, nil)
	require.NoError(t, err)
	require.Equal(t, Fresh(), c)

	_, err = Load(filepath.Join(dir, "none.json"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = Load(dir, nil)
	var refusal *Error
	require.Error(t, err)
	require.False(t, errors.As(err, &refusal), "a directory is no configuration with defects: %v", err)

	require.NoError(t, os.WriteFile(path, []byte(`{"hooks": {}}`), 0o600))
	_, err = Load(path, nil)
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, path, refusal.Name)
	require.EqualError(t, err, "hooks = `{}`: must be a list\ncapabilities is missing: must be a list of capabilities")

	require.NoError(t, os.WriteFile(path, append(FreshJSON(), make([]byte, MaxBytes)...), 0o600))
	_, err = Load(path, nil)
	require.EqualError(t, err, path+":1:1: larger than 1048576 bytes")
}

func TestChecked(t *testing.T) {
	built := &Config{
		Shell: Shell{Grant: Grant{Enabled: true}, Policy: policy.Policy{MaxLines: 10, MaxChars: 100}},
		Docs:  Grant{Enabled: true, Functions: []string{}},
	}
	c, err := built.Checked(nil)
	require.NoError(t, err)
	want := &Config{Shell: defaultShell, Programs: defaultPrograms, Limits: defaultLimits, Docs: built.Docs}
	want.Shell.Enabled, want.Shell.MaxLines, want.Shell.MaxChars = true, 10, 100
	require.Equal(t, want, c)

	c.Docs.Functions = append(c.Docs.Functions, "open")
	require.Empty(t, built.Docs.Functions, "the copy shares nothing")

	_, err = (&Config{
		Shell: Shell{Grant: Grant{Enabled: true}, Policy: policy.Policy{Mode: "offlaod", MaxLines: -1},
			Keep: time.Hour + time.Nanosecond, Env: Env{Set: map[string]string{"A=B": "x", "GG_CALL": "x", "Z": "\x00"}}},
		Programs: Programs{Settings: gg.Settings{Confined: true}},
		Files:    Files{Grant: Grant{Functions: []string{"readfile"}}, Roots: []string{}},
		Run:      Run{Grant: Grant{Enabled: true}},
		Limits:   Limits{MaxRuntime: 1500 * time.Millisecond},
	}).Checked(Functions{"files": {"readFile"}})
	require.EqualError(t, err, strings.Join([]string{
		"shell.implementation = `offlaod`: not a mode; gg recognizes `inline`, `offload`",
		"shell.params.maxLines = `-1`: must be a whole number of at least 1",
		"shell.params.keepHours = `1.0000000000003`: must be a whole number of at least 1",
		"shell.params.env.set[\"A=B\"]: must be the name of a variable, without `=`",
		"shell.params.env.set.GG_CALL: set by gg itself",
		"shell.params.env.set.Z = `\"\\u0000\"`: must not contain U+0000",
		"shell.params.maxChars is missing: must be a whole number of at least 1",
		"programs.params.requireConfinement = `true`: not in this version",
		"files.functions[0] = `readfile`: not a function of `files`; did you mean `readFile`?",
		"files.params.roots = `[]`: must not be empty",
		"run.enabled = `true`: not in this version",
		"limits.maxRuntimeSecs = `1.5`: must be a whole number of at least 1",
	}, "\n"))
	var refusal *Error
	require.ErrorAs(t, err, &refusal)
	for _, d := range refusal.Defects {
		require.Zero(t, d.Line)
		require.Zero(t, d.Column)
	}

	_, err = (&Config{Files: Files{Roots: []string{"\xff"}}}).Checked(nil)
	require.ErrorContains(t, err, "not UTF-8: byte 0xff")
}

func TestJSONRoundTrip(t *testing.T) {
	odd := fullConfig()
	odd.Shell.OffloadDir = "C:\\out \"new\"\n\t\x1f\u2028é"
	for _, c := range []*Config{Fresh(), fullConfig(), odd} {
		data, err := json.Marshal(c)
		require.NoError(t, err)
		require.NoError(t, accepts(t, compiled(t), data))
		var back Config
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, c, &back)

		byValue, err := json.Marshal(struct{ Config Config }{*c})
		require.NoError(t, err)
		require.JSONEq(t, `{"Config":`+string(data)+`}`, string(byValue))
	}
	require.EqualError(t, json.Unmarshal([]byte(`{}`), new(Config)), "capabilities is missing: must be a list of capabilities")
}
