package actors_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

func newHandClock() *handClock {
	return &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
}

// hang says that a handler began, and returns when its ctx ends, or when the test does.
func hang(t *testing.T, began chan<- string, deaf bool) func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		began <- string(c.Request.Body)
		if deaf {
			<-over
			return nil, nil
		}
		select {
		case <-ctx.Done():
		case <-over:
		}
		return nil, ctx.Err()
	}
}

// channels.md: "A route's handler has 2 minutes to give its response": one that does not
// notice the end of its ctx is left behind.
func TestHandlerLimit_Route(t *testing.T) {
	t.Parallel()
	for _, deaf := range []bool{false, true} {
		clk, began := newHandClock(), make(chan string, 1)
		h := channelled(t, actors.Options{Clock: clk}, &agent.Channel{ID: "desk"})
		p := h.host.Channel("tester", "desk")
		route := &agent.Route{Method: "POST", Path: "/", Handle: hang(t, began, deaf)}
		done := make(chan error, 1)
		go func() {
			_, err := p.Handle(t.Context(), route, &agent.Request{Method: "POST", URL: "http://x/", Principal: caller})
			done <- err
		}()
		<-began
		clk.advance(2 * time.Minute)
		if clk.advance(2 * time.Second); deaf {
			t.Cleanup(func() { h.host.Drain() })
		}
		if err := <-done; !errors.Is(err, actors.ErrHandlerFailed) || !strings.Contains(err.Error(), "longer than its limit of 2m0s") {
			t.Errorf("it gives %v", err)
		}
		p.Close()
	}
}

// "One whose handlers hang holds up no other": of each channel 16 handlers run and 256
// requests wait; one that takes more than 5 minutes has failed.
func TestHandlerLimit_Inbox(t *testing.T) {
	t.Parallel()
	clk, began := newHandClock(), make(chan string, 512)
	ack := func(id string, handle func(ctx context.Context, c *agent.Call) (*agent.Response, error)) *agent.Channel {
		return &agent.Channel{ID: id, Acknowledge: true, Routes: []*agent.Route{{Method: "POST", Path: "/", Handle: handle}}}
	}
	h := channelled(t, actors.Options{Clock: clk}, ack("a", hang(t, began, false)), ack("b", func(context.Context, *agent.Call) (*agent.Response, error) { return nil, nil }))
	post := func(channel string) error {
		p := h.host.Channel("tester", channel)
		defer p.Close()
		_, err := p.Handle(t.Context(), p.Definition().Routes[0], &agent.Request{Method: "POST", URL: "http://x/", Principal: caller})
		return err
	}
	for range 256 {
		if err := post("a"); err != nil {
			t.Fatal(err)
		}
	}
	if err := post("a"); !errors.Is(err, actors.ErrTooManyMessages) {
		t.Errorf("the 257th gives %v", err)
	}
	if err := post("b"); err != nil {
		t.Errorf("another channel gives %v", err)
	}
	h.handled(1) // that of b
	eventually(t, "16 run", func() bool { return len(began) == 16 })
	clk.advance(5 * time.Minute)
	h.handled(17)
	eventually(t, "the next run", func() bool { return len(began) == 32 })
	log := h.agentLog()
	if d := log[len(log)-1].Data.(*events.DeliveryHandled); !d.IsError || d.Message != "the handler took longer than its limit of 5m0s" {
		t.Errorf("the outcome is %+v", d)
	}
}

// What an earlier life left is taken up side by side: one that hangs stops no other.
func TestHandlerLimit_TakeUp(t *testing.T) {
	t.Parallel()
	began := make(chan string, 16)
	hung := hang(t, began, false)
	h := channelled(t, actors.Options{}, inboxed(func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		if body := string(c.Request.Body); body == "hangs" || len(began) < 2 {
			return hung(ctx, c)
		}
		return sender(ctx, c)
	}))
	for _, body := range []string{"hangs", "fine"} {
		if err := h.post(body, ""); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "both run", func() bool { return len(began) == 2 })
	h.crash()
	h.handled(1)
	same(t, h.messages(), []string{"fine"})
}

// Event handlers have 5 minutes too, each time that they are tried.
func TestHandlerLimit_Event(t *testing.T) {
	t.Parallel()
	clk, began := newHandClock(), make(chan struct{}, 8)
	h := channelled(t, actors.Options{Clock: clk}, on("turn.completed", func(ctx context.Context, _ *agent.HookEvent, _ *agent.Call) error {
		if began <- struct{}{}; len(began) > 1 {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}))
	h.rest(h.put("desk", "hello", agent.SendOptions{}).SessionID, "waiting")
	eventually(t, "it runs", func() bool { return len(began) == 1 })
	clk.advance(5 * time.Minute)
	eventually(t, "it waits", func() bool { return clk.waitsFor(500 * time.Millisecond) })
	clk.advance(500 * time.Millisecond)
	eventually(t, "it is delivered", func() bool { return len(began) == 2 && h.marks() == 0 })
}

// schedules.md: "a `run` has an hour, with what it leaves behind".
func TestHandlerLimit_Schedule(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	tt := newTimetable(t, actors.Options{Manual: true}, &agent.Schedule{ID: "sweep", Cron: "0 9 * * *", Run: func(_ context.Context, c *agent.Call) error {
		c.WaitUntil(func(ctx context.Context) {
			began <- struct{}{}
			<-ctx.Done()
		})
		return nil
	}})
	fired := make(chan error, 1)
	go func() {
		_, err := tt.host.FireSchedule(t.Context(), "tester", "sweep", nil)
		fired <- err
	}()
	<-began
	tt.clock.pass(time.Hour)
	if err := <-fired; err == nil || !strings.Contains(err.Error(), "longer than its limit of 1h0m0s") {
		t.Errorf("it gives %v", err)
	}
}
