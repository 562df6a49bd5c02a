package actors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// fork forks a session.
func (h *house) fork(id string, index uint64) actors.Forked {
	h.t.Helper()
	f, err := h.host.Fork(h.t.Context(), id, index)
	if err != nil {
		h.t.Fatal(err)
	}
	h.copied(id, f)
	return f
}

// copied checks what is copied, byte for byte, and what says that it is.
func (h *house) copied(id string, f actors.Forked) {
	h.t.Helper()
	all, err := h.journal.Read(id, 0, f.Index+1)
	if err != nil {
		h.t.Fatal(err)
	}
	got, err := h.journal.Read(f.SessionID, 0, f.Index+1)
	if err != nil || len(got) != len(all) {
		h.t.Fatalf("%d events of %d, %v", len(got), len(all), err)
	}
	for i := 1; i < len(all); i++ {
		want := bytes.Replace(all[i].Data, []byte(`"sessionId":"`+id+`"`), []byte(`"sessionId":"`+f.SessionID+`"`), 1)
		if !bytes.Equal(got[i].Data, want) {
			h.t.Errorf("event %d is %s\nexpected %s", i, got[i].Data, want)
		}
	}
	start := h.log(f.SessionID)[0].Data.(*events.SessionStarted)
	if start.ForkedFrom == nil || *start.ForkedFrom != (events.ForkRef{SessionID: id, Index: f.Index}) {
		h.t.Errorf("forkedFrom is %+v, expected %s and %d", start.ForkedFrom, id, f.Index)
	}
}

// told are the texts of the newest request to the model.
func (h *house) lastTold() (texts []string) {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	for _, m := range h.requests.all[len(h.requests.all)-1].Messages {
		texts = append(texts, string(m.Role)+": "+m.Text)
	}
	return texts
}

// "opens a new session with the same history up to the end of the last turn before
// there", wherever the point lies, and the conversation goes on from there.
func TestFork_EndOfTheLastTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	first := h.until(id, "turn.completed").Index
	if _, err := h.host.Interrupt(t.Context(), id, actors.Message{Text: "two calls"}); err != nil {
		t.Fatal(err)
	}
	h.rest(id, "waiting")
	log := h.log(id)
	second := uint64(len(log) - 2) // session.waiting is last
	for _, e := range log {
		want := uint64(0)
		switch {
		case e.Index >= second:
			want = second
		case e.Index >= first:
			want = first
		}
		f := h.fork(id, e.Index)
		if f.Index != want {
			t.Errorf("forked at %d it has the events up to %d, expected %d", e.Index, f.Index, want)
		}
		if rest := h.log(f.SessionID)[want+1:]; len(rest) != 1 || rest[0].Type != "session.waiting" {
			t.Errorf("forked at %d it has %d events of its own:\n%s", e.Index, len(rest), h.story(f.SessionID))
		}
	}
	f := h.fork(id, first)
	h.send(f.SessionID, "again")
	same(t, h.lastTold(), []string{"user: hello", "assistant: I heard: hello", "user: again"})
	if got := len(h.log(id)); got != len(log) {
		t.Errorf("the session itself has %d events, it had %d", got, len(log))
	}
	empty := h.fork(id, 0)
	h.send(empty.SessionID, "alone")
	same(t, h.lastTold(), []string{"user: alone"})
}

// A point that is not in the log, and a session that is not there, are refused.
func TestFork_Refused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("hello")
	var past *actors.IndexError
	if _, err := h.host.Fork(t.Context(), id, uint64(len(h.log(id)))); !errors.As(err, &past) || past.Next != uint64(len(h.log(id))) {
		t.Errorf("past the log: %v", err)
	}
	for _, unknown := range []string{"ses_01J0000000000000000000000A", "agt_tester", "", "../x"} {
		if _, err := h.host.Fork(t.Context(), unknown, 0); !errors.Is(err, actors.ErrUnknownSession) {
			t.Errorf("%q: %v", unknown, err)
		}
	}
	var field *actors.FieldError
	if _, err := h.host.ForkAs(t.Context(), actors.NewFork{SessionID: id, ChannelID: "slack"}); !errors.As(err, &field) {
		t.Errorf("another channel: %v", err)
	}
	h.host.Drain()
	if _, err := h.host.Fork(t.Context(), id, 0); !errors.Is(err, actors.ErrDraining) {
		t.Errorf("draining: %v", err)
	}
}

