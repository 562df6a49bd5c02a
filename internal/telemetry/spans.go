package telemetry

import (
	"context"
	"encoding/json"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/gobdk/bdk/events"
)

// Attributes of spans, with the names of OpenTelemetry's conventions for generative
// AI (open-telemetry/semantic-conventions-genai, in development).
const (
	operationKey = attribute.Key("gen_ai.operation.name")
	agentNameKey = attribute.Key("gen_ai.agent.name")
	modelKey     = attribute.Key("gen_ai.request.model")
	toolKey      = attribute.Key("gen_ai.tool.name")
	errorKey     = attribute.Key("error.type")
)

// A span is what is about to be made.
type span struct {
	name       string
	kind       trace.SpanKind
	id, parent trace.SpanID // the parent is zero for a turn
	from, to   time.Time
	attrs      []attribute.KeyValue
	failed     string // the code of a failure
}

// make makes a span of a turn, if its trace is wanted.
func (t *Traces) make(k *turn, s *span) {
	if k.past {
		return
	}
	id := traceID(k.session+k.log, k.id)
	if t.sampler.ShouldSample(sdk.SamplingParameters{TraceID: id}).Decision != sdk.RecordAndSample {
		return
	}
	ctx := context.WithValue(context.Background(), wantedID{}, ids{id, s.id})
	if s.parent.IsValid() {
		ctx = trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: s.parent, TraceFlags: trace.FlagsSampled}))
	}
	attrs := s.attrs
	if k.session != "" {
		attrs = append(attrs, sessionKey.String(k.session))
	}
	if !k.direct {
		attrs = append(attrs, attribute.String("bdk.turn.id", k.id))
	}
	if s.failed != "" {
		attrs = append(attrs, errorKey.String(s.failed))
	}
	_, made := t.tracer.Start(ctx, s.name, trace.WithTimestamp(s.from), trace.WithSpanKind(s.kind), trace.WithAttributes(attrs...))
	if s.failed != "" {
		made.SetStatus(codes.Error, "")
	}
	made.End(trace.WithTimestamp(s.to))
}

func (t *Traces) endTurn(k *turn, at time.Time, u *events.Usage, cost *events.Cost, code string) {
	delete(t.turns, k.session+"/"+k.id)
	attrs := []attribute.KeyValue{operationKey.String("invoke_agent"), agentNameKey.String(k.agent), channelKey.String(k.channel), purposeKey.String(k.purpose)}
	if k.model != "" {
		attrs = append(attrs, modelKey.String(k.model))
	}
	if cost != nil {
		attrs = append(attrs, attribute.Float64("bdk.cost.usd", cost.TotalUSD))
	}
	attrs = append(append(attrs, usage(u)...), t.messages(k.text, k.reply)...)
	t.make(k, &span{name: "invoke_agent " + k.agent, kind: trace.SpanKindInternal, id: spanID(k.session, "turn", k.id), from: k.began, to: at, attrs: attrs, failed: code})
}

func (t *Traces) endStep(k *turn, d *events.StepCompleted, at time.Time) {
	s := k.steps[d.ParentCallID]
	if s == nil || s.number != d.Step || s.tries != d.Attempt { // it began before this process
		s = &step{began: at, number: d.Step, tries: d.Attempt}
	}
	delete(k.steps, d.ParentCallID)
	if s.model == "" {
		s.model = k.model
	}
	attrs := []attribute.KeyValue{operationKey.String("chat"), attribute.Int("bdk.attempt", d.Attempt), attribute.StringSlice("gen_ai.response.finish_reasons", []string{d.FinishReason})}
	if s.model != "" {
		attrs = append(attrs, modelKey.String(s.model))
	}
	if d.Provider != nil {
		attrs = append(attrs, attribute.String("gen_ai.provider.name", d.Provider.Name), attribute.String("gen_ai.response.model", d.Provider.Model))
	}
	attrs = append(append(attrs, usage(d.Usage)...), t.messages("", s.reply)...)
	t.make(k, &span{name: "chat " + s.model, kind: trace.SpanKindClient, id: spanID(k.session, stepName(k.id, d.ParentCallID, d.Step, d.Attempt)...),
		parent: k.above(d.ParentCallID), from: s.began, to: at, attrs: attrs})
}

