package cli

import (
	"bytes"

	"github.com/spf13/cobra"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "fish", "powershell", "zsh"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, fish, powershell or zsh",
		Example: `  source <(gg completion bash)
  gg completion zsh > "${fpath[1]}/_gg"
  gg completion fish > ~/.config/fish/completions/gg.fish`,
		Args:      arguments(1, 1, "one SHELL: bash, fish, powershell or zsh"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			var script bytes.Buffer
			var err error
			switch root := cmd.Root(); args[0] {
			case "bash":
				err = root.GenBashCompletionV2(&script, true)
			case "fish":
				err = root.GenFishCompletion(&script, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&script)
			case "zsh":
				err = root.GenZshCompletion(&script)
			default:
				return usage("unknown shell %q; gg completes for bash, fish, powershell and zsh", args[0])
			}
			if err != nil {
				return internal(err)
			}
			return a.print(script.String())
		},
	}
}
