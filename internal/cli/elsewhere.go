package cli

import "github.com/spf13/cobra"

// elsewhere are commands of the vendor's own command line that have no place in a
// host of one's own, each with the way here.
var elsewhere = []struct {
	name, alias string
	way         string
}{
	{"login", "logout", "there is no account to log in to: bdk runs on this machine, and a model's key is a variable, in .env or in the environment"},
	{"secrets", "secret", "bdk keeps no secrets of its own: write them into .env of the project, or name a file with --env-file; code reads them from process.env"},
	{"deploy", "deployment", "bdk deploys nowhere by itself: run bdk serve on a machine of yours, with --host, --bearer-token and --state-root on a disk that stays"},
}

// newElsewhere gives the commands that say so. They are not listed.
func newElsewhere() []*cobra.Command {
	var list []*cobra.Command
	for _, e := range elsewhere {
		list = append(list, &cobra.Command{
			Use: e.name, Aliases: []string{e.alias}, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return usagef("%s", e.way) },
		})
	}
	return list
}
