package cli

import (
	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/eval"
)

func (a *app) newEvalCancel() *cobra.Command {
	f := &evalRunFlags{}
	c := &cobra.Command{
		Use:     "cancel <run>",
		Short:   "End an eval run on a host",
		Long:    "cancel stops the cases of a run on a host, and waits until they rest. What has ended of it stays in its record.",
		Example: "  bdk eval cancel 20260131-120000-x7ab\n  bdk eval cancel 20260131-120000-x7ab --prod --slug my-agent",
		Args:    takesOne("a run's id"),
		RunE: func(c *cobra.Command, args []string) error {
			h, err := a.openRuns(c, f)
			if err != nil {
				return err
			}
			return a.cancelRun(c, h, args[0], f.asJSON)
		},
	}
	f.add(c.Flags())
	return c
}

// cancelRun returns when the run has ended.
func (a *app) cancelRun(c *cobra.Command, h *evalHost, id string, asJSON bool) error {
	if _, err := h.CancelEvals(c.Context(), id); err != nil {
		return h.fault(err, id)
	}
	end := a.progress("waiting for the cases to stop")
	run, err := h.FollowEvals(c.Context(), id, func(*eval.Run) {})
	end()
	if err != nil {
		return h.fault(err, id)
	}
	if asJSON {
		return a.printRedacted(run)
	}
	return a.print("%s %s: %d of %s had ended\n", run.Status, run.ID, run.Totals.Done, plural(run.Totals.Cases, "case"))
}
