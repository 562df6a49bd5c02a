package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/replay"
	"github.com/gobdk/bdk/events"
)

// step asks for the step that runs now in a line of a log.
func step(t *testing.T, m *replay.Model, live *tale, parent string) (*model.Response, error) {
	t.Helper()
	r := &model.Request{SessionID: "ses_x", TurnID: live.turn, ParentCallID: parent, Step: live.steps[parent], Attempt: 1}
	var said string
	res, err := m.Stream(t.Context(), r, func(d model.Delta) {
		if !d.Reasoning {
			said += d.Text
		}
	})
	if err == nil && said != res.Text {
		t.Errorf("said %q and gave %q", said, res.Text)
	}
	return res, err
}

// departs holds that an answer is a failure that nobody tries again.
func departs(t *testing.T, err error, want string) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Broken || e.Code != events.FailModel || !strings.HasPrefix(e.Message, "replay:rec: ") || !strings.Contains(e.Message, want) || strings.Contains(e.Message, "\n") {
		t.Errorf("got %v, want %q", err, want)
	}
}

// "replay:<session> gives back the recorded steps of a session"
func TestModel_StepsInOrder(t *testing.T) {
	t.Parallel()
	usage := &events.Usage{InputTokens: 7, OutputTokens: 3}
	rec := newTale(t).ask("first")
	id := rec.call("", call("look", `{"n":1}`), call("look", `{"n":2}`))
	rec.result(id[0]).result(id[1]).begin("").say("", "Seen.", events.FinishStop, usage).done()
	rec.ask("second").say("", "Bye.", events.FinishStop, nil).done()

	live := newTale(t).ask(" first\r\n") // the space around does not count
	m := rec.of(live)
	res, err := step(t, m, live, "")
	if err != nil || res.FinishReason != events.FinishToolCalls || len(res.Calls) != 2 || res.Calls[1] != (model.RequestedCall{Name: "look", Args: `{"n":2}`}) || res.Provider != nil {
		t.Fatalf("got %+v, %v", res, err)
	}
	live.call("", call("look", `{"n":1}`), call("look", `{"n":2}`))
	live.begin("")
	for range 2 { // a restart asks again
		if res, err = step(t, rec.of(live), live, ""); err != nil || res.Text != "Seen." || *res.Usage != *usage {
			t.Fatalf("got %+v, %v", res, err)
		}
	}
	live.say("", "Seen.", events.FinishStop, nil).done().ask("second")
	if res, err = step(t, m, live, ""); err != nil || res.Text != "Bye." {
		t.Fatalf("got %+v, %v", res, err)
	}
}

