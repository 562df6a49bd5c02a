package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

var caller = events.Principal{Kind: "bearer", ID: "ann"}

// channelled is a house whose agent has channels.
func channelled(t *testing.T, o actors.Options, channels ...*agent.Channel) *house {
	t.Helper()
	return newShapedHouse(t, o, script, func(a *agent.Agent) { a.Channels = channels })
}

// visit answers a request to a channel with what do does.
func (h *house) visit(channel string, by events.Principal, do func(ctx context.Context, c *agent.Call) error) error {
	h.t.Helper()
	p := h.host.Channel("tester", channel)
	if p == nil {
		h.t.Fatalf("there is no channel %s", channel)
	}
	defer p.Close()
	route := &agent.Route{Method: "POST", Path: "/", Handle: func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
		return nil, do(ctx, c)
	}}
	_, err := p.Handle(h.t.Context(), route, &agent.Request{Method: "POST", URL: "http://localhost/v1/channels/" + channel, Principal: by})
	return err
}

// try sends a message as a handler does.
func (h *house) try(channel, text string, o agent.SendOptions) (sent agent.Sent, err error) {
	h.t.Helper()
	outer := h.visit(channel, caller, func(ctx context.Context, c *agent.Call) error {
		sent, err = c.Sessions.Send(ctx, text, o)
		return nil
	})
	if outer != nil {
		h.t.Fatal(outer)
	}
	return sent, err
}

func (h *house) put(channel, text string, o agent.SendOptions) agent.Sent {
	h.t.Helper()
	sent, err := h.try(channel, text, o)
	if err != nil {
		h.t.Fatal(err)
	}
	return sent
}

// trace is the types of a log's events, deltas left out.
func (h *house) trace(id string) string {
	var types []string
	for _, e := range h.log(id) {
		if !strings.HasSuffix(e.Type, ".appended") {
			types = append(types, e.Type)
		}
	}
	return strings.Join(types, " ")
}

const (
	aStart = "session.started message.received turn.started step.started"
	aReply = "message.completed step.completed turn.completed"
	aTools = "message.completed step.completed actions.requested"
)

func wantTrace(t *testing.T, h *house, id string, parts ...string) {
	t.Helper()
	if got, want := h.trace(id), strings.Join(parts, " "); got != want {
		t.Errorf("the log is\n%s\nexpected\n%s", got, want)
	}
}

// sessions.md: "Channel sends choose `admission`"; channels.md: "The same token is the
// same conversation; no token opens a new one".
func TestChannel_Queue(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	first := h.put("desk", "slow", agent.SendOptions{ContinuationToken: "t:1", Title: "One"})
	<-h.started
	h.until(first.SessionID, "action.result")
	second := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:1"})
	if first.SessionID != second.SessionID || first.ContinuationToken != "t:1" || second.ContinuationToken != "t:1" || first.TurnID == second.TurnID {
		t.Errorf("the messages went to %+v and %+v", first, second)
	}
	if other := h.put("desk", "hello", agent.SendOptions{}); other.SessionID == first.SessionID {
		t.Error("a message without a token joined a conversation")
	}
	close(h.gate)
	h.rest(first.SessionID, "waiting")
	wantTrace(t, h, first.SessionID, aStart, aTools, "action.result message.received action.result step.started", aReply, "turn.started step.started", aReply, "session.waiting")
	start := h.log(first.SessionID)[0].Data.(*events.SessionStarted)
	m := h.log(first.SessionID)[1].Data.(*events.MessageReceived)
	if start.ChannelID != "desk" || start.Principal != caller || start.Title != "One" || start.ContinuationToken != "t:1" || start.Mode != events.ModeChat || m.From != events.FromChannel {
		t.Errorf("the session is %+v, its message %+v", start, m)
	}
}

// "Its message goes first; what was waiting stays and follows".
func TestChannel_Interrupt(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", Admission: agent.AdmissionInterrupt})
	first := h.put("desk", "slow", agent.SendOptions{ContinuationToken: "t:1"})
	<-h.started
	h.until(first.SessionID, "action.result")
	h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:1"}) // the channel's own admission
	h.rest(first.SessionID, "waiting")
	wantTrace(t, h, first.SessionID, aStart, aTools, "action.result action.result turn.failed message.received turn.started step.started", aReply, "session.waiting")
}

// "coalesced ones share it": both messages have the turn, and the model sees both.
func TestChannel_Coalesce(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	joining := agent.SendOptions{ContinuationToken: "t:1", Admission: agent.AdmissionCoalesce}
	first := h.put("desk", "slow", joining)
	<-h.started
	h.until(first.SessionID, "action.result")
	second, third := h.put("desk", "one", joining), h.put("desk", "two", joining)
	if second.TurnID == first.TurnID || third.TurnID != second.TurnID {
		t.Errorf("the turns are %s, %s and %s: the third message joins the second's", first.TurnID, second.TurnID, third.TurnID)
	}
	close(h.gate)
	h.rest(first.SessionID, "waiting")
	wantTrace(t, h, first.SessionID, aStart, aTools, "action.result message.received message.received action.result step.started", aReply, "turn.started step.started", aReply, "session.waiting")
	last := h.requests.to("Test.")
	asked := last[len(last)-1].Messages
	if text := asked[len(asked)-1].Text; text != "one\n\ntwo" {
		t.Errorf("the model was told %q", text)
	}
}

