package cli

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/gobdk/bdk/internal/telemetry"
)

// A tracing makes spans of what a host records while it runs; nil makes none.
type tracing struct {
	*telemetry.Traces
	end  context.CancelFunc
	done sync.WaitGroup
}

// openTraces gives what sends spans where the environment names an endpoint, else nil.
func (a *app) openTraces(ctx context.Context, s *stack) (*tracing, error) {
	to, ratio, err := telemetry.TracesFromEnv(a.getenv)
	if to == nil || err != nil {
		return nil, err
	}
	_, about, err := telemetry.FromEnv(a.getenv)
	if err != nil {
		return nil, err
	}
	a.redactor.Add(slices.Collect(maps.Values(to.Headers))...)
	made, err := telemetry.OpenTraces(ctx, &telemetry.TraceOptions{
		OTLP: to, Ratio: ratio, Content: a.getenv("BDK_OTEL_CONTENT") == "1", Resource: about, Version: Version(), Logger: a.logger,
		Session: func(id string) (agent, channel, purpose string) {
			info, err := s.host.Session(ctx, id)
			if err != nil {
				return "", "", "" // its spans do without
			}
			return info.Agent, info.ChannelID, info.Purpose
		},
	})
	if err != nil {
		return nil, err
	}
	t := &tracing{Traces: made}
	ctx, t.end = context.WithCancel(context.WithoutCancel(ctx))
	from := s.journal.Position()
	t.done.Go(func() { t.Follow(ctx, from, s.journal) })
	return t, nil
}

// close sends the last spans.
func (t *tracing) close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.end()
	t.done.Wait()
	return t.Close(ctx)
}
