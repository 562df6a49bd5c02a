package slack_test

import (
	"strings"
	"testing"
	"time"
)

// A channel may be allowed by its name; Slack, which sends ids, is asked once in a while.
func TestWatched_Names(t *testing.T) {
	t.Parallel()
	r := newRig(t, watch("#room-c1", "C5"))
	for _, c := range []struct {
		channel string
		want    int
		asked   int
	}{{"C1", 1, 1}, {"C1", 1, 1}, {"C2", 0, 2}, {"C5", 1, 2}, {"C2", 0, 2}} {
		if sent := r.receive(asJSON, message("E", "message", c.channel, "1.1", "hi", nil)); len(sent) != c.want {
			t.Errorf("a post in %s woke %d, want %d", c.channel, len(sent), c.want)
		}
		if n := len(r.api.Requests("conversations.info")); n != c.asked {
			t.Errorf("after a post in %s Slack was asked %d times, want %d", c.channel, n, c.asked)
		}
	}
	r.clock.turn(11 * time.Minute)
	r.api.Refuse("conversations.info", "channel_not_found")
	if sent := r.receive(asJSON, message("E", "message", "C1", "1.1", "hi", nil)); len(sent) != 0 {
		t.Error("a channel that is there no more woke the agent")
	}
}

// Where Slack does not say, the post fails loudly instead of passing.
func TestWatched_NamesThatAreNotTold(t *testing.T) {
	t.Parallel()
	r := newRig(t, watch("#room-c1"))
	r.api.Refuse("conversations.info", "missing_scope")
	req := r.signed(asJSON, message("E", "message", "C1", "1.1", "hi", nil))
	_, err := r.channel.Routes[0].Handle(t.Context(), r.call(req))
	if err == nil || !strings.Contains(err.Error(), "asking for the name of the channel C1") || !strings.Contains(err.Error(), "missing_scope") {
		t.Errorf("the post is answered with %v", err)
	}
	if sent := r.receive(asJSON, message("E", "message", "D1", "1.1", "hi", map[string]any{"channel_type": "im"})); len(sent) != 1 || len(r.api.Requests("conversations.info")) != 1 {
		t.Error("a direct message needs the name of a channel")
	}
}

// The manifest asks for what names need.
func TestManifest_ScopesOfNames(t *testing.T) {
	t.Parallel()
	for allow, want := range map[string]bool{"C1": false, "#general": true} {
		text, err := newRig(t, watch(allow)).channel.Manifest("")
		if err != nil || strings.Contains(string(text), `"channels:read"`) != want || strings.Contains(string(text), `"groups:read"`) != want {
			t.Errorf("the manifest of %s: %v\n%s", allow, err, text)
		}
	}
}