// "reject": a message to a session with an open turn is agent.ErrBusy, and records nothing.
func TestChannel_Reject(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	o := agent.SendOptions{ContinuationToken: "t:1", Admission: agent.AdmissionReject}
	first := h.put("desk", "slow", o)
	<-h.started
	if _, err := h.try("desk", "hello", o); !errors.Is(err, agent.ErrBusy) {
		t.Errorf("a message to a busy session gives %v", err)
	}
	close(h.gate)
	h.rest(first.SessionID, "waiting")
	h.put("desk", "hello", o)
	h.rest(first.SessionID, "waiting")
	wantTrace(t, h, first.SessionID, aStart, aTools, "action.result action.result step.started", aReply, "session.waiting message.received turn.started step.started", aReply, "session.waiting")
}

// "Messages waiting per session 100: 429": those that join a turn wait as well.
func TestChannel_CoalescedMessagesAreCounted(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{MaxQueuedMessages: 3}, &agent.Channel{ID: "desk"})
	o := agent.SendOptions{ContinuationToken: "t:1", Admission: agent.AdmissionCoalesce}
	first := h.put("desk", "slow", o)
	<-h.started
	for range 3 {
		h.put("desk", "more", o)
	}
	if _, err := h.try("desk", "too much", o); !errors.Is(err, actors.ErrTooManyMessages) {
		t.Errorf("the fourth waiting message gives %v", err)
	}
	close(h.gate)
	h.rest(first.SessionID, "waiting")
}

// "same token = same conversation": of many starts at once with one token, one opens.
func TestChannel_StartsAtOnce(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	ids := make([]string, 16)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			sent, err := h.try("desk", "hello", agent.SendOptions{ContinuationToken: "t:1"})
			if ids[i] = sent.SessionID; err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if slices.Sort(ids); ids[0] != ids[15] {
		t.Errorf("the sessions are %q", slices.Compact(ids))
	}
	h.rest(ids[0], "waiting")
	if n := strings.Count(h.trace(ids[0]), "message.received"); n != 16 {
		t.Errorf("%d messages were recorded", n)
	}
}

