package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/logs"
	"github.com/gobdk/bdk/internal/telemetry"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

// A stack is a host in this process with all that it stands on.
type stack struct {
	agents  []*agent.Agent
	journal *journal.Journal
	views   *projections.Views
	host    *actors.Host
	measure *telemetry.Telemetry // nil: nobody wants to know
	traces  *tracing             // … nor of this
	core    actors.Options       // as they were given
	edge    transport.Options
	handler http.Handler
	base    string        // the host's URL; empty where it has none
	evals   *evalServices // nil: there are none
	landing *landing      // nil: browsers come back to the host's URL
	began   uint64        // the journal's position when the host started
}

// urlOf is where an agent is served.
func (s *stack) urlOf(mode string, ag *agent.Agent) string {
	if mode == transport.ModeMulti {
		return s.base + "/" + ag.Slug
	}
	return s.base
}

// openJournal opens the state root; a *journal.LockedError says who holds it.
func (a *app) openJournal(root string) (*journal.Journal, error) {
	j, err := journal.Open(root, &journal.Options{Logger: a.logger})
	var locked *journal.LockedError
	if errors.As(err, &locked) {
		return nil, locked
	}
	if err != nil {
		return nil, cannotStart("opening the state root %s: %w", root, err)
	}
	return j, nil
}

// start starts a host over a journal; metrics says that the edge serves them. The
// journal and the agents are the stack's from now on, also when it does not start.
func (a *app) start(ctx context.Context, agents []*agent.Agent, j *journal.Journal, core actors.Options, edge transport.Options, metrics bool) (*stack, error) {
	defer a.progress("starting the host")()
	a.recordings.own.Store(j)
	s := &stack{agents: agents, journal: j, edge: edge, began: j.Position()}
	fail := func(err error) (*stack, error) {
		return nil, errors.Join(cannotStart("starting the host: %w", err), s.close(ctx))
	}
	var err error
	if s.views, err = projections.Start(context.WithoutCancel(ctx), &projections.Options{Journal: j, Prices: core.Prices, Logger: a.logger}); err != nil {
		return fail(err)
	}
	if s.measure, err = a.openTelemetry(ctx, metrics); err != nil {
		return fail(err)
	}
	core.Telemetry, s.edge.Metrics = s.measure, s.measure.Handler()
	core.Manual, core.Redact = edge.Dev, a.redactor.Text
	core.Lenient = true // a command says itself what it does not start
	core.Journal, core.Views, core.Agents, core.Logger, core.Environ = j, s.views, agents, a.logger, a.Environ
	if s.host, err = actors.Start(context.WithoutCancel(ctx), &core); err != nil {
		return fail(err)
	}
	if err = s.measureHost(); err != nil {
		return fail(err)
	}
	if s.traces, err = a.openTraces(ctx, s); err != nil {
		return fail(err)
	}
	if s.traces != nil {
		s.edge.Trace = s.traces.request
	}
	s.edge.Host, s.edge.Views, s.edge.Logs, s.edge.Logger, s.edge.Version = s.host, s.views, recent{a.log}, a.logger, Version()
	if s.handler, err = transport.NewHandler(&s.edge); err != nil {
		return fail(err)
	}
	return s, nil
}

// closeEvals cancels the eval runs, which are recorded within the bound of a graceful end.
func (s *stack) closeEvals(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
	defer cancel()
	return s.evals.close(ctx)
}

// close ends running turns within the context's bound, then everything else.
func (s *stack) close(ctx context.Context) error {
	var errs []error
	if s.host != nil {
		errs = append(errs, s.host.Close(ctx))
	}
	return errors.Join(append(errs, s.landing.close(ctx), s.closeBelow(ctx))...)
}

// closeBelow ends what the host stood on.
func (s *stack) closeBelow(ctx context.Context) error {
	var errs []error
	s.closeTelemetry(ctx)
	if s.views != nil {
		errs = append(errs, s.views.Close(context.WithoutCancel(ctx)))
	}
	errs = append(errs, s.journal.Close(), closeAgents(s.agents))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing the state root: %w", err)
	}
	return nil
}

// recent gives the log's lines in the form of the edge.
type recent struct{ log *logs.Log }

func (r recent) After(n uint64) ([]transport.LogLine, uint64) {
	kept, next := r.log.After(n)
	lines := make([]transport.LogLine, len(kept))
	for i, l := range kept {
		lines[i] = transport.LogLine(l)
	}
	return lines, next
}
