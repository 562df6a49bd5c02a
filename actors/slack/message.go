package slack

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// A Delivery is one message that may wake the agent, with what a handler may use of the
// host: Slack is the channel's own client.
type Delivery struct {
	*agent.Call `json:"-"`
	// ID is Slack's own, the same when it delivers again.
	ID string `json:"deliveryId"`
	// Kind is KindMention, KindDirect, KindPost or KindCommand.
	Kind   string  `json:"kind"`
	Team   string  `json:"team"`
	Thread Thread  `json:"thread"`
	Bot    BotUser `json:"bot"`
	// Payload is the event as it came; null for a command.
	Payload json.RawMessage `json:"payload"`
}

// A Thread is where a conversation is held.
type Thread struct {
	Channel  string `json:"channel"`
	ThreadTS string `json:"threadTs"`
}

// A BotUser is the bot in the workspace; ID is empty where nobody knows it.
type BotUser struct {
	ID string `json:"id"`
}

// Kinds of a Delivery.
const (
	KindMention = "mention"
	KindDirect  = "direct"
	KindPost    = "post"
	KindCommand = "command"
)

// A Message is what somebody wrote on Slack.
type Message struct {
	// Text is for people: without the mention of the bot that it begins with, links and
	// channels by their names.
	Text string `json:"text"`
	// Body is the text as Slack sends it.
	Body    string `json:"body"`
	Author  Author `json:"author"`
	Team    string `json:"team"`
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	// ThreadTS is the thread that it was written in; empty for one that is in none.
	ThreadTS string `json:"threadTs,omitempty"`
	// Files are the names of what is attached.
	Files []string `json:"files,omitempty"`
}

// An Author wrote a message. IsBot marks apps; Name may be empty.
type Author struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	IsBot bool   `json:"isBot"`
	// Team is the author's own workspace, which is another one in shared channels.
	Team string `json:"team"`
}

// DefaultAuth is the author of a message, within the author's workspace.
func DefaultAuth(m *Message) events.Principal {
	team := m.Author.Team
	if team == "" {
		team = m.Team
	}
	return events.Principal{Kind: "slack", Tenant: team, ID: m.Author.ID}
}

var (
	userMention = regexp.MustCompile(`<@([A-Z0-9]+)(?:\|([^>]*))?>`)
	reference   = regexp.MustCompile(`<([#!])([^>|]*)(?:\|([^>]*))?>`)
	link        = regexp.MustCompile(`<([a-z][a-z0-9+.-]*:[^>|]*)(?:\|([^>]*))?>`)
	entities    = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// plain gives the text that people see.
func plain(body, bot string) string {
	text := strings.TrimSpace(body)
	if m := userMention.FindStringSubmatchIndex(text); m != nil && m[0] == 0 && bot != "" && text[m[2]:m[3]] == bot {
		text = strings.TrimSpace(strings.TrimLeft(text[m[1]:], ":,"))
	}
	text = replace(userMention, text, func(m []string) string { return "@" + either(m[2], m[1]) })
	text = replace(reference, text, func(m []string) string { return sign(m[1]) + either(m[3], m[2]) })
	text = replace(link, text, func(m []string) string {
		if m[2] == "" || m[2] == m[1] {
			return strings.TrimPrefix(m[1], "mailto:")
		}
		return m[2] + " (" + m[1] + ")"
	})
	return entities.Replace(text)
}

func sign(s string) string {
	if s == "!" {
		return "@"
	}
	return s
}

func replace(re *regexp.Regexp, text string, f func(m []string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string { return f(re.FindStringSubmatch(s)) })
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// mentions says whether a text mentions a user.
func mentions(body, user string) bool {
	return user != "" && (strings.Contains(body, "<@"+user+">") || strings.Contains(body, "<@"+user+"|"))
}

// maxText bounds what is put into a message of what somebody wrote.
const maxText = 20_000

// told is what the model is told: the handler's words or the channel's, and the
// handler's lines. What people wrote in a channel stands between fences.
func told(d *Delivery, m *Message, w *Wake) string {
	parts := []string{w.Message}
	if w.Message == "" {
		parts = []string{m.introduce(d), surface.Fenced(bounded(m.Text))}
		if d.Kind == KindDirect {
			parts = []string{bounded(m.Text)}
		}
		if len(m.Files) > 0 {
			parts = append(parts, "Attached: "+surface.OneLine(strings.Join(m.Files, ", "), 500))
		}
	}
	if lines := strings.Trim(strings.Join(w.Context, "\n"), "\n"); lines != "" {
		parts = append(parts, lines)
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// introduce says who wrote where.
func (m *Message) introduce(d *Delivery) string {
	who := m.Author.ID
	if m.Author.Name != "" {
		who = surface.OneLine(m.Author.Name, 100) + " (" + m.Author.ID + ")"
	}
	how := map[string]string{KindMention: "mentioned you", KindPost: "posted", KindCommand: "called you by a command", KindDirect: "wrote to you"}[d.Kind]
	return who + " " + how + " in the Slack channel " + m.Channel + ":"
}

func bounded(s string) string {
	if len(s) <= maxText {
		return s
	}
	return surface.Cut(s, maxText) + "\n… (the text is longer)"
}
