package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// small gives an agent a model whose context holds so many tokens.
func small(tokens string) func(*agent.Agent) {
	return func(a *agent.Agent) { a.Model.Params = []agent.Param{{ID: model.ParamContext, Value: tokens}} }
}

func compactions(log []*events.Event) (out []*events.ContextCompacted) {
	for _, e := range log {
		if d, ok := e.Data.(*events.ContextCompacted); ok {
			out = append(out, d)
		}
	}
	return out
}

// "compaction: a scripted 300-message session keeps answering within its window."
func TestHost_LongSessionStaysWithinItsWindow(t *testing.T) {
	t.Parallel()
	const window = 3000
	p := tapped(t, `[ { when: tools, steps: [ { call: [ { look: { n: 1 } }, { look: { n: 2 } } ] }, { say: "Looked: {{ .text }}" } ] },
		{ when: /compact, steps: [ { say: "What was said, in short." } ] } ]`)
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, small("3k"))
	a := h.start("message 0")
	h.rest(a.SessionID, "waiting")
	for i := 1; i < 300; i++ {
		if i%75 == 40 {
			h.restart()
		}
		text := fmt.Sprintf("message %d %s", i, strings.Repeat("word ", i%60))
		if i%4 == 0 {
			text += "tools"
		}
		m, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if result := h.resultOf(m); !strings.Contains(result, fmt.Sprintf("message %d ", i)) {
			t.Fatalf("the answer to message %d is %s", i, result)
		}
	}
	log := h.log(a.SessionID)
	checkLog(t, log)
	turns := 0
	for _, e := range log {
		switch e.Data.(type) {
		case *events.TurnFailed:
			t.Fatalf("a turn failed: %+v", e.Data)
		case *events.TurnCompleted:
			turns++
		}
	}
	done := compactions(log)
	if turns != 300 || len(done) < 3 || len(done) > 60 {
		t.Errorf("%d turns completed, %d compactions", turns, len(done))
	}
	for _, d := range done {
		if d.Summary != "What was said, in short." || d.TokensAfter >= d.TokensBefore || d.TokensBefore > window || d.Usage == nil {
			t.Errorf("compacted: %+v", d)
		}
	}
	summaries := 0
	for _, r := range p.requests() {
		if n := r.Tokens(); n > window {
			t.Errorf("a request has %d tokens of %d", n, window)
		}
		if r.Purpose == model.PurposeSummary {
			summaries++
			if len(r.Tools) > 0 || len(r.Messages) != 1 {
				t.Errorf("a summary is asked with %d tools and %d messages", len(r.Tools), len(r.Messages))
			}
		}
	}
	if summaries != len(done) {
		t.Errorf("%d summaries were asked for, %d recorded", summaries, len(done))
	}
}

// resultOf waits for the end of a message's turn; empty when it failed.
func (h *house) resultOf(m actors.Accepted) string {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	for lines, err := range h.journal.Follow(ctx, m.SessionID, m.Index) {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, l := range lines {
			e, err := events.Decode(l.Data)
			if err != nil {
				h.t.Fatal(err)
			}
			switch d := e.Data.(type) {
			case *events.TurnCompleted:
				return string(d.Result)
			case *events.TurnFailed:
				return ""
			}
		}
	}
	h.t.Fatal("the turn does not end")
	return ""
}

