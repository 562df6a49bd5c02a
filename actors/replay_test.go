package actors_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// at gives a session as it was.
func (h *house) at(id string, index uint64) actors.Replayed {
	h.t.Helper()
	r, err := h.host.State(h.t.Context(), id, index)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// "a session's state at any index is the fold of its log up to it"
func TestState(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	a := h.start("gated")
	h.rest(a.SessionID, "parked")
	req := h.until(a.SessionID, "input.requested")
	in := req.Data.(*events.InputRequested)
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, in.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	h.rest(a.SessionID, "waiting")
	log := h.log(a.SessionID)
	end := h.until(a.SessionID, "turn.completed")
	var used events.Usage
	for _, e := range log {
		if d, ok := e.Data.(*events.StepCompleted); ok {
			used.Add(*d.Usage)
		}
		r := h.at(a.SessionID, e.Index)
		status, turn, open := session.StatusRunning, a.TurnID, 0
		switch {
		case e.Index == 0, e.Index >= end.Index:
			status, turn = session.StatusWaiting, ""
		case e.Type == "input.requested":
			status, open = session.StatusParked, 1
		case e.Type == "actions.requested", e.Type == "input.resolved":
			open = 1
		}
		if r.Index != e.Index || r.Status != status || r.TurnID != turn || len(r.OpenCalls) != open || r.Usage != used {
			t.Errorf("at %d, %s: %+v, expected %s, %q, %d calls, %+v", e.Index, e.Type, r, status, turn, open, used)
		}
		if e.Type != "input.requested" {
			if len(r.Approvals) != 0 {
				t.Errorf("at %d, %s: %+v", e.Index, e.Type, r.Approvals)
			}
			continue
		}
		p := r.Approvals[0]
		if p.RequestID != in.RequestID || p.Call.CallID != in.CallID || !p.Call.Parked || string(p.Call.Args) != `{"n":7}` || !p.RequestedAt.Equal(req.At) {
			t.Errorf("the approval is %+v", p)
		}
	}
	var past *actors.IndexError
	if _, err := h.host.State(t.Context(), a.SessionID, uint64(len(log))); !errors.As(err, &past) {
		t.Errorf("past the log: %v", err)
	}
	if _, err := h.host.State(t.Context(), "ses_01J0000000000000000000000A", 0); !errors.Is(err, actors.ErrUnknownSession) {
		t.Errorf("unknown: %v", err)
	}
}

// A scrubber asks for one index after the other, back and forth: the answers are those
// of a fold from the beginning, and only the way from the nearest place is folded.
func TestState_LongLog(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	for range 150 {
		h.send(id, "two calls")
	}
	last := uint64(len(h.log(id)) - 1)
	newest := h.at(id, last)
	for _, index := range []uint64{last, last - 1, 0, 300, 299, 256, 255, 257, 1000, 511, 512} {
		got := h.at(id, index)
		want, err := h.host.StateAt(id, index+1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Index != index || got.Status != want.Status() || got.TurnID != want.OpenTurn() {
			t.Errorf("at %d it is %+v, expected %s and %q", index, got, want.Status(), want.OpenTurn())
		}
		if from := h.host.ReplayedFrom(id, index+1); index+1-from >= 256 {
			t.Errorf("at %d the log is folded from %d on", index, from)
		}
	}
	if again := h.at(id, last); !reflect.DeepEqual(again, newest) {
		t.Errorf("it is %+v, it was %+v", again, newest)
	}
}

// However many logs, and however long, are asked for, what is kept of them is bounded.
func TestState_KeepsLittle(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	for range 40 {
		id := h.ask("hello")
		h.at(id, uint64(len(h.log(id))-1))
	}
	if n := h.host.Replayed(); n > 32 {
		t.Errorf("%d logs are kept", n)
	}
	if n := actors.ReplayPlaces(100_000, 1<<10); n > 64 || n < 32 {
		t.Errorf("%d places are kept of one log", n)
	}
	if n := actors.ReplayPlaces(5_000, 1<<20); n != 0 {
		t.Errorf("%d places with a megabyte each are kept of one log", n)
	}
}

// "copied events of a fork are not counted again"
func TestState_OfAFork(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	f := h.fork(id, uint64(len(h.log(id))-1))
	if got := h.at(f.SessionID, f.Index).Usage; got != (events.Usage{}) {
		t.Errorf("what was copied used %+v", got)
	}
	h.send(f.SessionID, "hello")
	own := h.at(f.SessionID, uint64(len(h.log(f.SessionID))-1)).Usage
	if want := h.at(id, uint64(len(h.log(id))-1)).Usage; own != want {
		t.Errorf("the fork used %+v, expected %+v", own, want)
	}
}
