package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/eval"
)

// evalRemote runs the cases of an agent on a host elsewhere, and reports as if they ran here.
func (a *app) evalRemote(c *cobra.Command, f *evalFlags, ids []string) error {
	for _, name := range localAlone {
		if c.Flags().Changed(name) {
			return usagef("--%s is for evals that run here: with --url and --prod the host runs them, by its own evals.config.ts", name)
		}
	}
	if f.timeout > 0 && f.timeout < time.Millisecond {
		return usagef("--timeout %s: a host takes whole milliseconds", f.timeout)
	}
	ctx := c.Context()
	h, err := a.evalHost(ctx, &f.target, f.project, f.root)
	if err != nil {
		return err
	}
	if f.list {
		return a.listRemote(ctx, h, f, ids)
	}
	run, err := h.StartEvals(ctx, client.StartEvals{FilterIDs: ids, Tags: f.tags, TimeoutMs: f.timeout.Milliseconds(), Verbose: f.verbose || f.asJSON})
	if err != nil {
		return h.fault(err, "")
	}
	a.say("run %s of %s on %s", run.ID, plural(run.Totals.Cases, "case"), h.Base())
	run, err = a.followRun(ctx, h, run.ID, f)
	if err != nil {
		return err
	}
	if f.asJSON {
		if err := a.printRedacted(run); err != nil {
			return err
		}
	}
	return evalOutcome(run, f.strict)
}

// listRemote prints the cases that would run.
func (a *app) listRemote(ctx context.Context, h *evalHost, f *evalFlags, ids []string) error {
	l, err := h.Evals(ctx)
	if err != nil {
		return h.fault(err, "")
	}
	a.sayDiagnostics([]*agent.Agent{{Slug: l.Agent, Diagnostics: l.Diagnostics}})
	narrow(l, &eval.Selection{IDs: ids, Tags: f.tags})
	if len(l.Cases)+len(l.Broken) == 0 {
		return usagef("no case is selected: bdk eval --list %s shows those that there are", h.how)
	}
	return a.printListing(l, f.asJSON)
}

// narrow leaves what is selected in a listing.
func narrow(l *eval.Listing, by *eval.Selection) {
	l.Cases = slices.DeleteFunc(l.Cases, func(c eval.ListedCase) bool { return !by.Has(&eval.Case{ID: c.ID, Tags: c.Tags}) })
	l.Broken = slices.DeleteFunc(l.Broken, func(b eval.ListedBroken) bool { return !by.Reaches(b.ID) })
}

// followRun tells how a run on a host goes until it has ended, and reports. Ctrl-C ends
// that, and leaves the run alone.
func (a *app) followRun(ctx context.Context, h *evalHost, id string, f *evalFlags) (*eval.Run, error) {
	console := a.newEvalConsole(a.Dir, f, nil)
	console.opens = func(session string) string { return "bdk sessions events " + session + " --url " + shellWord(h.Base()) }
	seen := &snapshots{console: console, told: map[string]bool{}}
	run, err := h.FollowEvals(ctx, id, seen.take)
	if err != nil {
		a.status.end()
		if ctx.Err() != nil {
			a.say("the run %s goes on: %s shows it, %s ends it", id, h.command("status", id), h.command("cancel", id))
			return nil, context.Cause(ctx)
		}
		if err = h.fault(err, id); exitCode(err) == ExitFailed && !client.HasCode(err, client.CodeUnknownRun) {
			err = fmt.Errorf("%w: the run may go on there: %s shows it", err, h.command("status", id))
		}
		return nil, err
	}
	return run, console.RunEnded(run)
}
