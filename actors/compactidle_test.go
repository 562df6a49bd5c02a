package actors_test

import (
	"fmt"
	"strings"
	"sync"
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
