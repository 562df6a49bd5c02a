package eval

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A Runner runs the cases of a suite. It may be used for several runs.
type Runner struct {
	Suite  *Suite
	Target Target
	// Agent is the slug that the runs name.
	Agent string
	// Clock defaults to the machine's.
	Clock clock.Clock
	// Logger takes what an observer or the runtime did wrong.
	Logger zerolog.Logger
	// FileReporter makes the observer of a JUnit or Artifacts reporter that the suite
	// names; nil: a suite that names one is told so in Run.Error.
	FileReporter func(r Reporter) (Observer, error)
	// Redact takes secrets out of the strings of a JSON text, which each result is before
	// anybody is told of it: files, reporters, the console, history. Nil: they stay.
	Redact func(json []byte) []byte
}

// RunOptions of one run.
type RunOptions struct {
	// ID of the run, as NewRunID gives it; empty: a new one.
	ID        string
	Selection Selection
	// MaxConcurrency replaces the config's; 0: it counts.
	MaxConcurrency int
	// Timeout is for the cases for which neither they nor their file set one; 0: the
	// config's, or else DefaultTimeout.
	Timeout time.Duration
	// Model replaces the agent's in every case.
	Model string
	// Replay runs every case on the recording that it was made from, and leaves out the
	// cases that have none. It excludes Model.
	Replay bool
	// StateRoot is what the run says about where its sessions are.
	StateRoot string
	// By and Idempotency are what the run says about the request that started it.
	By          *events.Principal
	Idempotency *events.Idempotency
	// Observers are told after the suite's own reporters, and of the end in this order:
	// each sees in Run.Error which ones before it failed.
	Observers []Observer
}

// Run runs the selected cases and returns when every one has ended, or ctx has: then what
// runs is stopped and recorded, what has not begun is counted in Totals.Cases and has no
// result, and the run is cancelled. The error is that of Check, before anything began;
// whatever goes wrong later is in the run and its results. Observers are always told of
// the end.
func (r *Runner) Run(ctx context.Context, o RunOptions) (*Run, error) {
	x, err := r.begin(o)
	if err != nil {
		return nil, err
	}
	return x.run(ctx), nil
}

func (r *Runner) clock() clock.Clock {
	if r.Clock == nil {
		return clock.System{}
	}
	return r.Clock
}

// Green says whether a run lets a change through: all cases ended, at least one was
// executed, none failed, no reporter did, and where it is strict none was merely scored.
func (r *Run) Green(strict bool) bool {
	t := &r.Totals
	return r.Status == RunCompleted && r.Error == "" && t.Executed() > 0 && t.Done == t.Cases && t.Failed == 0 && (!strict || t.Scored == 0)
}

// Executed counts the cases that have a verdict and were not skipped.
func (t *Totals) Executed() int { return t.Done - t.Skipped }
