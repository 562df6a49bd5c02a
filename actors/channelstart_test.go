package actors_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// channels.md: `onStart?`: it runs at each start, when the host takes work; what it throws
// is logged and shown, and the channel works all the same.
func TestChannel_OnStart(t *testing.T) {
	t.Parallel()
	var log, starts diary
	h := channelled(t, actors.Options{Logger: zerolog.New(&log)},
		&agent.Channel{ID: "good", OnStart: func(ctx context.Context, c *agent.Call) error {
			sent, err := c.Sessions.Send(ctx, "hello", agent.SendOptions{})
			starts.add("%s", sent.SessionID)
			return err
		}},
		&agent.Channel{ID: "bad", OnStart: func(context.Context, *agent.Call) error { return errors.New("no socket") }},
		&agent.Channel{ID: "worse", OnStart: func(context.Context, *agent.Call) error { panic("no luck") }},
	)
	for n := range 2 {
		if n > 0 {
			h.restart()
		}
		eventually(t, "the channels have started", func() bool { return len(starts.all()) == n+1 && len(h.host.Findings("tester")) == 2 })
	}
	id := starts.all()[0]
	h.rest(id, "waiting")
	if d := h.log(id)[0].Data.(*events.SessionStarted); d.Principal != (events.Principal{Kind: "app", ID: "channel:good"}) {
		t.Errorf("the owner is %+v", d.Principal)
	}
	found := h.host.Findings("tester")
	slices.SortFunc(found, func(a, b agent.Diagnostic) int { return strings.Compare(a.Message, b.Message) })
	if found[0].Message != `channel "bad" onStart failed: no socket` || found[1].Message != `channel "worse" onStart failed: it panicked: no luck` || found[0].Rule != "channel/start-failed" {
		t.Errorf("the findings are %+v", found)
	}
	if n := strings.Count(strings.Join(log.all(), "\n"), "onStart failed"); n != 4 {
		t.Errorf("the log is %q", log.all())
	}
	h.rest(h.put("bad", "hello", agent.SendOptions{}).SessionID, "waiting")
}

// What an onStart leaves behind, such as a socket, ends when a Reload replaces its
// agent, so that this one can be closed; the next one's begins.
func TestChannel_OnStartAndReload(t *testing.T) {
	t.Parallel()
	h := newReloadHouse(t)
	var open atomic.Int64
	socket := func(_ context.Context, c *agent.Call) error {
		c.WaitUntil(func(ctx context.Context) {
			open.Add(1)
			<-ctx.Done()
			open.Add(-1)
		})
		return errors.New("half open")
	}
	first, second := h.edition("tester", "first"), h.edition("tester", "second")
	first.Channels = []*agent.Channel{{ID: "desk", OnStart: socket}}
	second.Channels = []*agent.Channel{{ID: "desk", OnStart: socket}}
	h.reload(first)
	eventually(t, "the socket is open", func() bool { return open.Load() == 1 && len(h.host.Findings("tester")) == 1 })
	p := h.host.Channel("tester", "desk")
	h.reload(second)
	eventually(t, "the next one's alone is open", func() bool { return open.Load() == 1 && first.closed.Load() == 0 })
	p.Close() // a port holds its agent
	h.closes(first)
	h.reload(h.edition("tester", "third"))
	h.closes(second)
	if n := len(h.host.Findings("tester")); n != 0 {
		t.Errorf("%d findings are of an agent that was replaced", n)
	}
	if h.host.Channel("tester", "desk") != nil || h.host.Channel("nobody", "desk") != nil {
		t.Error("a channel is there that the agent has not")
	}
	h.finish() // waits for no socket
}

// "waitUntil(promise)": Close waits for the work that a handler left behind.
func TestChannel_WaitUntil(t *testing.T) {
	t.Parallel()
	gate, done := make(chan struct{}), make(chan struct{}, 2)
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	var late func(func(context.Context))
	if err := h.visit("desk", caller, func(_ context.Context, c *agent.Call) error {
		late = c.WaitUntil
		c.WaitUntil(func(ctx context.Context) {
			<-gate
			done <- struct{}{}
		})
		c.WaitUntil(func(context.Context) { panic("contained") })
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	late(func(context.Context) { done <- struct{}{} }) // after the answer
	<-done
	h.host.Drain()
	late(func(context.Context) { t.Error("work begins while the host stops") })
	close(gate)
	h.finish()
	if len(done) != 1 {
		t.Error("Close did not wait")
	}
}

// A route's Verify comes before everything else; a body of the answer is the caller's.
func TestChannel_Verify(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", Acknowledge: true})
	p := h.host.Channel("tester", "desk")
	defer p.Close()
	no := false
	route := &agent.Route{Method: "POST", Path: "/", Acknowledge: &no, Verify: func(_ context.Context, r *agent.Request) (*agent.Response, error) {
		switch string(r.Body) {
		case "forged":
			return nil, agent.ErrUnauthorized
		case "challenge":
			return &agent.Response{Body: strings.NewReader("answer")}, nil
		}
		return nil, nil
	}, Handle: func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		if c.Session.ID != "" || c.History != nil || c.Conversation != nil || c.KV == nil || c.Channel.ID != "desk" {
			t.Errorf("the call is %+v", c)
		}
		if string(c.Request.Body) == "bad" {
			return nil, &agent.RequestError{Where: "body", Issues: []agent.Issue{{Message: "no"}}}
		}
		return nil, errors.New("details")
	}}
	handle := func(body string) (*agent.Response, error) {
		return p.Handle(t.Context(), route, &agent.Request{Method: "POST", URL: "http://x/", Body: []byte(body), Principal: caller})
	}
	if _, err := handle("forged"); !errors.Is(err, agent.ErrUnauthorized) || errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("a forged request gives %v", err)
	}
	if res, err := handle("challenge"); err != nil || res.Body == nil {
		t.Errorf("a challenge gives %+v, %v", res, err)
	}
	var bad *agent.RequestError
	if _, err := handle("bad"); !errors.As(err, &bad) {
		t.Errorf("a bad body gives %v", err)
	}
	if _, err := handle("x"); !errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("a failing handler gives %v", err)
	}
	h.host.Drain()
	if _, err := handle("x"); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("while the host drains a request gives %v", err)
	}
}
