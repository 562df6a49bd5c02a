package cli

import "github.com/spf13/cobra"

func (a *app) newCompletion() *cobra.Command {
	c := &cobra.Command{
		Use:   "completion",
		Short: "Print a script that completes commands in a shell",
		Example: "  source <(bdk completion bash)\n" +
			"  bdk completion zsh > \"${fpath[1]}/_bdk\"\n" +
			"  bdk completion fish > ~/.config/fish/completions/bdk.fish",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no completion for %q: there is bash, zsh and fish", args[0])
			}
			return usagef("name the shell: bash, zsh or fish")
		},
	}
	for shell, write := range map[string]func(root *cobra.Command) error{
		"bash": func(root *cobra.Command) error { return root.GenBashCompletionV2(a.Stdout, true) },
		"zsh":  func(root *cobra.Command) error { return root.GenZshCompletion(a.Stdout) },
		"fish": func(root *cobra.Command) error { return root.GenFishCompletion(a.Stdout, true) },
	} {
		c.AddCommand(&cobra.Command{
			Use:     shell,
			Short:   "Print the script for " + shell,
			Example: "  bdk completion " + shell,
			Args:    takesNothing,
			RunE:    func(c *cobra.Command, _ []string) error { return write(c.Root()) },
		})
	}
	return c
}
