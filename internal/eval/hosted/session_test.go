package hosted_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// "await t.send(message, options?) runs one turn and waits until it finishes"; "several
// sends in one test share the session"; the turns' events are the log in parts.
func TestSession_Turns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{Title: "a/b", Model: "other"})
	if all, err := s.Events(); err != nil || len(all) > 0 || s.Spent().Steps != 0 || number(s.Spent().CostUSD) != "0.000000" {
		t.Errorf("before its first message it has %s, %v, %+v", all, err, s.Spent())
	}
	one := send(t, s, "twice")
	if one.Index != 1 || one.Status != eval.TurnFinished || one.Message != "Looked." || one.From != 0 || one.Broken || one.Error != "" {
		t.Errorf("the first turn is %+v", brief(one))
	}
	const turn = "turn.started step.started message.completed step.completed"
	if got, want := types(t, one.Events), "session.started message.received "+turn+" actions.requested action.result step.started message.completed step.completed turn.completed session.waiting"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	two := send(t, s, "hello")
	if two.Index != 2 || two.SessionID != one.SessionID || two.TurnID == one.TurnID || two.Message != "I heard: hello" || two.From != uint64(len(one.Events)) {
		t.Errorf("the second turn is %+v", brief(two))
	}
	if got, want := types(t, two.Events), "message.received "+turn+" turn.completed session.waiting"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	all, err := s.Events()
	if err != nil || len(all) != len(one.Events)+len(two.Events) || strings.HasSuffix(string(all[0]), "\n") {
		t.Errorf("%d lines, %v", len(all), err)
	}
	e, err := events.Decode(all[0])
	if err != nil {
		t.Fatal(err)
	}
	want := events.Principal{Kind: "local", ID: "eval"}
	if d := e.Data.(*events.SessionStarted); d.ChannelID != "eval" || d.Purpose != "eval" || d.Mode != "chat" || d.Principal != want || d.Title != "a/b" || d.Model != "other" || d.Agent != "tester" {
		t.Errorf("it was opened as %+v", d)
	}
}

