package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
	"github.com/gobdk/bdk/actors/slack/slacktest"
	"github.com/gobdk/bdk/events"
)

func watch(channels ...string) func(*slack.Options) {
	return func(o *slack.Options) { o.Engagement.ChannelPosts.Allow = channels }
}

// "Wakes on mention, direct message, watched posts (top-level|all)"; in a thread the bot
// is to be mentioned, unless all of a watched channel is looked at.
func TestHandle_Wakes(t *testing.T) {
	t.Parallel()
	all := func(o *slack.Options) { watch("C1")(o); o.Engagement.ChannelPosts.All = true }
	inThread := map[string]any{"thread_ts": "1700000000.000100"}
	for name, c := range map[string]struct {
		change func(*slack.Options)
		event  string
		want   int
	}{
		"a mention":                       {nil, message("E", "app_mention", "C1", "1.1", "<@UBOT> hi", nil), 1},
		"a mention in a thread":           {nil, message("E", "app_mention", "C1", "1.1", "<@UBOT> hi", inThread), 1},
		"a direct message":                {nil, message("E", "message", "D1", "1.1", "hi", map[string]any{"channel_type": "im"}), 1},
		"a post":                          {nil, message("E", "message", "C1", "1.1", "hi", nil), 0},
		"a watched post":                  {watch("C1"), message("E", "message", "C1", "1.1", "hi", nil), 1},
		"a post beside":                   {watch("C2"), message("E", "message", "C1", "1.1", "hi", nil), 0},
		"a reply where posts are watched": {watch("C1"), message("E", "message", "C1", "1.1", "hi", inThread), 0},
		"a reply where all is watched":    {all, message("E", "message", "C1", "1.1", "hi", inThread), 1},
		"the message of a mention":        {watch("C1"), message("E", "message", "C1", "1.1", "<@UBOT> hi", nil), 0},
		"an edit":                         {watch("C1"), message("E", "message", "C1", "1.1", "hi", map[string]any{"subtype": "message_changed"}), 0},
		"somebody joins":                  {watch("C1"), message("E", "message", "C1", "1.1", "hi", map[string]any{"subtype": "channel_join"}), 0},
		"a file":                          {watch("C1"), message("E", "message", "C1", "1.1", "", map[string]any{"subtype": "file_share", "files": []any{map[string]any{"name": "a.png"}}}), 1},
		"another event":                   {nil, event("E", map[string]any{"type": "reaction_added"}), 0},
	} {
		if sent := newRig(t, c.change).receive(asJSON, c.event); len(sent) != c.want {
			t.Errorf("%s woke %d, want %d", name, len(sent), c.want)
		}
	}
}

// "replies in the thread; continuation <team>:<channel>:<thread>; principal {kind:"slack",
// tenant: team, id: user}"; one message that comes as two events is one.
func TestHandle_Message(t *testing.T) {
	t.Parallel()
	var seen *slack.Message
	r := newRig(t, func(o *slack.Options) {
		o.OnAppMention = func(_ context.Context, d *slack.Delivery, m *slack.Message) (*slack.Wake, error) {
			seen = m
			if strings.Contains(m.Text, "quiet") {
				return nil, nil
			}
			return &slack.Wake{Auth: slack.DefaultAuth(m), Title: "A question", Context: []string{"Be short."}}, nil
		}
	})
	if sent := r.receive(asJSON, message("E0", "app_mention", "C1", "1700000000.000000", "quiet", nil)); len(sent) != 0 {
		t.Fatalf("a message that the handler lets pass sent %+v", sent)
	}
	sent := r.receive(asJSON, message("E1", "app_mention", "C1", "1700000000.000100", "<@UBOT>: look at <https://x.example/a|this> &amp; <#C9|general>, <@U2>", nil))
	if len(sent) != 1 {
		t.Fatalf("%d messages were sent", len(sent))
	}
	o := sent[0].o
	if o.ContinuationToken != thread || o.Title != "A question" || o.Auth != (events.Principal{Kind: "slack", Tenant: "T1", ID: "UANN"}) || o.DeliveryID != "slack:T1:C1:1700000000.000100" || !o.Shared {
		t.Errorf("the message goes to %+v", o)
	}
	if seen.Text != "look at this (https://x.example/a) & #general, @U2" || !strings.HasPrefix(seen.Body, "<@UBOT>: look") || seen.Author.Name != "Person UANN" || seen.Author.IsBot || seen.ThreadTS != "" {
		t.Errorf("the handler saw %+v", seen)
	}
	if want := "Person UANN (UANN) mentioned you in the Slack channel C1:\n\n```text\n" + seen.Text + "\n```\n\nBe short."; sent[0].text != want {
		t.Errorf("the message is\n%s\nwant\n%s", sent[0].text, want)
	}
	again := r.receive(asJSON, message("E2", "app_mention", "C1", "1700000001.000100", "<@UBOT> and", map[string]any{"thread_ts": "1700000000.000100"}))
	if again[0].o.ContinuationToken != thread || seen.ThreadTS != "1700000000.000100" {
		t.Errorf("a reply in the thread goes to %+v", again[0].o)
	}
}

