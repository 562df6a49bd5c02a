package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
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
	// Before gives the events of a log below an index, as far as they are worth to be
	// read: a turn that was open when reading began is known by them. Nil: it is not.
	Before func(log string, index uint64) []*events.Event
	// Keep holds how far spans were sent; nil: nobody does, and Follow begins at the end.
	Keep   Keeper
	Logger zerolog.Logger
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
	// reached is how far Follow came when it ended.
	reached atomic.Uint64

	mu       sync.Mutex
	sessions map[string]about
	copied   map[string]uint64 // forks whose history is being copied, and how many events of them that is
	turns    map[string]*turn  // by session and turn
	direct   map[string]*call  // by log and call
	full     bool              // said once that there are too many
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
	t := &Traces{o: *o, sampler: sdk.TraceIDRatioBased(o.Ratio), sessions: map[string]about{}, copied: map[string]uint64{}, turns: map[string]*turn{}, direct: map[string]*call{}}
	about := describe(&Options{Resource: o.Resource, Version: o.Version})
	t.provider = sdk.NewTracerProvider(to, sdk.WithResource(about), sdk.WithIDGenerator(givenIDs{}), sdk.WithSampler(sdk.ParentBased(t.sampler)))
	t.tracer = t.provider.Tracer("github.com/gobdk/bdk")
	return t
}

// A Served says how an HTTP request ended.
type Served struct {
	Status int
	// Session and Tool are what it was about; empty where it was about none.
	Session, Tool string
}

// Request begins the span of an HTTP request; the caller ends it. The route is the
// path's pattern.
func (t *Traces) Request(r *http.Request, route string) (end func(Served)) {
	if t == nil {
		return func(Served) {}
	}
	began := time.Now()
	method := r.Method
	return func(s Served) {
		attrs := []attribute.KeyValue{
			attribute.String("http.request.method", method), attribute.String("http.route", route), attribute.Int("http.response.status_code", s.Status),
		}
		if s.Session != "" {
			attrs = append(attrs, sessionKey.String(s.Session))
		}
		if s.Tool != "" {
			attrs = append(attrs, toolKey.String(s.Tool))
		}
		if s.Status >= 500 {
			attrs = append(attrs, errorKey.String(fmt.Sprint(s.Status)))
		}
		_, made := t.tracer.Start(context.Background(), method+" "+route, trace.WithTimestamp(began), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attrs...))
		made.End()
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
			return
		}
		if at := t.reached.Load(); at > 0 && t.o.Keep != nil {
			if err := t.o.Keep.Save(at); err != nil {
				t.o.Logger.Warn().Err(err).Msg("telemetry: how far spans were sent cannot be kept, so some are sent again")
			}
		}
	})
	return t.closeErr
}