// channels.md: "`deliveryId` makes it once: a redelivery (also after a restart, for 7
// days) gives the first handle again and starts nothing"; C94: three at once, after a
// restart, and a new id is a new turn.
func TestChannel_DeliveredOnce(t *testing.T) {
	t.Parallel()
	clk := &handClock{now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	h := channelled(t, actors.Options{Clock: clk}, &agent.Channel{ID: "desk"})
	for _, token := range []string{"", "t:1"} {
		o := agent.SendOptions{ContinuationToken: token, DeliveryID: "d:" + token}
		got := make([]agent.Sent, 3)
		var all sync.WaitGroup
		for i := range got {
			all.Go(func() {
				sent, err := h.try("desk", "hello", o)
				if got[i] = sent; err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		h.rest(got[0].SessionID, "waiting")
		h.restart()
		if again := h.put("desk", "hello", o); again != got[0] || got[1] != got[0] || got[2] != got[0] || again.TurnID == "" || again.ContinuationToken != token {
			t.Errorf("the handles are %+v and, after a restart, %+v", got, again)
		}
		wantTrace(t, h, got[0].SessionID, aStart, aReply, "session.waiting")
		o.DeliveryID += "next"
		if next := h.put("desk", "hello", o); next.TurnID == got[0].TurnID {
			t.Error("a new id starts no turn")
		}
	}
	clk.advance(7*24*time.Hour + 1)
	o := agent.SendOptions{ContinuationToken: "t:1", DeliveryID: "d:t:1"}
	late := h.put("desk", "hello", o)
	h.rest(late.SessionID, "waiting")
	if n := strings.Count(h.trace(late.SessionID), "message.received"); n != 3 {
		t.Errorf("%d messages are there: after 7 days an id is new", n)
	}
}

// "(agent, channel, token) names one open conversation": a session that has ended holds
// none, and a conversation of another principal is refused.
func TestChannel_EndedAndForeign(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	o := agent.SendOptions{ContinuationToken: "t:1", Mode: events.ModeTask}
	slow := h.put("desk", "slow", o)
	<-h.started
	if _, err := h.try("desk", "more", o); !errors.Is(err, actors.ErrTaskSession) {
		t.Errorf("a message to a running task gives %v", err)
	}
	close(h.gate)
	h.rest(slow.SessionID, "completed")
	next := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:1"})
	if next.SessionID == slow.SessionID {
		t.Fatal("the token still names the task that has ended")
	}
	h.rest(next.SessionID, "waiting")
	_, err := h.try("desk", "hello", agent.SendOptions{ContinuationToken: "t:1", Auth: events.Principal{Kind: "bearer", ID: "bob"}})
	if !errors.Is(err, actors.ErrOtherOwner) {
		t.Errorf("a message to another's conversation gives %v", err)
	}
	bob := h.put("desk", "hello", agent.SendOptions{Auth: events.Principal{Kind: "bearer", ID: "bob", Tenant: "x"}})
	if info, err := h.host.Session(t.Context(), bob.SessionID); err != nil || info.Owner.Tenant != "x" {
		t.Errorf("the owner is %+v, %v", info.Owner, err)
	}
}

// channels.md: `getSession(id)` and `waitForCompletion()`.
func TestChannel_FindAndWait(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"}, &agent.Channel{ID: "other"})
	sent := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "t:1", Files: []agent.SeedFile{{Path: "a.txt", Content: []byte("a")}}})
	http := h.start("hello")
	err := h.visit("desk", caller, func(ctx context.Context, c *agent.Call) error {
		if done, err := c.Sessions.Wait(ctx, sent); err != nil || done.Status != agent.CompletionFinished || done.Reply != "I heard: hello" {
			t.Errorf("the completion is %+v, %v", done, err)
		}
		found, ok, err := c.Sessions.Find(ctx, sent.SessionID)
		if !ok || found.SessionID != sent.SessionID || found.ContinuationToken != "t:1" {
			t.Errorf("found is %+v, %v, %v", found, ok, err)
		}
		for _, id := range []string{http.SessionID, "ses_00000000000000000000000000", "nonsense"} {
			if _, ok, err := c.Sessions.Find(ctx, id); ok || err != nil {
				t.Errorf("%s is found: %v, %v", id, ok, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.visit("other", caller, func(ctx context.Context, c *agent.Call) error {
		if _, ok, _ := c.Sessions.Find(ctx, sent.SessionID); ok {
			t.Error("a channel finds another's session")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if files := h.log(sent.SessionID)[0].Data.(*events.SessionStarted).WorkspaceFiles; len(files) != 1 || files[0].Path != "a.txt" {
		t.Errorf("the files are %+v", files)
	}
}

// What is not honoured is refused with a sentence.
func TestChannel_Refusals(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	for want, o := range map[string]agent.SendOptions{
		"admission is":            {Admission: "sometimes"},
		"mode is":                 {Mode: "loop"},
		"continuationToken":       {ContinuationToken: "a\x00"},
		"deliveryId":              {DeliveryID: strings.Repeat("x", 256)},
		"auth needs":              {Auth: events.Principal{Kind: "x"}},
		"must be JSON":            {State: json.RawMessage("{")},
		"workspace file ../a.txt": {Files: []agent.SeedFile{{Path: "../a.txt"}}},
	} {
		if _, err := h.try("desk", "hello", o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v gives %v, expected %q", o, err, want)
		}
	}
	if _, err := h.try("desk", " \n", agent.SendOptions{}); err == nil {
		t.Error("an empty text is taken")
	}
	if err := h.visit("desk", caller, func(context.Context, *agent.Call) error { panic("boom") }); !errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("a panic gives %v", err)
	}
	for _, c := range []*agent.Channel{
		{ID: "http"}, {ID: "a b"}, {ID: "x", Admission: "no"}, {ID: "x", On: map[string]agent.DeliverFunc{"channel.updated": nil}},
		{ID: "x", Routes: []*agent.Route{{Method: "GET", Path: "/"}}},
	} {
		if c.On != nil {
			c.On["channel.updated"] = func(context.Context, *agent.HookEvent, *agent.Call) error { return nil }
		}
		o := &actors.Options{Journal: h.journal, Models: oneModel{}, Agents: []*agent.Agent{{Slug: "a", Channels: []*agent.Channel{c}}}}
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("channel %q", c.ID)) {
			t.Errorf("%+v gives %v", c, err)
		}
	}
}

// sessions.md: "parked" needs somebody who can act: `approvals` of a channel says so.
func TestChannel_Approvals(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", Approvals: true}, &agent.Channel{ID: "alone"})
	h.rest(h.put("desk", "gated", agent.SendOptions{}).SessionID, "parked")
	h.rest(h.put("alone", "gated", agent.SendOptions{}).SessionID, "waiting")
}

// Builds before this one kept a conversation's name after the session's end.
func TestChannel_NameOfAnEndedSession(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	task := h.put("desk", "hello", agent.SendOptions{Mode: events.ModeTask})
	h.rest(task.SessionID, "completed")
	head := uint64(len(h.log(task.SessionID)))
	claim := journal.Claim{Key: "conversation/tester/desk/t:1", Value: []byte(task.SessionID)}
	if _, err := h.journal.Append(t.Context(), journal.Append{Stream: task.SessionID, Expect: head, Claims: []journal.Claim{claim}}); err != nil {
		t.Fatal(err)
	}
	o := agent.SendOptions{ContinuationToken: "t:1"}
	first, second := h.put("desk", "hello", o), h.put("desk", "hello", o)
	if first.SessionID == task.SessionID || second.SessionID != first.SessionID {
		t.Errorf("the messages went to %s and %s, the task is %s", first.SessionID, second.SessionID, task.SessionID)
	}
	h.rest(first.SessionID, "waiting")
}
