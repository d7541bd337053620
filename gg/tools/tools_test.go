package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/gg/tools"
	"github.com/responses-as-code/gg/shell/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a host with a session in an empty workspace, and the tools for it.
type bench struct {
	session gg.Session
	tools   *tools.Set
	dir     string
	calls   []gg.Call // every call that came through the door

	mu sync.Mutex
}

func newBench(t *testing.T, change func(*local.Config)) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir()}
	settings := config.Fresh()
	settings.Shell.OffloadDir = t.TempDir()
	c := local.Config{Config: settings, Middleware: []gg.Middleware{func(next gg.Run) gg.Run { return &observed{next, b} }}}
	if change != nil {
		change(&c)
	}
	host, err := local.New(c)
	require.NoError(t, err)
	b.session, err = host.Session(context.Background(), gg.SessionInfo{Workspace: b.dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.session.Close(context.Background())) })
	b.tools, err = tools.New(tools.Config{Catalogue: host.Catalogue(), ShellMode: settings.Shell.Mode})
	require.NoError(t, err)
	return b
}

type observed struct {
	gg.Run
	bench *bench
}

func (o *observed) Call(ctx context.Context, call gg.Call) (gg.Result, error) {
	o.bench.mu.Lock()
	o.bench.calls = append(o.bench.calls, call)
	o.bench.mu.Unlock()
	return o.Run.Call(ctx, call)
}

func (b *bench) call(t *testing.T, name, args string) tools.Reply {
	t.Helper()
	tool, err := b.tools.Lookup(name)
	require.NoError(t, err)
	reply, err := tool.Call(context.Background(), b.session, gg.RunInfo{}, json.RawMessage(args))
	require.NoError(t, err)
	require.True(t, json.Valid(reply.Structured), "%s", reply.Structured)
	return reply
}

func (b *bench) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600))
}

func inline(c *local.Config) {
	c.Config.Shell.Policy = policy.Policy{Mode: policy.Inline, MaxLines: 200, MaxChars: 8000}
}

var numbers = regexp.MustCompile(`\b\d{2,}\b`)

func TestShellText(t *testing.T) {
	for _, c := range []struct {
		name, args, want string
		inline, isError  bool
		code             gg.Code
	}{
		{name: "output", args: `{"command": "echo one; echo two >&2"}`, want: "exit code: 0\none\ntwo\n"},
		{name: "no output", args: `{"command": "true"}`, want: "exit code: 0\n(no output)"},
		{name: "exit code", args: `{"command": "echo bad; exit 3"}`, want: "exit code: 3\nbad\n"},
		{name: "unterminated", args: `{"command": "printf bad"}`, want: "exit code: 0\nbad"},
		{name: "signal", args: `{"command": "kill -KILL $$"}`, want: "exit code: (terminated by SIGKILL)\n(no output)"},
		{name: "signal with output", args: `{"command": "echo so far; kill -TERM $$"}`, want: "exit code: (terminated by SIGTERM)\nso far\n"},
		{name: "nulls are absent", args: `{"command": "echo one", "timeout_secs": null}`, want: "exit code: 0\none\n"},
		{name: "inline", args: `{"command": "echo one"}`, inline: true, want: "exit code: 0\none\n"},
		{
			name: "inline cut", args: `{"command": "head -c 20000 /dev/zero | tr '\\0' x"}`, inline: true,
			want: "exit code: 0\n" + strings.Repeat("x", 16384) + "\n[output truncated to 16384 bytes]",
		},
		{
			name: "inline cut of lines", args: `{"command": "yes xxxxxxx | head -n 3000"}`, inline: true,
			want: "exit code: 0\n" + strings.Repeat("xxxxxxx\n", 2048) + "[output truncated to 16384 bytes]",
		},
		{
			name: "timeout", args: `{"command": "echo so far; sleep 30", "timeout_secs": 0.2}`, isError: true, code: gg.LimitExceeded,
			want: "command timed out after 0.200s and was killed\n\nso far\n",
		},
		{
			name: "silent timeout", args: `{"command": "sleep 30", "timeout_secs": 0.1}`, isError: true, code: gg.LimitExceeded,
			want: "command timed out after 0.100s and was killed\n\n(no output)",
		},
		{
			name: "inline timeout", args: `{"command": "head -c 20000 /dev/zero | tr '\\0' x; sleep 30", "timeout_secs": 0.5}`, inline: true,
			isError: true, code: gg.LimitExceeded,
			want: "command timed out after 0.500s and was killed\n\n" + strings.Repeat("x", 16384) + "\n[output truncated to 16384 bytes]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var change func(*local.Config)
			if c.inline {
				change = inline
			}
			reply := newBench(t, change).call(t, "shell", c.args)
			require.Equal(t, c.want, reply.Text)
			require.Equal(t, c.isError, reply.IsError)
			require.Equal(t, c.code, reply.Code)
			require.Equal(t, c.isError, errors.Is(reply.Cause, context.DeadlineExceeded))
		})
	}
}

