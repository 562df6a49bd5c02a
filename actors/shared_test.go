package actors_test

import (
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// packs.md: a pull request is one conversation (`pr:owner/repo#n`), and several people
// write in it: a shared message goes in whoever opened it, and the owner stays.
func TestChannel_Shared(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "code"})
	first := h.put("code", "hello", agent.SendOptions{ContinuationToken: "pr:o/r#1", Shared: true})
	h.rest(first.SessionID, "waiting")
	second := h.put("code", "hello", agent.SendOptions{ContinuationToken: "pr:o/r#1", Shared: true, Auth: events.Principal{Kind: "github", ID: "bob"}})
	if second.SessionID != first.SessionID {
		t.Errorf("the message of another opened %s beside %s", second.SessionID, first.SessionID)
	}
	h.rest(first.SessionID, "waiting")
	if info, err := h.host.Session(t.Context(), first.SessionID); err != nil || info.Owner != caller {
		t.Errorf("the owner is %+v, %v", info.Owner, err)
	}
}
