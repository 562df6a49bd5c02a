package session_test

import (
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// takenUp plays a message and what follows under one config, and gives the session as
// another takes it up.
func takenUp(t *testing.T, before, after session.Config, start *events.SessionStarted, more ...session.Input) *session.Session {
	t.Helper()
	s := session.New(before)
	inputs := []session.Input{&session.Start{Started: start}, &session.Message{TurnID: "t1", Text: "hi", From: events.FromUser}}
	for _, in := range append(inputs, more...) {
		step(t, s, in)
	}
	return session.Restore(after, s.State)
}

func step(t *testing.T, s *session.Session, in session.Input) session.Ready {
	t.Helper()
	if err := s.Step(in, time.Unix(1_772_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	return s.Ready()
}

// tools.md: in a dry run "write tools answer `dryRunResult`"; so does a call that waited
// for an approval while its tool became one whose writes leave the workspace.
func TestSession_ApprovedWriteOfADryRun(t *testing.T) {
	t.Parallel()
	write := session.Prepared{Call: events.Call{CallID: "c1", ToolName: "write", Effect: events.EffectWrite}, RequestID: "req_c1", NeedsApproval: true}
	s := takenUp(t, session.Config{Model: "m", FreePlaces: true, Contained: []string{"write"}}, session.Config{Model: "m", FreePlaces: true},
		&events.SessionStarted{Mode: events.ModeChat, DryRun: true},
		&session.StepDone{TurnID: "t1", Step: 1, Attempt: 1, FinishReason: events.FinishToolCalls, Calls: []session.Prepared{write}})
	r := step(t, s, &session.Decide{CallID: "c1", Decision: events.DecisionApprove})
	if run, ok := r.Effects[len(r.Effects)-1].(*session.RunTool); !ok || !run.Stub {
		t.Errorf("the effects are %+v", r.Effects)
	}
}

// sessions.md: `step.started` has "`model?` when another than the turn's"; what such a
// step uses costs what that model costs.
func TestSession_StepWithAnotherModel(t *testing.T) {
	t.Parallel()
	byName := func(model string, u events.Usage) (int64, bool) {
		return map[string]int64{"dear": 100, "cheap": 1}[model] * u.Total(), true
	}
	s := takenUp(t, session.Config{Model: "dear", FreePlaces: true}, session.Config{Model: "cheap", FreePlaces: true, Price: byName},
		&events.SessionStarted{Mode: events.ModeChat})
	r := step(t, s, &session.Resume{})
	if d, ok := r.Events[1].Data.(*events.StepStarted); !ok || d.Model != "cheap" {
		t.Fatalf("recorded are %+v", r.Events)
	}
	step(t, s, &session.StepDone{TurnID: "t1", Step: 1, Attempt: 2, FinishReason: events.FinishStop, Usage: &events.Usage{InputTokens: 7}})
	if s.Spent != 7 {
		t.Errorf("7 tokens of the cheap model cost %d", s.Spent)
	}
	r = step(t, s, &session.Message{TurnID: "t2", Text: "hi", From: events.FromUser})
	if d, ok := r.Events[2].Data.(*events.StepStarted); !ok || d.Model != "" {
		t.Errorf("a step with the turn's own model names it: %+v", d)
	}
}

// tools.md: a direct call "is stubbed in a dry-run session": no tool that a person calls
// is one of the host's own, whatever tools the session's last turn had.
func TestSession_DirectCallOfADryRun(t *testing.T) {
	t.Parallel()
	cfg := session.Config{Model: "m", FreePlaces: true, Contained: []string{"write"}}
	s := takenUp(t, cfg, cfg, &events.SessionStarted{Mode: events.ModeChat, DryRun: true},
		&session.StepDone{TurnID: "t1", Step: 1, Attempt: 1, FinishReason: events.FinishStop, Text: "done"})
	r := step(t, s, &session.DirectCall{Call: events.Call{CallID: "c1", ToolName: "write", Effect: events.EffectWrite}})
	if run, ok := r.Effects[0].(*session.RunTool); !ok || !run.Stub {
		t.Errorf("the effects are %+v", r.Effects)
	}
}
