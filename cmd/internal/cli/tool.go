package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/local"
	"github.com/responses-as-code/gg/gg/tools"
)

func (a *app) toolCommand() *cobra.Command {
	var p place
	cmd := &cobra.Command{
		Use:   "tool NAME JSON",
		Short: "Do one JSON tool call",
		Long: `Does one call as an agent that calls tools would: shell {command, timeout_secs?} or
read_file {path, offset?, limit?}. Prints the tool's text. Exits with 0, or with 1 when
the result is an error. JSON is - for standard input.`,
		Example: `  gg tool shell '{"command": "go test ./...", "timeout_secs": 600}'
  gg tool read_file '{"path": "README.md", "limit": 40}'
  gg tool --json shell '{"command": "git status --short"}'`,
		Args: arguments(2, 2, "a NAME and JSON"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.tool(cmd.Context(), &p, args[0], args[1]) },
	}
	cmd.Flags().SortFlags = false
	p.flags(cmd.Flags())
	jsonFlag(cmd.Flags(), "print the structured result as one JSON document")
	return cmd
}

// toolInputBytes is the most of standard input that is read as arguments: a command of the largest size,
// with every byte of it escaped.
const toolInputBytes = 8 << 20

// tool does one call and prints what a model would be given.
func (a *app) tool(parent context.Context, p *place, name, args string) error {
	settings, err := a.settings(p)
	if err != nil {
		return err
	}
	ctx := a.interruptible(parent)
	a.sweeping(ctx, settings)
	sink, stopFollowing := a.follow()
	defer stopFollowing()
	session, err := a.session(ctx, p, local.Config{Config: settings, Events: sink})
	if err != nil {
		return err
	}
	defer session.Close(context.WithoutCancel(ctx))
	set, err := tools.New(tools.Config{Catalogue: session.Catalogue(), ShellMode: settings.Shell.Mode})
	if err != nil {
		return internal(err)
	}
	tool, err := set.Lookup(name)
	if err != nil {
		return unknownTool(err)
	}
	if args == "-" {
		input, err := a.read(ctx, args, toolInputBytes)
		if err != nil {
			return err
		}
		args = input.text
	}
	reply, err := tool.Call(ctx, session, gg.RunInfo{}, json.RawMessage(args))
	if err == nil {
		err = session.Close(context.WithoutCancel(ctx))
	}
	stopFollowing()
	if err != nil {
		return internal(err)
	}
	code := exitOK
	if i := interrupted(ctx); i != nil && reply.IsError {
		code = exitSignal + i.number
	} else if reply.IsError {
		code = exitThrew
	}
	if a.json {
		err = a.document(reply.Structured)
	} else {
		err = a.print(strings.TrimSuffix(reply.Text, "\n") + "\n")
		a.warn(reply.Warnings)
	}
	if err != nil {
		return err
	}
	return status(code)
}

// unknownTool makes a failure of a name that is no tool's.
func unknownTool(err error) error {
	var failure *gg.Error
	if errors.As(err, &failure) {
		return usage("%s; %s", failure.Message, failure.Hint)
	}
	return usage("%s", err)
}
