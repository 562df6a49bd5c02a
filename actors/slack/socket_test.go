package slack_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
)

// "with SLACK_APP_TOKEN (xapp-) the channel opens a socket at onStart, same handling path
// (dedupe, durable before ack)"; one that is closed is opened anew.
func TestSocket(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) { o.SigningSecret, o.AppToken = "", "xapp-canary" })
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	taken := make(chan *agent.Request, 10)
	refusals := 1
	call := r.call(nil)
	call.WaitUntil = func(f func(context.Context)) { work.Go(func() { f(ctx) }) }
	call.Receive = func(_ context.Context, route *agent.Route, q *agent.Request) error {
		if route != r.channel.Routes[0] || q.Principal.Kind != "slack" {
			t.Errorf("it is taken in as %+v", q)
		}
		if refusals--; refusals >= 0 {
			return errors.New("the disk is full")
		}
		taken <- q
		return nil
	}
	if err := r.channel.OnStart(ctx, call); err != nil {
		t.Fatal(err)
	}
	link := r.api.Link(t)
	link.Lost(t, "e0", "events_api", map[string]any{"type": "event_callback", "event_id": "Ev0", "team_id": "T1", "event": map[string]any{"type": "app_mention"}})
	link.Send(t, "e1", "events_api", map[string]any{"type": "event_callback", "event_id": "Ev1", "team_id": "T1", "event": map[string]any{"type": "app_mention", "channel": "C1", "ts": "1.1", "user": "U1", "text": "<@UBOT> hi"}})
	q := <-taken
	if id := r.channel.Routes[0].DeliveryID(q); id != "Ev1" {
		t.Errorf("the delivery is %q", id)
	}
	if _, err := r.channel.Routes[0].Handle(ctx, r.call(q)); err != nil || len(r.sends) != 1 {
		t.Errorf("it is handled with %v, and sent %+v", err, r.sends)
	}
	link.Send(t, "e2", "slash_commands", map[string]any{"command": "/ask", "text": "x", "trigger_id": "tr9"})
	if id := r.channel.Routes[0].DeliveryID(<-taken); id != "command:tr9" {
		t.Errorf("the command is %q", id)
	}
	link.Drop()
	again := r.api.Link(t)
	again.Send(t, "e3", "interactive", map[string]any{"type": "block_actions", "trigger_id": "tr1", "actions": []any{map[string]any{"action_ts": "2.2"}}})
	if id := r.channel.Routes[0].DeliveryID(<-taken); id != "action:tr1:2.2" {
		t.Errorf("the click is %q", id)
	}
	cancel()
	work.Wait()
	if strings.Contains(r.log.String(), "canary") || !strings.Contains(r.log.String(), "the disk is full") {
		t.Errorf("the log is %s", r.log)
	}
}
