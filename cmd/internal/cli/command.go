package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// execute finds the command and carries it out.
func (a *app) execute(ctx context.Context) error {
	root := a.root()
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	return root.ExecuteContext(ctx)
}

func (a *app) root() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "gg COMMAND",
		Short: "Run programs that an agent answered with",
		Long: `gg runs JavaScript programs against a workspace. A program calls functions of the
global gg: it runs commands, reads and writes files, and opens views on what a
model is to see. One budget holds it; its outcome says what happened.`,
		Example: `  gg run script.js                   run a program in the current directory
  gg run --workspace ~/src/app -     run one from standard input
  gg check script.js                 see what is wrong with it before it runs
  gg docs shell                      read about the functions it can call`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case version:
				return a.version(false)
			case len(args) == 0:
				return usage("no command given; see gg --help")
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(a.flagError)
	root.SetHelpFunc(a.help)
	for _, command := range []func() *cobra.Command{
		a.runCommand, a.checkCommand, a.shellCommand, a.toolCommand, a.typesCommand, a.docsCommand,
		a.configCommand, a.versionCommand, a.completionCommand,
	} {
		root.AddCommand(command())
	}
	root.SetHelpCommand(a.helpCommand())
	return root
}

// helpCommand is `gg help COMMAND`, which is `gg COMMAND --help`.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || found == cmd.Root() && len(args) > 0 || len(rest) > 0 {
				return usage("unknown command %q%s", strings.Join(args, " "), nearest(args[0], commandNames(cmd.Root())))
			}
			a.help(found, nil)
			return nil
		},
	}
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// arguments makes a check for a number of arguments whose failure says what the command takes.
func arguments(least, most int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		got := "none"
		if len(args) > 0 {
			got = `"` + strings.Join(args, `", "`) + `"`
		}
		return usage("%s takes %s, got %s; see %s --help", cmd.CommandPath(), want, got, cmd.CommandPath())
	}
}

// subcommands is the RunE of a command that does nothing without one of its own.
func subcommands(cmd *cobra.Command, args []string) error {
	names := commandNames(cmd)
	if len(args) == 0 {
		return usage("%s takes one of %s", cmd.CommandPath(), strings.Join(names, ", "))
	}
	return unknownCommand(cmd, args[0])
}

func unknownCommand(cmd *cobra.Command, name string) error {
	of := ""
	if cmd.HasParent() {
		of = " for " + cmd.CommandPath()
	}
	return usage("unknown command %q%s%s", name, of, orHelp(nearest(name, commandNames(cmd)), cmd))
}

// orHelp points to a command's help where there is no better hint.
func orHelp(hint string, cmd *cobra.Command) string {
	if hint == "" {
		return "; see " + cmd.CommandPath() + " --help"
	}
	return hint
}

// flagError words what is wrong with a flag.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if !cmd.HasParent() { // the flag of a command that does not exist is not what is wrong
		for _, arg := range a.Args {
			if !strings.HasPrefix(arg, "-") {
				return unknownCommand(cmd, arg)
			}
		}
	}
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage("unknown flag -%s; see %s --help", unknown.GetSpecifiedShortnames(), cmd.CommandPath())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return usage("unknown flag %s%s", name, orHelp(strings.ReplaceAll(nearest(name, names), `"`, ""), cmd))
	case errors.As(err, &missing):
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return usage("--%s needs a value: --%s %s", missing.GetFlag().Name, missing.GetFlag().Name, name)
	case errors.As(err, &invalid):
		var own *failure
		if errors.As(err, &own) {
			return own
		}
		return usage("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), reason(invalid))
	}
	return usage("%s", err)
}

// help prints what a command is for and how it is called.
func (a *app) help(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", title, text)
		}
	}
	description := cmd.Long
	if description == "" {
		description = cmd.Short + "."
	}
	b.WriteString(strings.TrimSpace(description) + "\n")
	section("Usage", "  "+usageLine(cmd))
	section("Examples", cmd.Example)
	section("Commands", commandList(cmd))
	cmd.InitDefaultHelpFlag()
	cmd.Flag("help").Usage = "show this help"
	section("Flags", cmd.LocalFlags().FlagUsages())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help says more about each command.\n", cmd.CommandPath())
	}
	a.print(b.String())
}

func usageLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, arguments, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + arguments
	}
	flags := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			flags++
		}
	})
	if flags > 0 && !cmd.DisableFlagsInUseLine {
		line += " [flags]"
	}
	return line
}

// commandList lists commands in the order they were added, which is the order of how often one needs them.
func commandList(cmd *cobra.Command) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-12s%s\n", c.Name(), c.Short)
		}
	}
	return b.String()
}

// The library's default would list commands by name.
func init() { cobra.EnableCommandSorting = false }