func (t *Traces) endCall(k *turn, d *events.ActionResult, at time.Time) {
	c := k.calls[d.CallID]
	if c == nil {
		c = &call{Call: events.Call{CallID: d.CallID, ToolName: d.ToolName, ParentCallID: d.ParentCallID}, began: at}
	}
	delete(k.calls, d.CallID)
	from := c.began
	if !c.again.IsZero() && d.Code != events.CodeOutcomeUnknown {
		from = c.again
	}
	attrs := []attribute.KeyValue{operationKey.String("execute_tool"), toolKey.String(d.ToolName),
		attribute.String("gen_ai.tool.type", "function"), attribute.String("gen_ai.tool.call.id", d.CallID)}
	if t.o.Content {
		attrs = append(attrs, attribute.String("gen_ai.tool.call.arguments", string(c.Args)), attribute.String("gen_ai.tool.call.result", string(d.Output)))
	}
	if k.direct {
		attrs = append(attrs, agentNameKey.String(k.agent))
	}
	failed := ""
	if d.IsError {
		if failed = d.Code; failed == "" {
			failed = events.CodeToolError
		}
	}
	t.make(k, &span{name: "execute_tool " + d.ToolName, kind: trace.SpanKindInternal, id: spanID(k.session+k.log, "call", d.CallID),
		parent: k.above(c.ParentCallID), from: from, to: at, attrs: attrs, failed: failed})
}

func (t *Traces) endSubagent(k *turn, d *events.SubagentCompleted, at time.Time) {
	from := at
	if c := k.calls[d.CallID]; c != nil && !c.called.IsZero() {
		from = c.called
	}
	attrs := append([]attribute.KeyValue{operationKey.String("invoke_agent"), agentNameKey.String(d.Name)}, usage(d.Usage)...)
	failed := ""
	if d.IsError {
		failed = "subagent_failed"
	}
	t.make(k, &span{name: "invoke_agent " + d.Name, kind: trace.SpanKindInternal, id: spanID(k.session, "subagent", d.CallID),
		parent: spanID(k.session, "call", d.CallID), from: from, to: at, attrs: attrs, failed: failed})
}

// above is the span in which a line of work happens: the turn's, or a subagent's.
func (k *turn) above(parentCall string) trace.SpanID {
	if k.direct {
		return trace.SpanID{}
	}
	if parentCall == "" {
		return spanID(k.session, "turn", k.id)
	}
	return spanID(k.session, "subagent", parentCall)
}

// usage counts cached tokens among the input, as the conventions do.
func usage(u *events.Usage) []attribute.KeyValue {
	if u == nil {
		return nil
	}
	attrs := []attribute.KeyValue{
		attribute.Int64("gen_ai.usage.input_tokens", u.InputTokens+u.CacheReadTokens+u.CacheWriteTokens), attribute.Int64("gen_ai.usage.output_tokens", u.OutputTokens),
	}
	for _, x := range []struct {
		key string
		n   int64
	}{{"cache_read.input_tokens", u.CacheReadTokens}, {"cache_creation.input_tokens", u.CacheWriteTokens}, {"reasoning.output_tokens", u.ReasoningTokens}} {
		if x.n > 0 {
			attrs = append(attrs, attribute.Int64("gen_ai.usage."+x.key, x.n))
		}
	}
	return attrs
}

// messages puts what was said into a span, where that is wanted.
func (t *Traces) messages(asked, said string) (attrs []attribute.KeyValue) {
	if !t.o.Content {
		return nil
	}
	for _, m := range []struct{ key, role, text string }{{"gen_ai.input.messages", "user", asked}, {"gen_ai.output.messages", "assistant", said}} {
		if m.text == "" {
			continue
		}
		b, err := json.Marshal([]any{map[string]any{"role": m.role, "parts": []any{map[string]string{"type": "text", "content": m.text}}}})
		if err != nil {
			continue // texts always encode
		}
		attrs = append(attrs, attribute.String(m.key, string(b)))
	}
	return attrs
}
