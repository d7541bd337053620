package runtime_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// programCase is a line of testdata/programs.jsonl.
type programCase struct {
	Name, Lang, Source string
	Tags               []string
	Expect             struct {
		Status              string
		Value               json.RawMessage
		ValueHas            []string
		Line, Column        int
		Code                string
		MessageHas          []string
		NoticeHas           []string
		Conversions         bool
		UnhandledRejections int
		KeyOrder            []string
	}
}

func programCases(t *testing.T) []programCase {
	file, err := os.Open("../testdata/programs.jsonl")
	require.NoError(t, err)
	defer file.Close()
	var cases []programCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c programCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		cases = append(cases, c)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, cases)
	return cases
}

// later are the tags of cases that need what this version does not have.
var later = []string{"stop", "survive", "speed"}

// TestPrograms holds every case of the shared vectors that runs in the caller's process.
func TestPrograms(t *testing.T) {
	for _, c := range programCases(t) {
		if c.Lang == "ts" || c.Name == "for-await" || c.Name == "async-generator" || slices.ContainsFunc(later, func(tag string) bool { return slices.Contains(c.Tags, tag) }) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			outcome := run(t, c.Source)
			text, err := json.MarshalIndent(outcome, "", "  ")
			require.NoError(t, err)
			report := string(text) + "\n" + outcome.ModelText()
			require.Equal(t, c.Expect.Status, string(outcome.Status), report)
			if c.Expect.Value != nil {
				require.JSONEq(t, string(c.Expect.Value), string(outcome.Value), report)
			}
			for _, has := range c.Expect.ValueHas {
				require.Contains(t, string(outcome.Value), has, report)
			}
			if outcome.Error == nil {
				outcome.Error = &runtime.Failure{}
			}
			if c.Expect.Line != 0 {
				require.Equal(t, c.Expect.Line, outcome.Error.Line, report)
			}
			if c.Expect.Column != 0 {
				require.Equal(t, c.Expect.Column, outcome.Error.Column, report)
			}
			if c.Expect.Code != "" {
				require.Equal(t, c.Expect.Code, string(outcome.Error.Code), report)
			}
			words := outcome.Error.Message + "\n" + outcome.Error.Hint + "\n" + outcome.Error.Cause
			for _, has := range c.Expect.MessageHas {
				require.Contains(t, words, has, report)
			}
			for _, has := range c.Expect.NoticeHas {
				require.Contains(t, strings.Join(outcome.Notices, "\n"), has, report)
			}
			if c.Expect.Conversions {
				require.NotEmpty(t, outcome.Conversions, report)
			}
			require.Len(t, outcome.UnhandledRejections, c.Expect.UnhandledRejections, report)
			if c.Expect.KeyOrder != nil {
				require.Equal(t, c.Expect.KeyOrder, keyOrder(t, outcome.Value), report)
			}
		})
	}
}

func keyOrder(t *testing.T, object json.RawMessage) []string {
	decoder := json.NewDecoder(bytes.NewReader(object))
	_, err := decoder.Token()
	require.NoError(t, err)
	var keys []string
	for decoder.More() {
		key, err := decoder.Token()
		require.NoError(t, err)
		keys = append(keys, key.(string))
		var skipped json.RawMessage
		require.NoError(t, decoder.Decode(&skipped))
	}
	return keys
}

// run runs a program in an empty workspace, with the fresh configuration.
func run(t *testing.T, source string) *runtime.Outcome {
	t.Helper()
	return runIn(t, session(t, local.Config{}), source)
}

func runIn(t *testing.T, s gg.Session, source string) *runtime.Outcome {
	t.Helper()
	rt, err := runtime.New(runtime.Config{Isolation: gg.IsolationNone})
	require.NoError(t, err)
	outcome, err := rt.Run(context.Background(), s, runtime.Program{Name: "reply.js", Source: source})
	require.NoError(t, err)
	require.NoError(t, rt.Close(context.Background()))
	return outcome
}

// session makes a session in an empty workspace whose commands keep their output below it.
func session(t *testing.T, c local.Config) gg.Session {
	t.Helper()
	if c.Config == nil {
		c.Config = config.Fresh()
	}
	c.Config.Shell.OffloadDir = t.TempDir()
	host, err := local.New(c)
	require.NoError(t, err)
	s, err := host.Session(context.Background(), gg.SessionInfo{Workspace: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}
