package gg_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func names(result gg.SearchResult) string {
	var list []string
	for _, hit := range result.Hits {
		list = append(list, strings.TrimPrefix(hit.Name, "gg."))
	}
	return strings.Join(list, " ")
}

func TestSearch(t *testing.T) {
	c := sample(t)
	for _, test := range []struct {
		query gg.SearchQuery
		want  string
	}{
		// one word: last part of a name > name > signature > brief > detail
		{gg.SearchQuery{Query: "shell"}, "shell.shell shell.run shell.logs"},
		{gg.SearchQuery{Query: "run"}, "shell.run shell.shell ApiError"}, // by name, by brief, by detail (tRUNcated)
		{gg.SearchQuery{Query: "open"}, "docs.open"},                     //
		{gg.SearchQuery{Query: "timeoutSECS"}, "shell.shell"},            // by signature
		{gg.SearchQuery{Query: "occurrence"}, ""},                        // descriptions of parameters are not searched
		{gg.SearchQuery{Query: "tail"}, "shell.shell"},                   // by detail
		{gg.SearchQuery{Query: "file"}, "files.readFile files.editFile files.delete files.list shell.shell ApiError"},
		{gg.SearchQuery{Query: "fails"}, "ApiError"},
		{gg.SearchQuery{Query: "console"}, "console"},

		// several words: each somewhere, those in better places first
		{gg.SearchQuery{Query: "read file"}, "files.readFile"},
		{gg.SearchQuery{Query: "  a  FILE "}, "files.readFile files.editFile files.delete ApiError shell.shell"},
		{gg.SearchQuery{Query: "gg.shell.run"}, "shell.run shell.shell"},
		{gg.SearchQuery{Query: "read-file(path)"}, "files.readFile"},
		{gg.SearchQuery{Query: "read zebra"}, ""},

		// everything, in declared order
		{gg.SearchQuery{}, "shell.shell shell.run shell.logs files.readFile files.editFile files.delete files.list docs.open tree.walk tree.free tree.mixed sleep args ApiError console"},
		{gg.SearchQuery{Query: " .,- "}, "shell.shell shell.run shell.logs files.readFile files.editFile files.delete files.list docs.open tree.walk tree.free tree.mixed sleep args ApiError console"},

		// a module, a page
		{gg.SearchQuery{Module: "files"}, "files.readFile files.editFile files.delete files.list"},
		{gg.SearchQuery{Module: "gg.files", Query: "FILE"}, "files.readFile files.editFile files.delete files.list"},
		{gg.SearchQuery{Module: "nope"}, ""},
		{gg.SearchQuery{Module: "files", Limit: 2}, "files.readFile files.editFile"},
		{gg.SearchQuery{Module: "files", Limit: 2, Offset: 3}, "files.list"},
		{gg.SearchQuery{Module: "files", Offset: 9}, ""},
		{gg.SearchQuery{Module: "files", Limit: -1, Offset: -1}, "files.readFile files.editFile files.delete files.list"},
	} {
		got := c.Search(test.query)
		require.Equal(t, test.want, names(got), "%+v", test.query)
	}

	page := c.Search(gg.SearchQuery{Module: "files", Limit: 1, Offset: 2})
	require.Equal(t, gg.SearchResult{Total: 4, Hits: []gg.Hit{{Name: "gg.files.delete", Brief: "removes a file"}}}, page)
	text, err := json.Marshal(c.Search(gg.SearchQuery{Query: "zebra"}))
	require.NoError(t, err)
	require.Equal(t, `{"total":0,"hits":[]}`, string(text))
}

