// Package slack is the Slack channel of an agent: messages wake it, replies are posted in
// their threads, calls are approved by buttons. Its Client asks Slack's Web API.
package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// ErrNoSecret is why a channel without a signing secret and without a socket does not start.
var ErrNoSecret = errors.New("slack: the channel has no signing secret, so anybody could send it events")

// Options describe a channel. Client and SigningSecret, or AppToken, are needed.
type Options struct {
	// ID is the channel's place: /v1/channels/<ID>. Defaults to "slack".
	ID string
	// Source is that of agent.Channel. Defaults to "project".
	Source string
	// SigningSecret is that of the app. Without it every request over HTTP is refused.
	SigningSecret string
	// AppToken, xapp-…, opens a socket to Slack at the start, so that no request URL is needed.
	AppToken string
	// Client asks the API as the app's bot.
	Client *Client
	// Unserved makes a channel without secrets and client, which is only looked at.
	Unserved   bool
	Reply      Reply
	Engagement Engagement
	// SuggestedPrompts, at most four, are shown in a new assistant thread.
	SuggestedPrompts      []Prompt
	SuggestedPromptsTitle string
	// ToolApprovals shows calls that wait for a person with buttons.
	ToolApprovals bool
	Breaker       surface.Breaker
	// Clock defaults to the machine's.
	Clock clock.Clock

	// The handlers say whether a message wakes the agent. Without one, a mention and a
	// direct message of a person do, and so does a post in a channel of
	// Engagement.ChannelPosts.Allow.
	OnAppMention    Handler
	OnDirectMessage Handler
	OnChannelPost   Handler
}

// A Handler makes of a message what wakes the agent; nil lets it pass.
type Handler func(ctx context.Context, d *Delivery, m *Message) (*Wake, error)

// A Wake is what a handler makes of a message.
type Wake struct {
	// Auth owns the session that is opened. Zero: DefaultAuth.
	Auth  events.Principal `json:"auth"`
	Title string           `json:"title,omitempty"`
	// Context are lines behind the message.
	Context []string `json:"context,omitempty"`
	// Message replaces what the channel itself says of the message.
	Message string `json:"message,omitempty"`
}

// Modes of Reply.
const (
	ModePost   = "post"   // the reply of a turn is posted, the default
	ModeStream = "stream" // it is posted when it begins, and edited as it grows
	ModeManual = "manual" // nothing is posted
)

// A Reply says what is shown on Slack of a turn.
type Reply struct {
	Mode   string
	Status Status
}

// A Status is what the thread shows while the agent is at work.
type Status struct {
	// Off shows none.
	Off bool
	// Reasoning is shown while the model works; empty: "is thinking…".
	Reasoning string
	// Tools are shown while a tool runs, by its name; that of "*" for those that have none
	// of their own. Nil: Reasoning stays.
	Tools map[string]string
	// Idle, at most ten, are shown in turns.
	Idle []string
}

// Engagement says which messages are looked at, beside mentions and direct messages.
type Engagement struct{ ChannelPosts ChannelPosts }

// ChannelPosts are watched posts.
type ChannelPosts struct {
	// Allow are the channels whose posts are watched: ids, such as C0123456789, or names,
	// such as #general, which cost a question to Slack now and then.
	Allow []string
	// All watches what is written in threads, too.
	All bool
	// Debounce joins posts that follow each other within that time into one turn.
	Debounce time.Duration
}

// A Prompt is suggested in a new assistant thread.
type Prompt struct {
	Title   string `json:"title"`
	Message string `json:"message"`
}

// Bounds of Slack's.
const (
	MaxPrompts = 4
	MaxIdle    = 10
)

// MaxDebounce bounds ChannelPosts.Debounce.
const MaxDebounce = 10 * time.Minute

// Channel makes the channel. ErrNoSecret: there is neither a signing secret nor an app token.
func Channel(o Options) (*agent.Channel, error) {
	c, err := newChannel(o)
	if err != nil {
		return nil, err
	}
	c.route = &agent.Route{
		Method:       "POST",
		Path:         "/",
		Description:  "Events, clicks and commands of Slack",
		Acknowledged: 200, // Slack shows any other to who gave a command
		Verify:       c.verify,
		DeliveryID:   deliveryID,
		Handle:       c.handle,
	}
	return &agent.Channel{
		ID:          c.o.ID,
		Description: "Messages of Slack",
		Source:      c.o.Source,
		Auth: []agent.AuthPolicy{agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) {
			return &events.Principal{Kind: "slack", ID: "events"}, nil // the signature says who may send
		})},
		Admission:   agent.AdmissionCoalesce,
		Acknowledge: true,
		Approvals:   c.o.ToolApprovals,
		Secrets:     c.secrets(),
		Target:      c.target,
		On:          c.deliveries(),
		OnStart:     c.start,
		Pack:        "slack",
		Manifest:    c.manifest,
		Routes:      []*agent.Route{c.route},
	}, nil
}

// A channel is the state behind an agent.Channel.
type channel struct {
	o     Options
	route *agent.Route
	// began is when it was made: what is older may have been posted by an earlier life.
	began time.Time
	seen  seen
	posts posts
	shown throttle
}

func newChannel(o Options) (*channel, error) {
	switch {
	case o.SigningSecret == "" && o.AppToken == "" && !o.Unserved:
		return nil, ErrNoSecret
	case o.Client == nil && !o.Unserved:
		return nil, errors.New("slack: the channel has no client: it cannot answer")
	case o.AppToken != "" && !strings.HasPrefix(o.AppToken, "xapp-"):
		return nil, errors.New("slack: the app's token is none: it begins with xapp-")
	case len(o.SuggestedPrompts) > MaxPrompts:
		return nil, fmt.Errorf("slack: there are %d suggested prompts, Slack shows %d", len(o.SuggestedPrompts), MaxPrompts)
	case len(o.Reply.Status.Idle) > MaxIdle:
		return nil, fmt.Errorf("slack: there are %d idle texts, Slack takes %d", len(o.Reply.Status.Idle), MaxIdle)
	case o.Engagement.ChannelPosts.Debounce < 0 || o.Engagement.ChannelPosts.Debounce > MaxDebounce:
		return nil, fmt.Errorf("slack: posts are held for at most %s", MaxDebounce)
	}
	for _, s := range []struct {
		field *string
		value string
	}{{&o.ID, "slack"}, {&o.Source, "project"}, {&o.Reply.Mode, ModePost}, {&o.Reply.Status.Reasoning, "is thinking…"}} {
		if *s.field == "" {
			*s.field = s.value
		}
	}
	if !slices.Contains([]string{ModePost, ModeStream, ModeManual}, o.Reply.Mode) {
		return nil, fmt.Errorf("slack: the reply's mode is %q; it can be post, stream or manual", o.Reply.Mode)
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	o.Breaker = o.Breaker.WithDefaults()
	return &channel{o: o, began: o.Clock.Now(), posts: posts{news: make(chan struct{}, 1)}}, nil
}

func (c *channel) secrets() []string {
	list := []string{c.o.SigningSecret, c.o.AppToken}
	if c.o.Client != nil {
		list = append(list, c.o.Client.token)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
