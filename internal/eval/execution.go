package eval

import (
	"context"
	"errors"
	"sync"
	"time"
)

// An execution is one run under way.
type execution struct {
	r    *Runner
	o    RunOptions
	plan []*planned
	// limit is how many cases run at once.
	limit     int
	progress  Progress
	listeners []*listener
}

// begin plans a run. Nothing has happened yet when it fails.
func (r *Runner) begin(o RunOptions) (*execution, error) {
	if err := r.Check(&o); err != nil {
		return nil, err
	}
	now := r.clock().Now().UTC()
	if o.ID == "" {
		o.ID = NewRunID(now)
	}
	cases, broken := r.Suite.Select(&o.Selection)
	x := &execution{r: r, o: o, plan: plan(cases, broken, &o, now), limit: o.MaxConcurrency}
	if x.limit == 0 {
		x.limit = max(r.Suite.Config.MaxConcurrency, 1)
	}
	model := o.Model
	if o.Replay {
		model = RunReplay
	}
	return x, x.progress.RunStarted(&Run{
		ID: o.ID, Status: RunRunning, Agent: r.Agent, Model: model, StartedAt: now, StateRoot: o.StateRoot,
		By: o.By, Idempotency: o.Idempotency,
		FilterIDs: filled(o.Selection.IDs), Tags: filled(o.Selection.Tags), Totals: totalsOf(len(x.plan), nil),
	})
}

// run goes through the plan and returns how the run ended.
func (x *execution) run(ctx context.Context) *Run {
	x.listen(context.WithoutCancel(ctx))
	for _, l := range x.listeners {
		x.told(l, l.start(x.progress.Run()))
	}
	for _, p := range x.plan {
		if p.ready != nil {
			x.ended(p, p.ready)
		}
	}
	x.work(ctx)
	for _, l := range x.listeners {
		l.drain()
	}
	x.finish(ctx)
	return x.progress.Run()
}

// work runs what is planned on so many goroutines, in the order of the plan.
func (x *execution) work(ctx context.Context) {
	todo := make(chan *planned)
	var workers sync.WaitGroup
	for range min(x.limit, len(x.plan)) {
		workers.Go(func() {
			for p := range todo {
				x.one(ctx, p)
			}
		})
	}
	for _, p := range x.plan {
		if p.ready != nil {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		select {
		case todo <- p:
		case <-ctx.Done():
		}
	}
	close(todo)
	workers.Wait()
}

// one runs a case; a fault of ours in it is one of the case.
func (x *execution) one(ctx context.Context, p *planned) {
	if ctx.Err() != nil {
		return // it was handed over in the moment of the end
	}
	_ = x.progress.CaseStarted(p.c)
	for _, l := range x.listeners {
		l.caseStarted(p.c)
	}
	started := x.r.clock().Now().UTC()
	var res *Result
	if err := guarded(func() error { res = x.attempt(ctx, p, started); return nil }); err != nil {
		x.warn(err).Str("case", p.c.ID).Msg("running a case")
		res = resultOf(p.c, p.order, started)
		res.Verdict, res.Error = Failed, &Fault{Kind: FaultHost, Message: "running the case: " + err.Error()}
		res.DurationMs = x.since(started)
	}
	x.ended(p, res)
}

func (x *execution) ended(p *planned, res *Result) {
	res = x.clean(res)
	_ = x.progress.CaseEnded(res)
	for _, l := range x.listeners {
		l.caseEnded(p.c, res)
	}
}

// finish tells everybody the end, one after the other, each with what happened to those before.
func (x *execution) finish(ctx context.Context) {
	x.progress.finish(x.r.clock().Now().UTC())
	if errors.Is(context.Cause(ctx), errHostStopped) && x.progress.Run().Status == RunCancelled {
		x.progress.fault(errHostStopped.Error())
	}
	for _, l := range x.listeners {
		if l.failed != nil {
			x.told(l, l.failed)
		}
	}
	for _, l := range x.listeners {
		x.told(l, l.end(x.progress.Run()))
	}
}

// told records what an observer said of a call.
func (x *execution) told(l *listener, err error) {
	if err == nil {
		return
	}
	x.warn(err).Str("observer", l.name).Msg("telling an observer of a run")
	x.progress.fault(l.name + ": " + err.Error())
}

func (x *execution) since(t time.Time) int64 {
	return max(x.r.clock().Now().Sub(t), 0).Milliseconds()
}