func TestShellNamesWhatIsStillRunning(t *testing.T) {
	b := newBench(t, func(c *local.Config) { c.Subreaper = true })
	reply := b.call(t, "shell", `{"command": "sleep 30 > /dev/null 2>&1 & echo started"}`)
	pid := numbers.FindString(reply.Text)
	require.Equal(t, "exit code: 0\nstarted\n[still running: "+pid+" sleep 30]", reply.Text)
	var result struct{ Background []struct{ PID int } }
	require.NoError(t, json.Unmarshal(reply.Structured, &result))
	require.Len(t, result.Background, 1)
	require.Equal(t, pid, strconv.Itoa(result.Background[0].PID))
	if goruntime.GOOS == "linux" {
		require.NoDirExists(t, filepath.Join("/proc", pid), "it was ended with the run of the call")
	}
}

func TestShellCannotBeLaunched(t *testing.T) {
	b := newBench(t, nil)
	require.NoError(t, os.RemoveAll(b.dir))
	reply := b.call(t, "shell", `{"command": "true"}`)
	require.True(t, reply.IsError)
	require.Equal(t, gg.NotFound, reply.Code)
	require.Equal(t, "working directory \""+b.dir+"\" does not exist", reply.Text)
	require.JSONEq(t, `{"error": {"code": "not-found", "message": "working directory \"`+b.dir+`\" does not exist"}}`, string(reply.Structured))
}

func TestShellStructured(t *testing.T) {
	b := newBench(t, nil)
	reply := b.call(t, "shell", `{"command": "echo '<one> & \"two\"'"}`)
	require.Regexp(t, `^\{"exitCode":0,"output":"<one> & \\"two\\"\\n","truncated":false,"files":\{"stdout":".*\.stdout","stderr":".*\.stderr"\}\}$`, string(reply.Structured))

	reply = b.call(t, "shell", `{"command": "echo so far; sleep 30", "timeout_secs": 0.2}`)
	var failure struct {
		Error struct {
			Code, Message, Output string
			Truncated             bool
			Files                 struct{ Stdout, Stderr string }
		}
	}
	require.NoError(t, json.Unmarshal(reply.Structured, &failure))
	require.Equal(t, "limit-exceeded", failure.Error.Code)
	require.Equal(t, "command timed out after 0.200s and was killed", failure.Error.Message)
	require.Equal(t, "so far\n", failure.Error.Output)
	require.FileExists(t, failure.Error.Files.Stdout)
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ tool, args, want string }{
		{"shell", `{}`, "`command` must be a string, got undefined"},
		{"shell", ``, "`command` must be a string, got undefined"},
		{"shell", `{"command": 5}`, "`command` must be a string, got 5"},
		{"shell", `{"command": ""}`, "`command` must not be empty"},
		{"shell", `{"command": "  "}`, "`command` is blank"},
		{"shell", `{"command": "x", "timeout_secs": 0}`, "`timeout_secs` must be a positive number, got 0"},
		{"shell", `{"command": "x", "timeout_secs": "60"}`, "`timeout_secs` must be a positive number, got \"60\""},
		{"shell", `{"command": "x", "timeout_secs": []}`, "`timeout_secs` must be a positive number, got array"},
		{"shell", `{"command": "x", "timeout": 1}`, "unknown option `timeout`; did you mean `timeout_secs`?"},
		{"shell", `{"command": "x", "timeoutSecs": 1}`, "unknown option `timeoutSecs`; did you mean `timeout_secs`?"},
		{"shell", `[]`, "expected an object of arguments, got array"},
		{"shell", `{"command": `, "arguments are not JSON: unexpected end"},
		{"read_file", `{"path": "a", "offset": -1}`, "`offset` must be a whole number 0..4294967295, got -1"},
		{"read_file", `{"path": "a", "limits": 1}`, "unknown option `limits`; did you mean `limit`?"},
		{"read_file", `{"path": ""}`, "`path` must not be empty"},
	} {
		t.Run(c.tool+" "+c.args, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil)
			reply := b.call(t, c.tool, c.args)
			require.Equal(t, c.want, reply.Text)
			require.True(t, reply.IsError)
			require.Equal(t, gg.InvalidArgument, reply.Code)
			require.Len(t, b.calls, 1, "a refused call comes through the door, too")
		})
	}
}

