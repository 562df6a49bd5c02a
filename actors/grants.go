package actors

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/oauth"
)

// CallbackPath is where, below its public URL, a host takes back people who have
// been at a link: whoever serves it gives FinishAuthorization the query.
const CallbackPath = "/v1/oauth/callback"

// errUnreached refuses a link from which nobody could come back.
var errUnreached = errors.New("the host has no URL that a browser could come back to")

// CheckPublicURL says why a text is no URL that browsers could reach a host at.
func CheckPublicURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is no URL of http or https", text)
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(u.Path, "/"):
		return fmt.Errorf("%q has more than a host and a path, or ends with /", text)
	}
	return nil
}

// grants are the links that calls wait for, and the sessions of these calls. They
// live no longer than the host, as what was begun with an authorization server does.
type grants struct {
	h *Host

	mu    sync.Mutex
	links map[string]*grantLink    // by URL
	turns map[string]chan struct{} // by connection: one is begun at a time
}

// A grantLink is one link.
type grantLink struct {
	session.Link
	key, state string
	outcome    string          // empty: nobody has come back
	waiting    map[string]bool // sessions
}

func newGrants(h *Host) *grants {
	return &grants{h: h, links: map[string]*grantLink{}, turns: map[string]chan struct{}{}}
}

func grantKey(t *oauth.Target) string { return t.Agent + "/" + t.Connection }

// link gives a link for a connection: one that others wait for too, where it is good
// for a while yet. began is when the call did that needs it: somebody may have
// authorized the connection since.
func (g *grants) link(ctx context.Context, t oauth.Target, began time.Time) (session.Link, error) {
	key := grantKey(&t)
	leave, err := g.enter(ctx, key)
	if err != nil {
		return session.Link{}, err
	}
	defer leave()
	if l := g.open(key); l != nil {
		return *l, nil
	}
	if g.h.o.PublicURL == nil {
		return session.Link{}, errUnreached
	}
	base, err := g.h.o.PublicURL(ctx)
	if err == nil {
		err = CheckPublicURL(base)
	}
	if err != nil {
		return session.Link{}, err
	}
	p, err := g.h.oauth.Begin(ctx, t, base+CallbackPath)
	if err != nil {
		return session.Link{}, err
	}
	l := session.Link{Connection: t.Connection, URL: p.URL, ExpiresAt: p.ExpiresAt}
	g.add(key, p.State, l)
	if at, err := g.h.oauth.Since(ctx, t); err == nil && !at.IsZero() && !at.Before(began) {
		g.settle(key)
	}
	return l, nil
}

// enter waits for the turn at a connection.
func (g *grants) enter(ctx context.Context, key string) (leave func(), err error) {
	g.mu.Lock()
	turn := g.turns[key]
	if turn == nil {
		turn = make(chan struct{}, 1)
		g.turns[key] = turn
	}
	g.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// open finds a link that can be shared, and drops those that are over.
func (g *grants) open(key string) (found *session.Link) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.h.now()
	for at, l := range g.links {
		switch left := l.ExpiresAt.Sub(now); {
		case left <= 0:
			delete(g.links, at)
		case l.key == key && l.outcome == "" && left > oauth.Lifetime/2:
			found = &l.Link
		}
	}
	return found
}

func (g *grants) add(key, state string, l session.Link) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.links[l.URL] = &grantLink{Link: l, key: key, state: state, waiting: map[string]bool{}}
}

// wait notes that a session waits for a link, or gives what came of it already.
func (g *grants) wait(id, link string) (outcome string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.links[link]
	switch {
	case l == nil: // the deadline ends the wait
		return ""
	case l.outcome == "":
		l.waiting[id] = true
	}
	return l.outcome
}

// settle tells all who wait for a connection that somebody has authorized it.
func (g *grants) settle(key string) {
	g.end(events.OutcomeGranted, func(l *grantLink) bool { return l.key == key })
}

// refuse tells those who wait for one link that it came to nothing.
func (g *grants) refuse(state string) {
	g.end(events.OutcomeDenied, func(l *grantLink) bool { return state != "" && l.state == state })
}

func (g *grants) end(outcome string, of func(*grantLink) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.links {
		if l.outcome != "" || !of(l) {
			continue
		}
		l.outcome = outcome
		if g.h.Draining() { // the next start runs the calls again
			continue
		}
		for id := range l.waiting {
			g.h.tell(&command{id: id, inputs: []session.Input{&session.Granted{Connection: l.Connection, Outcome: outcome}}, reply: make(chan reply, 1)})
		}
	}
}

// awaitGrant waits for what comes of the link of a parked call.
func (a *sessionActor) awaitGrant(c *session.Call) {
	if !c.Asks() {
		return
	}
	if outcome := a.h.grants.wait(a.id, c.Grant.URL); outcome != "" {
		a.h.eng.send(a.pid, &session.Granted{Connection: c.Grant.Connection, Outcome: outcome})
	}
}
