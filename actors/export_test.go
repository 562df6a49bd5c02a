package actors

import (
	"context"
	"runtime"
	"strings"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// RenameBy is a rename that a hook's own call leads to.
func (h *Host) RenameBy(ctx context.Context, hook, sessionID, title string) error {
	_, err := h.ask(ctx, &command{id: sessionID, hook: hook, inputs: []session.Input{&session.Rename{Title: title}}})
	return err
}

// Awake says whether a session has an actor.
func (h *Host) Awake(sessionID string) bool {
	_, ok := h.infos.Load(sessionID)
	return ok
}

// Looking waits until no look at schedules is under way.
func (h *Host) Looking() {
	h.schedules.looking.Lock()
	defer h.schedules.looking.Unlock()
}

// Looked waits, besides, until what was fired has ended.
func (h *Host) Looked() {
	h.Looking()
	h.schedules.mu.Lock()
	defer h.schedules.mu.Unlock()
	for _, st := range h.schedules.states {
		for running := 1; running > 0; runtime.Gosched() {
			st.mu.Lock()
			running = st.running
			st.mu.Unlock()
		}
	}
}

// ReplayedFrom is where State begins to fold, for the first n events.
func (h *Host) ReplayedFrom(id string, n uint64) uint64 { return h.replays.near(id, n).core.Next }

// Replayed is of how many logs State keeps something.
func (h *Host) Replayed() int { return len(h.replays.sessions) }

// ReplayPlaces is how many places State keeps of a log of n events, whose state holds
// arguments of some bytes.
func ReplayPlaces(n uint64, args int) int {
	r, f := &replays{}, newReplay()
	f.core.Direct = []session.Call{{Call: events.Call{Args: []byte(`"` + strings.Repeat("a", args) + `"`)}}}
	for f.core.Next < n {
		f.core.Next++
		r.pass("ses_1", f)
	}
	return len(r.of("ses_1").places)
}
