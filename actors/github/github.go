// Package github is the channel that connects GitHub to an agent: signed webhooks
// become messages, replies become comments. Its Client asks the REST API.
package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// ErrNoSecret is why a channel without a webhook secret does not start.
var ErrNoSecret = errors.New("github: the channel has no webhook secret, so anybody could send it events")

// Options describe a channel. A secret and a Client are needed for what most projects want.
type Options struct {
	// ID is the channel's place: /v1/channels/<ID>. Defaults to "github".
	ID string
	// Source is that of agent.Channel. Defaults to "project".
	Source string
	// BotName is the login that people mention. Defaults to the client's own account.
	BotName string
	// WebhookSecret is the secret that the webhook was set up with.
	WebhookSecret string
	// AllowUnsigned lets a channel without a secret start. It then takes events of this
	// machine alone, and none that was forwarded.
	AllowUnsigned bool
	// Client asks the API; nil: as nobody, so that nothing is posted.
	Client *Client
	// WebhookEvents are the only events that are looked at, such as "pull_request".
	// Nil: all of Events.
	WebhookEvents []string
	// NoReplies posts no comments: neither replies nor failures.
	NoReplies bool
	Progress  Progress
	Breaker   Breaker

	// The handlers say whether an event wakes the agent. Where there is none, a mention
	// of the bot in a new comment, pull request or issue does.
	OnPullRequest func(ctx context.Context, d *Delivery, pr PullRequest) (*Wake, error)
	OnIssue       func(ctx context.Context, d *Delivery, issue Issue) (*Wake, error)
	OnComment     func(ctx context.Context, d *Delivery, comment Comment) (*Wake, error)
	OnCheckRun    func(ctx context.Context, d *Delivery, run CheckRun) (*Wake, error)
	OnWorkflowRun func(ctx context.Context, d *Delivery, run WorkflowRun) (*Wake, error)
}

// Progress says how GitHub is shown that the agent is at work.
type Progress struct {
	// NoReactions leaves out the eyes under what woke the agent.
	NoReactions bool
	// CommitStatus sets a status on the head of a pull request.
	CommitStatus bool
	// Banner keeps one comment that says what the agent does, and is edited.
	Banner bool
}

// A Wake is what a handler makes of an event; nil lets it pass.
type Wake struct {
	// Auth owns the session that is opened. Zero: DefaultAuth.
	Auth  events.Principal `json:"auth"`
	Title string           `json:"title,omitempty"`
	// Context are lines behind the message.
	Context []string `json:"context,omitempty"`
	// Message replaces what the channel itself says of the event.
	Message string `json:"message,omitempty"`
}

// Events lists the webhook events that the channel knows.
func Events() []string {
	return []string{eventPull, eventIssues, eventIssueComment, eventReview, eventReviewComment, eventCheckRun, eventWorkflowRun}
}

// Channel makes the channel. ErrNoSecret: there is no secret, and AllowUnsigned is not set.
func Channel(o Options) (*agent.Channel, error) {
	c, err := newChannel(o)
	if err != nil {
		return nil, err
	}
	out := &agent.Channel{
		ID:          c.o.ID,
		Description: "Pull requests, issues and comments of GitHub",
		Source:      c.o.Source,
		Auth:        c.policies(),
		Admission:   agent.AdmissionCoalesce,
		Acknowledge: true,
		Secrets:     c.o.Client.secrets(c.o.WebhookSecret),
		Target:      target,
		On:          c.deliveries(),
		Routes: []*agent.Route{{
			Method:      "POST",
			Path:        "/",
			Description: "Webhook of GitHub, content type application/json",
			Verify:      c.verify,
			DeliveryID:  deliveryID,
			Handle:      c.handle,
		}},
	}
	if c.o.WebhookSecret == "" {
		out.OnStart = func(_ context.Context, call *agent.Call) error {
			call.Log.Info().Str("channel", c.o.ID).Msg("no webhook secret: unsigned events of this machine are taken")
			return nil
		}
	}
	return out, nil
}

// policies leave it to the signature who may send events. Without a secret only this
// machine may.
func (c *channel) policies() []agent.AuthPolicy {
	if c.o.WebhookSecret == "" {
		return []agent.AuthPolicy{agent.LocalDevStrict()}
	}
	return []agent.AuthPolicy{agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) {
		return &events.Principal{Kind: "github", ID: "webhook"}, nil
	})}
}

// A channel is the state behind an agent.Channel.
type channel struct{ o Options }

func newChannel(o Options) (*channel, error) {
	if o.WebhookSecret == "" && !o.AllowUnsigned {
		return nil, ErrNoSecret
	}
	for _, name := range o.WebhookEvents {
		if !slices.Contains(Events(), name) {
			return nil, fmt.Errorf("github: the channel knows no event %q: its events are %s", name, strings.Join(Events(), ", "))
		}
	}
	if o.ID == "" {
		o.ID = "github"
	}
	o.BotName = strings.TrimPrefix(strings.TrimSpace(o.BotName), "@")
	if o.Source == "" {
		o.Source = "project"
	}
	o.Breaker = o.Breaker.WithDefaults()
	if o.Client == nil {
		c, err := NewClient(ClientOptions{})
		if err != nil {
			return nil, err
		}
		o.Client = c
	}
	if !o.Client.Authenticated() {
		o.NoReplies, o.Progress = true, Progress{NoReactions: true}
	}
	return &channel{o}, nil
}

// DefaultAuth is the sender of the event, within the repository's owner.
func DefaultAuth(d *Delivery) events.Principal {
	return events.Principal{Kind: "github", ID: d.Sender.Login, Tenant: d.Repository.Owner}
}