// TestOneDoor shows that a tool's call is a program's call: the same operation, the same arguments.
func TestOneDoor(t *testing.T) {
	b := newBench(t, nil)
	b.call(t, "shell", `{"timeout_secs": 60, "command": "echo '<&>'"}`)
	require.Equal(t, "shell.shell", b.calls[0].Op)
	require.Equal(t, 1, b.calls[0].Seq)
	require.JSONEq(t, `{"command": "echo '<&>'", "timeoutSecs": 60}`, string(b.calls[0].Args))
	require.Nil(t, b.calls[0].Refused)
}

func TestNotGranted(t *testing.T) {
	b := newBench(t, func(c *local.Config) { c.Config.Shell.Enabled = false })
	reply := b.call(t, "shell", `{"command": "true"}`)
	require.True(t, reply.IsError)
	require.Equal(t, gg.Unavailable, reply.Code)
	require.Equal(t, "the `shell` capability is not enabled in the configuration", reply.Text)
}

func TestReadFile(t *testing.T) {
	b := newBench(t, nil)
	var lines []string
	for range 1200 {
		lines = append(lines, "line")
	}
	b.write(t, "long.txt", strings.Join(lines, "\n")+"\n")
	b.write(t, "open.txt", "one\ntwo")
	b.write(t, "empty.txt", "")
	b.write(t, "wide.txt", strings.Repeat(strings.Repeat("x", 999)+"\n", 100))
	b.write(t, "one.txt", strings.Repeat("x", 70000)+"\n")
	b.write(t, "zero.bin", "a\x00b")
	b.write(t, "dot.png", "\x89PNG\r\n\x1a\nrest")
	for _, c := range []struct {
		name, args, want string
		code             gg.Code
	}{
		{name: "whole", args: `{"path": "open.txt"}`, want: "one\ntwo"},
		{name: "window", args: `{"path": "open.txt", "limit": 1}`, want: "one\n[showing lines 1-1 of 2; continue with offset: 2]"},
		{name: "last window", args: `{"path": "open.txt", "offset": 2}`, want: "two\n[showing lines 2-2 of 2]"},
		{
			name: "as in the documentation", args: `{"path": "long.txt", "offset": 251, "limit": 250}`,
			want: strings.Repeat("line\n", 250) + "[showing lines 251-500 of 1200; continue with offset: 501]",
		},
		{name: "empty", args: `{"path": "empty.txt"}`, want: "(empty file)"},
		{
			name: "more than is shown", args: `{"path": "wide.txt", "offset": 2}`,
			want: strings.Repeat(strings.Repeat("x", 999)+"\n", 65) + "[showing lines 2-66 of 100; continue with offset: 67]",
		},
		{
			name: "line longer than what is shown", args: `{"path": "one.txt"}`, code: gg.LimitExceeded,
			want: "line 1 is too long to show: got 70000 bytes, want at most 65536; use a command to look at a part of it",
		},
		{name: "past the end", args: `{"path": "open.txt", "offset": 9}`, want: "`offset` 9 is past the end of the file (2 lines)", code: gg.InvalidArgument},
		{name: "binary", args: `{"path": "zero.bin"}`, want: "[binary file: application/octet-stream, 3 bytes]"},
		{name: "image", args: `{"path": "dot.png"}`, want: "[image file: image/png, 12 bytes]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply := b.call(t, "read_file", c.args)
			require.Equal(t, c.want, reply.Text)
			require.Equal(t, c.code, reply.Code)
		})
	}
	require.Equal(t, gg.NotFound, b.call(t, "read_file", `{"path": "none.txt"}`).Code)

	var shown struct {
		Contents                        string
		FirstLine, LastLine, TotalLines int
		Truncated                       bool
	}
	require.NoError(t, json.Unmarshal(b.call(t, "read_file", `{"path": "wide.txt"}`).Structured, &shown))
	require.Equal(t, []int{1, 65, 100}, []int{shown.FirstLine, shown.LastLine, shown.TotalLines})
	require.Len(t, shown.Contents, 65000)
	require.True(t, shown.Truncated)
}

