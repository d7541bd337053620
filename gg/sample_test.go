package gg_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

// The sample catalogue has a function of every shape that the built-in ones have, and some that only an
// embedder would write.

type shellIn struct {
	Command     string   `json:"command" jsonschema:"the command line, for the shell" gg:"nonempty"`
	TimeoutSecs *float64 `json:"timeoutSecs,omitempty" jsonschema:"how long it may take, in seconds" gg:"positive,default=120"`
}

// ShellResult is what a command gave.
type ShellResult struct {
	ExitCode  *int   `json:"exitCode" jsonschema:"null after a signal"`
	Output    string `json:"output" jsonschema:"the end of what it printed"`
	Truncated bool   `json:"truncated"`
	Signal    string `json:"signal,omitempty" jsonschema:"the signal that ended it"`
	Files     *Pair  `json:"files,omitempty" jsonschema:"where all of it is"`
}

// Pair is the two streams of a command.
type Pair struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

type runIn struct {
	Command string            `json:"command" gg:"nonempty"`
	Expect  *Expect           `json:"expect,omitempty" jsonschema:"what must hold afterwards"`
	Env     map[string]string `json:"env,omitempty"`
	Tags    []string          `json:"tags,omitempty" gg:"nonempty"`
	Retries int               `json:"retries,omitempty" gg:"min=0,max=10,default=0"`
	Signal  string            `json:"signal,omitempty" gg:"enum=TERM|KILL"`
	Full    bool              `json:"full,omitempty"`
}

// Expect is what must hold after a command.
type Expect struct {
	Exit     *int     `json:"exit,omitempty" jsonschema:"the status"`
	Writable []string `json:"writable,omitempty" jsonschema:"what it may write"`
	Ratio    float32  `json:"ratio,omitempty"`
}

type windowIn struct {
	Path   string `json:"path" gg:"nonempty"`
	Offset int64  `json:"offset,omitempty" jsonschema:"the first line" gg:"min=0,max=4294967295"`
	Limit  *int64 `json:"limit,omitempty" jsonschema:"the number of lines" gg:"min=1,max=4294967295"`
}

// TextFile is a file of text.
type TextFile struct {
	Kind     string `json:"kind" gg:"const=text"`
	Contents string `json:"contents"`
}

// ImageFile is a picture.
type ImageFile struct {
	Kind  string `json:"kind" gg:"const=image"`
	Bytes int64  `json:"bytes"`
}

// Listing is a list of anything.
type Listing[T any] struct {
	Total int `json:"total"`
	Items []T `json:"items"`
}

const treeSchema = `{
	"type": "object",
	"properties": {
		"root": {"$ref": "#/$defs/tree-node", "description": "where to start"},
		"exit": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}, "minItems": 1}], "default": 0},
		"sandbox": {"anyOf": [{"type": "boolean"}, {"type": "object", "properties": {"writable": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false}]},
		"shape": {"oneOf": [
			{"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "exclusiveMinimum": 0}}, "required": ["kind", "radius"]},
			{"type": "object", "properties": {"kind": {"const": "box"}, "side": {"type": "number"}}, "required": ["kind", "side"]}
		]},
		"colour": {"enum": ["red", 3, null]},
		"name": {"type": ["string", "null"], "pattern": "^[a-z]+$", "maxLength": 5},
		"point": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": false, "minItems": 2},
		"both": {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"b-c": {"type": "string"}}, "additionalProperties": {"type": "string"}}]},
		"anything": {}
	},
	"required": ["root"],
	"additionalProperties": false,
	"$defs": {
		"tree-node": {"type": "object", "properties": {"label": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree-node"}}}, "required": ["label"], "additionalProperties": false}
	}
}`

// returning makes a handler that gives the zero value.
func returning[In, Out any]() func(context.Context, In) (Out, error) {
	return func(context.Context, In) (out Out, err error) { return out, nil }
}

func sampleFunctions() []*gg.Function {
	echo := func(_ context.Context, args json.RawMessage) (any, error) { return args, nil }
	return []*gg.Function{
		gg.Func("shell.shell", "runs one command and gives the end of its output", returning[shellIn, ShellResult](),
			gg.Detail("The tail comes back; the whole is in `files`.\nA comment ends with */ in C."),
			gg.Fails(gg.LimitExceeded, "the command ran into its timeout"),
			gg.Fails(gg.InvalidArgument, "the command is empty"),
			gg.Example("const r = gg.shell.shell(\"ls\");\nconsole.log(r.output);")),
		gg.Func("shell.run", "runs one command and describes it", returning[runIn, ShellResult](), gg.Async()),
		gg.Func("shell.logs", "gives what is new in a job's output", returning[struct {
			ID    *string `json:"id" jsonschema:"which job; the newest when left out"`
			Until string  `json:"until,omitempty"`
		}, string](), gg.Async(), gg.Positional("id")),
		gg.Func("files.readFile", "reads a file", returning[windowIn, TextFile](), gg.ReturnsOneOf(TextFile{}, ImageFile{})),
		gg.Func("files.editFile", "replaces a text in a file", returning[struct {
			Path string `json:"path"`
			Old  string `json:"old"`
			New  string `json:"new"`
			All  bool   `json:"all,omitempty" jsonschema:"every occurrence"`
		}, int](), gg.Fails(gg.NotFound, "nothing matches")),
		gg.Func("files.delete", "removes a file", returning[struct {
			Path string `json:"path"`
		}, struct{}]()),
		gg.Func("files.list", "lists files", returning[struct {
			Dir *string `json:"dir"`
		}, Listing[TextFile]](), gg.Positional("dir")),
		gg.Func("docs.open", "opens a page of the documentation", returning[struct {
			Name string `json:"name" gg:"nonempty,function"`
		}, string]()),
		gg.RawFunc("tree.walk", "walks a tree", json.RawMessage(treeSchema), echo),
		gg.RawFunc("tree.free", "takes whatever it is given", json.RawMessage(`{"type": "object"}`), echo, gg.Async()),
		gg.RawFunc("tree.mixed", "takes names and more", json.RawMessage(`{"type": "object", "properties": {"to": {"type": "string"}, "at": {"type": "number"}}, "required": ["at"], "additionalProperties": {"type": "string"}}`), echo,
			gg.Positional("to", "at")),
		gg.Func("sleep", "waits", returning[struct {
			Ms float64 `json:"ms" jsonschema:"milliseconds" gg:"min=0"`
		}, struct{}](), gg.Async(), gg.Local()),
	}
}

func sample(t testing.TB) *gg.Catalogue {
	t.Helper()
	c, err := gg.NewCatalogue(map[string]string{"shell": "runs commands", "files": "reads and writes files"}, sampleFunctions()...)
	require.NoError(t, err)
	return c
}
