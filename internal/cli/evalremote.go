package cli

import "github.com/spf13/cobra"

// evalRemote runs the cases on a host elsewhere.
func (a *app) evalRemote(_ *cobra.Command, _ *evalFlags, _ []string) error {
	return usagef("--url and --prod: this build runs evals in its own process alone")
}
