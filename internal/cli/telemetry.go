package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/gobdk/bdk/internal/telemetry"
)

// openTelemetry gives what measurements go to: text for Prometheus, where the edge
// serves it, and the OTLP endpoint that the environment names. Nil when there is neither.
func (a *app) openTelemetry(ctx context.Context, prometheus bool) (*telemetry.Telemetry, error) {
	to, about, err := telemetry.FromEnv(a.getenv)
	if err != nil {
		return nil, err
	}
	if to != nil {
		a.redactor.Add(slices.Collect(maps.Values(to.Headers))...)
	}
	return telemetry.Open(ctx, &telemetry.Options{Prometheus: prometheus, OTLP: to, Resource: about, Version: Version(), Logger: a.logger})
}

// measureHost shows what the host itself counts.
func (s *stack) measureHost() error {
	journal := s.journal.Metrics
	return errors.Join(
		s.measure.Gauge("bdk.turns.running", "Sessions whose turn, or direct call, runs.", func() float64 { return float64(s.host.Running()) }),
		s.measure.Counter("bdk.journal.appends", "Appends that are on disk, since the start.", func() float64 { return float64(journal().Appends) }),
		s.measure.Counter("bdk.journal.events", "Events that are on disk, since the start.", func() float64 { return float64(journal().Events) }),
		s.measure.Counter("bdk.journal.syncs", "Syncs of the disk, since the start.", func() float64 { return float64(journal().Syncs) }),
	)
}

// telemetryTime is how long the last measurements may take to be sent.
const telemetryTime = 5 * time.Second

// closeTelemetry sends the last measurements. That they cannot be sent is no fault of
// what was done.
func (s *stack) closeTelemetry(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), telemetryTime)
	defer cancel()
	if err := errors.Join(s.traces.close(ctx), s.measure.Close(ctx)); err != nil {
		s.edge.Logger.Warn().Err(err).Msg("measurements were lost")
	}
}