// A session that departs from its recording is told where, in one sentence.
func TestModel_Departures(t *testing.T) {
	t.Parallel()
	rec := newTale(t).ask("one", "and more")
	rec.call("", call("look", `{}`))
	rec.begin("").say("", "Seen.", events.FinishStop, nil).done()
	rec.ask("two").say("", "Bye.", events.FinishStop, nil).done()
	for name, tt := range map[string]struct {
		live func(*tale)
		want string
	}{
		"another message": {func(l *tale) { l.ask("eins") }, `turn 1 was asked "one\n\nand more", and this session asks "eins"`},
		"a turn too many": {func(l *tale) {
			l.ask("one\n\nand more").call("", call("look", `{}`))
			l.begin("").say("", "Seen.", events.FinishStop, nil).done()
			l.ask("two").say("", "Bye.", events.FinishStop, nil).done().ask("three")
		}, `it holds 2 turns, and this session asks for a turn 3, with "three"`},
		"a step too many": {func(l *tale) {
			l.ask("one\n\nand more").call("", call("look", `{}`))
			l.begin("").say("", "Seen.", events.FinishStop, nil).begin("")
		}, `turn 1 has 2 steps, and this session asks for a step 3: the recorded turn ended there with "Seen."`},
		"a step too few": {func(l *tale) {
			l.ask("one\n\nand more").call("", call("look", `{}`))
			l.fail(events.StatusError, events.FailMaxSteps, "the limit is 1").ask("two")
		}, `turn 1 has 2 steps, and this session's ended after 1: the limit is 1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := newTale(t)
			tt.live(live)
			_, err := step(t, rec.of(live), live, "")
			departs(t, err, tt.want)
		})
	}
	live := newTale(t).ask("one\n\nand more")
	_, err := rec.of(live).Stream(t.Context(), &model.Request{TurnID: live.turn, Step: 1, Messages: []model.Message{{Role: model.RoleTool, ToolName: "look"}}}, nil)
	departs(t, err, "turn 1, step 1: the call of look has no result")
	_, err = rec.of(live).Stream(t.Context(), &model.Request{TurnID: "turn_none", Step: 1}, nil)
	departs(t, err, "has no turn")
	_, err = newTale(t).of(live).Stream(t.Context(), &model.Request{TurnID: live.turn, Step: 1}, nil)
	departs(t, err, "it holds no turn")
}

// A turn that a person ended cannot be replayed; one that its model failed fails so again.
func TestModel_FailedTurns(t *testing.T) {
	t.Parallel()
	rec := newTale(t).ask("stop me").fail(events.StatusCancelled, events.FailStopped, "stopped")
	rec.ask("fail").fail(events.StatusError, events.FailModel, "the provider is down (status 503)")
	rec.ask("cut").say("", "So", events.FinishLength, nil).fail(events.StatusError, events.FailMaxOutput, "twice")
	rec.ask("limit").call("", call("look", `{}`))
	rec.fail(events.StatusError, events.FailMaxSteps, "its limit of 1")

	live := newTale(t).ask("stop me too").fail(events.StatusCancelled, events.FailStopped, "stopped").ask("fail")
	m := rec.of(live)
	_, err := step(t, m, live, "")
	var e *model.Error
	if !errors.As(err, &e) || e.Message != "the provider is down (status 503)" || e.Code != events.FailModel || e.Broken {
		t.Errorf("got %v", err)
	}
	live.fail(events.StatusError, events.FailModel, "down").ask("cut")
	if res, err := step(t, m, live, ""); err != nil || res.FinishReason != events.FinishLength || len(res.Calls) != 1 {
		t.Errorf("got %+v, %v", res, err)
	}
	live.say("", "So", events.FinishLength, nil).fail(events.StatusError, events.FailMaxOutput, "twice").ask("limit").call("", call("look", `{}`))
	live.begin("")
	_, err = step(t, m, live, "")
	departs(t, err, "the recorded turn failed there (max_steps): its limit of 1")
}

// "Steps in order for each line of work (the main line, and each subagent's line in the order of their calls)"
func TestModel_Subagents(t *testing.T) {
	t.Parallel()
	tell := func(l *tale, first, second bool) (ids []string) {
		l.ask("go")
		ids = l.call("", call("task", `{"prompt":"same"}`), call("task", `{"prompt":"same"}`))
		for i, go_ := range []bool{first, second} { // in any order
			if go_ {
				l.add(&events.SubagentCalled{CallID: ids[i], Name: "helper", Task: "same"}).begin(ids[i])
			}
		}
		return ids
	}
	rec := newTale(t)
	ids := tell(rec, true, true)
	rec.say(ids[1], "two", events.FinishStop, nil).add(&events.SubagentCompleted{CallID: ids[1]})
	rec.add(&events.SubagentCompleted{CallID: ids[0], IsError: true, Code: events.FailContextOverflow, Output: []byte(`"the subagent did not finish: no luck"`)})

	live := newTale(t)
	now := tell(live, true, true)
	if res, err := step(t, rec.of(live), live, now[1]); err != nil || res.Text != "two" {
		t.Errorf("got %+v, %v", res, err)
	}
	var e *model.Error
	if _, err := step(t, rec.of(live), live, now[0]); !errors.As(err, &e) || e.Message != "no luck" || e.Code != events.FailContextOverflow {
		t.Errorf("got %v", err)
	}
	live.say(now[1], "two", events.FinishStop, nil).begin(now[1])
	_, err := step(t, rec.of(live), live, now[1])
	departs(t, err, "turn 1: the subagent has 1 step, and this session's asks for a step 2")
}

// Attempts that broke are no steps, and arguments that no log keeps are as unusable again.
func TestModel_BrokenAttempts(t *testing.T) {
	t.Parallel()
	rec := newTale(t).ask("go").add(&events.MessageAppended{Text: "hal"}).add(&events.StepStarted{Step: 1, Attempt: 2})
	rec.call("", events.Call{ToolName: "look"})
	rec.begin("").add(&events.StepStarted{Step: 2, Attempt: 2}).say("", "Done.", events.FinishStop, nil).done()
	live := newTale(t).ask("go")
	res, err := step(t, rec.of(live), live, "")
	if err != nil || len(res.Calls) != 1 || strings.HasPrefix(res.Calls[0].Args, "{") || res.Calls[0].Args == "" {
		t.Fatalf("got %+v, %v", res, err)
	}
	live.call("", call("look", `{}`))
	live.begin("")
	if res, err = step(t, rec.of(live), live, ""); err != nil || res.Text != "Done." {
		t.Errorf("got %+v, %v", res, err)
	}
}

// "Compaction steps (PurposeSummary) handled": the recorded summary, or a sentence.
func TestModel_Summaries(t *testing.T) {
	t.Parallel()
	rec := newTale(t).ask("go").add(&events.ContextCompacted{Summary: "It went.", Usage: &events.Usage{InputTokens: 5}})
	live := newTale(t).ask("go")
	ask := func() *model.Response {
		res, err := rec.of(live).Stream(t.Context(), &model.Request{Purpose: model.PurposeSummary}, func(model.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := ask(); res.Text != "It went." || res.Usage.InputTokens != 5 {
		t.Errorf("got %+v", res)
	}
	live.add(&events.ContextCompacted{Summary: "It went."})
	if res := ask(); !strings.Contains(res.Text, "no summary was recorded") {
		t.Errorf("got %+v", res)
	}
}

// A recording that goes on is read again where it is asked for more.
func TestModel_RecordingGrows(t *testing.T) {
	t.Parallel()
	rec := newTale(t).ask("one").say("", "1", events.FinishStop, nil).done()
	live := newTale(t).ask("one")
	m := rec.of(live)
	if _, err := step(t, m, live, ""); err != nil {
		t.Fatal(err)
	}
	rec.ask("two").say("", "2", events.FinishStop, nil).done()
	live.say("", "1", events.FinishStop, nil).done().ask("two")
	if res, err := step(t, m, live, ""); err != nil || res.Text != "2" {
		t.Errorf("got %+v, %v", res, err)
	}
}

// A log that cannot be read is said, and the next step tries again.
func TestModel_UnreadableLogs(t *testing.T) {
	t.Parallel()
	live := newTale(t).ask("one")
	broken := func(context.Context) replay.Lines {
		return func(yield func([]byte, error) bool) { yield(nil, errors.New("no such session")) }
	}
	r := &model.Request{SessionID: "ses_y", TurnID: live.turn, Step: 1}
	log := func(ctx context.Context, _ string) replay.Lines { return live.read(ctx) }
	_, err := replay.New(replay.Options{Name: "rec", Recorded: broken, Log: log}).Stream(t.Context(), r, nil)
	departs(t, err, "it cannot be read: no such session")
	_, err = replay.New(replay.Options{Name: "rec", Recorded: live.read, Log: func(ctx context.Context, _ string) replay.Lines { return broken(ctx) }}).Stream(t.Context(), r, nil)
	departs(t, err, "the log of session ses_y cannot be read: no such session")
}

// "Errors say what was wrong, where": a file that is no recording names its line.
func TestLoad(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rec.ndjson")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rec := newTale(t).ask("go")
	write("\uFEFF" + string(rec.lines[0]) + "\r\n\n" + string(rec.lines[1]))
	read, err := replay.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line, err := range read(t.Context()) {
		if n++; err != nil || string(line) != string(rec.lines[n-1]) {
			t.Errorf("line %d is %q, %v", n, line, err)
		}
	}
	write(string(rec.lines[0]) + "\n\n{\"a\":1}\n")
	if _, err = replay.Load(file); n != 2 || err == nil || !strings.Contains(err.Error(), "rec.ndjson:3: this is no event of a session") {
		t.Errorf("%d lines, then %v", n, err)
	}
	if _, err = replay.Load(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