func TestSearchGivesTwentyByDefault(t *testing.T) {
	var functions []*gg.Function
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		functions = append(functions, gg.Func("m."+name, "does it", returning[struct{}, int]()))
	}
	c, err := gg.NewCatalogue(nil, functions...)
	require.NoError(t, err)
	got := c.Search(gg.SearchQuery{Query: "does"})
	require.Equal(t, 26, got.Total)
	require.Len(t, got.Hits, 20)
	require.Equal(t, "gg.m.a", got.Hits[0].Name, "equals stay in declared order")
	require.Len(t, c.Search(gg.SearchQuery{Query: "does", Limit: -1}).Hits, 26)
	require.Len(t, c.Search(gg.SearchQuery{Query: "does", Limit: -1, Offset: 3}).Hits, 23)
}

func TestSearchPrefersTheNameItself(t *testing.T) {
	c, err := gg.NewCatalogue(nil,
		gg.Func("shell.run", "runs a shell", returning[struct{}, int]()),
		gg.Func("shell.shell", "runs one command", returning[struct{}, int]()),
	)
	require.NoError(t, err)
	require.Equal(t, "shell.shell shell.run", names(c.Search(gg.SearchQuery{Query: "shell"})))
}

func TestPages(t *testing.T) {
	c := sample(t)
	var text strings.Builder
	for _, name := range []string{
		"gg", "shell", "shell.shell", "shell.run", "shell.logs", "files.readFile", "files.editFile", "files.delete", "files.list",
		"docs.open", "tree.walk", "tree.free", "tree.mixed", "sleep", "args", "ApiError", "console",
	} {
		page, near, ok := c.Page(name)
		require.True(t, ok, name)
		require.Empty(t, near)
		text.WriteString("======== " + name + "\n" + page + "\n")
	}
	golden(t, "pages.txt", text.String())

	want, _, _ := c.Page("shell.shell")
	for _, name := range []string{"gg.shell.shell", " shell.shell ", "shell.shell()", "gg.shell.shell()"} {
		got, _, ok := c.Page(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	for name, title := range map[string]string{
		"shell.shell()": "gg.shell.shell", "gg.shell.shell": "gg.shell.shell", "shell": "gg.shell", "gg": "gg", "sleep": "gg.sleep",
		"ApiError": "gg.ApiError", "console": "console", "gg.console": "", "nope": "", "": "",
	} {
		require.Equal(t, title, c.PageTitle(name), name)
	}
	want, _, _ = c.Page("shell")
	got, _, _ := c.Page("gg.shell")
	require.Equal(t, want, got)
}

func TestPageMisses(t *testing.T) {
	c := sample(t)
	for name, want := range map[string]string{
		"files.readfile":    "files.readFile files.editFile files.delete",
		"gg.files.readfile": "files.readFile files.editFile files.delete",
		"readFile":          "files.readFile",
		"editfile":          "files.editFile",
		"shel":              "shell.shell shell shell.run",
		"apierror":          "ApiError",
		"console.log":       "console",
		"gg.sleeep":         "sleep",
		"zzzzzzzz":          "",
		"":                  "",
		"gg.":               "",
	} {
		text, near, ok := c.Page(name)
		require.False(t, ok)
		require.Empty(t, text)
		for i := range near {
			near[i] = strings.TrimPrefix(near[i], "gg.")
		}
		require.Equal(t, want, strings.Join(near, " "), "%q", name)
	}
}

func TestSignatures(t *testing.T) {
	var text strings.Builder
	for _, f := range sampleFunctions() {
		text.WriteString(gg.Signature(f) + "\n")
	}
	golden(t, "signatures.txt", text.String())
	require.True(t, strings.HasPrefix(text.String(), "gg.shell.shell(command: string, options?: { timeoutSecs?: number }): ShellResult\n"))
}

func TestTable(t *testing.T) {
	table := sample(t).Table()
	golden(t, "table.md", table)
	lines := strings.Split(strings.TrimSpace(table), "\n")
	require.Len(t, lines, 2+len(sampleFunctions())+3)
	require.False(t, slices.ContainsFunc(lines, func(line string) bool {
		return strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4
	}), "three cells in each row")
}
