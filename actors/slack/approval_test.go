package slack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
	"github.com/gobdk/bdk/events"
)

func approving(o *slack.Options) { o.ToolApprovals = true }

func request(args string) *events.InputRequested {
	return &events.InputRequested{RequestID: "req_1", Kind: events.KindApproval, CallID: "call_1", ToolName: "pay", Args: json.RawMessage(args)}
}

// buttonOf gives the value of a button of the only card; empty where it has none.
func buttonOf(t *testing.T, r *rig, action string) string {
	t.Helper()
	var blocks []struct {
		Elements []struct {
			ID    string `json:"action_id"`
			Value string `json:"value"`
		} `json:"elements"`
	}
	got := r.api.Messages("C1")
	if len(got) != 1 || json.Unmarshal(got[0].Blocks, &blocks) != nil {
		t.Fatalf("the card is %+v", got)
	}
	for _, b := range blocks {
		for _, e := range b.Elements {
			if e.ID == action {
				return e.Value
			}
		}
	}
	return ""
}

// "With toolApprovals, a parked call shows buttons; after the decision they go and the
// card names who decided."
func TestApproval_Card(t *testing.T) {
	t.Parallel()
	r := newRig(t, approving)
	if !r.channel.Approvals {
		t.Error("nobody can approve")
	}
	asked := r.happen("turn_1", request(`{"to":"ann","amount":9007199254740993}`))
	for range 2 { // again after a crash
		if err := r.deliver(asked); err != nil {
			t.Fatal(err)
		}
		r.clock.turn(time.Second)
		r.again()
	}
	value := buttonOf(t, r, "bdk_approve")
	if value == "" || buttonOf(t, r, "bdk_deny") == "" || !strings.Contains(string(r.api.Messages("C1")[0].Blocks), `{\"to\":\"ann\",\"amount\":9007199254740993}`) {
		t.Errorf("the card is %s", r.api.Messages("C1")[0].Blocks)
	}
	r.receive(asForm, click("C1", "UBOB", "bdk_approve", value))
	if len(r.decisions) != 1 || r.decisions[0] != (agent.Decision{Approve: true, By: events.Principal{Kind: "slack", Tenant: "T1", ID: "UBOB"}}) {
		t.Errorf("the decisions are %+v", r.decisions)
	}
	by := r.decisions[0].By
	r.tell("turn_1", &events.InputResolved{RequestID: "req_1", CallID: "call_1", Decision: events.DecisionApprove, By: &by})
	card := string(r.api.Messages("C1")[0].Blocks)
	if buttonOf(t, r, "bdk_approve") != "" || !strings.Contains(card, "Approved by \\u003c@UBOB\\u003e") || !strings.Contains(card, "9007199254740993") || string(r.state) != "{}" {
		t.Errorf("the card became %s, the state %s", card, r.state)
	}
}

// "expired/cancelled calls update the card", also where its ts was lost.
func TestApproval_Ends(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*events.InputResolved{
		"Nobody decided in time":            {Decision: events.DecisionExpired},
		"Cancelled":                         {Decision: events.DecisionCancelled},
		"Denied by bearer ops: no, not now": {Decision: events.DecisionDeny, By: &events.Principal{Kind: "bearer", ID: "ops"}, Reason: "no, not now"},
		"Denied by bearer \\\\u202eops&lt;": {Decision: events.DecisionDeny, By: &events.Principal{Kind: "bearer", ID: "\u202eops<"}},
	} {
		r := newRig(t, approving)
		r.tell("turn_1", request(`{}`))
		r.state = nil
		d.CallID = "call_1"
		r.tell("turn_1", d)
		card := strings.ReplaceAll(string(r.api.Messages("C1")[0].Blocks), `\u0026`, "&")
		if buttonOf(t, r, "bdk_deny") != "" || !strings.Contains(card, want) {
			t.Errorf("the card of %q became %s", want, card)
		}
	}
}

// "The stored args bytes shown to the human are exactly the bytes executed; bidi/zero-width
// characters are made visible": what cannot be shown whole cannot be approved.
func TestApproval_ShowsExactly(t *testing.T) {
	t.Parallel()
	r := newRig(t, approving)
	args := "{\"to\":\"a\u200bb\u202ec\u00a0d\u2028e\U000e0041f\u3164g\uFE0F<@U1> ```*x*```\"}"
	r.tell("turn_1", request(args))
	var blocks []struct {
		Elements []struct{ Elements []struct{ Text string } }
	}
	if err := json.Unmarshal(r.api.Messages("C1")[0].Blocks, &blocks); err != nil {
		t.Fatal(err)
	}
	shown := blocks[1].Elements[0].Elements[0].Text
	if want := `{"to":"a\u200bb\u202ec\u00a0d\u2028e\udb40\udc41f\u3164g\ufe0f<@U1> ` + "```*x*```" + `"}`; shown != want {
		t.Errorf("it shows %s\nwant     %s", shown, want)
	}
	var a, b any
	if json.Unmarshal([]byte(args), &a) != nil || json.Unmarshal([]byte(shown), &b) != nil || a.(map[string]any)["to"] != b.(map[string]any)["to"] {
		t.Error("what is shown means something else")
	}
	long := newRig(t, approving)
	long.tell("turn_1", request(`{"x":"`+strings.Repeat("é", 20_000)+`"}`))
	if buttonOf(t, long, "bdk_approve") != "" || buttonOf(t, long, "bdk_deny") == "" {
		t.Error("arguments that are not shown whole can be approved")
	}
	refused := newRig(t, approving)
	refused.api.Refuse("chat.postMessage", "invalid_blocks")
	refused.tell("turn_1", request(`{"x":1}`))
	if buttonOf(t, refused, "bdk_approve") != "" || buttonOf(t, refused, "bdk_deny") == "" {
		t.Error("a card that Slack refuses has no other")
	}
}

// A click counts for the conversation in which its card is, and for a call that waits.
func TestApproval_Click(t *testing.T) {
	t.Parallel()
	r := newRig(t, approving)
	for _, body := range []string{
		click("C2", "UBOB", "bdk_approve", `{"s":"ses_1","c":"call_1"}`),
		click("C1", "UBOB", "bdk_approve", `{"s":"ses_2","c":"call_1"}`),
		click("C1", "UBOB", "other", `{"s":"ses_1","c":"call_1"}`),
		click("C1", "UBOB", "bdk_approve", `x`),
	} {
		r.receive(asForm, body)
	}
	if len(r.decisions) != 0 {
		t.Errorf("clicks elsewhere decide: %+v", r.decisions)
	}
	r.decided = agent.ErrDecided
	r.receive(asForm, click("C1", "UBOB", "bdk_deny", `{"s":"ses_1","c":"call_1"}`))
	if told := r.api.Requests("chat.postEphemeral"); len(told) != 1 || told[0].Form.Get("user") != "UBOB" {
		t.Errorf("who comes too late is told %+v", told)
	}
	off := newRig(t, nil)
	off.receive(asForm, click("C1", "UBOB", "bdk_approve", `{"s":"ses_1","c":"call_1"}`))
	if len(off.decisions) != 0 || off.channel.Approvals {
		t.Error("a channel without toolApprovals decides")
	}
}