// A turn with many steps is summed up in its middle: its message and its newest
// steps stay, and what it did goes on.
func TestHost_LongTurnIsCompactedInside(t *testing.T) {
	t.Parallel()
	const window, steps = 4000, 40
	p := &tap{model: funcModel(func(_ context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		switch {
		case r.Purpose == model.PurposeSummary:
			return &model.Response{Text: "Looked often.", FinishReason: events.FinishStop, Usage: &events.Usage{InputTokens: 100, OutputTokens: 10}}, nil
		case r.Step == steps:
			return &model.Response{Text: "All done.", FinishReason: events.FinishStop, Usage: &events.Usage{InputTokens: r.Tokens(), OutputTokens: 3}}, nil
		}
		call := model.RequestedCall{Name: "big", Args: fmt.Sprintf(`{"n":%d}`, r.Step)}
		return &model.Response{Calls: []model.RequestedCall{call, call}, FinishReason: events.FinishToolCalls, Usage: &events.Usage{InputTokens: r.Tokens(), OutputTokens: 5}}, nil
	})}
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, func(a *agent.Agent) {
		small("4000")(a)
		a.Tools = append(a.Tools, newTool(t, "big", func(_ context.Context, in number, _ *agent.Call) (string, error) {
			return fmt.Sprintf("%d %s", in.N, strings.Repeat("x", 600)), nil
		}, nil))
	})
	a := h.start("look forty times")
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"All done."` {
		t.Fatalf("the result is %s:\n%s", out.Result, h.story(a.SessionID))
	}
	done := compactions(h.log(a.SessionID))
	if len(done) < 2 {
		t.Errorf("%d compactions", len(done))
	}
	used := events.Usage{}
	for _, r := range p.requests() {
		if n := r.Tokens(); n > window {
			t.Errorf("step %d has %d tokens of %d", r.Step, n, window)
		}
		if r.Purpose != "" {
			used.Add(events.Usage{InputTokens: 100, OutputTokens: 10})
			continue
		}
		said := texts(&r)
		if said[0] != "user look forty times" && said[1] != "user look forty times" {
			t.Errorf("step %d does not know its message: %.100q", r.Step, said)
		}
		if last := said[len(said)-1]; r.Step > 1 && !strings.HasPrefix(last, fmt.Sprintf("tool \"%d ", r.Step-1)) {
			t.Errorf("step %d does not know the step before: %.100q", r.Step, last)
		}
		used.Add(events.Usage{InputTokens: r.Tokens(), OutputTokens: map[bool]int64{true: 3, false: 5}[r.Step == steps]})
	}
	if d := h.until(a.SessionID, "turn.completed").Data.(*events.TurnCompleted); *d.Usage != used {
		t.Errorf("the turn used %+v, expected %+v", *d.Usage, used)
	}
}

// "Context overflow: compaction once per overflow (`context.compacted`), then
// `turn.failed` `context_overflow`", also where nobody knows the window.
func TestHost_Overflow(t *testing.T) {
	t.Parallel()
	most := int64(500)
	p := &tap{model: funcModel(func(_ context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if r.Tokens() > most {
			return nil, &model.Error{Message: "the prompt is too long", Code: events.FailContextOverflow}
		}
		return &model.Response{Text: strings.Repeat("word ", 20), FinishReason: events.FinishStop}, nil
	})}
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, func(a *agent.Agent) { a.Tools = nil })
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for len(compactions(h.log(a.SessionID))) == 0 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("more ", 20)}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	story := h.story(a.SessionID)
	if !strings.Contains(story, "step.started 1.1\ncontext.compacted \"word word") || !strings.HasSuffix(story, "step.started 1.2\nmessage.completed \"word word word word word word word word word word word word word word word word word word word word \" stop\nstep.completed\nturn.completed\nsession.waiting\n") {
		t.Errorf("the log is\n%s", story)
	}
	// a message that is too long by itself
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("much ", 1000)}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	log := h.log(a.SessionID)
	if d, ok := log[len(log)-2].Data.(*events.TurnFailed); !ok || d.Code != events.FailContextOverflow || len(compactions(log)) > 2 {
		t.Errorf("the log ends\n%s", h.story(a.SessionID))
	}
	checkLog(t, log)
}

// "Restart during compaction: it runs again."
func TestHost_RestartWhileCompacting(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan struct{}, 8), make(chan struct{})
	p := &tap{model: funcModel(func(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if r.Purpose == "" {
			return &model.Response{Text: strings.Repeat("word ", 300), FinishReason: events.FinishStop}, nil
		}
		asked <- struct{}{}
		select {
		case <-gate:
			return &model.Response{Text: "In short.", FinishReason: events.FinishStop}, nil
		case <-ctx.Done():
			return nil, &model.Error{Message: "stopped", Code: events.FailModel, Err: ctx.Err()}
		}
	})}
	h := newShapedHouse(t, actors.Options{Models: oneModel{p}}, script, small("1k"))
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for _, reaches := range []bool{false, true} { // the threshold
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "go on"}); err != nil {
			t.Fatal(err)
		}
		if reaches {
			<-asked
		} else {
			h.rest(a.SessionID, "waiting")
		}
	}
	h.restart()
	<-asked
	close(gate)
	h.rest(a.SessionID, "waiting")
	story := h.story(a.SessionID)
	if !strings.Contains(story, "turn.started\nturn.resumed\ncontext.compacted \"In short.\"\nstep.started 1.1\n") || len(compactions(h.log(a.SessionID))) != 1 {
		t.Errorf("the log is\n%s", story)
	}
}

// "compacts an idle session's context now: busy → 409 session_busy"; a message that
// comes meanwhile goes first.
func TestHost_Compact(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, script+"\n- when: /compact\n  steps: [ { say: In short., delayMs: 100 } ]\n", func(*agent.Agent) {})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	if _, err := h.host.Compact(t.Context(), a.SessionID); !errors.Is(err, actors.ErrSessionBusy) {
		t.Errorf("a parked session: %v", err)
	}
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("long ", 100)}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	got, err := h.host.Compact(t.Context(), a.SessionID)
	if err != nil || !got.Compacted || got.TokensAfter >= got.TokensBefore || got.Position != h.journal.Position() {
		t.Fatalf("%+v, %v", got, err)
	}
	log := h.log(a.SessionID)
	last := log[len(log)-1]
	if d, ok := last.Data.(*events.ContextCompacted); !ok || last.TurnID != "" || d.Summary != "In short." || d.Model != "scripted" || d.Usage == nil || d.ThroughIndex != last.Index-1 {
		t.Errorf("the log ends with %s %+v", last.Type, last.Data)
	}
	if got, err = h.host.Compact(t.Context(), a.SessionID); err != nil || got.Compacted || got.Message != "there is nothing to sum up" {
		t.Errorf("again: %+v, %v", got, err)
	}
	if _, err := h.host.Compact(t.Context(), "ses_00000000000000000000000000"); !errors.Is(err, actors.ErrUnknownSession) {
		t.Errorf("an unknown session: %v", err)
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "and now?"}); err != nil {
		t.Fatal(err)
	}
	if out := h.rest(a.SessionID, "waiting"); string(out.Result) != `"I heard: and now?"` {
		t.Errorf("after it: %s", out.Result)
	}
	checkLog(t, h.log(a.SessionID))
}

// A message goes first: the compaction ends without a trace, and whoever asked hears
// that the session is busy. So does a second one who asks.
func TestHost_MessageGoesBeforeACompaction(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	p := &tap{model: funcModel(func(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if r.Purpose == "" {
			return &model.Response{Text: strings.Repeat("word ", 100), FinishReason: events.FinishStop}, nil
		}
		asked <- struct{}{}
		<-ctx.Done()
		return nil, &model.Error{Message: "stopped", Code: events.FailModel, Err: ctx.Err()}
	})}
	h := newHouse(t, actors.Options{Models: oneModel{p}})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	busy := make(chan error, 1)
	go func() {
		_, err := h.host.Compact(context.Background(), a.SessionID)
		busy <- err
	}()
	<-asked
	if _, err := h.host.Compact(t.Context(), a.SessionID); !errors.Is(err, actors.ErrSessionBusy) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "go on"}); err != nil {
		t.Fatal(err)
	}
	if err := <-busy; !errors.Is(err, actors.ErrSessionBusy) {
		t.Errorf("the first one: %v", err)
	}
	h.rest(a.SessionID, "waiting")
	if log := h.log(a.SessionID); len(compactions(log)) != 0 {
		t.Errorf("something was recorded:\n%s", h.story(a.SessionID))
	}
	// and the host closes in the middle of one
	go func() {
		_, err := h.host.Compact(context.Background(), a.SessionID)
		busy <- err
	}()
	<-asked
	h.restart()
	if err := <-busy; !errors.Is(err, actors.ErrDraining) {
		t.Errorf("a closed host: %v", err)
	}
	h.rest(a.SessionID, "waiting")
}

// What is recorded beside a compaction, and is not on disk when it begins, does not
// disturb it.
func TestHost_CompactsBesideOtherCommands(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start(strings.Repeat("long ", 100))
	h.rest(a.SessionID, "waiting")
	ctx, stop := context.WithCancel(t.Context())
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for ctx.Err() == nil {
				if _, err := h.host.Rename(t.Context(), a.SessionID, "x"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 20 {
		if got, err := h.host.Compact(t.Context(), a.SessionID); err != nil || !got.Compacted && got.Message != "there is nothing to sum up" {
			t.Errorf("%+v, %v", got, err)
			break
		}
	}
	stop()
	others.Wait()
	checkLog(t, h.log(a.SessionID))
}

// A model that gives no summary leaves the context as it is, and says why; what was
// summed up before is not summed up for its own sake.
func TestHost_CompactionThatFails(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, script+"\n- when: /compact\n  steps: [ { error: { status: 500, message: out of order } } ]\n", func(*agent.Agent) {})
	a := h.start(strings.Repeat("long ", 100))
	h.rest(a.SessionID, "waiting")
	if got, err := h.host.Compact(t.Context(), a.SessionID); err != nil || got.Compacted || got.Message != "asking for a summary: out of order (status 500)" {
		t.Errorf("%+v, %v", got, err)
	}
	if len(compactions(h.log(a.SessionID))) != 0 {
		t.Error("something was recorded")
	}
	task := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "x", Mode: events.ModeTask, ChannelID: "schedule"})
	h.rest(task.SessionID, "completed")
	if got, err := h.host.Compact(t.Context(), task.SessionID); err != nil || got.Compacted || got.Message != "the session has ended" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What compactions used is paid for: it counts for the limits of the session.
func TestHost_CompactionIsPaidFor(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) { a.Limits.MaxSessionTokens = 300 })
	a := h.start(strings.Repeat("long ", 90)) // 113 tokens, and as many of the reply
	h.rest(a.SessionID, "waiting")
	if got, err := h.host.Compact(t.Context(), a.SessionID); err != nil || !got.Compacted {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "x"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	if d := h.until(a.SessionID, "turn.failed").Data.(*events.TurnFailed); d.Code != events.FailBudget {
		t.Errorf("%+v", d)
	}
	state, err := json.Marshal(h.state(a.SessionID))
	if err != nil || !strings.Contains(string(state), `"after":`) {
		t.Errorf("%s, %v", state, err)
	}
}

func (h *house) state(id string) any {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	st, err := h.host.StateAt(id, uint64(len(h.log(id))))
	if err != nil || ctx.Err() != nil {
		h.t.Fatal(err, ctx.Err())
	}
	return st
}
