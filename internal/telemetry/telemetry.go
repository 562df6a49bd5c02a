// Package telemetry is where a host's measurements go: counters and histograms of
// sessions and of the host itself, as text for Prometheus and to an OTLP endpoint.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	otlp "go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	"go.opentelemetry.io/otel/sdk/resource"
)

// Options of a Telemetry. The zero value measures for nobody.
type Options struct {
	// Prometheus says that Handler is wanted.
	Prometheus bool
	// OTLP is where measurements are sent, as FromEnv finds it; nil: nowhere.
	OTLP *OTLP
	// Resource are attributes of the process, beside service.name and service.version.
	Resource map[string]string
	// Version is that of the host.
	Version string
	Logger  zerolog.Logger
}

// A Telemetry takes measurements. It is safe for concurrent use.
type Telemetry struct {
	log      zerolog.Logger
	provider *sdk.MeterProvider
	meter    metric.Meter
	users    *instruments
	handler  http.Handler
	closing  sync.Once
	closeErr error
}

// Open starts what the options ask for. Without Prometheus and OTLP it gives nil, on
// which every method may be called and does nothing.
func Open(ctx context.Context, o *Options) (*Telemetry, error) {
	if !o.Prometheus && o.OTLP == nil {
		return nil, nil
	}
	t := &Telemetry{log: o.Logger}
	opts := []sdk.Option{
		sdk.WithResource(describe(o)),
		sdk.WithExemplarFilter(exemplar.AlwaysOnFilter),
		sdk.WithView(withoutSession),
	}
	if o.OTLP != nil {
		x, err := otlp.New(ctx, o.OTLP.options()...)
		if err != nil {
			return nil, fmt.Errorf("telemetry: preparing to send to %s: %w", o.OTLP.shown(), err)
		}
		opts = append(opts, sdk.WithReader(sdk.NewPeriodicReader(x, o.OTLP.schedule()...)))
	}
	if o.Prometheus {
		registry := prometheus.NewRegistry()
		x, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo())
		if err != nil {
			return nil, fmt.Errorf("telemetry: preparing metrics for Prometheus: %w", err)
		}
		opts = append(opts, sdk.WithReader(x))
		t.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: quiet{o.Logger}, ErrorHandling: promhttp.ContinueOnError, EnableOpenMetrics: true})
	}
	q := quiet{o.Logger} // what goes wrong while sending has no other way out
	otel.SetErrorHandler(q)
	otel.SetLogger(funcr.New(func(_, text string) { q.Println(text) }, funcr.Options{}))
	t.provider = sdk.NewMeterProvider(opts...)
	t.meter = t.provider.Meter("github.com/gobdk/bdk")
	t.users = newInstruments(t.meter, o.Logger)
	return t, nil
}

// describe is what all measurements say of the process.
func describe(o *Options) *resource.Resource {
	attrs := []attribute.KeyValue{attribute.String("service.name", "bdk")}
	if o.Version != "" {
		attrs = append(attrs, attribute.String("service.version", o.Version))
	}
	for k, v := range o.Resource {
		attrs = append(attrs, attribute.String(k, v)) // the last of a key counts
	}
	return resource.NewSchemaless(attrs...)
}

// Handler serves the measurements as text for Prometheus; nil when that was not asked for.
func (t *Telemetry) Handler() http.Handler {
	if t == nil {
		return nil
	}
	return t.handler
}

// Close sends what is left, until ctx ends. It is idempotent.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.closing.Do(func() {
		if err := t.provider.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.closeErr = fmt.Errorf("telemetry: sending the last measurements: %w", err)
		}
	})
	return t.closeErr
}

// quiet logs what libraries have to say.
type quiet struct{ log zerolog.Logger }

// Handle is otel.ErrorHandler's.
func (q quiet) Handle(err error) { q.log.Warn().Err(err).Msg("telemetry: measurements were lost") }

// Println is promhttp's.
func (q quiet) Println(v ...any) { q.log.Warn().Msg("telemetry: " + fmt.Sprint(v...)) }
