package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/runtime"
)

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

// ours reports whether a case is for this version: of its tags, and of what is not in it yet.
func (c *programCase) ours() bool {
	has := func(tags ...string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(c.Tags, tag) })
	}
	return has("accept", "report", "value", "isolation") && !has("speed") && c.Lang != "ts" && c.Name != "for-await" && c.Name != "async-generator"
}

// exits are the exit codes that belong to a status; a limit has two.
var exits = map[runtime.Status][]int{
	runtime.OK: {exitOK}, runtime.RuntimeError: {exitThrew}, runtime.CompileError: {exitCompile}, runtime.Limit: {exitLimit, exitWall},
}

// TestPrograms takes every shared case through `gg run --json -`: the document and the exit code.
func TestPrograms(t *testing.T) {
	file, err := os.Open("../../../testdata/programs.jsonl")
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	ran := 0
	for lines.Scan() {
		var c programCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		if !c.ours() {
			continue
		}
		ran++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "run", "--json", "--config", configured(t), "-")
			s.Stdin = strings.NewReader(c.Source)
			code := Main(s.World)
			c.check(t, code, s.stdout.String())
			require.Empty(t, s.stderr.String())
		})
	}
	require.NoError(t, lines.Err())
	require.Greater(t, ran, 50)
}

func (c *programCase) check(t *testing.T, code int, document string) {
	t.Helper()
	var o runtime.Outcome
	decoder := json.NewDecoder(strings.NewReader(document))
	require.NoError(t, decoder.Decode(&o), document)
	_, err := decoder.Token()
	require.Equal(t, io.EOF, err, "one document")

	require.Contains(t, strings.Split(c.Expect.Status, "|"), string(o.Status), document)
	require.Contains(t, exits[o.Status], code, document)
	if c.Expect.Value != nil {
		require.JSONEq(t, string(c.Expect.Value), string(o.Value), document)
	}
	for _, has := range c.Expect.ValueHas {
		require.Contains(t, string(o.Value), has, document)
	}
	failure := o.Error
	if failure == nil {
		failure = &runtime.Failure{}
	}
	if c.Expect.Line != 0 {
		require.Equal(t, c.Expect.Line, failure.Line, document)
	}
	if c.Expect.Column != 0 {
		require.Equal(t, c.Expect.Column, failure.Column, document)
	}
	if c.Expect.Code != "" {
		require.Equal(t, c.Expect.Code, string(failure.Code), document)
	}
	words := failure.Message + "\n" + failure.Hint + "\n" + failure.Cause
	for _, has := range c.Expect.MessageHas {
		require.Contains(t, words, has, document)
	}
	for _, has := range c.Expect.NoticeHas {
		require.Contains(t, strings.Join(o.Notices, "\n"), has, document)
	}
	if c.Expect.Conversions {
		require.NotEmpty(t, o.Conversions, document)
	}
	require.Len(t, o.UnhandledRejections, c.Expect.UnhandledRejections, document)
	if c.Expect.KeyOrder != nil {
		require.Equal(t, c.Expect.KeyOrder, keyOrder(t, o.Value), document)
	}
}

func keyOrder(t *testing.T, object json.RawMessage) []string {
	t.Helper()
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
