package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// handle sees to what came in: most passes, some wakes a session.
func (c *channel) handle(ctx context.Context, call *agent.Call) (*agent.Response, error) {
	in, err := readIncoming(call.Request)
	if err != nil {
		return nil, err
	}
	if c.o.Client != nil {
		call.Slack = c.o.Client
	}
	switch {
	case in.action != nil:
		return c.click(ctx, call, in.action)
	case in.command != nil:
		return c.commanded(ctx, call, in.command)
	}
	w, err := in.event.read()
	if err != nil {
		return nil, err
	}
	if w.Type == "assistant_thread_started" {
		c.suggest(ctx, call, w)
		return passed(call, in.event.EventID, "a new assistant thread"), nil
	}
	watched, err := c.watched(ctx, w)
	if err != nil {
		return nil, fmt.Errorf("asking for the name of the channel %s, since allow names channels: %w", w.Channel, err)
	}
	d, m, why := c.message(ctx, call, in.event, w, watched)
	if why != "" {
		return passed(call, in.event.EventID, why), nil
	}
	return c.consider(ctx, d, m)
}

// passed answers for what wakes nobody.
func passed(call *agent.Call, id, why string) *agent.Response {
	call.Log.Debug().Str("event", id).Msg("a Slack event passed: " + why)
	return said(http.StatusOK, map[string]any{"ok": true, "ignored": why})
}

// subtypes of messages that somebody wrote.
var subtypes = []string{"", "bot_message", "file_share", "me_message", "thread_broadcast"}

// message makes a delivery of an event; why says that it is none that may wake the agent.
func (c *channel) message(ctx context.Context, call *agent.Call, e *envelope, w *wireEvent, watched bool) (d *Delivery, m *Message, why string) {
	bot := either(e.botUser(), c.o.Client.self(ctx).User)
	kind, why := c.kind(w, bot, watched)
	if why == "" {
		why = c.echo(ctx, e, w, kind, bot)
	}
	at := place{e.TeamID, w.Channel, either(w.ThreadTS, w.TS)}
	if _, ok := parsePlace(at.token()); why == "" && !ok {
		why = "it names no channel and message"
	}
	if why != "" {
		return nil, nil, why
	}
	d = &Delivery{Call: call, ID: e.EventID, Kind: kind, Team: e.TeamID, Thread: Thread{w.Channel, at.thread}, Bot: BotUser{bot}, Payload: e.Event}
	m = &Message{Text: plain(w.Text, bot), Body: w.Text, Team: e.TeamID, Channel: w.Channel, TS: w.TS, ThreadTS: w.ThreadTS}
	m.Author = Author{ID: either(w.User, w.BotID), IsBot: w.machine(), Team: either(w.UserTeam, either(w.Team, e.TeamID))}
	if m.Author.Name = either(w.Username, w.BotProfile.Name); !m.Author.IsBot {
		m.Author.Name = c.o.Client.userName(ctx, w.User)
	}
	for _, f := range w.Files {
		m.Files = append(m.Files, f.Name)
	}
	return d, m, ""
}

// machine says whether an app wrote it.
func (w *wireEvent) machine() bool { return w.BotID != "" || w.Subtype == "bot_message" }

// kind says what a message is to the agent, or why it is nothing.
func (c *channel) kind(w *wireEvent, bot string, watched bool) (kind, why string) {
	switch {
	case w.Type != "app_mention" && w.Type != "message":
		return "", "the channel does not know the event " + w.Type
	case !slices.Contains(subtypes, w.Subtype):
		return "", "it is no new message"
	case w.Type == "app_mention":
		return KindMention, ""
	case w.ChannelType == "im":
		return KindDirect, ""
	case mentions(w.Text, bot):
		return "", "its mention comes on its own"
	}
	posts := c.o.Engagement.ChannelPosts
	inThread := w.ThreadTS != "" && w.ThreadTS != w.TS
	switch {
	case !watched:
		return "", "its channel is not watched"
	case inThread && !posts.All && w.Subtype != "thread_broadcast":
		return "", "it is written in a thread, where the bot is to be mentioned"
	}
	return KindPost, ""
}

// echo says why a message is the bot's own doing, or another machine's talk. Posts of
// other machines are for a handler alone, which can look at author.isBot.
func (c *channel) echo(ctx context.Context, e *envelope, w *wireEvent, kind, bot string) string {
	self := c.o.Client.self(ctx)
	switch {
	case bot != "" && w.User == bot, self.User != "" && w.User == self.User, w.BotID != "" && w.BotID == self.Bot,
		e.AppID != "" && (w.AppID == e.AppID || w.BotProfile.AppID == e.AppID), strings.HasPrefix(w.Metadata.Type, ownMetadata):
		return "the bot wrote it itself"
	case w.machine() && (kind != KindPost || c.o.OnChannelPost == nil):
		return "another bot wrote it"
	}
	return ""
}

