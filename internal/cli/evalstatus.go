package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/eval"
)

func (a *app) newEvalStatus() *cobra.Command {
	f := &evalRunFlags{}
	shown := &evalFlags{}
	var follow bool
	c := &cobra.Command{
		Use:   "status [run]",
		Short: "Show an eval run on a host, or list the recent ones",
		Long: "status shows how a run on a host stands, or how it came out. Without an id it lists the recent runs.\n" +
			"It exits with 0 while the run goes on, and then as bdk eval does.",
		Example: "  bdk eval status\n" +
			"  bdk eval status 20260131-120000-x7ab --follow\n" +
			"  bdk eval status 20260131-120000-x7ab --prod --slug my-agent",
		Args: takesRun,
		RunE: func(c *cobra.Command, args []string) error {
			h, err := a.openRuns(c, f)
			if err != nil {
				return err
			}
			shown.asJSON = f.asJSON
			if len(args) == 0 {
				return a.listRuns(c, h, f.asJSON)
			}
			return a.showRun(c, h, args[0], shown, follow)
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "wait until the run has ended")
	c.Flags().BoolVar(&shown.strict, "strict", false, "exit with 1 for a scored case, too")
	c.Flags().BoolVar(&shown.verbose, "verbose", false, "print every assertion and log that the host kept")
	f.add(c.Flags())
	return c
}

// takesRun is for a command that may be given the id of a run.
func takesRun(c *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	return takesOne("a run's id")(c, args)
}

// openRuns finds the host whose runs are meant.
func (a *app) openRuns(c *cobra.Command, f *evalRunFlags) (*evalHost, error) {
	if err := f.project.log.open(a, "warn"); err != nil {
		return nil, err
	}
	return a.evalHost(c.Context(), &f.target, f.project, f.root)
}

// showRun reports how a run stands.
func (a *app) showRun(c *cobra.Command, h *evalHost, id string, f *evalFlags, follow bool) error {
	ctx := c.Context()
	run, err := h.EvalRun(ctx, id)
	if err != nil {
		return h.fault(err, id)
	}
	if follow || run.Status != eval.RunRunning {
		if run, err = a.followRun(ctx, h, id, f); err != nil {
			return err
		}
	}
	if f.asJSON {
		if err := a.printRedacted(run); err != nil {
			return err
		}
	}
	if run.Status != eval.RunRunning {
		return evalOutcome(run, f.strict)
	}
	if f.asJSON {
		return nil
	}
	return a.print("%s\n", a.shown(underWay(run)))
}

// underWay is a run that goes on, in one line.
func underWay(r *eval.Run) string {
	line := fmt.Sprintf("%s is running: %d of %s", r.ID, r.Totals.Done, plural(r.Totals.Cases, "case"))
	if r.Totals.Failed > 0 {
		line += fmt.Sprintf(", %d failed", r.Totals.Failed)
	}
	if len(r.Running) > 0 {
		line += "; now " + strings.Join(r.Running, ", ")
	}
	return line
}

// listRuns prints the recent runs, the newest first.
func (a *app) listRuns(c *cobra.Command, h *evalHost, asJSON bool) error {
	runs, err := h.EvalRuns(c.Context(), 0)
	if err != nil {
		return h.fault(err, "")
	}
	if asJSON {
		return a.printRedacted(map[string]any{"runs": append([]*eval.Run{}, runs...)})
	}
	if len(runs) == 0 {
		a.say("no evals were run on %s yet", h.Base())
	}
	for _, r := range runs {
		t := &r.Totals
		line := fmt.Sprintf("%s  %-9s  %s  %d/%d, %d failed", r.ID, r.Status, r.StartedAt.Local().Format(time.DateTime), t.Done, t.Cases, t.Failed)
		if err := a.print("%s\n", a.shown(line)); err != nil {
			return err
		}
	}
	return nil
}
