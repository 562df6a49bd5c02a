package telemetry

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/gobdk/bdk/actors/agent"
)

// Attributes of every measurement of a session. A session's id would make a series
// for each session: it goes into exemplars alone.
const (
	agentKey   = attribute.Key("bdk.agent")
	channelKey = attribute.Key("bdk.channel")
	purposeKey = attribute.Key("bdk.purpose")
	sessionKey = attribute.Key("gen_ai.conversation.id")

	overflowKey = attribute.Key("otel.metric.overflow")
)

// tagsCounter counts what sessions were tagged with.
const tagsCounter = "bdk.session.tags"

// withoutSession keeps the session's id out of series; exemplars keep what is left out.
func withoutSession(i sdk.Instrument) (sdk.Stream, bool) {
	return sdk.Stream{Name: i.Name, Description: i.Description, Unit: i.Unit, AttributeFilter: attribute.NewDenyKeysFilter(sessionKey)}, true
}

// sessionTelemetry is the telemetry of one session.
type sessionTelemetry struct {
	t       *Telemetry
	session string
	base    []attribute.KeyValue
}

// For gives the telemetry of a session of an agent.
func (t *Telemetry) For(slug string, s agent.Session) agent.Telemetry {
	if t == nil {
		return nothing{}
	}
	return &sessionTelemetry{t: t, session: s.ID, base: []attribute.KeyValue{
		agentKey.String(slug), channelKey.String(s.ChannelID), purposeKey.String(s.Purpose),
	}}
}

// Increment is agent.Telemetry's. What cannot be counted is said in the log, once.
func (s *sessionTelemetry) Increment(name string, n float64, tags map[string]string) {
	if n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		s.t.users.warn(name, fmt.Sprintf("a counter goes up by a number that is not negative, not by %v: it is not counted", n))
		return
	}
	s.measure(name, counter, n, tags)
}

// Record is agent.Telemetry's.
func (s *sessionTelemetry) Record(name string, value float64, tags map[string]string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		s.t.users.warn(name, fmt.Sprintf("%v is no value for a histogram: it is not counted", value))
		return
	}
	s.measure(name, histogram, value, tags)
}

// Tag is agent.Telemetry's: the tag is counted, and said in the log with the session.
func (s *sessionTelemetry) Tag(key, value string) {
	s.t.log.Debug().Str("session", s.session).Str("key", key).Str("value", value).Msg("a session was tagged")
	s.put(s.t.users.own(tagsCounter), 1, []attribute.KeyValue{
		attribute.String("key", cut(key, maxKeyBytes)), attribute.String("value", cut(value, maxValueBytes)),
	})
}

func (s *sessionTelemetry) measure(name string, k kind, value float64, tags map[string]string) {
	if x := s.t.users.find(name, k); x != nil {
		s.put(x, value, s.attributes(name, tags))
	}
}

// attributes are the tags in the form in which they are kept, in the order of their keys.
func (s *sessionTelemetry) attributes(name string, tags map[string]string) []attribute.KeyValue {
	keys := slices.Sorted(maps.Keys(tags))
	if len(keys) > maxTags {
		s.t.users.warn(name, fmt.Sprintf("it has more than %d tags: the rest is left out", maxTags))
		keys = keys[:maxTags]
	}
	var out []attribute.KeyValue
	for _, k := range keys {
		out = append(out, attribute.String(cleanKey(k), cut(tags[k], maxValueBytes)))
	}
	return out
}

func (s *sessionTelemetry) put(x *instrument, value float64, tags []attribute.KeyValue) {
	if x == nil {
		return
	}
	set := attribute.NewSet(slices.Concat(tags, s.base)...)
	if !s.t.users.admits(x, set) {
		set = attribute.NewSet(slices.Concat(s.base, []attribute.KeyValue{overflowKey.Bool(true)})...)
	}
	if s.session != "" {
		set = attribute.NewSet(append(set.ToSlice(), sessionKey.String(s.session))...)
	}
	x.record(context.Background(), value, metric.WithAttributeSet(set))
}

// nothing counts nothing.
type nothing struct{}

// Increment is agent.Telemetry's.
func (nothing) Increment(string, float64, map[string]string) {}

// Record is agent.Telemetry's.
func (nothing) Record(string, float64, map[string]string) {}

// Tag is agent.Telemetry's.
func (nothing) Tag(string, string) {}
