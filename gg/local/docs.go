package local

import (
	"context"
	"strings"

	"github.com/responses-as-code/gg/gg"
)

type searchIn struct {
	Query  string `json:"query" jsonschema:"words, in any case and order; an empty text lists everything"`
	Module string `json:"module,omitempty" jsonschema:"search in this module only"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most hits; 20 by default" gg:"min=1,max=1000"`
	Offset int    `json:"offset,omitempty" jsonschema:"hits to leave out" gg:"min=0,max=4294967295"`
}

// DocsHits is what `gg.docs.search()` returns.
type DocsHits struct {
	Total int       `json:"total" jsonschema:"how many functions match"`
	Hits  []DocsHit `json:"hits"`
}

// DocsHit is one function that matches.
type DocsHit struct {
	Name  string `json:"name"`
	Brief string `json:"brief"`
}

type pageIn struct {
	Name string `json:"name" jsonschema:"the name of a function or a module; a function itself will do" gg:"nonempty,function"`
}

// docsFunctions are the functions of `gg.docs`.
func docsFunctions() []*gg.Function {
	return []*gg.Function{
		gg.Func("docs.search", "finds functions by words",
			func(ctx context.Context, in searchIn) (DocsHits, error) {
				catalogue := scopeOf(ctx).session.host.catalogue
				if in.Module != "" {
					if _, ok := catalogue.Module(in.Module); !ok {
						return DocsHits{}, missing(in.Module, gg.NearestN(in.Module, moduleNames(catalogue), 3))
					}
				}
				found := catalogue.Search(gg.SearchQuery{Query: in.Query, Module: in.Module, Limit: in.Limit, Offset: in.Offset})
				hits := DocsHits{Total: found.Total, Hits: []DocsHit{}}
				for _, h := range found.Hits {
					hits.Hits = append(hits.Hits, DocsHit{h.Name, h.Brief})
				}
				return hits, nil
			},
			gg.Detail("Every word must occur in the name, the signature, the brief or the page of a function; hits in the name come first."),
			gg.Fails(gg.NotFound, "no module has that name"),
			gg.Example("gg.docs.search(\"file\").hits.map(h => h.name)")),
		gg.Func("docs.open", "shows you the page of a function or a module",
			func(ctx context.Context, in pageIn) (string, error) {
				s := scopeOf(ctx).session
				name := strings.TrimPrefix(in.Name, "gg.")
				text, near, ok := s.host.catalogue.Page(name)
				if !ok {
					return "", missing(in.Name, near)
				}
				change, err := s.views.OpenDocs(s.host.catalogue.PageTitle(name), text)
				if err != nil {
					return "", viewError(err)
				}
				show(ctx, change)
				return text, nil
			},
			gg.Detail("Opens a view and returns its text."),
			gg.Fails(gg.NotFound, "there is no such page; the message names near ones"),
			gg.Example("gg.docs.open(gg.shell.shell).split(\"\\n\")[0]")),
	}
}

func moduleNames(c *gg.Catalogue) []string {
	var names []string
	for _, m := range c.Modules() {
		names = append(names, m.Name)
	}
	return names
}

// missing says that there is nothing of a name, and what there is that sounds like it.
func missing(name string, near []string) error {
	failure := gg.Errorf(gg.NotFound, "nothing is called %q", name)
	if len(near) > 0 {
		failure.Message += "; did you mean `" + strings.Join(near, "`, `") + "`?"
	}
	return failure
}
