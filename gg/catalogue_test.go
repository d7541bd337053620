package gg_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestCatalogue(t *testing.T) {
	functions := sampleFunctions()
	c, err := gg.NewCatalogue(map[string]string{"shell": "runs commands"}, functions...)
	require.NoError(t, err)

	first := functions[0]
	functions[0] = nil // the catalogue has its own list
	require.Same(t, first, c.Functions()[0])
	c.Functions()[0] = nil
	require.Same(t, first, c.Functions()[0])
	require.Same(t, first, c.Lookup("shell.shell"))
	require.Nil(t, c.Lookup("gg.shell.shell"))
	require.Nil(t, c.Lookup("shell"))
	require.Equal(t, []string{
		"shell.shell", "shell.run", "shell.logs", "files.readFile", "files.editFile", "files.delete", "files.list", "docs.open",
		"tree.walk", "tree.free", "tree.mixed", "sleep",
	}, c.Names())

	var modules []string
	for _, m := range c.Modules() {
		modules = append(modules, m.Name+": "+m.Brief)
	}
	require.Equal(t, []string{"shell: runs commands", "files: readFile, editFile, delete, list", "docs: open", "tree: walk, free, mixed"}, modules)
	m, ok := c.Module("tree")
	require.True(t, ok)
	require.Len(t, m.Functions, 3)
	m.Functions[0] = nil
	again, _ := c.Module("tree")
	require.NotNil(t, again.Functions[0])
	_, ok = c.Module("sleep")
	require.False(t, ok)

	require.Equal(t, "shell", first.Module())
	require.Equal(t, "shell", first.Base())
	require.Equal(t, "", c.Lookup("sleep").Module())
	require.Equal(t, "sleep", c.Lookup("sleep").Base())
}

// Every defect is named, each on a line of its own.
func TestCatalogueDefects(t *testing.T) {
	none := returning[struct{}, struct{}]()
	withPath := returning[struct {
		Path string `json:"path"`
	}, struct{}]()
	_, err := gg.NewCatalogue(nil,
		gg.Func("a.one", "fine", none),
		gg.Func("a.one", "again", none),
		gg.Func("A.two", "capital", none),
		gg.Func("a.b.c", "too deep", none),
		gg.Func("", "nameless", none),
		gg.Func("a.then", "reserved", none),
		gg.Func("args", "reserved", none),
		gg.Func("new.one", "reserved", none),
		gg.Func("a.three", " ", none),
		gg.Func("a.four", "two\nlines", none),
		gg.Func("a.five", "positions", withPath, gg.Positional("path", "paht", "path")),
		gg.RawFunc("a.six", "raw", json.RawMessage(`{"type":"object","properties":{"x":{"pattern":"("}}}`), func(context.Context, json.RawMessage) (any, error) { return nil, nil }),
		gg.Func("a.seven", "result", returning[struct{}, chan int]()),
		gg.Func("a", "the name of a module", none),
		&gg.Function{Name: "a.eight", Brief: "by hand"},
		nil,
		gg.RawFunc("a.nine", "no handler", json.RawMessage(`{"type":"object"}`), nil),
	)
	require.EqualError(t, err, `function "a.one": name is taken
function "A.two": name must be `+"`module.name`"+`
function "a.b.c": name must be `+"`module.name`"+`
function "": name must be `+"`module.name`"+`
function "a.then": name "then" is reserved
function "args": name "args" is reserved
function "new.one": name "new" is a reserved word
function "a.three": brief must be one line of text
function "a.four": brief must be one line of text
function "a.five": positional parameter "paht" is not in the schema
function "a.five": positional parameter "path" is named twice
function "a.six": schema: jsonschema.Schema: <anonymous schema>: pattern: error parsing regexp: missing closing ): `+"`(`"+`
function "a.seven": result: schema of chan int: ForType(chan int): type chan int is unsupported by jsonschema
function 15 of the list is not made by Func or RawFunc
function 16 of the list is not made by Func or RawFunc
function "a.nine": no handler
function "a": name is taken by the module`)
}
