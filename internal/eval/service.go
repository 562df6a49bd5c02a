package eval

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A Service runs the evals of one agent on a host, one run at a time, and remembers them.
// It is safe for concurrent use.
type Service struct {
	o ServiceOptions
}

// ServiceOptions of a Service. Load, Target and Store are needed.
type ServiceOptions struct {
	// Agent is the slug.
	Agent string
	// Load loads the suite as its files are now; the service closes it. It is called for
	// every listing and run.
	Load func(ctx context.Context) (*Suite, error)
	// Target is where the cases of a run run that somebody started.
	Target func(by events.Principal) Target
	Store  *Store
	// Clock defaults to the machine's.
	Clock  clock.Clock
	Logger zerolog.Logger
	// FileReporter is as in Runner.
	FileReporter func(r Reporter) (Observer, error)
}

// StartOptions of a run on a host.
type StartOptions struct {
	FilterIDs, Tags []string
	// Timeout is that of the command line; 0: none.
	Timeout time.Duration
	// Verbose keeps results whole. Without it each has its id, verdict, error, reason,
	// missed assertions, duration, session and metrics alone.
	Verbose bool
	// By is who starts it: the sessions are theirs.
	By events.Principal
	// Idempotency is kept with the run: a second start with it gives that run as it stands,
	// for 24 hours. Nil: there is none.
	Idempotency *events.Idempotency
}

// NewService gives a service. It is to be closed.
func NewService(o *ServiceOptions) *Service { return &Service{o: *o} }

// List loads the suite and says what it holds.
func (s *Service) List(ctx context.Context) (*Listing, error) { return nil, nil }

// Start loads the suite and starts a run, which goes on when ctx ends. Its errors:
// ErrRunning, ErrNoConfig, ErrNoCases, ErrOptions, ErrClosed, and those of loading and of
// the disk.
func (s *Service) Start(ctx context.Context, o StartOptions) (*Run, error) { return nil, ErrClosed }

// Runs are the newest, newest first, without results, that under way as it stands. limit
// 0: all that are remembered.
func (s *Service) Runs(limit int) ([]*Run, error) { return nil, nil }

// Run is one as it stands, with its results; ErrUnknownRun.
func (s *Service) Run(id string) (*Run, error) { return nil, ErrUnknownRun }

// Cancel asks a run to stop and returns it as it stands, which may still be running: its
// status becomes cancelled once its cases rest. ErrUnknownRun, ErrNotRunning.
func (s *Service) Cancel(id string) (*Run, error) { return nil, ErrUnknownRun }

// Close cancels what runs and waits until it is recorded, or ctx ends.
func (s *Service) Close(ctx context.Context) error { return nil }
