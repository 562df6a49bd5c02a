package actors_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// sessions.md: "`POST …/compact` (ours) compacts an idle session's context now" – also
// while the title changes: what is not on disk yet is not waited for, nor missed. And also
// when nothing was recorded since the session was loaded.
func TestHost_CompactWhileOthersWrite(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, "[ { when: /compact, steps: [ { say: In short. } ] } ]", func(*agent.Agent) {})
	a := h.start(strings.Repeat("long ", 100))
	h.rest(a.SessionID, "waiting")
	h.restart()
	if got, err := h.host.Compact(t.Context(), a.SessionID); err != nil || !got.Compacted {
		t.Fatalf("%+v, %v", got, err)
	}
	var writers sync.WaitGroup
	defer writers.Wait()
	for i := range 4 {
		writers.Go(func() {
			for n := range 200 {
				if _, err := h.host.Rename(t.Context(), a.SessionID, fmt.Sprint(i, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		got, err := h.host.Compact(t.Context(), a.SessionID)
		if err != nil || got.Message != "there is nothing to sum up" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
}

// Compact: "One … whose context is being summed up, is ErrSessionBusy", until that is on
// disk: nobody is told of a summary that somebody else asked for.
func TestHost_CompactAtOnce(t *testing.T) {
	t.Parallel()
	h := newShapedHouse(t, actors.Options{}, "[ { when: /compact, steps: [ { say: In short. } ] } ]", func(*agent.Agent) {})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	var told atomic.Int64
	for range 60 {
		if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: strings.Repeat("long ", 100)}); err != nil {
			t.Fatal(err)
		}
		h.rest(a.SessionID, "waiting")
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				for done := false; !done; {
					got, err := h.host.Compact(t.Context(), a.SessionID)
					if err != nil && !errors.Is(err, actors.ErrSessionBusy) {
						t.Error(err)
						return
					}
					if got.Compacted {
						told.Add(1)
					}
					done = err == nil
				}
			})
		}
		callers.Wait()
	}
	if n := int64(len(compactions(h.log(a.SessionID)))); told.Load() != n {
		t.Errorf("%d were told of a summary, the log has %d", told.Load(), n)
	}
}