// "Own messages/other bots ignored": our own identity in each of its forms, then another bot.
func TestHandle_OwnAndOtherBots(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more          map[string]any
		mention, post int
	}{
		"a person":             {nil, 1, 1},
		"the bot's user":       {map[string]any{"user": slacktest.BotUser}, 0, 0},
		"the bot's id":         {map[string]any{"user": "", "bot_id": slacktest.BotID}, 0, 0},
		"the app":              {map[string]any{"bot_id": "B9", "app_id": slacktest.AppID}, 0, 0},
		"what it keeps beside": {map[string]any{"metadata": map[string]any{"event_type": "bdk_message"}}, 0, 0},
		"another bot":          {map[string]any{"user": "U9", "bot_id": "B9", "app_id": "A9"}, 0, 1},
		"an old integration":   {map[string]any{"user": "", "subtype": "bot_message", "bot_id": "B9", "username": "grafana"}, 0, 1},
	} {
		r := newRig(t, func(o *slack.Options) {
			watch("C1")(o)
			o.OnChannelPost = func(_ context.Context, _ *slack.Delivery, m *slack.Message) (*slack.Wake, error) {
				if m.Author.IsBot != (strings.HasPrefix(name, "another") || strings.HasPrefix(name, "an old")) {
					t.Errorf("%s: isBot is %t", name, m.Author.IsBot)
				}
				return &slack.Wake{}, nil
			}
		})
		if got := len(r.receive(asJSON, message("E1", "app_mention", "C1", "1.1", "<@UBOT> hi", c.more))); got != c.mention {
			t.Errorf("%s: its mention woke %d, want %d", name, got, c.mention)
		}
		if got := len(r.receive(asJSON, message("E2", "message", "C1", "1.2", "hi", c.more))); got != c.post {
			t.Errorf("%s: its post woke %d, want %d", name, got, c.post)
		}
	}
	r := newRig(t, watch("C1"))
	if sent := r.receive(asJSON, message("E", "message", "C1", "1.1", "hi", map[string]any{"bot_id": "B9"})); len(sent) != 0 {
		t.Error("a post of another bot wakes without a handler")
	}
}

// "per-thread reply breaker trips, recorded"; posts of a machine that begins a thread
// with each are bounded, too.
func TestHandle_Breaker(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) {
		watch("C2")(o)
		o.OnChannelPost = func(context.Context, *slack.Delivery, *slack.Message) (*slack.Wake, error) { return &slack.Wake{}, nil }
	})
	woken, posts := 0, 0
	for i := range 102 {
		woken += len(r.receive(asJSON, message(fmt.Sprint("E", i), "app_mention", "C1", fmt.Sprintf("1700000001.%06d", i), "<@UBOT> you said", map[string]any{"thread_ts": "1700000000.000100"})))
		posts += len(r.receive(asJSON, message(fmt.Sprint("P", i), "message", "C2", fmt.Sprintf("1700000001.%06d", i), "alert", map[string]any{"bot_id": "B9"})))
	}
	if woken != 10 || posts != 10 {
		t.Errorf("102 echoes woke it %d times, 102 alerts %d times, want 10", woken, posts)
	}
	if said := r.api.Messages("C1"); len(said) != 1 || !strings.Contains(said[0].Text, "I was called 10 times within 10 min here") || !strings.Contains(r.log.String(), "the breaker tripped") {
		t.Errorf("on Slack it says %+v", said)
	}
	r.clock.turn(11 * time.Minute)
	if len(r.receive(asJSON, message("E200", "app_mention", "C1", "1700009001.000001", "<@UBOT>", map[string]any{"thread_ts": "1700000000.000100"}))) != 1 {
		t.Error("it does not answer after it has been quiet")
	}
}

