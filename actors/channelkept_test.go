package actors_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// "Work that was admitted may end what it does while the host drains": a route in flight,
// what it left to waitUntil, and the handler of an acknowledged request.
func TestDrain_AdmittedWorkSends(t *testing.T) {
	t.Parallel()
	began, gate := make(chan struct{}, 4), make(chan struct{})
	var late func() error
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		began <- struct{}{}
		<-gate
		return sender(ctx, c)
	}), &agent.Channel{ID: "plain"})
	if err := h.post("acknowledged", "d"); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		answered <- h.visit("plain", caller, func(ctx context.Context, c *agent.Call) error {
			send := func(ctx context.Context, text string) error {
				_, err := c.Sessions.Send(ctx, text, agent.SendOptions{ContinuationToken: "t", DeliveryID: text})
				return err
			}
			late = func() error { return send(context.Background(), "late") }
			c.WaitUntil(func(ctx context.Context) {
				began <- struct{}{}
				<-gate
				if err := send(ctx, "after"); err != nil {
					t.Errorf("what goes on after the response gives %v", err)
				}
			})
			began <- struct{}{}
			<-gate
			return send(ctx, "in flight")
		})
	}()
	for range 3 {
		<-began
	}
	h.host.Drain()
	if err := h.post("new", ""); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("a new request gives %v", err)
	}
	close(gate)
	if err := <-answered; err != nil {
		t.Errorf("the route in flight gives %v", err)
	}
	h.finish()
	if got := strings.Join(h.messages(), " "); !strings.Contains(got, "acknowledged") || !strings.Contains(got, "in flight") || !strings.Contains(got, "after") {
		t.Errorf("the messages are %q", got)
	}
	if err := late(); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("after the end it gives %v", err)
	}
}

// A route that the host's end cuts off has not failed.
func TestDrain_RouteIsCutOff(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "plain"})
	began, answered := make(chan struct{}), make(chan error, 1)
	go func() {
		answered <- h.visit("plain", caller, func(ctx context.Context, _ *agent.Call) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	<-began
	h.restart()
	if err := <-answered; !errors.Is(err, actors.ErrDraining) || errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("it gives %v", err)
	}
}

// channels.md: "Events that wait are kept while the agent has no such channel, or one
// without handlers, and delivered when it is back"; a finding says so.
func TestDelivery_WaitsForItsChannel(t *testing.T) {
	t.Parallel()
	var d diary
	var hold atomic.Bool
	hold.Store(true)
	held := make(chan struct{}, 4)
	desk := on("*", func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
		if hold.Load() {
			held <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}
		return d.deliver(ctx, e, c)
	})
	h := channelled(t, actors.Options{}, desk)
	a := h.put("desk", "hello", agent.SendOptions{})
	<-held
	h.rest(a.SessionID, "waiting")
	hold.Store(false)
	withDesk := h.shape
	for _, channels := range [][]*agent.Channel{nil, {{ID: "desk"}}} {
		h.shape = func(a *agent.Agent) { a.Channels = channels }
		h.restart()
		eventually(t, "it is shown", func() bool {
			f := h.host.Findings("tester")
			return len(f) == 1 && f[0].Rule == "channel/delivery-waits"
		})
		h.failedBy(a.SessionID) // an append, with its mark
		h.wantMarks(1)
	}
	h.shape = withDesk
	h.restart()
	eventually(t, "all is delivered", func() bool { return h.marks() == 0 })
	for _, want := range h.delivered(a.SessionID, ":*", everything) {
		if !strings.Contains(strings.Join(d.all(), "\n"), want) {
			t.Errorf("%s was not delivered", want)
		}
	}
}

// channels.md: "An id stands for one message of the channel": one for another
// conversation is refused, and not taken for the first.
func TestChannel_DeliveryIDOfAnotherConversation(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	first := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "c", DeliveryID: "1"})
	if again := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "c", DeliveryID: "1"}); again.TurnID != first.TurnID {
		t.Errorf("again it is %+v", again)
	}
	if again := h.put("desk", "hello", agent.SendOptions{DeliveryID: "1"}); again.TurnID != first.TurnID {
		t.Errorf("without a token it is %+v", again)
	}
	if _, err := h.try("desk", "hello", agent.SendOptions{ContinuationToken: "d", DeliveryID: "1"}); err == nil || !strings.Contains(err.Error(), `was that of a message to the conversation "c", and this one is for the conversation "d"`) {
		t.Errorf("to another conversation it gives %v", err)
	}
}

// "A GET answers HEAD": one that is acknowledged is handled as the route's own.
func TestInbox_Head(t *testing.T) {
	t.Parallel()
	method := make(chan string, 1)
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", Acknowledge: true, Routes: []*agent.Route{{Method: "GET", Path: "/get", Handle: func(_ context.Context, c *agent.Call) (*agent.Response, error) {
		method <- c.Request.Method
		return nil, nil
	}}}})
	p := h.host.Channel("tester", "desk")
	defer p.Close()
	if res, err := p.Handle(t.Context(), p.Definition().Routes[0], &agent.Request{Method: "HEAD", URL: "http://x/get", Principal: caller}); err != nil || res.Status != http.StatusAccepted {
		t.Fatal(res, err)
	}
	h.handled(1)
	if d := h.agentLog()[1].Data.(*events.DeliveryHandled); d.IsError || <-method != "GET" {
		t.Errorf("the outcome is %+v", d)
	}
}

// channels.md: "a title of more than 200 characters is cut".
func TestChannel_TitleIsCut(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	a := h.put("desk", "hello", agent.SendOptions{Title: strings.Repeat("ä", 201)})
	if got := h.log(a.SessionID)[0].Data.(*events.SessionStarted).Title; got != strings.Repeat("ä", 199)+"…" {
		t.Errorf("the title is %q", got)
	}
}
