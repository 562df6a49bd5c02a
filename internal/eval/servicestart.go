package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/events"
)

// Start loads the suite and starts a run, which goes on when ctx ends. Its errors:
// ErrRunning, ErrNoConfig, ErrNoCases, ErrOptions, ErrInFlight, ErrMismatch, ErrClosed, and
// those of loading and of the disk.
func (s *Service) Start(ctx context.Context, o StartOptions) (*Run, error) {
	l, err := s.reserve(o.Idempotency)
	if err == nil || errors.Is(err, ErrRunning) { // what a key started is known also while another runs
		again, known := s.again(o.Idempotency)
		if err == nil && (again != nil || known != nil) {
			s.ended(l, nil)
		}
		if again != nil || known != nil {
			return again, known
		}
	}
	if err != nil {
		return nil, err
	}
	suite, err := s.load(ctx)
	if err != nil {
		s.ended(l, nil)
		return nil, err
	}
	var x *execution
	err = guarded(func() (err error) { x, err = s.prepare(suite, l, &o); return err })
	if err != nil {
		s.release(suite)
		s.ended(l, nil)
		return nil, err
	}
	s.prune(suite)
	run, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	l.id, l.cancel = x.o.ID, cancel
	s.mu.Unlock()
	first := s.shown(l)
	go s.run(run, x, l)
	return first, nil
}

// reserve keeps a second run out.
func (s *Service) reserve(key *events.Idempotency) (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch l := s.live; {
	case s.closed:
		return nil, ErrClosed
	case l != nil && l.id != "":
		return nil, fmt.Errorf("%w: %s", ErrRunning, l.id)
	case l != nil && sameKey(l.key, key):
		return nil, ErrInFlight
	case l != nil:
		return nil, ErrRunning
	}
	s.live = &live{key: key, progress: &Progress{}, done: make(chan struct{})}
	return s.live, nil
}

// prepare makes the run and its folder.
func (s *Service) prepare(suite *Suite, l *live, o *StartOptions) (*execution, error) {
	target, err := s.o.Target(o.By)
	if err != nil {
		return nil, err
	}
	r := &Runner{
		Suite: suite, Target: target, Agent: s.o.Agent, Clock: s.o.Clock, Logger: s.o.Logger, FileReporter: s.o.FileReporter, Redact: s.o.Redact,
	}
	x, err := r.begin(RunOptions{
		Selection: Selection{IDs: slices.Clone(o.FilterIDs), Tags: slices.Clone(o.Tags)}, Timeout: o.Timeout, By: &o.By, Idempotency: o.Idempotency,
	})
	if err != nil {
		return nil, err
	}
	folder, err := s.o.Store.Create(x.progress.Run())
	if err != nil {
		return nil, err
	}
	_ = l.progress.RunStarted(x.progress.Run())
	x.o.Observers = []Observer{folder, l.progress}
	if !o.Verbose {
		x.o.Observers = []Observer{brief{folder}, brief{l.progress}}
	}
	return x, nil
}

// prune leaves as many runs as the config wants to be remembered.
func (s *Service) prune(suite *Suite) {
	if err := s.o.Store.Prune(cmp.Or(suite.Config.MaxPlaygroundRuns, DefaultHistory)); err != nil {
		s.o.Logger.Warn().Err(err).Str("agent", s.o.Agent).Msg("forgetting old runs of evals")
	}
}

// run is the goroutine of a run.
func (s *Service) run(ctx context.Context, x *execution, l *live) {
	defer l.cancel()
	err := guarded(func() error { x.run(ctx); return nil })
	if err != nil {
		x.warn(err).Msg("running evals")
		x.progress.fault("the run: " + err.Error())
	}
	s.release(x.r.Suite)
	r := l.progress.Run()
	if r.Status == RunRunning { // it never came to its end
		r.Status, r.Running = RunFailed, []string{}
	}
	r.Error = x.progress.Run().Error // with what the observers said last
	s.ended(l, r)
}

// ended lets the next run in.
func (s *Service) ended(l *live, r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = nil
	if r != nil {
		s.last = r
	}
	close(l.done)
}
