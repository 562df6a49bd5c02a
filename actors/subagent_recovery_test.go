package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// "A subagent: taken up in the same way": one in a step starts it with the next
// attempt, after turn.resumed, with what it had heard before.
func TestHost_ResumesASubagentsStep(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	h.script = strings.Replace(crewScript, `- say: "Page {{ index .results 0 \"n\" }} is about birds."`, `- { delayMs: 3600000, say: late }`, 1)
	h.restart()
	a := h.start("ask the reader")
	h.untilStory(a.SessionID, "reader: step.started 2.1")
	h.script = crewScript
	h.restart()
	h.rest(a.SessionID, "waiting")
	h.expectOf(a.SessionID, "reader", "step.started 1.1", `message.completed "Reading." tool-calls`, "step.completed", `actions.requested look{"n":4}`,
		`action.result look {"n":4} `, "step.started 2.1", "step.started 2.2", `message.completed "Page 4 is about birds." stop`, "step.completed")
	h.expectOf(a.SessionID, "", "session.started", `message.received "ask the reader"`, "turn.started", "step.started 1.1",
		`message.completed "" tool-calls`, "step.completed", `actions.requested task{"subagent":"reader","prompt":"read page 4"}`,
		`subagent.called reader "read page 4"`, "turn.resumed", `subagent.completed reader "Page 4 is about birds."`,
		`action.result task "Page 4 is about birds." `, "step.started 2.1", `message.completed "The reader says: Page 4 is about birds." stop`,
		"step.completed", "turn.completed", "session.waiting")
}

// untilStory waits for a line of the story.
func (h *house) untilStory(id, line string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 60*time.Second)
	defer cancel()
	for _, err := range h.journal.Follow(ctx, id, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		if slices.Contains(strings.Split(h.raw(id), "\n"), line) {
			return
		}
	}
	h.t.Fatalf("no %q came:\n%s", line, h.raw(id))
}

// Its open calls by their effect: a read runs again, a write that had begun does not.
func TestHost_ResumesASubagentsCalls(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	a := h.start("both push")
	<-h.started
	<-h.started
	h.untilStory(a.SessionID, `reader: action.result push "ok" `)
	h.untilStory(a.SessionID, `subagent.completed writer "I heard: push writing"`)
	h.restart()
	<-h.started
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	h.expectOf(a.SessionID, "reader", "step.started 1.1", `message.completed "" tool-calls`, "step.completed", "actions.requested push{}! slowpush{}! slow{}",
		`action.result push "ok" `, `action.result slowpush "the host stopped while this ran: whether it took effect is unknown" outcome_unknown`,
		`action.result slow "slowly" `, "step.started 2.1",
		`message.completed "Pushed: [\"ok\",\"the host stopped while this ran: whether it took effect is unknown\",\"slowly\"]" stop`, "step.completed")
	if h.effects.Load() != 1 {
		t.Errorf("%d effects", h.effects.Load())
	}
	checkLog(t, h.log(a.SessionID))
}

// A subagent that the agent has no more when the turn is taken up answers with an error.
func TestHost_ResumesWithoutTheSubagent(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{})
	a := h.start("both stall")
	h.untilStory(a.SessionID, "writer: step.started 1.1")
	before := *h.opts.Agents[0]
	before.Subagents = crew[:1]
	h.opts.Agents[0] = &before
	h.script = crewScript + "\n- when: stall reading\n  steps: [ { say: back } ]\n"
	h.script = strings.Replace(h.script, "- when: /stall/\n  steps: [ { say: late, delayMs: 3600000 } ]\n", "", 1)
	h.restart()
	out := h.rest(a.SessionID, "waiting")
	if string(out.Result) != `"back the subagent did not finish: the agent has no such subagent any more"` {
		t.Errorf("the result is %s", out.Result)
	}
}

