package actors_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// hookRoute is a route that is acknowledged, with the delivery's id in a header.
func hookRoute(handle func(ctx context.Context, c *agent.Call) (*agent.Response, error)) *agent.Route {
	return &agent.Route{Method: "POST", Path: "/hooks/:kind", Handle: handle, DeliveryID: func(r *agent.Request) string { return r.Header.Get("X-Delivery") }}
}

func inboxed(handle func(ctx context.Context, c *agent.Call) (*agent.Response, error)) *agent.Channel {
	return &agent.Channel{ID: "desk", Acknowledge: true, Routes: []*agent.Route{hookRoute(handle)}, Auth: []agent.AuthPolicy{agent.APIKeyHeader("X-Key", map[string]string{"k": "ann"})}}
}

// post sends a webhook to the channel's route.
func (h *house) post(body, id string) error {
	h.t.Helper()
	p := h.host.Channel("tester", "desk")
	defer p.Close()
	r := &agent.Request{
		Method: "POST", URL: "http://bots.example:3000/v1/channels/desk/hooks/push?x=1&x=2", Body: []byte(body), Principal: caller,
		Header: http.Header{"X-Delivery": {id}, "Authorization": {"Bearer s3cret"}, "Cookie": {"s3cret"}, "X-Key": {"s3cret"}, "X-Kind": {"push"}},
		Params: map[string]string{"kind": "push"}, Query: url.Values{"x": {"1", "2"}}, Remote: "10.0.0.1:1",
	}
	res, err := p.Handle(h.t.Context(), p.Definition().Routes[0], r)
	if err == nil && (res.Status != http.StatusAccepted || res.Body != nil) {
		h.t.Errorf("the answer is %+v", res)
	}
	return err
}

func (h *house) agentLog() []*events.Event { return h.log("agt_tester") }

// handled waits until so many requests were handled.
func (h *house) handled(n int) {
	h.t.Helper()
	eventually(h.t, "the requests are handled", func() bool {
		return strings.Count(h.trace("agt_tester"), "delivery.handled") == n
	})
}

// sender is a handler that sends the body of its request.
func sender(ctx context.Context, c *agent.Call) (*agent.Response, error) {
	_, err := c.Sessions.Send(ctx, string(c.Request.Body), agent.SendOptions{ContinuationToken: "room"})
	return &agent.Response{Status: 200, Body: strings.NewReader("dropped")}, err
}

// turns are the messages of the one session of the channel.
func (h *house) messages() (texts []string) {
	h.t.Helper()
	for s, err := range h.journal.Streams(events.SessionPrefix) {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, e := range h.log(s.ID) {
			if d, ok := e.Data.(*events.MessageReceived); ok {
				texts = append(texts, d.Text)
			}
		}
	}
	return texts
}

// channels.md: "`acknowledge: true` …: the caller gets an empty `202` once the request is
// durable, the handler runs after it and its Response is dropped".
func TestInbox_RecordsThenHandles(t *testing.T) {
	t.Parallel()
	var got diary
	gate := make(chan struct{})
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		<-gate
		r := c.Request
		got.add("%s %s %s %v %v %s %s", r.Method, r.URL, r.Body, r.Params, r.Query, r.Principal.ID, c.DeliveryID)
		got.add("%v", r.Header)
		if r.Received == "" {
			return nil, errors.New("the receipt has no id")
		}
		return sender(ctx, c)
	}))
	if err := h.post("hello\x00\xff", "d:1"); err != nil {
		t.Fatal(err)
	}
	log := h.agentLog() // at the answer it is on disk
	d, ok := log[0].Data.(*events.DeliveryReceived)
	if len(log) != 1 || !ok || d.DeliveryID != "d:1" || d.ChannelID != "desk" || d.Method != "POST" || d.Path != "/v1/channels/desk/hooks/push?x=1&x=2" || d.Body.Size != 7 || *d.Principal != caller {
		t.Fatalf("the log has %d events, the first is %+v", len(log), d)
	}
	close(gate)
	h.handled(1)
	same(t, got.all(), []string{
		"POST http://bots.example:3000/v1/channels/desk/hooks/push?x=1&x=2 hello\x00\xff map[kind:push] map[x:[1 2]] ann d:1",
		"map[X-Delivery:[d:1] X-Kind:[push]]", // "Secrets … never appear in a log, an error, an event"
	})
	if out := h.agentLog()[1].Data.(*events.DeliveryHandled); out.IsError || out.ReceiptID != d.ReceiptID {
		t.Errorf("the outcome is %+v", out)
	}
}

