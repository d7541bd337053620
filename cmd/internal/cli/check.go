package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/runtime"
)

// checkedFile is what the document of `gg check --json` says of one file.
type checkedFile struct {
	File     string            `json:"file"`
	Problems []runtime.Problem `json:"problems"`
	Notices  []string          `json:"notices"`
}

func (a *app) checkCommand() *cobra.Command {
	p := place{workspace: "."}
	cmd := &cobra.Command{
		Use:   "check FILE|-...",
		Short: "Find what is wrong with programs, without running them",
		Long: `Accepts and compiles programs, runs nothing, and reports every problem it can find,
functions of gg that do not exist included: one line each, as FILE:LINE:COLUMN.
Exits with 2 if there was any.`,
		Example: `  gg check script.js
  gg check jsexamples/*.js`,
		Args: arguments(1, -1, "one or more FILEs, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd, &p, args) },
	}
	p.configFlag(cmd.Flags())
	jsonFlag(cmd.Flags(), "print the problems as one JSON document")
	return cmd
}

func (a *app) check(cmd *cobra.Command, p *place, files []string) error {
	settings, err := a.settings(p)
	if err != nil {
		return err
	}
	ctx := a.interruptible(cmd.Context())
	session, err := a.session(ctx, p, local.Config{Config: settings})
	if err != nil {
		return err
	}
	defer session.Close(ctx)

	code := exitOK
	list := []checkedFile{}
	for _, file := range files {
		program, err := a.read(ctx, file, settings.Programs.Settings.WithDefaults().MaxSourceBytes)
		if err != nil {
			return err
		}
		found := runtime.Check(session, runtime.Program{Name: program.name, Source: program.text})
		if len(found.Problems) > 0 {
			code = exitCompile
		}
		list = append(list, checkedFile{program.name, append([]runtime.Problem{}, found.Problems...), append([]string{}, found.Notices...)})
	}
	if a.json {
		err = a.document(map[string]any{"files": list})
	} else {
		err = a.print(problemLines(list))
		for _, f := range list {
			for _, notice := range f.Notices {
				a.remark(f.File + ": " + notice)
			}
		}
	}
	if err != nil {
		return err
	}
	return status(code)
}

func problemLines(list []checkedFile) string {
	var b strings.Builder
	for _, f := range list {
		for _, p := range f.Problems {
			fmt.Fprintf(&b, "%s:%s\n", f.File, p)
		}
	}
	return b.String()
}
