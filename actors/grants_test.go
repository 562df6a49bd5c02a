package actors_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// packs.md: "A first call without a grant in a chat turn parks: authorization.requested
// with the link, at most 10 minutes, the same call retried after it", whichever way the
// model takes to the connection.
func TestGrants_FirstCallParks(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"hello":        "ask door; granted door; door__hello ok; completed",
		"write":        "ask door; granted door; door__write ok; completed",
		"both":         "ask door; ask door; look ok; granted door; %ok; completed",
		"knock":        "ask door; granted door; door__authorize ok; door__hello ok; completed",
		"gateway":      "ask door; granted door; mcp ok; completed",
		"gateway list": "ask door; granted door; mcp ok; completed",
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			c := newDoor(t).connection("door")
			c.Advertise = !strings.HasPrefix(message, "gateway")
			h := newDoored(t, actors.Options{}, c)
			a := h.start(message)
			r := h.wanted(a.SessionID, 1)
			if left := time.Until(*r.ExpiresAt); r.Connection != "door" || r.CallID == "" || left > 10*time.Minute || left < 9*time.Minute {
				t.Errorf("asked for %+v", r)
			}
			done, err := h.host.WaitTurn(t.Context(), a.SessionID, "")
			if err != nil || done.Status != agent.CompletionParked {
				t.Errorf("%v: the turn is %+v", err, done)
			}
			if err := h.comesBack(r.URL); err != nil {
				t.Fatal(err)
			}
			h.until(a.SessionID, "turn.completed")
			before, after, _ := strings.Cut(want, "%")
			if got := h.told(a.SessionID); !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) || strings.Contains(got, "error") {
				t.Errorf("what came of it: %s", got)
			}
			if err := h.comesBack(r.URL); err == nil {
				t.Error("the link can be used again")
			}
		})
	}
}

// The model is offered one tool for a connection that nobody has authorized, and its
// own tools when somebody has.
func TestGrants_WhatTheModelSees(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	optional := d.connection("side")
	optional.Optional = true
	h := newDoored(t, actors.Options{}, d.connection("door"), optional)
	a := h.authorized(actors.NewSession{Message: "knock"})
	h.until(a.SessionID, "turn.completed")
	var saw []string
	for _, r := range h.requests.to("Test.") {
		var names []string
		for _, tool := range r.Tools {
			if strings.Contains(tool.Name, "__") {
				names = append(names, tool.Name)
			}
		}
		saw = append(saw, strings.Join(names, " "))
	}
	if got := strings.Join(saw, "; "); got != "door__authorize; door__hello door__write; door__hello door__write" {
		t.Errorf("the model saw %s", got)
	}
}

// "where nobody can act it fails with `Reconnect <connection>`; an optional one is skipped"
func TestGrants_NobodyCanAct(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	h := newDoored(t, actors.Options{}, d.connection("door"))
	for name, s := range map[string]actors.NewSession{
		"a task":                      {Mode: events.ModeTask},
		"a channel without approvals": {ChannelID: "mute"},
		"a schedule":                  {ChannelID: "schedule", Mode: events.ModeTask},
		"an eval":                     {ChannelID: "eval", Purpose: events.PurposeEval},
	} {
		s.Agent, s.Principal, s.Message = "tester", local, "write"
		a := h.startWith(s)
		out, err := h.host.Wait(t.Context(), a.SessionID)
		if got := h.told(a.SessionID); err != nil || out.Status == "parked" || got != `door__write tool_error "Reconnect door"; completed` {
			t.Errorf("%s: %v: %s", name, err, got)
		}
	}
	h.opts.PublicURL = func(context.Context) (string, error) { return "", fmt.Errorf("no port is free") }
	h.restart()
	a := h.start("write")
	h.rest(a.SessionID, "waiting")
	if got := h.told(a.SessionID); got != `door__write tool_error "Reconnect door"; completed` {
		t.Errorf("without a way back: %s", got)
	}
}