// A slash command begins a thread, once.
func TestHandle_Command(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	form := url.Values{"command": {"/ask"}, "text": {"what is `up` <now>?"}, "team_id": {"T1"}, "channel_id": {"C1"}, "user_id": {"UANN"}, "user_name": {"ann"}, "trigger_id": {"tr1"}}.Encode()
	r.api.FaultAfter("chat.postMessage")
	if _, err := r.channel.Routes[0].Handle(t.Context(), r.call(r.signed(asForm, form))); err == nil {
		t.Fatal("a command whose thread may not be there is handled")
	}
	sent := r.receive(asForm, form)
	posted := r.api.Messages("C1")
	if len(posted) != 1 || posted[0].Text != "<@UANN>: `/ask what is 'up' &lt;now&gt;?`" {
		t.Fatalf("the thread begins with %+v", posted)
	}
	if len(sent) != 1 || sent[0].o.ContinuationToken != "T1:C1:"+posted[0].TS || !strings.Contains(sent[0].text, "ann (UANN) called you by a command") {
		t.Errorf("the message is %+v", sent)
	}
}

// "suggestedPrompts via assistant.threads.setSuggestedPrompts on assistant_thread_started".
func TestHandle_Prompts(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) {
		o.SuggestedPrompts, o.SuggestedPromptsTitle = []slack.Prompt{{Title: "Hi", Message: "Say hello"}}, "Try"
	})
	r.receive(asJSON, event("E1", map[string]any{"type": "assistant_thread_started", "assistant_thread": map[string]any{"user_id": "UANN", "channel_id": "D1", "thread_ts": "1.1"}}))
	asked := r.api.Requests("assistant.threads.setSuggestedPrompts")
	if len(asked) != 1 || asked[0].Form.Get("channel_id") != "D1" || asked[0].Form.Get("title") != "Try" || asked[0].Form.Get("prompts") != `[{"title":"Hi","message":"Say hello"}]` {
		t.Errorf("it asked %+v", asked)
	}
}

// A body that is no event is the sender's fault; a handler's error is ours.
func TestHandle_Faults(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) {
		o.OnAppMention = func(context.Context, *slack.Delivery, *slack.Message) (*slack.Wake, error) {
			return nil, errors.New("boom")
		}
	})
	handle := func(kind, body string) error {
		_, err := r.channel.Routes[0].Handle(t.Context(), r.call(r.signed(kind, body)))
		return err
	}
	var wrong *agent.RequestError
	for _, body := range []string{`[]`, `{"type":"event_callback"}`, `{"team_id":"T1","event":[]}`} {
		if err := handle(asJSON, body); !errors.As(err, &wrong) {
			t.Errorf("%s gives %v", body, err)
		}
	}
	if err := handle(asForm, "command=%2Fask&channel_id=../x"); !errors.As(err, &wrong) {
		t.Errorf("a command without a place gives %v", err)
	}
	if err := handle(asJSON, message("E", "app_mention", "C1", "1.1", "x", nil)); err == nil || !strings.Contains(err.Error(), "the handler of a mention: boom") {
		t.Errorf("a handler that fails gives %v", err)
	}
	if err := handle(asJSON, message("E", "app_mention", "C1:x", "1.1", "x", nil)); err != nil || len(r.sends) != 0 {
		t.Errorf("a channel that is none gives %v", err)
	}
}

// A schedule's target is {channelId, threadTs?}.
func TestChannel_Target(t *testing.T) {
	t.Parallel()
	target := newRig(t, nil).channel.Target
	for raw, want := range map[string]string{
		`{"channelId":"C1","threadTs":"1700000000.000100"}`: thread,
		`{"channelId":"C1","threadTs":"1.1","teamId":"T9"}`: "T9:C1:1.1",
		`{"channelId":"C1"}`:                         `{"channel":"C1","team":"T1"}`,
		`{"continuationToken":"T1:C1:1.1"}`:          "T1:C1:1.1",
		`{}`:                                         "",
		`{"threadTs":"1.1"}`:                         "error",
		`{"channelId":"#general"}`:                   "error",
		`{"channelId":"C1","threadTs":"now"}`:        "error",
		`{"channelId":"C1","continuationToken":"x"}`: "error",
		`[]`: "error",
	} {
		o, err := target(json.RawMessage(raw))
		if got := o.ContinuationToken + string(o.State); (err != nil) != (want == "error") || err == nil && got != want {
			t.Errorf("the target %s gives %q, %v", raw, got, err)
		}
	}
}
