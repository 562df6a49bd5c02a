package actors_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// begun writes what a crash leaves of a fork: its first events and its mark.
func (h *house) begun(id string, cut uint64, first int) string {
	h.t.Helper()
	start := *h.log(id)[0].Data.(*events.SessionStarted)
	start.ForkedFrom = &events.ForkRef{SessionID: id, Index: cut}
	fork := "ses_01J000000000000000000000" + fmt.Sprintf("%02d", first)
	evs := []events.Event{events.New("", time.Now(), &start)}
	for _, e := range h.log(id)[1:first] {
		evs = append(evs, events.New(e.TurnID, e.At, e.Data))
	}
	_, err := h.journal.Append(h.t.Context(), journal.Append{Stream: fork, Events: evs, Mark: journal.MarkOp{Set: true, Value: []byte(`{"fork":true}`)}})
	if err != nil {
		h.t.Fatal(err)
	}
	return fork
}

// "a crash in the middle" leaves a fork that nobody finds; the next start makes it whole,
// with its workspace, however far it had come.
func TestFork_CutOff(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) { a.Harness = nil })
	id := h.ask("two calls")
	cut := h.until(id, "turn.completed").Index
	dir := filepath.Join(h.dir, "workspaces", id)
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a"), 0o600)); err != nil {
		t.Fatal(err)
	}
	var begun []string
	for _, n := range []int{1, 2, int(cut), int(cut) + 1} {
		begun = append(begun, h.begun(id, cut, n))
	}
	for _, fork := range begun {
		_, err := h.host.Session(t.Context(), fork)
		_, send := h.host.Send(t.Context(), fork, actors.Message{Text: "hello"})
		_, state := h.host.State(t.Context(), fork, 0)
		_, again := h.host.Fork(t.Context(), fork, 0)
		for _, err := range []error{err, send, state, again} {
			if !errors.Is(err, actors.ErrUnknownSession) {
				t.Errorf("half a fork is there: %v", err)
			}
		}
	}
	h.restart()
	for _, fork := range begun {
		eventually(t, fork+" is whole", func() bool { _, err := h.host.Session(t.Context(), fork); return err == nil })
		h.copied(id, actors.Forked{SessionID: fork, Index: cut})
		if log := h.log(fork); len(log) != int(cut)+2 || log[cut+1].Type != "session.waiting" {
			t.Errorf("it is\n%s", h.story(fork))
		}
		if b, err := os.ReadFile(filepath.Join(h.dir, "workspaces", fork, "a.txt")); err != nil || string(b) != "a" {
			t.Errorf("its workspace has %q, %v", b, err)
		}
		h.send(fork, "hello")
	}
	if n := h.marks(); n != 0 {
		t.Errorf("%d marks are left", n)
	}
}

// A fork whose source cannot be read is reported, and the host goes on.
func TestFork_SourceIsGone(t *testing.T) {
	t.Parallel()
	d := &diary{}
	h := newHouse(t, actors.Options{Logger: zerolog.New(d)})
	id := h.ask("hello")
	fork := h.begun(id, 1<<20, 2)
	h.restart()
	eventually(t, "it is reported", func() bool { return slices.Contains(d.all(), "a fork cannot be made whole") })
	if _, err := h.host.Session(t.Context(), fork); !errors.Is(err, actors.ErrUnknownSession) || !h.host.Degraded() {
		t.Errorf("%v, degraded: %v", err, h.host.Degraded())
	}
	h.send(id, "more")
}

// Long logs are copied piece by piece, each an append, and the fork wakes from a snapshot.
func TestFork_LongLog(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	for range 40 {
		h.send(id, strings.Repeat("long ", 4<<10))
	}
	before := h.journal.Metrics().Appends
	f := h.fork(id, uint64(len(h.log(id))-1))
	if got := h.journal.Metrics().Appends - before; got < 5 {
		t.Errorf("%d appends", got)
	}
	if at, _, ok, err := h.journal.Snapshot(f.SessionID); err != nil || !ok || at != f.Index+2 {
		t.Errorf("a snapshot at %d, %v, %v", at, ok, err)
	}
	h.send(f.SessionID, "hello")
	h.restart()
	if got := h.send(f.SessionID, "again"); got != `"I heard: again"` {
		t.Errorf("it says %s", got)
	}
}

// A repeated key gives the first fork, also after a restart, and no second one.
func TestFork_Idempotency(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	n := actors.NewFork{SessionID: id, Index: uint64(len(h.log(id)) - 1), Idempotency: &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}}
	first, err := h.host.ForkAs(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	h.send(first.SessionID, "more")
	for range 2 {
		again, err := h.host.ForkAs(t.Context(), n)
		if again.Position = first.Position; err != nil || again != first {
			t.Errorf("it is %+v, %v; it was %+v", again, err, first)
		}
		h.restart()
	}
	n.Idempotency.BodyHash = "other"
	if _, err := h.host.ForkAs(t.Context(), n); !errors.Is(err, actors.ErrIdempotencyMismatch) {
		t.Errorf("another body: %v", err)
	}
}