func TestSchemas(t *testing.T) {
	b := newBench(t, nil)
	var names []string
	for _, tool := range b.tools.List() {
		names = append(names, tool.Name)
	}
	require.Equal(t, []string{"shell", "read_file"}, names)
	for name, want := range map[string]string{
		"shell":     `^\{"type":"object","properties":\{"command":\{.*\},"timeout_secs":\{.*"exclusiveMinimum":0\}\},"required":\["command"\],"additionalProperties":false\}$`,
		"read_file": `^\{"type":"object","properties":\{"path":\{.*\},"offset":\{.*\},"limit":\{.*\}\},"required":\["path"\],"additionalProperties":false\}$`,
	} {
		tool, err := b.tools.Lookup(name)
		require.NoError(t, err)
		require.Regexp(t, want, string(tool.Schema))
	}
}

// TestDescriptions keeps out of the descriptions what a configuration decides.
func TestDescriptions(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	texts := map[policy.Mode]string{}
	for _, mode := range policy.Modes() {
		set, err := tools.New(tools.Config{Catalogue: catalogue, ShellMode: mode})
		require.NoError(t, err)
		for _, tool := range set.List() {
			require.NotRegexp(t, `[0-9/]`, tool.Description)
		}
		texts[mode] = set.List()[0].Description
		require.Contains(t, texts[mode], "only the tail comes back")
	}
	require.Contains(t, texts[policy.Offload], "whole of both streams is kept in files that the result then names")
	require.NotContains(t, texts[policy.Inline], "files")
}

func TestUnknownTool(t *testing.T) {
	set := newBench(t, nil).tools
	for name, hint := range map[string]string{
		"shel":     `did you mean "shell"?`,
		"readFile": `did you mean "read_file"?`,
		"zz":       `there are "shell", "read_file"`,
	} {
		_, err := set.Lookup(name)
		var failure *gg.Error
		require.ErrorAs(t, err, &failure)
		require.Equal(t, gg.NotFound, failure.Code)
		require.Equal(t, "no tool is called \""+name+"\"", failure.Message)
		require.Equal(t, hint, failure.Hint)
	}
}

type deepIn struct {
	FirstName string `json:"firstName" gg:"nonempty"`
	HomeTown  struct {
		ZipCode string `json:"zipCode"`
	} `json:"homeTown"`
	PastOrders []struct {
		OrderURL string `json:"orderURL"`
	} `json:"pastOrders,omitempty"`
	FreeForm map[string]int `json:"freeForm,omitempty"`
}

