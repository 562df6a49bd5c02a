package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) newEval() *cobra.Command {
	f := &evalFlags{}
	c := &cobra.Command{
		Use:   "eval [ids…]",
		Short: "Run the cases of evals/ and say how each came out",
		Long: "eval runs the cases of the project's evals/ folder against its agent, here, in sessions of their own.\n" +
			"An id selects the case of that name and those below it. Several ids, and several tags, select what\n" +
			"any of them names; with both, a case must match one of each. A case that has the name of a command\n" +
			"below is selected after --, as in: bdk eval -- status\n\n" +
			"What the run leaves lies in .bdk/evals/<run> of the project: summary.json, results.jsonl, a file for\n" +
			"each case, and the sessions, which bdk sessions opens with --state-root.\n\n" +
			"It exits with 1 when a gate was missed, a case could not be run or a reporter failed, with --strict\n" +
			"also for a scored case; with 2 when no case was run: none is selected, or all were skipped.\n" +
			"Ctrl-C stops the cases and finishes the report; a second one ends at once.",
		Example: "  bdk eval\n" +
			"  bdk eval builds/checkout --tag smoke\n" +
			"  bdk eval --list\n" +
			"  bdk eval --strict --junit junit.xml --compare last\n" +
			"  bdk eval --url http://127.0.0.1:3000/my-agent",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, ids []string) error { return a.eval(c, f, ids) },
	}
	f.add(c.Flags())
	a.completeEvals(c, f)
	c.AddCommand(a.newEvalStatus(), a.newEvalCancel(), a.newEvalRecord())
	return c
}

func (a *app) eval(c *cobra.Command, f *evalFlags, ids []string) error {
	if err := f.check(c); err != nil {
		return err
	}
	if err := f.project.log.open(a, "warn"); err != nil {
		return err
	}
	if f.target.remote() {
		return a.evalRemote(c, f, ids)
	}
	return a.evalHere(c, f, ids)
}
