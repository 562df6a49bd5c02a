package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A Service runs the evals of one agent on a host, one run at a time, and remembers them.
// It is safe for concurrent use.
type Service struct {
	o ServiceOptions
	// ctx ends when the service closes.
	ctx    context.Context
	cancel context.CancelCauseFunc
	// loading holds one token while a suite loads, which takes a VM and a compiler: any
	// number of listings may be asked for at once.
	loading chan struct{}

	mu     sync.Mutex
	closed bool
	// live is the run under way, or about to be; last the one that ended last.
	live *live
	last *Run
}

// A live run is one that has not been recorded to its end.
type live struct {
	// id is empty while the suite loads.
	id string
	// key is that of the request that started it; nil: it had none.
	key      *events.Idempotency
	cancel   context.CancelFunc
	progress *Progress
	done     chan struct{}
}

// ServiceOptions of a Service. Load, Target and Store are needed.
type ServiceOptions struct {
	// Agent is the slug.
	Agent string
	// Load loads the suite as its files are now; the service closes it. It is called for
	// every listing and run.
	Load func(ctx context.Context) (*Suite, error)
	// Target is where the cases of a run run that somebody started. Without one it does not
	// start: the error is that of Start.
	Target func(by events.Principal) (Target, error)
	Store  *Store
	// Clock defaults to the machine's.
	Clock  clock.Clock
	Logger zerolog.Logger
	// FileReporter and Redact are as in Runner.
	FileReporter func(r Reporter) (Observer, error)
	Redact       func(json []byte) []byte
}

// StartOptions of a run on a host.
type StartOptions struct {
	FilterIDs, Tags []string
	// Timeout is that of the command line; 0: none.
	Timeout time.Duration
	// Verbose keeps results whole. Without it each has its id, description, tags, verdict,
	// error, reason, missed assertions, duration, session and metrics alone.
	Verbose bool
	// By is who starts it: the sessions are theirs.
	By events.Principal
	// Idempotency is kept with the run: a second start with it gives that run as it stands,
	// for 24 hours. Nil: there is none.
	Idempotency *events.Idempotency
}

// NewService gives a service. It is to be closed.
func NewService(o *ServiceOptions) *Service {
	s := &Service{o: *o, loading: make(chan struct{}, 1)}
	if s.o.Clock == nil {
		s.o.Clock = clock.System{}
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// List loads the suite and says what it holds.
func (s *Service) List(ctx context.Context) (*Listing, error) {
	suite, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	defer s.release(suite)
	return suite.List(s.o.Agent, nil), nil
}

// load loads the suite, one at a time, until ctx ends or the service closes.
func (s *Service) load(ctx context.Context) (suite *Suite, err error) {
	if s.ctx.Err() != nil {
		return nil, ErrClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	select {
	case s.loading <- struct{}{}:
		err = guarded(func() (err error) { suite, err = s.o.Load(ctx); return err })
		<-s.loading
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	switch {
	case err != nil && s.ctx.Err() != nil:
		return nil, ErrClosed
	case err == nil && suite == nil:
		err = errors.New("there is no suite")
	}
	if err != nil {
		return nil, fmt.Errorf("loading evals: %w", err)
	}
	return suite, nil
}

func (s *Service) release(suite *Suite) {
	if err := guarded(suite.Close); err != nil {
		s.o.Logger.Warn().Err(err).Str("agent", s.o.Agent).Msg("closing evals")
	}
}

// Runs are the newest, newest first, without results, that under way as it stands. limit
// 0: all that are remembered.
func (s *Service) Runs(limit int) ([]*Run, error) {
	runs, err := s.o.Store.Runs(limit)
	if err != nil {
		return nil, err
	}
	for i, r := range runs {
		if known := s.known(r.ID); known != nil {
			known.Results = nil
			runs[i] = known
		}
	}
	return runs, nil
}

// Run is one as it stands, with its results; ErrUnknownRun.
func (s *Service) Run(id string) (*Run, error) {
	if r := s.known(id); r != nil {
		return r, nil
	}
	return s.o.Store.Run(id)
}

// known is a copy of the run of an id that memory has; nil: it has none.
func (s *Service) known(id string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.live != nil && s.live.id != "" && s.live.id == id:
		return s.shown(s.live)
	case s.last != nil && s.last.ID == id:
		return s.last.clone()
	}
	return nil
}

// shown is a run under way as others see it. One whose cases have all ended is running
// until everything is closed and the next may start.
func (s *Service) shown(l *live) *Run {
	r := l.progress.Run()
	r.Status, r.FinishedAt = RunRunning, nil
	r.DurationMs = max(s.o.Clock.Now().Sub(r.StartedAt), 0).Milliseconds()
	return r
}

// Cancel asks a run to stop and returns it as it stands, which may still be running: its
// status becomes cancelled once its cases rest. ErrUnknownRun, ErrNotRunning.
func (s *Service) Cancel(id string) (*Run, error) {
	s.mu.Lock()
	l := s.live
	if l != nil && l.id != "" && l.id == id {
		l.cancel()
		s.mu.Unlock()
		return s.shown(l), nil
	}
	s.mu.Unlock()
	if _, err := s.Run(id); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s", ErrNotRunning, id)
}

// Close cancels what runs and waits until it is recorded, or ctx ends.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	l := s.live
	s.mu.Unlock()
	s.cancel(errHostStopped)
	if l == nil {
		return nil
	}
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("ending a run of evals: %w", context.Cause(ctx))
	}
}
