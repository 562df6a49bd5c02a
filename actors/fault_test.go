package actors_test

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

// poison panics at the price of a step with so many tokens: inside the session's
// own actor, before the step is recorded.
type poison struct{ input, output int64 }

func (p poison) Price(_ string, u events.Usage) (int64, bool) {
	if u.InputTokens == p.input || u.OutputTokens == p.output {
		panic("no price today")
	}
	return 1, true
}

// "A panic anywhere in a session … is contained: that turn fails, other sessions
// and the process live — also the 100th time." Here the session's actor itself panics.
func TestHost_SessionActorPanics(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{Prices: poison{input: 25}})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for range 100 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("x", 100)}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "still there?"}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	failed, done := 0, 0
	for _, e := range h.log(a.SessionID) {
		switch d := e.Data.(type) {
		case *events.TurnFailed:
			if d.Code == events.FailInternal {
				failed++
			}
		case *events.TurnCompleted:
			done++
		}
	}
	if failed != 100 || done != 2 {
		t.Errorf("%d turns failed and %d completed, expected 100 and 2", failed, done)
	}
	checkLog(t, h.log(a.SessionID))
}
