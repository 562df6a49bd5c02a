package actors_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// sessions.md: "a direct call … in the agent's log: never run again … closed with
// `outcome_unknown`" is for what a restart cut off: a call that begins while its agent is
// new to the host has its own result and no other.
func TestHost_ReloadClosesNoCallThatRuns(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	for i := range 60 {
		slug := fmt.Sprint("new", i)
		agents := []*agent.Agent{h.edition("tester", "tester").Agent, h.edition(slug, slug).Agent}
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				for {
					got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: slug, Name: "which", Principal: local})
					if errors.Is(err, actors.ErrUnknownAgent) {
						continue
					}
					if err != nil || got.Result.IsError {
						t.Errorf("%+v, %v", got, err)
					}
					return
				}
			})
		}
		if err := h.host.Reload(t.Context(), agents); err != nil {
			t.Error(err)
		}
		callers.Wait()
		results := map[string]int{}
		for _, e := range h.log(events.AgentLog(slug)) {
			if d, ok := e.Data.(*events.ToolResult); ok {
				if results[d.CallID]++; results[d.CallID] > 1 {
					t.Fatalf("the call %s has a second result: %s", d.CallID, d.Output)
				}
			}
		}
	}
}