// consider asks the handler, and wakes a session where it says so.
func (c *channel) consider(ctx context.Context, d *Delivery, m *Message) (*agent.Response, error) {
	wake, err := c.decide(ctx, d, m)
	if err != nil {
		return nil, fmt.Errorf("the handler of a %s: %w", d.Kind, err)
	}
	if wake == nil {
		return passed(d.Call, d.ID, "nobody was woken"), nil
	}
	if wake.Auth == (events.Principal{}) {
		wake.Auth = DefaultAuth(m)
	}
	if open, err := c.admit(ctx, d, m); err != nil || !open {
		return passed(d.Call, d.ID, "the conversation is woken too often"), err
	}
	text := told(d, m, wake)
	if text == "" {
		return passed(d.Call, d.ID, "it has no text"), nil
	}
	title := surface.OneLine(wake.Title, maxTitle)
	if title == "" {
		title = surface.OneLine(m.Text, 80)
	}
	if d.Kind == KindPost && c.o.Engagement.ChannelPosts.Debounce > 0 {
		return c.hold(ctx, d, m, heldPost{TS: m.TS, Text: text, Title: title, Auth: wake.Auth})
	}
	at := place{d.Team, d.Thread.Channel, d.Thread.ThreadTS}
	sent, err := d.Sessions.Send(ctx, text, agent.SendOptions{
		ContinuationToken: at.token(), Title: title, Auth: wake.Auth, Shared: true, DeliveryID: "slack:" + d.Team + ":" + m.Channel + ":" + m.TS,
	})
	if err != nil {
		return nil, err
	}
	return said(http.StatusOK, map[string]any{"ok": true, "sessionId": sent.SessionID}), nil
}

// maxTitle bounds a session's title, in bytes.
const maxTitle = 200

// decide asks the handler of a kind; without one each message that came so far wakes.
func (c *channel) decide(ctx context.Context, d *Delivery, m *Message) (*Wake, error) {
	handler := map[string]Handler{KindMention: c.o.OnAppMention, KindCommand: c.o.OnAppMention, KindDirect: c.o.OnDirectMessage, KindPost: c.o.OnChannelPost}[d.Kind]
	if handler == nil {
		return &Wake{}, nil
	}
	return handler(ctx, d, m)
}

// admit says whether a conversation may be woken once more. Machines are counted by
// channel, since each of their posts can begin a thread.
func (c *channel) admit(ctx context.Context, d *Delivery, m *Message) (bool, error) {
	if d.KV == nil {
		return true, nil
	}
	at := place{d.Team, m.Channel, d.Thread.ThreadTS}
	key := at.token()
	if m.Author.IsBot {
		key = d.Team + ":" + m.Channel
	}
	open, trips, err := c.o.Breaker.Admit(ctx, d.Call, "slack:wakes:"+key, m.Channel+":"+m.TS)
	if err != nil || !trips {
		return open, err
	}
	if d.Telemetry != nil {
		d.Telemetry.Increment("slack.breaker", 1, nil)
	}
	if c.o.Reply.Mode != ModeManual {
		if _, err := c.once(ctx, d.Call, at, post{key: "breaker/" + m.Channel + m.TS, at: c.o.Clock.Now(), text: c.o.Breaker.String()}); err != nil {
			d.Log.Warn().Err(err).Msg("saying that the breaker tripped")
		}
	}
	return open, nil
}

// suggest shows the prompts in a new assistant thread. It is a nicety: what goes wrong is logged.
func (c *channel) suggest(ctx context.Context, call *agent.Call, w *wireEvent) {
	if len(c.o.SuggestedPrompts) == 0 {
		return
	}
	params := map[string]any{"channel_id": w.Assistant.Channel, "thread_ts": w.Assistant.ThreadTS, "prompts": c.o.SuggestedPrompts}
	if c.o.SuggestedPromptsTitle != "" {
		params["title"] = c.o.SuggestedPromptsTitle
	}
	if err := c.o.Client.ask(ctx, "assistant.threads.setSuggestedPrompts", params, nil); err != nil {
		call.Log.Warn().Err(err).Msg("suggesting prompts on Slack")
	}
}

// commanded brings a slash command in: a message of the bot that repeats it begins the
// thread, since commands are in none.
func (c *channel) commanded(ctx context.Context, call *agent.Call, in *command) (*agent.Response, error) {
	at := place{team: in.team, channel: in.channel}
	if !idForm.MatchString(in.team) || !idForm.MatchString(in.channel) || !idForm.MatchString(in.user) {
		return nil, badBody("", "the command names no team, channel and user")
	}
	line := "<@" + in.user + ">: `" + strings.ReplaceAll(escape(surface.OneLine(in.name+" "+in.text, 2000)), "`", "'") + "`"
	ts, err := c.once(ctx, call, at, post{key: "command/" + in.trigger, at: c.o.Clock.Now(), raw: line})
	if err != nil {
		return nil, fmt.Errorf("beginning the thread of a command: %w", err)
	}
	payload, err := json.Marshal(map[string]string{"command": in.name, "text": in.text})
	if err != nil {
		return nil, err
	}
	d := &Delivery{Call: call, ID: "command:" + in.trigger, Kind: KindCommand, Team: in.team, Thread: Thread{in.channel, ts}, Bot: BotUser{c.o.Client.self(ctx).User}, Payload: payload}
	m := &Message{
		Text: plain(in.text, ""), Body: in.text, Team: in.team, Channel: in.channel, TS: ts,
		Author: Author{ID: in.user, Name: in.userName, Team: in.team},
	}
	return c.consider(ctx, d, m)
}
