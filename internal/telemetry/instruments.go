package telemetry

import (
	"context"
	"fmt"
	"sync"

	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Bounds of what is kept in memory for the metrics of users.
const (
	maxNames        = 200
	maxSeriesOfName = 1_000
	maxSeries       = 10_000
	maxWarnings     = 1_000
)

type kind string

const (
	counter   kind = "counter"
	histogram kind = "histogram"
)

// instruments are the metrics that authors count and measure with. Their names are
// made up as they come, so everything about them is bounded.
type instruments struct {
	meter metric.Meter
	log   zerolog.Logger

	mu     sync.Mutex
	names  map[string]*instrument // by Prometheus' name
	series int
	warned map[string]bool
}

// An instrument is one metric. Its series are guarded by the instruments' lock.
type instrument struct {
	name   string
	kind   kind
	record func(context.Context, float64, metric.MeasurementOption)
	series map[attribute.Distinct]bool
}

func newInstruments(m metric.Meter, log zerolog.Logger) *instruments {
	return &instruments{meter: m, log: log, names: map[string]*instrument{}, warned: map[string]bool{}}
}

// find gives the instrument of a name, nil when it is refused.
func (s *instruments) find(name string, k kind) *instrument {
	clean, refused := cleanName(name)
	if refused != "" {
		s.warn(name, refused+": it is not counted")
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := family(clean, k)
	x := s.names[at]
	switch {
	case x == nil && len(s.names) >= maxNames:
		s.warnLocked("", fmt.Sprintf("there are %d metrics already: further names are not counted; put what varies into tags", maxNames))
		return nil
	case x == nil:
		return s.addLocked(at, clean, name, k)
	case x.kind != k:
		s.warnLocked(name, fmt.Sprintf("it is a %s, and %q was used as a %s before: it is not counted", k, x.name, x.kind))
		return nil
	}
	return x
}

// own gives the instrument of a counter of the host's.
func (s *instruments) own(name string) *instrument {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.names[name]; x != nil {
		return x
	}
	return s.addLocked(name, name, name, counter)
}

func (s *instruments) addLocked(at, clean, name string, k kind) *instrument {
	x := &instrument{name: name, kind: k, series: map[attribute.Distinct]bool{}}
	var err error
	if k == counter {
		var c metric.Float64Counter
		c, err = s.meter.Float64Counter(clean)
		x.record = func(ctx context.Context, v float64, o metric.MeasurementOption) { c.Add(ctx, v, o) }
	} else {
		var h metric.Float64Histogram
		h, err = s.meter.Float64Histogram(clean)
		x.record = func(ctx context.Context, v float64, o metric.MeasurementOption) { h.Record(ctx, v, o) }
	}
	if err != nil {
		s.warnLocked(name, err.Error())
		return nil
	}
	if clean != name {
		s.warnLocked(name, fmt.Sprintf("it is counted as %q", clean))
	}
	s.names[at] = x
	return x
}

// admits says whether a series may be kept: one that is there, or one more.
func (s *instruments) admits(x *instrument, set attribute.Set) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := set.Equivalent()
	switch {
	case x.series[key]:
		return true
	case len(x.series) >= maxSeriesOfName || s.series >= maxSeries:
		s.warnLocked(x.name, "it has too many different tags: further ones are counted together, as otel_metric_overflow")
		return false
	}
	x.series[key] = true
	s.series++
	return true
}

// warn says something about a metric, once.
func (s *instruments) warn(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnLocked(name, text)
}

func (s *instruments) warnLocked(name, text string) {
	name = cut(name, maxNameBytes)
	key := name + "\x00" + text
	if s.warned[key] || len(s.warned) >= maxWarnings {
		return
	}
	s.warned[key] = true
	s.log.Warn().Str("metric", name).Msg("host.otel: " + text)
}
