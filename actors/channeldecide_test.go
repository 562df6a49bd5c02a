package actors_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "the action resolves the approval with the principal of the clicker", once, and for
// the channel's own sessions.
func TestChannel_Decide(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", Approvals: true}, &agent.Channel{ID: "other", Approvals: true}, &agent.Channel{ID: "alone"})
	id := h.put("desk", "gated", agent.SendOptions{}).SessionID
	h.rest(id, "parked")
	asked, ok := h.until(id, "input.requested").Data.(*events.InputRequested)
	if !ok {
		t.Fatal("nothing is asked for")
	}
	clicker := events.Principal{Kind: "slack", Tenant: "T1", ID: "UBOB"}
	decide := func(channel, call string, d agent.Decision) (err error) {
		outer := h.visit(channel, caller, func(ctx context.Context, c *agent.Call) error {
			err = c.Sessions.(agent.Approver).Decide(ctx, id, call, d)
			return nil
		})
		return errors.Join(outer, err)
	}
	for channel, want := range map[string]string{"other": "has no session", "alone": "has no session"} {
		if err := decide(channel, asked.CallID, agent.Decision{Approve: true, By: clicker}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s decides: %v", channel, err)
		}
	}
	if err := decide("desk", asked.CallID, agent.Decision{Approve: true}); err == nil || !strings.Contains(err.Error(), "by needs a kind and an id") {
		t.Errorf("nobody decides: %v", err)
	}
	if err := decide("desk", "call_none", agent.Decision{Approve: true, By: clicker}); !errors.Is(err, agent.ErrDecided) {
		t.Errorf("a call that is not there gives %v", err)
	}
	for range 2 {
		if err := decide("desk", asked.CallID, agent.Decision{Approve: true, By: clicker}); err != nil {
			t.Fatal(err)
		}
	}
	if err := decide("desk", asked.CallID, agent.Decision{By: clicker, Reason: "late"}); !errors.Is(err, agent.ErrDecided) {
		t.Errorf("another decision gives %v", err)
	}
	h.rest(id, "waiting")
	if d, ok := h.until(id, "input.resolved").Data.(*events.InputResolved); !ok || d.Decision != events.DecisionApprove || d.By == nil || *d.By != clicker {
		t.Errorf("the decision is %+v", d)
	}
}

// What comes another way than over HTTP is on disk when Receive returns, once, and
// without Verify; Acknowledged is the status of what comes over HTTP.
func TestChannel_Receive(t *testing.T) {
	t.Parallel()
	desk := inboxed(sender)
	route := desk.Routes[0]
	route.Acknowledged = http.StatusOK
	route.Verify = func(context.Context, *agent.Request) (*agent.Response, error) { return nil, agent.ErrUnauthorized }
	errs := make(chan error, 2)
	desk.OnStart = func(ctx context.Context, c *agent.Call) error {
		for range 2 {
			r := &agent.Request{Method: "POST", URL: "socket:events", Header: http.Header{"X-Delivery": {"d1"}}, Body: []byte("hello"), Principal: caller}
			errs <- c.Receive(ctx, route, r)
		}
		return nil
	}
	h := channelled(t, actors.Options{}, desk)
	for range 2 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	h.handled(1)
	if got := h.trace("agt_tester"); strings.Count(got, "delivery.received") != 1 {
		t.Errorf("the agent's log has %s", got)
	}
	p := h.host.Channel("tester", "desk")
	defer p.Close()
	if _, err := p.Handle(t.Context(), route, &agent.Request{Method: "POST", URL: "http://x/"}); !errors.Is(err, agent.ErrUnauthorized) {
		t.Errorf("a request that does not verify gives %v", err)
	}
	route.Verify = nil
	res, err := p.Handle(t.Context(), route, &agent.Request{Method: "POST", URL: "http://x/", Header: http.Header{"X-Delivery": {"d1"}}, Principal: caller})
	if err != nil || res.Status != http.StatusOK {
		t.Errorf("it is acknowledged with %+v, %v", res, err)
	}
}
