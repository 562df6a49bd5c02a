package telemetry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// replay folds a turn with a tool and a subagent, an event each second.
func replay(t *Traces, session string, from int) {
	cost := &events.Cost{TotalUSD: 0.25, Model: "m"}
	use := &events.Usage{InputTokens: 100, CacheReadTokens: 900, OutputTokens: 20, ReasoningTokens: 5}
	said := []struct {
		turn string
		d    events.Payload
	}{
		{"", &events.SessionStarted{Agent: "desk", ChannelID: "http", Purpose: "live"}},
		{"turn_1", &events.MessageReceived{Text: "my secret", From: "user"}},
		{"turn_1", &events.TurnStarted{Model: "lab/m"}},
		{"turn_1", &events.StepStarted{Step: 1, Attempt: 1}},
		{"turn_1", &events.MessageCompleted{FinishReason: "tool-calls"}},
		{"turn_1", &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: "tool-calls", Usage: use, Provider: &events.Provider{Name: "lab", Model: "m-1"}}},
		{"turn_1", &events.ActionsRequested{Calls: []events.Call{{CallID: "call_1", ToolName: "task"}, {CallID: "call_2", ToolName: "look", Args: json.RawMessage(`{"q":"my args"}`)}}}},
		{"turn_1", &events.SubagentCalled{CallID: "call_1", Name: "scout"}},
		{"turn_1", &events.StepStarted{Step: 1, Attempt: 1, ParentCallID: "call_1"}},
		{"turn_1", &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: "stop", ParentCallID: "call_1"}},
		{"turn_1", &events.SubagentCompleted{CallID: "call_1", Name: "scout"}},
		{"turn_1", &events.ActionResult{CallID: "call_1", ToolName: "task"}},
		{"turn_1", &events.ActionResult{CallID: "call_2", ToolName: "look", IsError: true, Code: "timeout"}},
		{"turn_1", &events.StepStarted{Step: 2, Attempt: 3}},
		{"turn_1", &events.MessageCompleted{Text: "my reply", FinishReason: "stop"}},
		{"turn_1", &events.StepCompleted{Step: 2, Attempt: 3, FinishReason: "stop"}},
		{"turn_1", &events.TurnCompleted{Usage: use, Cost: cost}},
	}
	for i, x := range said {
		if i < from {
			continue
		}
		e := events.New(x.turn, began.Add(time.Duration(i)*time.Second), x.d)
		e.SessionID, e.Index = session, uint64(i)
		t.Apply(&e)
	}
}

func kept(o TraceOptions) (*Traces, *tracetest.InMemoryExporter) {
	x := tracetest.NewInMemoryExporter()
	if o.Ratio == 0 {
		o.Ratio = 1
	}
	return newTraces(&o, sdk.WithSyncer(x)), x
}

// picture shows spans as "name < its parent's name, from-to".
func picture(spans tracetest.SpanStubs) (lines []string) {
	names := map[string]string{}
	for _, s := range spans {
		names[s.SpanContext.SpanID().String()] = s.Name
	}
	for _, s := range spans {
		lines = append(lines, fmt.Sprintf("%s < %s %d-%d", s.Name, names[s.Parent.SpanID().String()], int(s.StartTime.Sub(began).Seconds()), int(s.EndTime.Sub(began).Seconds())))
	}
	return lines
}

