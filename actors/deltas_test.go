package actors_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// funcModel is a model that is one function.
type funcModel func(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error)

func (f funcModel) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	return f(ctx, r, emit)
}

// words emits a thousand words at once.
func words(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Response, error) {
	for range 1000 {
		emit(model.Delta{Text: "word "})
	}
	return &model.Response{Text: strings.Repeat("word ", 1000), FinishReason: events.FinishStop}, nil
}

func appendedTexts(log []*events.Event) (out []string) {
	for _, e := range log {
		if d, ok := e.Data.(*events.MessageAppended); ok {
			out = append(out, d.Text)
		}
	}
	return out
}

// "Deltas are gathered … are merged into one *.appended of their kind, and share that
// append: a sync is paid per batch … and never per token."
func TestHost_DeltasShareAnAppend(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(words)}, DeltaWindow: time.Hour})
	a := h.start("say much")
	h.rest(a.SessionID, "waiting")
	texts := appendedTexts(h.log(a.SessionID))
	if len(texts) != 1 || texts[0] != strings.Repeat("word ", 1000) || h.journal.Metrics().Appends != 2 {
		t.Errorf("%d deltas in %d appends", len(texts), h.journal.Metrics().Appends)
	}
}

// "0 = each": every delta is recorded at once, and joined they are the whole text.
func TestHost_EachDelta(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	slowly := func(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Response, error) {
		for range 3 {
			emit(model.Delta{Text: "word "})
			<-next
		}
		return &model.Response{Text: "word word word ", FinishReason: events.FinishStop}, nil
	}
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(slowly)}, DeltaWindow: -1})
	a := h.start("slowly")
	for range 3 {
		h.until(a.SessionID, "message.appended")
		next <- struct{}{}
	}
	h.rest(a.SessionID, "waiting")
	if texts := appendedTexts(h.log(a.SessionID)); len(texts) != 3 || strings.Join(texts, "") != "word word word " {
		t.Errorf("the deltas are %q", texts)
	}
}

// "nothing from the old turn appears afterwards", also from a model that does not
// listen; what it had in hand is recorded with the interrupt.
func TestHost_DeafModel(t *testing.T) {
	t.Parallel()
	emitted, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	deaf := func(_ context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if r.Messages[len(r.Messages)-1].Text != "deaf" {
			return &model.Response{Text: "new", FinishReason: events.FinishStop}, nil
		}
		defer close(ended)
		emit(model.Delta{Text: "in hand"})
		close(emitted)
		<-end
		emit(model.Delta{Text: "too late"})
		return &model.Response{Text: "too late", FinishReason: events.FinishStop}, nil
	}
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(deaf)}, DeltaWindow: time.Hour})
	a := h.start("deaf")
	<-emitted
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "listen"}); err != nil {
		t.Fatal(err)
	}
	close(end)
	<-ended
	h.rest(a.SessionID, "waiting")
	if texts := appendedTexts(h.log(a.SessionID)); len(texts) != 1 || texts[0] != "in hand" {
		t.Errorf("the deltas are %q", texts)
	}
	checkLog(t, h.log(a.SessionID))
}

// "a stream that breaks after output starts the step again as a new attempt"; a
// failure before output, and one too many, fail the turn.
func TestHost_BrokenStream(t *testing.T) {
	t.Parallel()
	breaks := 0
	broken := func(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if breaks++; breaks < 3 {
			emit(model.Delta{Text: "half"})
			return nil, &model.Error{Message: "the stream ended early", Code: events.FailModel, Broken: true}
		}
		return &model.Response{Text: "whole", FinishReason: events.FinishStop}, nil
	}
	c := &hastyClock{}
	h := newHouse(t, actors.Options{Models: oneModel{funcModel(broken)}, Clock: c})
	a := h.start("go")
	h.rest(a.SessionID, "waiting")
	h.expect(a.SessionID, "session.started", `message.received "go"`, "turn.started", "step.started 1.1", "step.started 1.2", "step.started 1.3",
		`message.completed "whole" stop`, "step.completed", "turn.completed", "session.waiting")
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.waits; len(w) != 2 || w[0] < 250*time.Millisecond || w[0] >= 500*time.Millisecond || w[1] < 500*time.Millisecond || w[1] >= time.Second {
		t.Errorf("it waited %v before it tried again", w)
	}
}

// A hastyClock does not wait before a broken step is tried again.
type hastyClock struct {
	clock.System
	mu    sync.Mutex
	waits []time.Duration
}

func (c *hastyClock) AfterFunc(d time.Duration, f func()) clock.Timer {
	if d >= 250*time.Millisecond && d < 2*time.Second {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waits, d = append(c.waits, d), 0
	}
	return c.System.AfterFunc(d, f)
}
