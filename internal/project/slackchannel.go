package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/script"
)

// slackFields are the options of slackChannel.
var slackFields = []string{
	"envPrefix", "reply", "engagement", "onAppMention", "onDirectMessage", "onChannelPost", "suggestedPrompts", "suggestedPromptsTitle", "toolApprovals",
}

// slackHandlers are the options that are functions.
var slackHandlers = []string{"onAppMention", "onDirectMessage", "onChannelPost"}

// slackChannel reads the options of slackChannel.
func (l *loader) slackChannel(id, from string, m script.Loaded, src *source) *agent.Channel {
	before := l.report.errors()
	s := newSpec(l.report, src, ruleSlackOption, m.Spec)
	delete(s.fields, "pack")
	s.unknown(ruleSlackUnknown, slackFields)
	o := slack.Options{ID: id, Source: from, SuggestedPromptsTitle: s.text("suggestedPromptsTitle"), ToolApprovals: s.flag("toolApprovals")}
	o.Reply, o.Engagement, o.SuggestedPrompts = slackReply(s), slackEngagement(s), slackPrompts(s)
	l.slackHandlers(s, m.ID, &o)
	prefix := s.text("envPrefix")
	if l.report.errors() > before {
		return nil
	}
	if len(o.Engagement.ChannelPosts.Allow) == 0 && o.OnChannelPost != nil {
		l.report.add(ruleSlackIdle, s.at("onChannelPost"), "onChannelPost never runs, since no channel is watched", `name channels by their ids: engagement: {channelPosts: {allow: ["C0123456789"]}}`)
	}
	if !l.slackSecrets(s, prefix, &o) {
		return nil
	}
	c, err := slack.Channel(o)
	if err != nil {
		l.report.add(ruleSlackOption, src.export(), slackMessage(err), "mend what the message names")
		return nil
	}
	return c
}

func slackMessage(err error) string {
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), "slack: "), "\n", "; ")
}

func slackReply(s *spec) (r slack.Reply) {
	if !s.has("reply") {
		return r
	}
	reply := s.object("reply")
	reply.unknown(ruleSlackUnknown, []string{"mode", "status"})
	r.Mode = reply.oneOf("mode", slack.ModePost, slack.ModeStream, slack.ModeManual)
	if !reply.has("status") {
		return r
	}
	if string(reply.fields["status"]) == "false" {
		r.Status.Off = true
		return r
	}
	status := reply.object("status")
	status.unknown(ruleSlackUnknown, []string{"reasoning", "tools", "idle"})
	r.Status.Idle = status.texts("idle")
	if len(r.Status.Idle) > slack.MaxIdle {
		status.wrong("idle", fmt.Sprintf("at most %d texts, which is what Slack takes", slack.MaxIdle))
	}
	r.Status.Reasoning, r.Status.Off = slackReasoning(status)
	r.Status.Tools = slackTools(status)
	return r
}

// slackReasoning is true, false, or a text.
func slackReasoning(status *spec) (text string, off bool) {
	switch raw := status.fields["reasoning"]; {
	case len(raw) == 0 || string(raw) == "true":
		return "", false
	case string(raw) == "false":
		return "", true
	}
	return status.text("reasoning"), false
}

// slackTools is true, false, a text for all tools, or texts by the tools' names.
func slackTools(status *spec) map[string]string {
	raw := status.fields["tools"]
	var texts map[string]string
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "false":
		return nil
	case string(raw) == "true":
		return map[string]string{"*": "is using {tool}…"}
	case json.Unmarshal(raw, &text) == nil && strings.TrimSpace(text) != "":
		return map[string]string{"*": text}
	case json.Unmarshal(raw, &texts) != nil || texts == nil:
		status.wrong("tools", `true, false, a text such as "is using {tool}…", or {tool: text}`)
	}
	return texts
}

func slackEngagement(s *spec) (e slack.Engagement) {
	if !s.has("engagement") {
		return e
	}
	engagement := s.object("engagement")
	engagement.unknown(ruleSlackUnknown, []string{"channelPosts"})
	if !engagement.has("channelPosts") {
		return e
	}
	posts := engagement.object("channelPosts")
	posts.unknown(ruleSlackUnknown, []string{"allow", "posts", "debounceMs"})
	e.ChannelPosts.Allow = slices.DeleteFunc(posts.texts("allow"), func(id string) bool { return id == "" })
	for _, id := range e.ChannelPosts.Allow {
		if !slackID(id) && !slackName(id) {
			posts.report.add(ruleSlackOption, posts.at("allow"), "allow has "+quote(id)+", which is no channel's id and no name", "Slack shows the id in the channel's details; it looks like C0123456789, and a name like #general")
		}
	}
	e.ChannelPosts.All = posts.oneOf("posts", "top-level", "all") == "all"
	if string(posts.fields["debounceMs"]) != "0" {
		e.ChannelPosts.Debounce = time.Duration(posts.count("debounceMs", slack.MaxDebounce.Milliseconds())) * time.Millisecond
	}
	return e
}

// slackID says whether a text is an id of Slack's.
func slackID(id string) bool {
	return len(id) > 1 && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// slackName says whether a text is a channel's name, with its sign.
func slackName(name string) bool {
	rest, ok := strings.CutPrefix(name, "#")
	return ok && rest != "" && rest == strings.ToLower(rest) && !strings.ContainsAny(rest, "# \t\n.,")
}

func slackPrompts(s *spec) (list []slack.Prompt) {
	raw, ok := s.fields["suggestedPrompts"]
	if !ok {
		return nil
	}
	bad := json.Unmarshal(raw, &list) != nil || len(list) > slack.MaxPrompts
	for _, p := range list {
		bad = bad || strings.TrimSpace(p.Title) == "" || strings.TrimSpace(p.Message) == ""
	}
	if bad {
		s.wrong("suggestedPrompts", fmt.Sprintf("at most %d of {title, message}, each a text", slack.MaxPrompts))
	}
	return list
}

// slackHandlers binds the handlers that are there.
func (l *loader) slackHandlers(s *spec, module string, o *slack.Options) {
	for i, into := range []*slack.Handler{&o.OnAppMention, &o.OnDirectMessage, &o.OnChannelPost} {
		name := slackHandlers[i]
		switch raw, ok := s.fields[name]; {
		case !ok:
		case !isFunction(raw):
			s.wrong(name, "a function (ctx, message) => null | {auth, title, context}")
		default:
			*into = bindSlackWake(l.runtime, module, name)
		}
	}
}

// bindSlackWake calls a handler of the project.
func bindSlackWake(runtime *script.Runtime, module, name string) slack.Handler {
	return func(ctx context.Context, d *slack.Delivery, m *slack.Message) (*slack.Wake, error) {
		event, err := json.Marshal(map[string]any{"ctx": d, "subject": m})
		if err != nil {
			return nil, err
		}
		raw, err := runtime.CallWake(ctx, module, name, event, d.Call)
		if err != nil || isNull(raw) {
			return nil, err
		}
		w := &slack.Wake{}
		if err := readStrictly(raw, w); err != nil {
			return nil, fmt.Errorf("%s returned what is no {auth, title?, context?: string[], message?}: %w", name, err)
		}
		if w.Auth != (events.Principal{}) && (w.Auth.Kind == "" || w.Auth.ID == "") {
			return nil, errors.New(name + " returned an auth without kind and id: use defaultSlackAuth(message, ctx)")
		}
		return w, nil
	}
}