func attributes(spans tracetest.SpanStubs, name string) string {
	var all []string
	for _, s := range spans {
		if s.Name == name {
			for _, a := range s.Attributes {
				all = append(all, string(a.Key)+"="+a.Value.String())
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// packs.md: "Spans `invoke_agent {agent}` (a turn), `chat {model}` (a step),
// `execute_tool {tool}`"; host.md: "Traces: request, turn, model step, tool, subagent".
func TestTraces_Tree(t *testing.T) {
	t.Parallel()
	tr, x := kept(TraceOptions{})
	replay(tr, "ses_1", 0)
	want := []string{
		"chat lab/m < invoke_agent desk 3-5",
		"chat lab/m < invoke_agent scout 8-9",
		"invoke_agent scout < execute_tool task 7-10",
		"execute_tool task < invoke_agent desk 6-11",
		"execute_tool look < invoke_agent desk 6-12",
		"chat lab/m < invoke_agent desk 13-15",
		"invoke_agent desk <  2-16",
	}
	if got := picture(x.GetSpans()); !slices.Equal(got, want) {
		t.Errorf("spans:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, s := range x.GetSpans() {
		if s.SpanContext.TraceID() != traceID("ses_1", "turn_1") {
			t.Errorf("%s is in another trace", s.Name)
		}
	}
	turn := attributes(x.GetSpans(), "invoke_agent desk")
	for _, part := range []string{"gen_ai.conversation.id=ses_1", "bdk.turn.id=turn_1", "bdk.cost.usd=0.25", "gen_ai.agent.name=desk",
		"gen_ai.usage.input_tokens=1000", "gen_ai.usage.cache_read.input_tokens=900", "gen_ai.usage.reasoning.output_tokens=5"} {
		if !strings.Contains(turn, part) {
			t.Errorf("the turn's span has %s, expected %s in it", turn, part)
		}
	}
	if tool := attributes(x.GetSpans(), "execute_tool look"); !strings.Contains(tool, "error.type=timeout") {
		t.Errorf("the failed tool's span has %s", tool)
	}
	if steps := attributes(x.GetSpans(), "chat lab/m"); !strings.Contains(steps, "bdk.attempt=3") || !strings.Contains(steps, "gen_ai.response.model=m-1") {
		t.Errorf("the steps' spans have %s", steps)
	}
}

// host.md: "Prompts and outputs are not in spans unless BDK_OTEL_CONTENT=1".
func TestTraces_Content(t *testing.T) {
	t.Parallel()
	for _, content := range []bool{false, true} {
		tr, x := kept(TraceOptions{Content: content})
		replay(tr, "ses_1", 0)
		all := fmt.Sprint(x.GetSpans())
		for _, text := range []string{"my secret", "my reply", "my args"} {
			if strings.Contains(all, text) != content {
				t.Errorf("content %v: %q is in the spans: %v", content, text, !content)
			}
		}
	}
}

// What is folded again after a restart is the same span, and a turn whose start was
// not seen has one all the same.
func TestTraces_AfterRestart(t *testing.T) {
	t.Parallel()
	first, x := kept(TraceOptions{})
	replay(first, "ses_1", 0)
	asked := ""
	second, y := kept(TraceOptions{Session: func(id string) (string, string, string) { asked = id; return "desk", "http", "live" }})
	replay(second, "ses_1", 9)
	if asked != "ses_1" {
		t.Error("nobody was asked for the session's agent")
	}
	ids := func(spans tracetest.SpanStubs) (all []string) {
		for _, s := range spans {
			all = append(all, s.Name+s.SpanContext.SpanID().String())
		}
		return all
	}
	for _, id := range ids(y.GetSpans()) {
		if !slices.Contains(ids(x.GetSpans()), strings.Replace(id, "chat ", "chat lab/m", 1)) && !slices.Contains(ids(x.GetSpans()), id) {
			t.Errorf("the span %s is another than before: %q", id, ids(x.GetSpans()))
		}
	}
	if len(second.turns) > 0 {
		t.Error("turns that ended are kept")
	}
}

func TestTraces_Ratio(t *testing.T) {
	t.Parallel()
	tr, x := kept(TraceOptions{Ratio: 0.5})
	for i := range 200 {
		replay(tr, fmt.Sprint("ses_", i), 0)
	}
	turns := map[string]int{}
	for _, s := range x.GetSpans() {
		turns[s.SpanContext.TraceID().String()]++
	}
	if len(turns) < 60 || len(turns) > 140 {
		t.Errorf("%d of 200 turns are traced at a ratio of 0.5", len(turns))
	}
	for id, n := range turns {
		if n != 7 {
			t.Errorf("trace %s has %d spans, expected all 7 or none", id, n)
		}
	}
}

func TestTracesFromEnv(t *testing.T) {
	t.Parallel()
	const all = "OTEL_EXPORTER_OTLP_ENDPOINT=http://c"
	for _, c := range []struct{ set, want string }{
		{"", "nowhere"},
		{all, "http://c/v1/traces 1"},
		{all + ";OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://t/x", "http://t/x 1"},
		{all + ";OTEL_TRACES_EXPORTER=none", "nowhere"},
		{all + ";OTEL_TRACES_EXPORTER=zipkin", "OTEL_TRACES_EXPORTER is \"zipkin\""},
		{all + ";OTEL_TRACES_SAMPLER=always_off", "nowhere"},
		{all + ";OTEL_TRACES_SAMPLER=parentbased_traceidratio;OTEL_TRACES_SAMPLER_ARG=0.25", "http://c/v1/traces 0.25"},
		{all + ";OTEL_TRACES_SAMPLER=traceidratio;OTEL_TRACES_SAMPLER_ARG=2", "a number from 0 to 1"},
		{all + ";OTEL_TRACES_SAMPLER=jaeger_remote", "OTEL_TRACES_SAMPLER is \"jaeger_remote\""},
	} {
		to, ratio, err := TracesFromEnv(variables(c.set))
		got := "nowhere"
		switch {
		case err != nil:
			got = err.Error()
		case to != nil:
			got = fmt.Sprint(to.URL, " ", ratio)
		}
		if err == nil && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("%s gives %s, expected %s", c.set, got, c.want)
		}
	}
}