// "open approvals and timers are not" copied, nor messages and direct calls that were
// open: what the copied history has of them is closed, and "every opened turn ends
// exactly once, started or not".
func TestFork_WhatIsOpen(t *testing.T) {
	t.Parallel()
	began, release := make(chan struct{}), make(chan struct{})
	hold := newTool(t, "hold", func(context.Context, map[string]any, *agent.Call) (string, error) {
		close(began)
		<-release
		return "held", nil
	}, nil)
	w := newWard(t, actors.Options{Agents: []*agent.Agent{{Tools: []*agent.Tool{hold}}}})
	id := w.chat()
	w.call(id, "remind", `{"message":"in ten"}`)
	direct := make(chan error, 1)
	go func() {
		_, err := w.host.CallTool(context.Background(), actors.ToolCall{Agent: "tester", Name: "hold", Input: []byte("{}"), SessionID: id, Principal: local})
		direct <- err
	}()
	<-began
	for _, text := range []string{"slow", "I wait", "gated"} { // the first runs, the others wait
		if _, err := w.host.Send(t.Context(), id, actors.Message{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	<-w.started
	close(w.gate)
	w.until(id, "input.requested")
	var ends []uint64
	for _, e := range w.log(id) {
		if e.Type == "turn.completed" {
			ends = append(ends, e.Index)
		}
	}
	f := w.fork(id, ends[1]) // "slow" has ended, the other two wait
	own := w.log(f.SessionID)[f.Index+1:]
	var types []string
	for _, e := range own {
		types = append(types, e.Type)
	}
	same(t, types, []string{"action.result", "turn.failed", "turn.failed", "reminder.cancelled", "session.waiting"})
	st, err := w.host.State(t.Context(), f.SessionID, own[len(own)-1].Index)
	if err != nil || st.Status != session.StatusWaiting || st.TurnID != "" || len(st.OpenCalls)+len(st.Approvals) > 0 {
		t.Errorf("it is %+v, %v", st, err)
	}
	if last := w.fork(id, uint64(len(w.log(id))-1)); last.Index != ends[2] {
		t.Errorf("the parked turn is in the fork: %d, expected %d", last.Index, ends[2])
	}
	close(release)
	if err := <-direct; err != nil {
		t.Fatal(err)
	}
	w.send(f.SessionID, "go on")
	if told := strings.Join(w.lastTold(), "\n"); strings.Contains(told, "I wait") || !strings.HasSuffix(told, "Slow is done.\nuser: go on") {
		t.Errorf("the model is told:\n%s", told)
	}
	if there, here := w.call(id, "reminders", "{}"), w.call(f.SessionID, "reminders", "{}"); here != "[]" || there == "[]" {
		t.Errorf("the session has the reminders %s, its fork %s", there, here)
	}
}

// A fork of a fork has the history of both, and names the one that it was made of.
func TestFork_OfAFork(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	id := h.ask("one")
	first := h.fork(id, uint64(len(h.log(id))-1))
	h.send(first.SessionID, "two")
	second := h.fork(first.SessionID, uint64(len(h.log(first.SessionID))-1))
	h.send(second.SessionID, "three")
	same(t, h.lastTold(), []string{"user: one", "assistant: I heard: one", "user: two", "assistant: I heard: two", "user: three"})
	if early := h.fork(second.SessionID, first.Index); early.Index != first.Index {
		t.Errorf("its copied part ends at %d, expected %d", early.Index, first.Index)
	}
}

// A fork is a chat that belongs to http, whatever it was made of; purpose, title, dryRun
// and what an eval set stay.
func TestFork_WhatItKeeps(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	ann := events.Principal{Kind: "bearer", ID: "ann"}
	task := h.startWith(actors.NewSession{Agent: "tester", Principal: ann, Message: "hello", Mode: events.ModeTask, ChannelID: "schedule", Title: "Nightly", DryRun: true})
	h.rest(task.SessionID, "completed")
	f, err := h.host.ForkAs(t.Context(), actors.NewFork{SessionID: task.SessionID, Index: uint64(len(h.log(task.SessionID)) - 1), Principal: local})
	if err != nil {
		t.Fatal(err)
	}
	start := h.log(f.SessionID)[0].Data.(*events.SessionStarted)
	if start.Mode != events.ModeChat || start.ChannelID != "http" || start.Title != "Nightly" || !start.DryRun || start.Principal != local || start.Purpose != events.PurposeLive {
		t.Errorf("the task's fork is %+v", start)
	}
	h.send(f.SessionID, "and then?")
	same(t, h.lastTold(), []string{"user: hello", "assistant: I heard: hello", "user: and then?"})

	eval := h.startWith(actors.NewSession{Agent: "tester", Principal: local, ChannelID: "eval", Purpose: events.PurposeEval, Message: "push x",
		Stubs: map[string]agent.Stub{"push": func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage(`"stub"`), nil }}})
	h.rest(eval.SessionID, "waiting")
	f = h.fork(eval.SessionID, uint64(len(h.log(eval.SessionID))-1))
	h.send(f.SessionID, "push y")
	if h.effects.Load() != 0 {
		t.Error("a tool that the eval stubbed ran in the fork")
	}
	if start := h.log(f.SessionID)[0].Data.(*events.SessionStarted); start.Purpose != events.PurposeEval || len(start.Stubs) != 1 {
		t.Errorf("the eval's fork is %+v", start)
	}
}

// The conversation of a channel stays its session's: the fork neither holds nor frees it.
func TestFork_OfAChannel(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk", State: []byte(`{"n":1}`)})
	sent := h.put("desk", "hello", agent.SendOptions{ContinuationToken: "room-1"})
	h.rest(sent.SessionID, "waiting")
	f := h.fork(sent.SessionID, uint64(len(h.log(sent.SessionID))-1))
	if start := h.log(f.SessionID)[0].Data.(*events.SessionStarted); start.ContinuationToken != "" || start.ChannelID != "http" {
		t.Errorf("the fork is %+v", start)
	}
	h.send(f.SessionID, "here")
	again := h.put("desk", "more", agent.SendOptions{ContinuationToken: "room-1"})
	if again.SessionID != sent.SessionID {
		t.Errorf("the conversation went to %s, it is that of %s", again.SessionID, sent.SessionID)
	}
	h.rest(again.SessionID, "waiting")
}

// "its workspace copied", and its files with it: what one session writes later is not in
// the other.
func TestFork_Workspace(t *testing.T) {
	t.Parallel()
	var dir string
	note := newTool(t, "note", func(ctx context.Context, in struct{ Text string }, c *agent.Call) (string, error) {
		ws, err := c.Workspace()
		if err != nil {
			return "", err
		}
		dir = ws
		f, err := os.OpenFile(filepath.Join(ws, "notes.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(in.Text + ";")
		err = errors.Join(err, f.Close(), c.Files.Append(ctx, agent.FileScope{Session: c.Session.ID}, "kept.txt", []byte(in.Text+";")))
		kept, rerr := c.Files.Read(ctx, agent.FileScope{Session: c.Session.ID}, "kept.txt")
		return string(kept), errors.Join(err, rerr)
	}, &agent.ToolOptions[struct{ Text string }]{Effect: agent.EffectWrite})
	h := newShapedHouse(t, actors.Options{}, script, func(a *agent.Agent) { a.Tools = append(a.Tools, note) })
	id := h.ask("hello")
	call := func(id, text string) string {
		got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "note", Input: []byte(`{"Text":"` + text + `"}`), SessionID: id, Principal: local})
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + " " + string(got.Result.Output)
	}
	call(id, "a")
	f := h.fork(id, uint64(len(h.log(id))-1))
	for _, c := range []struct{ id, text, want string }{{id, "b", `a;b; "a;b;"`}, {f.SessionID, "c", `a;c; "a;c;"`}, {id, "d", `a;b;d; "a;b;d;"`}} {
		if got := call(c.id, c.text); got != c.want {
			t.Errorf("%s has %s, expected %s", c.text, got, c.want)
		}
	}
}

// Hooks are told nothing of what was copied, and of what the fork does itself all.
func TestFork_Hooks(t *testing.T) {
	t.Parallel()
	d := &diary{}
	h := hooked(t, actors.Options{}, hook("all", agent.AnyEvent, d.watch("all")))
	id := h.ask("hello")
	f := h.fork(id, uint64(len(h.log(id))-1))
	h.send(f.SessionID, "more")
	h.finish()
	var told []string
	for _, line := range d.all() {
		if strings.Contains(line, f.SessionID) {
			told = append(told, line)
		}
	}
	same(t, told, h.saw("all", f.SessionID, func(e *events.Event) bool { return e.Index > f.Index+1 }))
}

// Tokens and money that were spent before count for the limits of the session alone
// that spent them.
func TestFork_Limits(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{Agents: []*agent.Agent{{Limits: agent.Limits{MaxSessionTokens: 5}}}})
	id := h.ask("hello")
	h.send(id, "one more")
	if got := h.failedBy(id); got != events.FailBudget {
		t.Fatalf("the session itself failed by %q", got)
	}
	f := h.fork(id, h.until(id, "turn.completed").Index)
	h.send(f.SessionID, "one more")
	if log := h.log(f.SessionID); log[len(log)-2].Type != "turn.completed" {
		t.Errorf("the fork's turn did not complete:\n%s", h.story(f.SessionID))
	}
}
