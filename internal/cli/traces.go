package cli

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/telemetry"
	"github.com/gobdk/bdk/transport"
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
		Before: func(log string, index uint64) []*events.Event { return eventsBefore(s.journal, log, index) },
		Keep:   sentSpans{s.journal.Space("telemetry")},
	})
	if err != nil {
		return nil, err
	}
	t := &tracing{Traces: made}
	ctx, t.end = context.WithCancel(context.WithoutCancel(ctx))
	t.done.Go(func() { t.Follow(ctx, s.began, s.journal) })
	return t, nil
}

// recalled is how many events of a log are read at most to know what was open.
const recalled = 10_000

// eventsBefore gives the events of a log below an index; fewer where some cannot be read.
func eventsBefore(j *journal.Journal, log string, index uint64) (list []*events.Event) {
	for from := index - min(index, recalled); from < index; {
		lines, err := j.ReadSome(log, from, index)
		if err != nil || len(lines) == 0 {
			return list
		}
		for i := range lines {
			if e, err := events.Decode(lines[i].Data); err == nil {
				list = append(list, e)
			}
		}
		from += uint64(len(lines))
	}
	return list
}

// sentSpans keep how far spans were sent, in the journal's store.
type sentSpans struct{ space *journal.Space }

var spansKey = []byte("spans")

// Load is telemetry.Keeper's.
func (k sentSpans) Load() (position uint64, ok bool, err error) {
	text, ok, err := k.space.Get(spansKey)
	if err != nil || !ok {
		return 0, false, err
	}
	position, err = strconv.ParseUint(string(text), 10, 64)
	return position, err == nil, err
}

// Save is telemetry.Keeper's. A crash may lose what was saved last: spans are sent again then.
func (k sentSpans) Save(position uint64) error {
	b := k.space.NewBatch()
	b.Set(spansKey, strconv.AppendUint(nil, position, 10))
	return b.Commit(false)
}

// request is transport.Options.Trace.
func (t *tracing) request(r *http.Request, route string) func(transport.Traced) {
	end := t.Request(r, route)
	return func(e transport.Traced) { end(telemetry.Served(e)) }
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
