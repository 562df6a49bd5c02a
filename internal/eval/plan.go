package eval

import (
	"path/filepath"
	"time"

	"github.com/gobdk/bdk/events"
)

// A planned case is one of a run; one that never begins has its result already.
type planned struct {
	order int
	c     *Case // nil: a broken file
	ready *Result
	// load is the fault of a file that has the id of the case.
	load *Fault
}

// plan puts the broken files before the cases, each under an id of its own: where a case
// has the same, the fault becomes the case's.
func plan(cases []*Case, broken []Broken, o *RunOptions, now time.Time) []*planned {
	faults, ids := map[string]*Fault{}, map[string]bool{}
	for _, c := range cases {
		ids[c.ID] = true
	}
	var out []*planned
	for _, b := range broken {
		if had := faults[b.ID]; had != nil {
			had.Message += "; " + b.Message
			continue
		}
		faults[b.ID] = &Fault{Kind: FaultLoad, Message: b.Message}
		if !ids[b.ID] {
			r := &Result{ID: b.ID, Verdict: Failed, Error: faults[b.ID], Iteration: 1, Iterations: 1, StartedAt: now}
			out = append(out, &planned{order: len(out), ready: r.whole(len(out))})
		}
	}
	for _, c := range cases {
		p := &planned{order: len(out), c: c, load: faults[c.ID]}
		if o.Replay && c.Replay == "" && p.load == nil {
			p.ready = resultOf(c, p.order, now)
			p.ready.Verdict, p.ready.SkipReason = Skipped, "the case was not made from a recording, and the run replays recordings"
		}
		out = append(out, p)
	}
	return out
}

// resultOf is what is known of a case before it runs.
func resultOf(c *Case, order int, now time.Time) *Result {
	r := &Result{
		ID: c.ID, File: c.File, Description: c.Description, Tags: c.Tags, Metadata: c.Metadata,
		Iteration: c.Iteration, Iterations: c.Iterations, StartedAt: now,
	}
	return r.whole(order)
}

// whole makes what would be null in JSON empty.
func (r *Result) whole(order int) *Result {
	r.Order = order
	r.Assertions, r.Inputs, r.Tools, r.Logs = filled(r.Assertions), filled(r.Inputs), filled(r.Tools), filled(r.Logs)
	r.ToolCalls, r.Tags = filled(r.ToolCalls), filled(r.Tags)
	if r.Metrics.Steps == 0 && r.Metrics.JudgeCalls == 0 && r.Metrics.Usage == (events.Usage{}) {
		r.Metrics.Spent = noneSpent()
	}
	return r
}

func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// model is what a case runs on instead of the agent's own; empty: nothing.
func (o *RunOptions) model(s *Suite, c *Case) string {
	if !o.Replay {
		return o.Model
	}
	from := c.Replay
	if !events.IsSessionID(from) && !filepath.IsAbs(from) {
		from = filepath.Join(s.Dir, filepath.FromSlash(from))
	}
	return ReplayModel + from
}

const (
	// ReplayModel is what the name of a model begins with that gives the recorded steps of
	// a session, by its id or the path of a file.
	ReplayModel = "replay:"
	// RunReplay is what Run.Model says of a run that replays, each case on its own.
	RunReplay = "replay"
)

// timeout of a case: its own or its file's, that of the command line, the config's, the default.
func (o *RunOptions) timeout(s *Suite, c *Case) time.Duration {
	for _, d := range []time.Duration{c.Timeout, o.Timeout, s.Config.Timeout} {
		if d > 0 {
			return d
		}
	}
	return DefaultTimeout
}

// base is the id without the iteration.
func (c *Case) base() string { return baseID(c.ID, c.Iterations) }