// TestEmbeddersFunctions offers a function that gg does not bring, with nothing said about tools.
func TestEmbeddersFunctions(t *testing.T) {
	var got deepIn
	b := newBench(t, func(c *local.Config) {
		c.Modules = []*gg.Function{
			gg.Func("crm.findCustomer", "finds a customer", func(_ context.Context, in deepIn) (map[string]any, error) {
				got = in
				return map[string]any{"id": 7}, nil
			}),
			gg.Func("crm.greet", "greets", func(context.Context, struct{}) (string, error) { return "hello", nil }),
			gg.Func("crm.forget", "forgets", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }),
			gg.Func("crm.fail", "fails", func(context.Context, struct{}) (struct{}, error) {
				return struct{}{}, &gg.Error{Code: gg.Conflict, Message: "two of them", Hint: "say which"}
			}),
		}
	})
	reply := b.call(t, "crm_find_customer", `{"first_name": "Ada", "home_town": {"zip_code": "1"}, "past_orders": [{"order_url": "x"}], "free_form": {"keepThis": 1}}`)
	require.False(t, reply.IsError, reply.Text)
	require.Equal(t, "{\n  \"id\": 7\n}", reply.Text)
	require.Equal(t, "Ada", got.FirstName)
	require.Equal(t, "1", got.HomeTown.ZipCode)
	require.Equal(t, "x", got.PastOrders[0].OrderURL)
	require.Equal(t, map[string]int{"keepThis": 1}, got.FreeForm)

	require.Equal(t, "`home_town.zip_code` must be a string, got 5", b.call(t, "crm_find_customer", `{"first_name": "Ada", "home_town": {"zip_code": 5}}`).Text)
	require.Equal(t, "hello", b.call(t, "crm_greet", ``).Text)
	require.Equal(t, "(done)", b.call(t, "crm_forget", `{}`).Text)
	failed := b.call(t, "crm_fail", `{}`)
	require.Equal(t, "two of them\nsay which", failed.Text)
	require.JSONEq(t, `{"error": {"code": "conflict", "message": "two of them", "hint": "say which"}}`, string(failed.Structured))
}

// TestNamesBehindReferences finds the function's own names wherever a schema keeps them, also for calls at once.
func TestNamesBehindReferences(t *testing.T) {
	schema := json.RawMessage(`{
		"type": "object",
		"properties": {"topNode": {"$ref": "#/$defs/node"}, "longList": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/nodes"}]}},
		"$defs": {"node": {"allOf": [{"properties": {"nodeName": {"type": "string"}}}, {"anyOf": [{"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/branch"}]}]},
			"leaf": {"type": "object", "properties": {"leafSize": {"type": "integer"}}, "required": ["leafSize"]},
			"branch": {"type": "object", "properties": {"subNodes": {"type": "array", "items": {"$ref": "#/$defs/node"}}}, "required": ["subNodes"]},
			"nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}}}
	}`)
	b := newBench(t, func(c *local.Config) {
		c.Modules = []*gg.Function{gg.RawFunc("tree.walk", "walks", schema, func(_ context.Context, args json.RawMessage) (any, error) { return args, nil })}
	})
	tool, err := b.tools.Lookup("tree_walk")
	require.NoError(t, err)
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			reply, err := tool.Call(context.Background(), b.session, gg.RunInfo{}, json.RawMessage(`{
				"top_node": {"node_name": "a", "sub_nodes": [{"node_name": "b", "leaf_size": 1}]}, "long_list": [{"leaf_size": 2, "own_name": 3}]}`))
			assert.NoError(t, err)
			assert.JSONEq(t, `{"topNode": {"nodeName": "a", "subNodes": [{"nodeName": "b", "leafSize": 1}]}, "longList": [{"leafSize": 2, "own_name": 3}]}`, string(reply.Structured))
		})
	}
	calls.Wait()
}

// TestEmbeddersFunctionsAnywhere: a function is an embedder's because gg does not bring it, not because of its
// module.
func TestEmbeddersFunctionsAnywhere(t *testing.T) {
	b := newBench(t, func(c *local.Config) {
		for _, name := range []string{"ping", "shell.extra", "files.checkSum", "session.note"} {
			c.Modules = append(c.Modules, gg.Func(name, "answers", func(context.Context, struct{}) (string, error) { return name, nil }))
		}
		c.Modules = append(c.Modules, gg.Func[struct{}, string]("nap", "is the VM's own", nil, gg.Local()))
	})
	var names []string
	for _, tool := range b.tools.List() {
		names = append(names, tool.Name)
	}
	require.Equal(t, []string{"shell", "read_file", "ping", "shell_extra", "files_check_sum", "session_note"}, names)
	require.Equal(t, "ping", b.call(t, "ping", `{}`).Text)
	require.Equal(t, "shell.extra", b.call(t, "shell_extra", `{}`).Text)
}

