package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	otlp "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/gobdk/bdk/events"
)

// TraceOptions of a Traces.
type TraceOptions struct {
	// OTLP is where spans are sent, as TracesFromEnv finds it; required.
	OTLP *OTLP
	// Ratio of the turns that are traced, from 0 to 1.
	Ratio float64
	// Content puts prompts, replies, arguments and results into spans.
	Content bool
	// Resource and Version are as in Options.
	Resource map[string]string
	Version  string
	// Session tells of a session whose start lies before this process.
	Session func(id string) (agent, channel, purpose string)
	Logger  zerolog.Logger
}

// Traces turn the log into spans: a turn is a trace, its steps, tools and subagents
// are spans in it. Their ids come from those of the log, so that what is folded
// again after a restart is the same span. Spans are made when they end.
type Traces struct {
	o        TraceOptions
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	sampler  sdk.Sampler
	closing  sync.Once
	closeErr error

	mu       sync.Mutex
	sessions map[string]about
	turns    map[string]*turn // by session and turn
	full     bool             // said once that there are too many
}

// An about is what all spans of a session say.
type about struct{ agent, channel, purpose string }

// OpenTraces starts to send spans.
func OpenTraces(ctx context.Context, o *TraceOptions) (*Traces, error) {
	x, err := otlp.New(ctx, o.OTLP.traceOptions()...)
	if err != nil {
		return nil, fmt.Errorf("telemetry: preparing to send to %s: %w", o.OTLP.shown(), err)
	}
	q := quiet{o.Logger}
	otel.SetErrorHandler(q)
	otel.SetLogger(funcr.New(func(_, text string) { q.Println(text) }, funcr.Options{}))
	return newTraces(o, sdk.WithBatcher(x)), nil
}

func newTraces(o *TraceOptions, to sdk.TracerProviderOption) *Traces {
	t := &Traces{o: *o, sampler: sdk.TraceIDRatioBased(o.Ratio), sessions: map[string]about{}, turns: map[string]*turn{}}
	about := describe(&Options{Resource: o.Resource, Version: o.Version})
	t.provider = sdk.NewTracerProvider(to, sdk.WithResource(about), sdk.WithIDGenerator(givenIDs{}), sdk.WithSampler(sdk.ParentBased(t.sampler)))
	t.tracer = t.provider.Tracer("github.com/gobdk/bdk")
	return t
}

// A Log is where events are read from.
type Log interface {
	Position() uint64
	Range(from uint64, max int) ([]*events.Event, uint64, error)
	Wait(ctx context.Context, at uint64) error
}

// Follow folds what is recorded from now on, until ctx ends or the log is closed.
func (t *Traces) Follow(ctx context.Context, from uint64, log Log) {
	for log.Wait(ctx, from+1) == nil {
		evs, next, err := log.Range(from, 256)
		if next == from {
			if err != nil {
				t.o.Logger.Warn().Err(err).Msg("telemetry: the log cannot be read, so no more spans are made")
			}
			return
		}
		for _, e := range evs {
			t.Apply(e)
		}
		from = next
	}
}

// Request begins the span of an HTTP request; the caller ends it with its status. The
// route is the path's pattern.
func (t *Traces) Request(r *http.Request, route string) (end func(status int, session string)) {
	if t == nil {
		return func(int, string) {}
	}
	began := time.Now()
	method := r.Method
	return func(status int, session string) {
		attrs := []attribute.KeyValue{
			attribute.String("http.request.method", method), attribute.String("http.route", route), attribute.Int("http.response.status_code", status),
		}
		if session != "" {
			attrs = append(attrs, sessionKey.String(session))
		}
		if status >= 500 {
			attrs = append(attrs, attribute.String("error.type", fmt.Sprint(status)))
		}
		_, s := t.tracer.Start(context.Background(), method+" "+route, trace.WithTimestamp(began), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attrs...))
		s.End()
	}
}

// Close sends what is left, until ctx ends. It is idempotent.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.closing.Do(func() {
		if err := t.provider.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.closeErr = fmt.Errorf("telemetry: sending the last spans: %w", err)
		}
	})
	return t.closeErr
}
