package hosted_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
)

// A case that is over before its session is there leaves none that runs: it is ended as
// soon as it is open.
func TestSession_ClosedWhileItOpens(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	opening, gate := make(chan struct{}), make(chan struct{})
	h.target.Before(func() { close(opening); <-gate })
	s := h.target.Open(eval.OpenOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error)
	stub := func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage("1"), nil }
	go func() {
		_, err := s.Send(ctx, "slow", eval.SendOptions{Stubs: map[string]agent.Stub{"look": stub}})
		sent <- err
	}()
	<-opening
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		t.Errorf("sending: %v", err)
	}
	if err := s.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("closing: %v", err)
	}
	close(gate)
	for deadline := time.Now().Add(10 * time.Second); ; {
		if id := onlySession(t, h); id != "" {
			if st, err := h.host.StateAt(id, math.MaxUint64); err == nil && st.OpenTurn() == "" {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the session goes on")
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A panic of what opens sessions is the error of the case.
func TestSession_OpeningPanics(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	h.target.Before(func() { panic("no such thing") })
	s := h.open(t, eval.OpenOptions{})
	if _, err := s.Send(t.Context(), "hello", eval.SendOptions{}); err == nil || !strings.Contains(err.Error(), "no such thing") {
		t.Errorf("got %v", err)
	}
}