// An optional connection is skipped, and code of the author's gets the error.
func TestGrants_NotAsked(t *testing.T) {
	t.Parallel()
	c := newDoor(t).connection("door")
	h := newDoored(t, actors.Options{}, c)
	a := h.start("code")
	h.rest(a.SessionID, "waiting")
	if got := h.told(a.SessionID); got != `through tool_error "Reconnect door"; completed` {
		t.Errorf("code of the author's: %s", got)
	}
	c.Optional = true
	h.restart()
	for message, want := range map[string]string{"hello": "door__hello unknown_tool", "knock": "door__authorize unknown_tool"} {
		a := h.start(message)
		h.rest(a.SessionID, "waiting")
		if got := h.told(a.SessionID); !strings.HasPrefix(got, want) || strings.Contains(got, "ask door") {
			t.Errorf("optional, %s: %s", message, got)
		}
	}
	c.Advertise = false
	h.restart()
	b := h.start("gateway")
	h.rest(b.SessionID, "waiting")
	if got := h.told(b.SessionID); got != `mcp tool_error "Reconnect door"; completed` {
		t.Errorf("optional, behind the gateway: %s", got)
	}
}

// A stop and an interrupt withdraw the link, and what it leads to later changes nothing of the turn.
func TestGrants_StopAndInterrupt(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	h := newDoored(t, actors.Options{}, d.connection("door"))
	a := h.start("write")
	link := h.wanted(a.SessionID, 1).URL
	if got, err := h.host.Stop(t.Context(), a.SessionID); err != nil || !got.Stopped {
		t.Fatalf("%+v, %v", got, err)
	}
	b := h.start("write")
	if again := h.wanted(b.SessionID, 1).URL; again != link {
		t.Error("two sessions have links of their own")
	}
	if _, err := h.host.Interrupt(t.Context(), b.SessionID, actors.Message{Text: "other"}); err != nil {
		t.Fatal(err)
	}
	h.until(b.SessionID, "turn.completed")
	if err := h.comesBack(link); err != nil {
		t.Fatal(err)
	}
	cancelled := `ask door; cancelled door; door__write cancelled "cancelled before it ran"; failed `
	if got := h.told(a.SessionID); got != cancelled+"stopped" {
		t.Errorf("stopped: %s", got)
	}
	if got := h.told(b.SessionID); got != cancelled+"interrupted; completed" {
		t.Errorf("interrupted: %s", got)
	}
	if n := d.writes.Load(); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// "at most 10 minutes", and a refusal ends the wait at once.
func TestGrants_ExpiredAndRefused(t *testing.T) {
	t.Parallel()
	c := newJumpClock("2026-12-01T08:00:00Z")
	h := newDoored(t, actors.Options{Clock: c}, newDoor(t).connection("door"))
	a := h.start("write")
	r := h.wanted(a.SessionID, 1)
	if want := c.Now().Add(10 * time.Minute); !r.ExpiresAt.Equal(want) {
		t.Errorf("it expires at %s, not at %s", r.ExpiresAt, want)
	}
	c.pass(10 * time.Minute)
	for deadline := time.Now().Add(60 * time.Second); !strings.Contains(h.told(a.SessionID), "completed") && time.Now().Before(deadline); {
		c.pass(time.Millisecond) // its timer may be set only now
	}
	if e := h.until(a.SessionID, "authorization.completed"); e.At.Before(*r.ExpiresAt) {
		t.Errorf("it expired at %s", e.At)
	}
	if got := h.told(a.SessionID); got != `ask door; expired door; door__write tool_error "Reconnect door"; completed` {
		t.Errorf("expired: %s", got)
	}
	if err := h.comesBack(r.URL); err == nil {
		t.Error("a link can be used after its time")
	}
	b := h.start("write")
	if err := h.comesBack(h.wanted(b.SessionID, 1).URL, "access_denied"); err == nil {
		t.Error("a refusal is taken for a grant")
	}
	h.until(b.SessionID, "turn.completed")
	if got := h.told(b.SessionID); got != `ask door; denied door; door__write tool_error "Reconnect door"; completed` {
		t.Errorf("refused: %s", got)
	}
}

// After a restart the call, which had not begun, asks anew, with a link of its own.
func TestGrants_Restart(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	h := newDoored(t, actors.Options{MaxRunningTurns: 1}, d.connection("door"))
	a := h.start("write")
	first := h.wanted(a.SessionID, 1)
	other := h.start("other") // the parked turn has given its place back
	h.rest(other.SessionID, "waiting")
	h.restart()
	again := h.wanted(a.SessionID, 2)
	if err := h.comesBack(first.URL); err == nil {
		t.Error("a link outlives its host")
	}
	if err := h.comesBack(again.URL); err != nil {
		t.Fatal(err)
	}
	h.until(a.SessionID, "turn.completed")
	if got := h.told(a.SessionID); got != "ask door; cancelled door; ask door; granted door; door__write ok; completed" || d.writes.Load() != 1 {
		t.Errorf("%d writes; %s", d.writes.Load(), got)
	}
}

// What is known of a tool after the grant holds: an approval is asked for, and a dry run
// runs reads and answers for writes.
func TestGrants_WhatHoldsForTheCall(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	c := d.connection("door")
	c.NeedsApproval = map[string]bool{"write": true}
	h := newDoored(t, actors.Options{}, c)
	a := h.authorized(actors.NewSession{Message: "write"})
	r := h.until(a.SessionID, "input.requested").Data.(*events.InputRequested)
	if d.writes.Load() != 0 {
		t.Error("it ran without the approval")
	}
	if _, err := h.host.ResolveApproval(t.Context(), a.SessionID, r.CallID, actors.Decision{Decision: "approve", By: local}); err != nil {
		t.Fatal(err)
	}
	h.until(a.SessionID, "turn.completed")
	if got := h.told(a.SessionID); got != "ask door; granted door; approve? door__write; door__write ok; completed" || d.writes.Load() != 1 {
		t.Errorf("%d writes; %s", d.writes.Load(), got)
	}
}

// A dry run asks too: reads run, and writes are answered for.
func TestGrants_DryRun(t *testing.T) {
	t.Parallel()
	for message, stubbed := range map[string]bool{"hello": false, "write": true} {
		d := newDoor(t)
		h := newDoored(t, actors.Options{}, d.connection("door"))
		a := h.authorized(actors.NewSession{Message: message, DryRun: true})
		h.until(a.SessionID, "turn.completed")
		if r := h.until(a.SessionID, "action.result").Data.(*events.ActionResult); r.Stubbed != stubbed || r.IsError || d.writes.Load() != 0 {
			t.Errorf("%s: %+v, %d writes", message, r, d.writes.Load())
		}
	}
}

// A grant that the server takes no longer is asked for once more; where that does not
// help the call fails.
func TestGrants_Withdrawn(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	h := newDoored(t, actors.Options{}, d.connection("door"))
	a := h.authorized(actors.NewSession{Message: "write"})
	h.until(a.SessionID, "turn.completed")
	d.locked.Store(true)
	b := h.authorized(actors.NewSession{Message: "write"})
	h.until(b.SessionID, "turn.completed")
	if got := h.told(b.SessionID); got != `ask door; granted door; door__write tool_error "Reconnect door"; completed` {
		t.Errorf("the server takes no token: %s", got)
	}
	d.locked.Store(false)
	c := h.authorized(actors.NewSession{Message: "write"})
	h.until(c.SessionID, "turn.completed")
	if got := h.told(c.SessionID); got != "ask door; granted door; door__write ok; completed" || d.writes.Load() != 2 {
		t.Errorf("%d writes; %s", d.writes.Load(), got)
	}
}

// A grant that others begin, by the command line, is theirs who wait as well.
func TestGrants_ByAnotherLink(t *testing.T) {
	t.Parallel()
	h := newDoored(t, actors.Options{}, newDoor(t).connection("door"))
	a := h.start("write")
	h.wanted(a.SessionID, 1)
	p, err := h.host.BeginAuthorization(t.Context(), "tester", "door", "https://agents.example.com/bdk/v1/oauth/callback")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.comesBack(p.URL); err != nil {
		t.Fatal(err)
	}
	h.until(a.SessionID, "turn.completed")
	if got := h.told(a.SessionID); got != "ask door; granted door; door__write ok; completed" {
		t.Error(got)
	}
}
