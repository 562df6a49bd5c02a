package actors_test

import (
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

// brittle panics at every other price: inside the session's own actor.
type brittle struct{ asked atomic.Int64 }

func (b *brittle) Price(string, events.Usage) (int64, bool) {
	if b.asked.Add(1)%2 == 1 {
		panic("no price today")
	}
	return 1, true
}

// "A panic anywhere in a session … is contained: that turn fails, other sessions
// and the process live — also the 100th time." Here the session's actor itself panics.
func TestHost_SessionActorPanics(t *testing.T) {
	t.Parallel()
	prices := &brittle{}
	h := newHouse(t, actors.Options{Prices: prices})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for range 30 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "again"}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
	}
	failed := 0
	for _, e := range h.log(a.SessionID) {
		if d, ok := e.Data.(*events.TurnFailed); ok && d.Code == events.FailInternal {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no turn failed, so no panic was met")
	}
	checkLog(t, h.log(a.SessionID))
}