func TestFurtherFunctions(t *testing.T) {
	catalogue, err := local.Catalogue(nil)
	require.NoError(t, err)
	set, err := tools.New(tools.Config{Catalogue: catalogue, Functions: []string{"files.writeFile"}})
	require.NoError(t, err)
	_, err = set.Lookup("files_write_file")
	require.NoError(t, err)

	_, err = tools.New(tools.Config{Catalogue: catalogue, ShellMode: "loud", Functions: []string{"files.none", "sleep", "files.writeFile", "files.writeFile"}})
	require.EqualError(t, err, strings.Join([]string{
		`ShellMode: got "loud", want one of ["inline" "offload"]`,
		`function "files.none": there is none to offer as a tool`,
		`function "sleep": there is none to offer as a tool`,
		`tool "files_write_file": name is taken`,
	}, "\n"))
	_, err = tools.New(tools.Config{})
	require.EqualError(t, err, "catalogue must be set")
}

func TestEvents(t *testing.T) {
	var events []gg.Event
	sink := gg.NewSink(100, func(e gg.Event) { events = append(events, e) })
	b := newBench(t, func(c *local.Config) { c.Events = sink })
	b.call(t, "read_file", `{"path": "none"}`)
	tool, err := b.tools.Lookup("shell")
	require.NoError(t, err)
	info := gg.RunInfo{ID: "request-7", Program: "assistant", Labels: map[string]string{"client": "editor"}}
	_, err = tool.Call(context.Background(), b.session, info, json.RawMessage(`{"command": "true"}`))
	require.NoError(t, err)
	sink.Close()
	require.Len(t, events, 8)
	for i, kind := range []gg.EventKind{gg.RunStarted, gg.CallStarted, gg.CallFinished, gg.RunEnded} {
		require.Equal(t, kind, events[i].Kind)
		require.Equal(t, kind, events[4+i].Kind)
		require.Equal(t, "request-7", events[4+i].Run)
		require.Equal(t, "editor", events[4+i].Labels["client"])
	}
	require.Equal(t, "read_file", events[0].Text, "a run is called after its tool, unless somebody says otherwise")
	require.Equal(t, "assistant", events[4].Text)
}

// TestWallClockOfACall bounds a call by what its caller allows.
func TestWallClockOfACall(t *testing.T) {
	b := newBench(t, nil)
	tool, err := b.tools.Lookup("shell")
	require.NoError(t, err)
	reply, err := tool.Call(context.Background(), b.session, gg.RunInfo{Wall: 100 * time.Millisecond}, json.RawMessage(`{"command": "echo so far; sleep 30"}`))
	require.NoError(t, err)
	require.True(t, reply.IsError)
	require.Equal(t, gg.LimitExceeded, reply.Code)
}

type warning struct{ gg.Run }

func (w *warning) End(ctx context.Context) (gg.Ending, error) {
	ending, err := w.Run.End(ctx)
	ending.Warnings = append(ending.Warnings, "the tape is full")
	return ending, err
}

// TestWarnings hands on what the end of the run brought to light, to the operator and not to the model.
func TestWarnings(t *testing.T) {
	b := newBench(t, func(c *local.Config) {
		c.Middleware = append(c.Middleware, func(next gg.Run) gg.Run { return &warning{next} })
	})
	for _, args := range []string{`{"command": "echo one"}`, `{"command": ""}`} {
		reply := b.call(t, "shell", args)
		require.Equal(t, []string{"the tape is full"}, reply.Warnings)
		require.NotContains(t, reply.Text, "tape")
		require.NotContains(t, string(reply.Structured), "tape")
	}
}
