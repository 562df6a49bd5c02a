package cli

import "github.com/spf13/cobra"

// evalHere runs the cases in this process.
func (a *app) evalHere(_ *cobra.Command, _ *evalFlags, _ []string) error { return nil }
