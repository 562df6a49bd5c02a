package telemetry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/metric"
)

// Gauge shows what f gives whenever somebody looks. f is called from any goroutine
// and must be quick. name begins with "bdk.".
func (t *Telemetry) Gauge(name, about string, f func() float64) error {
	if t == nil {
		return nil
	}
	_, err := t.meter.Float64ObservableGauge(name, metric.WithDescription(about), metric.WithFloat64Callback(observe(f)))
	return wrap(name, err)
}

// Counter shows what f gives, which never goes down, whenever somebody looks. What
// holds for a Gauge holds for it.
func (t *Telemetry) Counter(name, about string, f func() float64) error {
	if t == nil {
		return nil
	}
	_, err := t.meter.Float64ObservableCounter(name, metric.WithDescription(about), metric.WithFloat64Callback(observe(f)))
	return wrap(name, err)
}

func observe(f func() float64) metric.Float64Callback {
	return func(_ context.Context, o metric.Float64Observer) error {
		o.Observe(f())
		return nil
	}
}

func wrap(name string, err error) error {
	if err != nil {
		return fmt.Errorf("telemetry: %s: %w", name, err)
	}
	return nil
}
