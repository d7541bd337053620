package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

func (a *app) typesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "types",
		Short: "Print TypeScript declarations of everything a program sees",
		Example: `  gg types > gg.d.ts
  ` + gg.TypeCheckCommand,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			catalogue, err := local.Catalogue(nil)
			if err != nil {
				return internal(err)
			}
			text, err := gg.Declarations(catalogue)
			if err != nil {
				return internal(err)
			}
			return a.print(text)
		},
	}
}

func (a *app) docsCommand() *cobra.Command {
	opening := false
	cmd := &cobra.Command{
		Use:   "docs [QUERY]",
		Short: "Search and show the functions that a program can call",
		Long: `Shows the page of a function or a module, or searches for words in all of them, as
gg.docs.open and gg.docs.search do. Without QUERY it lists every function.
With --opening it prints what an agent should see first, and the pages of the modules
that QUERY names.`,
		Example: `  gg docs
  gg docs shell.shell
  gg docs read a file
  gg docs --opening shell views`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if opening {
				return a.opening(cmd.Context(), args)
			}
			return a.docs(strings.Join(args, " "))
		},
	}
	cmd.Flags().BoolVar(&opening, "opening", false, "print the opening turn")
	return cmd
}

// docs shows a page, or what a search finds.
func (a *app) docs(query string) error {
	catalogue, err := local.Catalogue(nil)
	if err != nil {
		return internal(err)
	}
	text, near, ok := catalogue.Page(query)
	if ok {
		return a.print(text + "\n")
	}
	found := catalogue.Search(gg.SearchQuery{Query: query, Limit: -1})
	if found.Total == 0 {
		if len(near) > 0 {
			return usage("nothing is about %q; did you mean %s?", query, strings.Join(near, ", "))
		}
		return usage("nothing is about %q; gg docs lists everything", query)
	}
	width := 0
	for _, hit := range found.Hits {
		width = max(width, len(hit.Name))
	}
	var b strings.Builder
	for _, hit := range found.Hits {
		fmt.Fprintf(&b, "%-*s  %s\n", width, hit.Name, hit.Brief)
	}
	return a.print(b.String())
}

// opening prints the opening turn, which a real program makes under the fresh configuration.
func (a *app) opening(ctx context.Context, modules []string) error {
	session, err := a.session(ctx, &place{workspace: "."}, local.Config{Config: config.Fresh()})
	if err != nil {
		return err
	}
	defer session.Close(ctx)
	for _, name := range modules {
		if _, near, ok := session.Catalogue().Page(name); !ok {
			hint := ""
			if len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, ", ") + "?"
			}
			return usage("nothing is called %q%s", name, hint)
		}
	}
	text, err := runtime.OpeningTurn(ctx, session, modules...)
	if err := errors.Join(err, session.Close(ctx)); err != nil {
		return internal(err)
	}
	return a.print(text)
}
