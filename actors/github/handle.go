package github

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// An occasion is an event that may wake the agent, before a handler or a mention says so.
type occasion struct {
	d *Delivery
	// at is where it happened; nil: at no pull request and no issue.
	at *thread
	// said begins the message: what happened. text is what its author wrote; author
	// is the author. heading names the thread.
	said, text, author, heading string
	// spoken says that the text is new, so that a mention in it counts.
	spoken bool
	// react is where the eyes go, a path of the API; empty: nowhere.
	react string
	// judge asks the handler; nil: there is none.
	judge func(ctx context.Context) (*Wake, error)
}

// handle answers an event: most pass, some wake a session.
func (c *channel) handle(ctx context.Context, call *agent.Call) (*agent.Response, error) {
	d, w, err := read(call)
	if err != nil {
		return nil, err
	}
	c.learn(d)
	if why := c.echo(ctx, d, w); why != "" {
		return passed(d, why), nil
	}
	o := c.occasion(d, w)
	if o == nil {
		return passed(d, "nothing in it is new"), nil
	}
	wake, err := c.decide(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("the handler of %s: %w", d.Event, err)
	}
	if wake == nil {
		return passed(d, "nobody was woken"), nil
	}
	return c.wake(ctx, o, wake)
}

// learn keeps what an event tells of the app's installation.
func (c *channel) learn(d *Delivery) {
	if p := c.o.Client.app; p != nil && d.Installation != 0 {
		p.know("/repos/"+d.Repository.FullName, d.Installation)
	}
}

// decide asks the handler, or looks for a mention.
func (c *channel) decide(ctx context.Context, o *occasion) (*Wake, error) {
	if o.judge != nil {
		return o.judge(ctx)
	}
	if !o.spoken {
		return nil, nil
	}
	name := c.o.BotName
	if name == "" {
		name = c.o.Client.Login(ctx)
	}
	if !mentions(o.text, name) {
		return nil, nil
	}
	return &Wake{}, nil
}

// wake gives the message to the session of the thread.
func (c *channel) wake(ctx context.Context, o *occasion, w *Wake) (*agent.Response, error) {
	d := o.d
	if open, err := c.admit(ctx, o); err != nil || !open {
		return passed(d, "the conversation is woken too often"), err
	}
	if w.Auth == (events.Principal{}) {
		w.Auth = DefaultAuth(d)
	}
	s := agent.SendOptions{Title: surface.OneLine(w.Title, maxTitle), Auth: w.Auth, Shared: true}
	if s.Title == "" {
		s.Title = surface.OneLine(o.heading, maxTitle)
	}
	if d.ID != "" {
		s.DeliveryID = "github:" + d.ID
	}
	var note string
	if o.at != nil {
		s.ContinuationToken = o.at.token()
		s.Files, note = c.files(ctx, d, o.at)
	}
	sent, err := d.Sessions.Send(ctx, o.message(w, note), s)
	if err != nil {
		return nil, err
	}
	c.remember(ctx, d, s, sent)
	c.eyes(ctx, o)
	return said(http.StatusOK, map[string]any{"ok": true, "event": d.Event, "sessionId": sent.SessionID}), nil
}

// maxTitle bounds a session's title, in bytes.
const maxTitle = 200

// passed answers for an event that wakes nobody.
func passed(d *Delivery, why string) *agent.Response {
	d.Log.Debug().Str("event", d.Event).Str("action", d.Action).Str("repository", d.Repository.FullName).Str("delivery", d.ID).Msg("a GitHub event passed: " + why)
	return said(http.StatusOK, map[string]any{"ok": true, "event": d.Event, "ignored": why})
}