// C94: "Same delivery 3× in parallel, after restart, after 1 h; and same body with a new
// delivery id": one turn, the others the same empty 202, a new id is a new turn. C95: the
// window is 7 days.
func TestInbox_OncePerDelivery(t *testing.T) {
	t.Parallel()
	clk := &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	h := channelled(t, actors.Options{Clock: clk}, inboxed(sender))
	again := func(id string, times int) {
		t.Helper()
		var all sync.WaitGroup
		for range times {
			all.Go(func() {
				if err := h.post("body", id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	again("d:1", 3)
	h.handled(1)
	h.restart()
	again("d:1", 3)
	clk.advance(time.Hour)
	again("d:1", 1)
	clk.advance(7*24*time.Hour - time.Hour - 1)
	again("d:1", 1)
	again("d:2", 1)
	h.handled(2)
	clk.advance(2)
	again("d:1", 1)
	h.handled(3)
	again("", 2)
	h.handled(5)
	if n := len(h.messages()); n != 5 {
		t.Errorf("%d messages were sent, expected one for each of 2 ids, one after 7 days, and 2 without an id", n)
	}
}

// "A webhook killed between receipt and turn runs exactly once after the restart and the
// sender's retry".
func TestInbox_GoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	began := make(chan string, 8)
	var sentBefore sync.Map
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		body := string(c.Request.Body)
		if _, again := sentBefore.LoadOrStore(body, true); again {
			return sender(ctx, c)
		}
		if body == "after" { // the message is sent, the handler does not end
			if _, err := sender(ctx, c); err != nil {
				return nil, err
			}
		}
		began <- body
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	for _, body := range []string{"before", "after"} {
		if err := h.post(body, "d:"+body); err != nil {
			t.Fatal(err)
		}
		<-began
	}
	h.restart()
	for _, body := range []string{"before", "after"} {
		if err := h.post(body, "d:"+body); err != nil {
			t.Fatal(err)
		}
	}
	h.handled(2)
	got := h.messages()
	if slices.Sort(got); !slices.Equal(got, []string{"after", "before"}) {
		t.Errorf("the messages are %q", got)
	}
}

// A request that stops the host each time it is handled is given up in the third life,
// and shown; a call beside it in the open mark is closed as ever.
func TestInbox_PoisonIsGivenUp(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 8)
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		if string(c.Request.Body) != "poison" {
			return sender(ctx, c)
		}
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	if err := h.post("poison", ""); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		<-began
		h.restart() // a stop in order is no try
		<-began
		h.crash()
	}
	h.handled(1)
	log := h.agentLog()
	if d := log[1].Data.(*events.DeliveryHandled); !d.IsError || !strings.Contains(d.Message, "the host stopped 3 times") {
		t.Errorf("the outcome is %+v", d)
	}
	if f := h.host.Findings("tester"); len(f) != 1 || f[0].Rule != "channel/request-failed" {
		t.Errorf("the findings are %+v", f)
	}
	h.restart() // "it stays in the diagnostics for a day"
	if f := h.host.Findings("tester"); len(f) != 1 || f[0].Rule != "channel/request-failed" || !strings.Contains(f[0].Message, "POST /hooks/:kind failed") {
		t.Errorf("after another start the findings are %+v", f)
	}
	if err := h.post("fine", ""); err != nil {
		t.Fatal(err)
	}
	h.handled(2)
	same(t, h.messages(), []string{"fine"})
}

// channels.md: "A request whose handler failed is handled again when its sender delivers
// it again, under the same id; what the handler had sent before it failed is not sent
// twice." Each failure is recorded, logged and shown.
func TestInbox_HandlerFails(t *testing.T) {
	t.Parallel()
	var log diary
	var fails atomic.Bool
	fails.Store(true)
	h := channelled(t, actors.Options{Logger: zerolog.New(&log)}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		if res, err := sender(ctx, c); err != nil || !fails.Load() {
			return res, err
		}
		panic("no luck")
	}))
	again := func(handled int) {
		t.Helper()
		if err := h.post("x", "d"); err != nil {
			t.Fatal(err)
		}
		h.handled(handled)
	}
	again(1)
	if d := h.agentLog()[1].Data.(*events.DeliveryHandled); !d.IsError || d.Message != "it panicked: no luck" {
		t.Errorf("the outcome is %+v", d)
	}
	h.restart()
	if f := h.host.Findings("tester"); len(f) != 1 || f[0].Rule != "channel/request-failed" {
		t.Errorf("after a start the findings are %+v", f)
	}
	again(2)
	fails.Store(false)
	again(3)
	again(3) // it is handled
	h.restart()
	if f := h.host.Findings("tester"); len(f) != 0 {
		t.Errorf("the findings are %+v, though it was handled since", f)
	}
	h.finish()
	if n := len(h.agentLog()); n != 6 {
		t.Errorf("the log has %d events", n)
	}
	same(t, h.messages(), []string{"x"})
	const line = `channel "desk" handler of POST /hooks/:kind failed after the request was acknowledged: it panicked: no luck`
	same(t, log.all(), []string{line, line, line}) // the second is the start's
}

