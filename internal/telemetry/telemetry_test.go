package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"
	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gobdk/bdk/actors/agent"
)

var session = agent.Session{ID: "ses_1", ChannelID: "http", Purpose: "live"}

func open(t *testing.T, o Options) *Telemetry {
	t.Helper()
	tel, err := Open(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tel.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return tel
}

// scrape gives what Prometheus would be shown.
func scrape(t *testing.T, tel *Telemetry, accept string) string {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", accept)
	tel.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func expect(t *testing.T, text string, lines ...string) {
	t.Helper()
	all := strings.Split(text, "\n")
	for _, l := range lines {
		if !slices.Contains(all, l) {
			t.Errorf("there is no line %s in\n%s", l, text)
		}
	}
}

// host.md: "host.otel: increment(name, n = 1, tags?), record(name, value, tags?), tag(key,
// value)"; hooks.md: "Counters, histograms, and tags, attributed to this session".
func TestTelemetry_ForPrometheus(t *testing.T) {
	t.Parallel()
	tel := open(t, Options{Prometheus: true, Version: "1.2.3", Resource: map[string]string{"team": "core"}})
	s := tel.For("reviewer", session)
	s.Increment("acme.tokens.input", 20, nil)
	s.Increment("acme.tokens.input", 22.5, nil)
	s.Increment("acme.turn.failed", 1, map[string]string{"channel": "http"})
	s.Record("acme.files", 3, map[string]string{"repo.name": "a/b"})
	s.Tag("plan", "gold")
	tel.For("other", agent.Session{ID: "ses_2", ChannelID: "chat", Purpose: "eval"}).Increment("acme.tokens.input", 1, nil)
	running := 2.0
	if err := tel.Gauge("bdk.turns.running", "Turns that run.", func() float64 { return running }); err != nil {
		t.Fatal(err)
	}
	if err := tel.Counter("bdk.journal.appends", "Appends.", func() float64 { return 7 }); err != nil {
		t.Fatal(err)
	}
	text := scrape(t, tel, "text/plain")
	expect(t, text,
		`acme_tokens_input_total{bdk_agent="reviewer",bdk_channel="http",bdk_purpose="live"} 42.5`,
		`acme_tokens_input_total{bdk_agent="other",bdk_channel="chat",bdk_purpose="eval"} 1`,
		`acme_turn_failed_total{bdk_agent="reviewer",bdk_channel="http",bdk_purpose="live",channel="http"} 1`,
		`acme_files_sum{bdk_agent="reviewer",bdk_channel="http",bdk_purpose="live",repo_name="a/b"} 3`,
		`acme_files_count{bdk_agent="reviewer",bdk_channel="http",bdk_purpose="live",repo_name="a/b"} 1`,
		`bdk_session_tags_total{bdk_agent="reviewer",bdk_channel="http",bdk_purpose="live",key="plan",value="gold"} 1`,
		`bdk_turns_running 2`,
		`bdk_journal_appends_total 7`,
		`target_info{service_name="bdk",service_version="1.2.3",team="core"} 1`,
	)
	if strings.Contains(text, "ses_") {
		t.Errorf("a session's id makes series:\n%s", text)
	}
	text = scrape(t, tel, "application/openmetrics-text;version=1.0.0")
	if !strings.Contains(text, `gen_ai_conversation_id="ses_1"`) {
		t.Errorf("no exemplar names the session:\n%s", text)
	}
}

// "Nothing is sent unless an OTLP endpoint is set": where one is, measurements go there.
func TestTelemetry_SendsOTLP(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []*metrics.Metric
	var key, path string
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		var req collector.ExportMetricsServiceRequest
		if err == nil {
			err = proto.Unmarshal(b, &req)
		}
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		key, path = r.Header.Get("X-Api-Key"), r.URL.Path
		for _, rm := range req.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				got = append(got, sm.Metrics...)
			}
		}
	}))
	t.Cleanup(sink.Close)
	set := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": sink.URL + "/in/", "OTEL_EXPORTER_OTLP_HEADERS": "x-api-key=a%20b"}
	to, about, err := FromEnv(func(name string) string { return set[name] })
	if err != nil {
		t.Fatal(err)
	}
	tel := open(t, Options{OTLP: to, Resource: about})
	tel.For("reviewer", session).Increment("acme.turns", 2, map[string]string{"kind": "long"})
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if path != "/in/v1/metrics" || key != "a b" {
		t.Errorf("it was sent to %s with the key %q", path, key)
	}
	if len(got) != 1 || got[0].Name != "acme.turns" {
		t.Fatalf("got %v", got)
	}
	point := got[0].GetSum().DataPoints[0]
	attrs := map[string]string{}
	for _, a := range point.Attributes {
		attrs[a.Key] = a.Value.GetStringValue()
	}
	if fmt.Sprint(attrs) != "map[bdk.agent:reviewer bdk.channel:http bdk.purpose:live kind:long]" || point.GetAsDouble() != 2 {
		t.Errorf("got %v, %v", attrs, point.GetAsDouble())
	}
	if x := point.Exemplars[0].FilteredAttributes[0]; x.Key != "gen_ai.conversation.id" || x.Value.GetStringValue() != "ses_1" {
		t.Errorf("the exemplar says %v", x)
	}
}