// A message that somebody else sends in the meantime has a turn of its own, which is in
// none of the test's.
func TestSession_OthersTurns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	sent := make(chan *eval.Turn)
	go func() { sent <- send(t, s, "slow") }()
	<-h.started
	id := onlySession(t, h)
	for _, text := range []string{"slow", "not mine"} {
		if _, err := h.host.Send(t.Context(), id, actors.Message{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	h.gate <- struct{}{}
	one := <-sent
	<-h.started // the other's runs
	go func() { sent <- send(t, s, "hello") }()
	h.gate <- struct{}{}
	two := <-sent
	if one.Message != "Slow is done." || two.Message != "I heard: hello" {
		t.Errorf("got %q, %q", one.Message, two.Message)
	}
	for _, turn := range []*eval.Turn{one, two} {
		for _, line := range turn.Events {
			if e, err := events.Decode(line); err != nil || e.TurnID != "" && e.TurnID != turn.TurnID {
				t.Errorf("turn %d has %s, %v", turn.Index, line, err)
			}
		}
	}
	all, _ := s.Events()
	if got := events.TypeOf(two.Events[0]); got != "message.received" || string(all[two.From]) != string(two.Events[0]) {
		t.Errorf("the second begins at %d with %s", two.From, two.Events[0])
	}
}

// onlySession waits for the session of the host's log.
func onlySession(t *testing.T, h *house) (id string) {
	t.Helper()
	for s, err := range h.host.Journal().Streams("") {
		if err != nil {
			t.Fatal(err)
		}
		if events.IsSessionID(s.ID) {
			id = s.ID
		}
	}
	return id
}

// "or parks for approval"; t.approve and t.deny go on with the turn, which comes back whole.
func TestSession_Decide(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	for approve, want := range map[bool]string{true: "Merge: map[].", false: "Merge: denied: no."} {
		s := h.open(t, eval.OpenOptions{})
		if _, err := s.Decide(t.Context(), "", true, ""); err == nil || err.Error() != "no call waits for an approval" {
			t.Errorf("got %v", err)
		}
		parked := send(t, s, "gated")
		if parked.Status != eval.TurnParked || parked.Message != "May I?" {
			t.Fatalf("the turn is %+v", brief(parked))
		}
		if _, err := s.Send(t.Context(), "hello", eval.SendOptions{}); err == nil || !strings.HasPrefix(err.Error(), "the session waits for an approval of merge (call_") {
			t.Errorf("got %v", err)
		}
		done, err := s.Decide(t.Context(), "", approve, "no")
		if err != nil {
			t.Fatal(err)
		}
		if done.Index != 1 || done.TurnID != parked.TurnID || done.Status != eval.TurnFinished || done.From != 0 || len(done.Events) < len(parked.Events) {
			t.Errorf("the turn is %+v", brief(done))
		}
		if !approve {
			want = done.Message // the host's own words
			if !strings.Contains(want, "no") {
				t.Errorf("the model saw %q", want)
			}
		}
		if done.Message != want {
			t.Errorf("got %q, want %q", done.Message, want)
		}
		if got := types(t, done.Events); !strings.Contains(got, "input.requested input.resolved action.result") {
			t.Errorf("got %s", got)
		}
	}
}

func TestSession_DecideAboutSeveral(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	parked := send(t, s, "both")
	var calls []string
	for _, line := range parked.Events {
		if e, err := events.Decode(line); err == nil {
			if d, ok := e.Data.(*events.InputRequested); ok {
				calls = append(calls, d.CallID)
			}
		}
	}
	for id, want := range map[string]string{"": "several calls wait for an approval: name one of merge (" + calls[0], "call_x": `no call "call_x" waits for an approval; those that do: merge (` + calls[0]} {
		if _, err := s.Decide(t.Context(), id, true, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	still, err := s.Decide(t.Context(), calls[1], true, "")
	if err != nil || still.Status != eval.TurnParked {
		t.Fatalf("after one decision: %+v, %v", brief(still), err)
	}
	if done, err := s.Decide(t.Context(), "", false, ""); err != nil || done.Status != eval.TurnFinished || done.Message != "Both." {
		t.Errorf("after both: %+v, %v", brief(done), err)
	}
}

// "These options apply on the first send because they shape the session"; workspaceDir is an
// "absolute working directory for a new local session".
func TestSession_Options(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(a *agent.Agent) { a.Harness = nil })
	stub := func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage(`"stubbed"`), nil }
	o := eval.SendOptions{Files: []agent.SeedFile{{Path: "f.txt", Content: []byte("file")}}, Stubs: map[string]agent.Stub{"look": stub}}
	s := h.open(t, eval.OpenOptions{})
	for _, text := range []string{"", " \n"} {
		if _, err := s.Send(t.Context(), text, o); err == nil || !strings.Contains(err.Error(), "no character that is not space") {
			t.Errorf("%q: got %v", text, err)
		}
	}
	bad := o
	bad.Stubs = map[string]agent.Stub{"lok": stub}
	var field *actors.FieldError
	var misuse *eval.MisuseError
	if _, err := s.Send(t.Context(), "x", bad); !errors.As(err, &field) || !errors.As(err, &misuse) {
		t.Errorf("got %v", err)
	}
	turn, err := s.Send(t.Context(), "/call read {\"path\":\"f.txt\"}\n/call look {}", o) // what was refused opened nothing
	if err != nil || turn.Index != 1 || !strings.Contains(turn.Message, "file") || !strings.Contains(turn.Message, `"stubbed"`) {
		t.Errorf("got %+v, %v", brief(turn), err)
	}
	if _, err := s.Send(t.Context(), "x", o); err == nil || !strings.Contains(err.Error(), "with its first message alone") {
		t.Errorf("got %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	turn, err = h.open(t, eval.OpenOptions{}).Send(t.Context(), `/call read {"path":"own.txt"}`, eval.SendOptions{WorkspaceDir: dir})
	if err != nil || !strings.Contains(turn.Message, "mine") {
		t.Errorf("got %+v, %v", brief(turn), err)
	}
}

// "Time limits stop the turn": the end of ctx returns at once with its cause, and Close
// stops what runs and frees the stubs.
func TestSession_CtxEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	over := errors.New("the time is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-h.started; cancel(over) }()
	stub := func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage(`1`), nil }
	if _, err := s.Send(ctx, "slow", eval.SendOptions{Stubs: map[string]agent.Stub{"look": stub}}); !errors.Is(err, over) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Send(t.Context(), "hello", eval.SendOptions{}); err == nil || !strings.Contains(err.Error(), "has not ended") {
		t.Errorf("got %v", err)
	}
	if _, err := s.Decide(t.Context(), "", true, ""); err == nil {
		t.Error("something was decided")
	}
	for range 2 {
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Events()
	if got := types(t, all); err != nil || !strings.HasSuffix(got, "action.result turn.failed session.waiting") {
		t.Errorf("got %s, %v", got, err)
	}
	for _, f := range []func() error{
		func() error { _, err := s.Send(t.Context(), "x", eval.SendOptions{}); return err },
		func() error { _, err := s.Decide(t.Context(), "", true, ""); return err },
	} {
		if err := f(); err == nil || !strings.HasPrefix(err.Error(), "the case has ended") {
			t.Errorf("got %v", err)
		}
	}
	id := onlySession(t, h)
	a, err := h.host.Send(t.Context(), id, actors.Message{Text: "/call look {}"})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := h.host.WaitTurn(t.Context(), id, a.TurnID); err != nil || !strings.Contains(done.Reply, "the stub ended") {
		t.Errorf("got %+v, %v", done, err)
	}
}

// A ctx that has ended before leaves nothing behind that Close does not end.
func TestSession_CtxHasEnded(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	for range 20 {
		s := h.open(t, eval.OpenOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Send(ctx, "slow", eval.SendOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for s, err := range h.host.Journal().Streams("") {
		if err != nil {
			t.Fatal(err)
		}
		if !events.IsSessionID(s.ID) {
			continue
		}
		if st, err := h.host.StateAt(s.ID, math.MaxUint64); err != nil || st.OpenTurn() != "" {
			t.Errorf("%s: %+v, %v", s.ID, st, err)
		}
	}
}

// Close ends what waits, too: a parked turn, and one that is queued behind it.
func TestSession_CloseParked(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	parked := send(t, s, "gated")
	if _, err := h.host.Send(t.Context(), parked.SessionID, actors.Message{Text: "slow"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := h.host.StateAt(parked.SessionID, math.MaxUint64); err != nil || st.Open() {
		t.Errorf("got %+v, %v", st, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.target.Open(eval.OpenOptions{}).Close(ctx); err != nil {
		t.Errorf("one that did nothing: %v", err)
	}
}

// "A provider failure is a failed case": the turn says that it broke, and why.
func TestSession_Broken(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(a *agent.Agent) { a.Limits.MaxSteps = 2 })
	turn := send(t, h.open(t, eval.OpenOptions{}), "down")
	if turn.Status != eval.TurnFailed || turn.Code != events.FailModel || !turn.Broken || turn.Error != "the model is down (status 500)" {
		t.Errorf("got %+v", brief(turn))
	}
	turn = send(t, h.open(t, eval.OpenOptions{Model: "missing"}), "hello")
	if turn.Status != eval.TurnFailed || turn.Code != events.FailModel || !turn.Broken || turn.Error != "there is no such model" {
		t.Errorf("got %+v", brief(turn))
	}
	turn = send(t, h.open(t, eval.OpenOptions{}), "steps")
	if turn.Status != eval.TurnFailed || turn.Code != events.FailMaxSteps || turn.Broken || turn.Message != "two" {
		t.Errorf("got %+v", brief(turn))
	}
	// C64: the agent goes on without the subagent that the provider failed
	turn = send(t, h.open(t, eval.OpenOptions{}), "crew down")
	if turn.Status != eval.TurnFinished || turn.Message != "The crew is done." || !turn.Broken || turn.Code != events.FailModel ||
		turn.Error != "the subagent reader: the subagent did not finish: the model is down (status 500)" {
		t.Errorf("got %+v", brief(turn))
	}
	if turn = send(t, h.open(t, eval.OpenOptions{}), "crew steps"); turn.Status != eval.TurnFinished || turn.Broken || turn.Error != "" {
		t.Errorf("got %+v", brief(turn))
	}
	s := h.open(t, eval.OpenOptions{})
	go func() {
		<-h.started
		_, _ = h.host.Stop(t.Context(), onlyRunning(h))
	}()
	if turn := send(t, s, "slow"); turn.Status != eval.TurnCancelled || turn.Code != events.FailStopped || !turn.Broken || turn.Error != "stopped" {
		t.Errorf("got %+v", brief(turn))
	}
}

// onlyRunning is the session whose turn is open.
func onlyRunning(h *house) (id string) {
	for s := range h.host.Journal().Streams("") {
		if st, err := h.host.StateAt(s.ID, math.MaxUint64); events.IsSessionID(s.ID) && err == nil && st.OpenTurn() != "" {
			id = s.ID
		}
	}
	return id
}
