package actors

import (
	"context"
	"runtime"

	"github.com/gobdk/bdk/actors/session"
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