// Without a sink nothing is measured, and nothing breaks.
func TestTelemetry_WithoutASink(t *testing.T) {
	t.Parallel()
	tel := open(t, Options{})
	s := tel.For("reviewer", session)
	s.Increment("a", 1, nil)
	s.Record("b", 1, nil)
	s.Tag("c", "d")
	if err := tel.Gauge("bdk.x", "", nil); tel != nil || tel.Handler() != nil || err != nil {
		t.Errorf("got %v, %v", tel, err)
	}
}

// warnings gives the log's messages, each with the metric that it is about.
func warnings(t *testing.T, log *bytes.Buffer) (out []string) {
	t.Helper()
	for line := range bytes.Lines(log.Bytes()) {
		var l struct{ Metric, Message string }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l.Metric+": "+strings.TrimPrefix(l.Message, "host.otel: "))
	}
	return out
}

// What cannot be counted as it is given is said once for each name.
func TestTelemetry_NamesAndNumbers(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tel := open(t, Options{Prometheus: true, Logger: zerolog.New(&log)})
	s := tel.For("a", agent.Session{})
	for range 3 {
		s.Increment("", 1, nil)
		s.Increment("9lives", 1, nil)
		s.Increment("消息", 1, nil)
		s.Increment("bdk.turns", 1, nil)
		s.Increment(strings.Repeat("x", 201), 1, nil)
		s.Increment("my count", 1, nil)
		s.Increment("down", -1, nil)
		s.Increment("up", math.Inf(1), nil)
		s.Record("odd", math.NaN(), nil)
		s.Record("my_count_total", 1, nil) // Prometheus could not tell it from the counter
		s.Increment("my.count.total", 1, nil)
	}
	want := []string{
		": it has no name: it is not counted",
		"9lives: its name does not begin with a letter: it is not counted",
		"消息: its name does not begin with a letter: it is not counted",
		"bdk.turns: names that begin with bdk or target_info are the host's own: it is not counted",
		strings.Repeat("x", 200) + ": its name is too long: it is not counted",
		`my count: it is counted as "my_count"`,
		"down: a counter goes up by a number that is not negative, not by -1: it is not counted",
		"up: a counter goes up by a number that is not negative, not by +Inf: it is not counted",
		"odd: NaN is no value for a histogram: it is not counted",
		`my_count_total: it is a histogram, and "my count" was used as a counter before: it is not counted`,
	}
	if got := warnings(t, &log); !slices.Equal(got, want) {
		t.Errorf("warned\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	expect(t, scrape(t, tel, ""), `my_count_total{bdk_agent="a",bdk_channel="",bdk_purpose=""} 6`)
}

// A tag cannot take the place of what the host says, nor break the text.
func TestTelemetry_Tags(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tel := open(t, Options{Prometheus: true, Logger: zerolog.New(&log)})
	s := tel.For("a", session)
	s.Increment("n", 1, map[string]string{"bdk.agent": "x", "le": "y", "": "z", "a-b": "q\"\n\xff", "long": strings.Repeat("é", 100)})
	many := map[string]string{}
	for i := range 12 {
		many[fmt.Sprintf("k%02d", i)] = "v"
	}
	s.Record("m", 1, many)
	text := scrape(t, tel, "")
	expect(t, text,
		`n_total{a_b="q\"\n�",bdk_agent="a",bdk_channel="http",bdk_purpose="live",long="`+strings.Repeat("é", 64)+`",tag_="z",tag_bdk_agent="x",tag_le="y"} 1`)
	if !strings.Contains(text, `k09="v"} 1`) || strings.Contains(text, "k10") {
		t.Errorf("ten tags are kept:\n%s", text)
	}
	if got := warnings(t, &log); len(got) != 1 || !strings.Contains(got[0], "more than 10 tags") {
		t.Errorf("warned %q", got)
	}
}

// Names and tags that never end fill no memory.
func TestTelemetry_Bounds(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tel := open(t, Options{Prometheus: true, Logger: zerolog.New(&log)})
	s := tel.For("a", session)
	for i := range 1_500 {
		s.Increment("visits", 1, map[string]string{"user": fmt.Sprint(i)})
	}
	for i := range 300 {
		s.Increment(fmt.Sprint("name", i), 1, nil)
	}
	text := scrape(t, tel, "")
	expect(t, text, `visits_total{bdk_agent="a",bdk_channel="http",bdk_purpose="live",otel_metric_overflow="true"} 500`)
	if n := strings.Count(text, "\nvisits_total{"); n != maxSeriesOfName+1 {
		t.Errorf("%d series of one name", n)
	}
	if n := strings.Count(text, "\nname"); n != maxNames-1 {
		t.Errorf("%d names beside the first", n)
	}
	if got := warnings(t, &log); len(got) != 2 {
		t.Errorf("warned %q", got)
	}
}

func TestTelemetry_ManyAtOnce(t *testing.T) {
	t.Parallel()
	tel := open(t, Options{Prometheus: true})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			s := tel.For("a", session)
			for range 500 {
				s.Increment("n", 1, map[string]string{"i": fmt.Sprint(i % 2)})
				s.Record("h", 1, nil)
			}
		})
	}
	all.Wait()
	expect(t, scrape(t, tel, ""), `n_total{bdk_agent="a",bdk_channel="http",bdk_purpose="live",i="0"} 2000`, `h_count{bdk_agent="a",bdk_channel="http",bdk_purpose="live"} 4000`)
}
