package actors_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "serve refuses to start when the slug is not mounted"
func TestCheckPeers(t *testing.T) {
	t.Parallel()
	two := []*agent.Agent{{Slug: "a", Connections: []*agent.Connection{{Name: "peer", Agent: "b"}}}, {Slug: "b"}}
	if err := actors.CheckPeers(two); err != nil {
		t.Error(err)
	}
	if err := actors.CheckPeers(two[:1]); err == nil || !strings.Contains(err.Error(), `agent a: its connection peer leads to the agent "b"`) {
		t.Errorf("got %v", err)
	}
}

// "An ask that came through 8 agents is refused": agents that ask each other end.
func TestPeers_DoNotAskForEver(t *testing.T) {
	t.Parallel()
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "me", Agent: "tester", Advertise: true})
	a := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "round"})
	h.rest(a.SessionID, "waiting")
	id, askers := a.SessionID, 0
	for last := ""; id != ""; askers++ {
		last, id = id, ""
		for _, e := range h.log(last) {
			switch d := e.Data.(type) {
			case *events.MessageReceived:
				if len(d.Askers) != askers {
					t.Fatalf("session %d: askers are %q", askers, d.Askers)
				}
			case *events.ActionResult:
				id = peerSession(d.Output)
				if id == "" && !strings.Contains(string(d.Output), "asked through 8 agents already (tester → tester") {
					t.Errorf("session %d: got %s", askers, d.Output)
				}
			}
		}
	}
	if askers != 9 {
		t.Errorf("%d sessions", askers)
	}
}

// How far an ask has come is read from the log: a restart does not begin anew.
func TestPeers_AskersOutliveTheHost(t *testing.T) {
	t.Parallel()
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "careful", Agent: "tester", Advertise: true, NeedsApproval: map[string]bool{"ask": true}})
	id := h.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "on"}).SessionID
	asks := 0
	for ; id != "" && asks < 10; asks++ {
		h.rest(id, "parked")
		if asks%4 == 3 {
			h.restart()
		}
		d := h.until(id, "input.requested").Data.(*events.InputRequested)
		if _, err := h.host.ResolveApproval(t.Context(), id, d.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
			t.Fatal(err)
		}
		h.rest(id, "waiting")
		id = peerSession(h.until(id, "action.result").Data.(*events.ActionResult).Output)
	}
	if asks != 9 {
		t.Errorf("%d asks", asks)
	}
}

// peerSession is the session that the answer of a peer names; empty where it is none.
func peerSession(output []byte) string {
	var reply struct {
		StructuredContent struct{ SessionID string }
	}
	_ = json.Unmarshal(output, &reply) // a text is no answer
	return reply.StructuredContent.SessionID
}

// Agents whose connections lead back to them are warned of when they are served.
func TestPeers_Circles(t *testing.T) {
	t.Parallel()
	peer := func(slug string, to ...string) *agent.Agent {
		a := &agent.Agent{Slug: slug}
		for _, other := range to {
			a.Connections = append(a.Connections, &agent.Connection{Name: "to-" + other, Agent: other})
		}
		return a
	}
	all := []*agent.Agent{peer("a", "b", "d"), peer("b", "c"), peer("c", "a"), peer("d"), peer("e", "e"), peer("f", "a")}
	for slug, want := range map[string]string{"a": "a → b → c → a", "b": "b → c → a → b", "e": "e → e", "d": "", "f": ""} {
		found := actors.PeerCircles(slug, all)
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || !strings.HasSuffix(found[0].Message, ": "+want) || found[0].Rule != "connection/circle" || found[0].Severity != agent.SeverityWarning {
			t.Errorf("%s: got %+v", slug, found)
		}
	}
	h := newConnected(t, actors.Options{}, &agent.Connection{Name: "me", Agent: "tester", Advertise: true})
	if found := h.host.Findings("tester"); len(found) != 1 || found[0].Rule != "connection/circle" {
		t.Errorf("findings are %+v", found)
	}
}
