package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config COMMAND",
		Short: "Write, check and describe a configuration",
		Long: `A configuration says what programs may do and how much they may use. gg run takes the
file that --config names, else gg.json in the workspace, else the fresh configuration.`,
		Args: cobra.ArbitraryArgs,
		RunE: subcommands,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "init [FILE]",
		Short: "Write the fresh configuration to FILE",
		Long:  "Writes the fresh configuration to FILE, gg.json by default. A file that is there is left alone.",
		Args:  arguments(0, 1, "at most one FILE"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.configInit(configFile(args)) },
	}, &cobra.Command{
		Use:   "check [FILE]",
		Short: "Name every defect of the configuration in FILE",
		Long:  "Names every defect of the configuration in FILE, gg.json by default, one a line; exits with 78 if there is any.",
		Args:  arguments(0, 1, "at most one FILE"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.configCheck(configFile(args)) },
	}, &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a configuration",
		Long:  "Prints the JSON Schema of a configuration, for editors: name it in the file's $schema.",
		Args:  arguments(0, 0, "no arguments"),
		RunE:  func(*cobra.Command, []string) error { return a.print(string(config.Schema())) },
	})
	return cmd
}

func configFile(args []string) string {
	if len(args) == 0 {
		return configName
	}
	return args[0]
}

// configInit writes the fresh configuration where no file is.
func (a *app) configInit(file string) error {
	f, err := os.OpenFile(a.path(file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage("%s: file exists", file)
	}
	if err != nil {
		return usage("%s: %s", file, reason(err))
	}
	_, err = f.Write(config.FreshJSON())
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name()) // half a configuration is none
		return internal(fmt.Errorf("%s: %w", file, err))
	}
	a.remark("wrote " + file)
	return nil
}

func (a *app) configCheck(file string) error {
	if _, err := config.Load(a.path(file), local.Grantable()); err != nil {
		return refused(file, err)
	}
	a.remark(file + " is good")
	return nil
}