// An interrupt: "the deltas in hand" of each that works, then, in the order of the
// calls, the subagents and their calls; nothing of them appears afterwards.
func TestHost_InterruptSubagents(t *testing.T) {
	t.Parallel()
	emitted, end := make(chan struct{}), make(chan struct{})
	play := func(_ context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		last := r.Messages[len(r.Messages)-1].Text
		switch {
		case last == "go":
			return &model.Response{FinishReason: events.FinishToolCalls, Calls: []model.RequestedCall{
				{Name: "task", Args: `{"subagent":"reader","prompt":"think"}`}, {Name: "task", Args: `{"subagent":"writer","prompt":"think"}`},
			}}, nil
		case last == "think":
			emit(model.Delta{Text: "in the hand of: " + r.System})
			emitted <- struct{}{}
			<-end
			emit(model.Delta{Text: "too late"})
			return &model.Response{Text: "too late", FinishReason: events.FinishStop}, nil
		}
		return &model.Response{Text: "new", FinishReason: events.FinishStop}, nil
	}
	h := newCrew(t, actors.Options{Models: oneModel{funcModel(play)}, DeltaWindow: time.Hour})
	a := h.start("go")
	<-emitted
	<-emitted
	if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "listen"}); err != nil {
		t.Fatal(err)
	}
	close(end)
	h.rest(a.SessionID, "waiting")
	h.expectOf(a.SessionID, "", "session.started", `message.received "go"`, "turn.started", "step.started 1.1", `message.completed "" tool-calls`, "step.completed",
		`actions.requested task{"subagent":"reader","prompt":"think"} task{"subagent":"writer","prompt":"think"}`,
		`subagent.called reader "think"`, `subagent.called writer "think"`,
		`subagent.completed reader "cancelled before it finished" failed`, `action.result task "cancelled before it finished" cancelled`,
		`subagent.completed writer "cancelled before it finished" failed`, `action.result task "cancelled before it finished" cancelled`,
		"turn.failed cancelled interrupted", `message.received "listen"`, "turn.started", "step.started 1.1", `message.completed "new" stop`,
		"step.completed", "turn.completed", "session.waiting")
	texts := appendedTexts(h.log(a.SessionID))
	if want := []string{"in the hand of: You read.", "in the hand of: You write."}; !slices.Equal(texts, want) {
		t.Errorf("the deltas are %q", texts)
	}
	checkLog(t, h.log(a.SessionID))
}

// Deltas of several subagents at once are gathered for each, and joined they are
// the text of its message.
func TestHost_DeltasOfSubagents(t *testing.T) {
	t.Parallel()
	const steps = 40
	play := func(_ context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
		if r.System == "Test." && len(r.Messages) == 1 {
			return &model.Response{FinishReason: events.FinishToolCalls, Calls: []model.RequestedCall{
				{Name: "task", Args: `{"subagent":"reader","prompt":"count"}`}, {Name: "task", Args: `{"subagent":"writer","prompt":"count"}`},
			}}, nil
		}
		var text strings.Builder
		for i := range steps {
			piece := fmt.Sprintf("%s %d ", r.System, i)
			emit(model.Delta{Text: piece})
			text.WriteString(piece)
		}
		return &model.Response{Text: text.String(), FinishReason: events.FinishStop}, nil
	}
	for _, window := range []time.Duration{-1, time.Millisecond, time.Hour} {
		h := newCrew(t, actors.Options{Models: oneModel{funcModel(play)}, DeltaWindow: window})
		a := h.start("go")
		h.rest(a.SessionID, "waiting")
		joined, whole := map[string]string{}, map[string]string{}
		for _, e := range h.log(a.SessionID) {
			switch d := e.Data.(type) {
			case *events.MessageAppended:
				joined[d.ParentCallID] += d.Text
			case *events.MessageCompleted:
				whole[d.ParentCallID] += d.Text
			}
		}
		if len(whole) != 3 {
			t.Fatalf("%d lines of work", len(whole))
		}
		for parent, text := range whole {
			if joined[parent] != text {
				t.Errorf("%s, window %s: the deltas are %q of %q", parent, window, joined[parent], text)
			}
		}
	}
}

// Commands, restarts, sleep and interrupts at once, with subagents inside.
func TestHost_SubagentStorm(t *testing.T) {
	t.Parallel()
	h := newCrew(t, actors.Options{IdleAfter: 2 * time.Millisecond, DeltaWindow: time.Millisecond, MaxRunningTurns: 3})
	h.storm([]string{"ask the reader", "both gated", "both push", "both slow", "both broken", "nobody", "both boom", "both gated"})
}