// A handler that sends several messages sends each once, also when it runs again.
func TestInbox_SeveralMessages(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 2)
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		for _, text := range []string{"one", "two", "three"} {
			if _, err := c.Sessions.Send(ctx, text, agent.SendOptions{}); err != nil {
				return nil, err
			}
		}
		if began <- struct{}{}; len(began) == 1 {
			<-ctx.Done()
		}
		return nil, ctx.Err()
	}))
	if err := h.post("x", ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the messages are sent", func() bool { return len(began) == 1 })
	h.restart()
	h.handled(1)
	got := h.messages()
	slices.Sort(got)
	same(t, got, []string{"one", "three", "two"})
}

// Messages of different deliveries are never taken for each other's, however long and
// alike the ids are, and a handler may send them side by side.
func TestInbox_LikeIDs(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				if _, err := c.Sessions.Send(ctx, fmt.Sprint(string(c.Request.Body), i), agent.SendOptions{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		return nil, nil
	}))
	for _, end := range []string{"a", "b"} {
		if err := h.post(end, strings.Repeat("x", 254)+end); err != nil {
			t.Fatal(err)
		}
	}
	h.handled(2)
	got := h.messages()
	slices.Sort(got)
	same(t, got, []string{"a0", "a1", "a2", "b0", "b1", "b2"})
}

// bodies counts the bodies that are kept.
func (h *house) bodies() (n int) {
	h.t.Helper()
	for _, err := range h.journal.Space("inbox/tester").Scan(nil, nil, false) {
		if err != nil {
			h.t.Fatal(err)
		}
		n++
	}
	return n
}

// A body is kept until its request was handled, and no longer: whoever may post fills
// no disk. What a crash leaves is forgotten at the next start.
func TestInbox_ForgetsBodies(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		select {
		case <-gate:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}))
	for i := range 300 {
		if err := h.post(strings.Repeat("x", i), ""); (err != nil) != (i >= 256) {
			t.Fatalf("request %d gives %v", i, err)
		}
	}
	if n := h.bodies(); n != 256 {
		t.Errorf("%d bodies are kept", n)
	}
	b := h.journal.Space("inbox/tester").NewBatch()
	b.Set([]byte("rcp_left"), []byte("by a crash"))
	if err := b.Commit(true); err != nil {
		t.Fatal(err)
	}
	h.restart()
	if n := h.bodies(); n != 256 {
		t.Errorf("after a restart %d bodies are kept", n)
	}
	close(gate)
	h.handled(256)
	eventually(t, "all are forgotten", func() bool { return h.bodies() == 0 })
}

// S26: secrets in "events, /v1/info": what a handler failed with is recorded and shown without them.
func TestInbox_NoSecretsInWhatFailed(t *testing.T) {
	t.Parallel()
	hide := func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	h := channelled(t, actors.Options{Redact: hide}, inboxed(func(context.Context, *agent.Call) (*agent.Response, error) {
		return nil, errors.New("the password is hunter2")
	}))
	if err := h.post("x", ""); err != nil {
		t.Fatal(err)
	}
	h.handled(1)
	eventually(t, "it is shown", func() bool { return len(h.host.Findings("tester")) == 1 })
	if told := fmt.Sprintf("%+v %+v", h.agentLog()[1].Data, h.host.Findings("tester")); strings.Contains(told, "hunter2") || strings.Count(told, "the password is ***") != 2 {
		t.Error(told)
	}
}

// A host that serves no channels leaves what was acknowledged to one that does, and
// starts none.
func TestInbox_NobodyServes(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 8)
	var starts atomic.Int64
	desk := inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		if began <- struct{}{}; len(began) == 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return sender(ctx, c)
	})
	desk.OnStart = func(context.Context, *agent.Call) error { starts.Add(1); return nil }
	h := channelled(t, actors.Options{}, desk)
	if err := h.post("hello", ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the handler runs", func() bool { return len(began) == 1 && starts.Load() == 1 })
	h.opts.NoChannels = true
	for range 4 { // more often than a request is tried
		h.restart()
		h.host.Drain()
		h.finish()
		if len(began) != 1 || starts.Load() != 1 {
			t.Fatal("a channel was begun")
		}
	}
	h.opts.NoChannels = false
	h.restart()
	h.handled(1)
	same(t, h.messages(), []string{"hello"})
}

// "At most 256 wait": a channel whose handlers hang refuses more, and lets a stop in
// order wait for those that run alone.
func TestInbox_Bounded(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	running := make(chan struct{}, 512)
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		running <- struct{}{}
		<-gate
		return nil, nil
	}))
	for i := range 257 {
		if err := h.post("x", ""); (err != nil) != (i == 256) || err != nil && !errors.Is(err, actors.ErrTooManyMessages) {
			t.Fatalf("request %d gives %v", i, err)
		}
	}
	eventually(t, "16 run", func() bool { return len(running) == 16 })
	h.host.Drain()
	if err := h.post("x", ""); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("while the host drains a request gives %v", err)
	}
	close(gate)
	h.finish()
	if n := len(running); n != 16 {
		t.Errorf("%d handlers ran", n)
	}
	h.openAgain()
	h.handled(256)
}
