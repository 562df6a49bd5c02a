package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// TestSession_RandomHistories drives sessions with random inputs, restarts among
// them, and checks what must hold of every log.
func TestSession_RandomHistories(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		d := &driver{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1e9, 0)}
		d.cfg = session.Config{Model: "m", FreePlaces: seed%2 == 0, NoApprover: seed%5 == 0, MaxSteps: 6, MaxQueue: 4, ApprovalTimeout: time.Duration(seed%3) * time.Minute}
		d.cfg.Judged, d.cfg.MaxRepairs, d.cfg.CompactAt = seed%3 == 1, 2, int64(seed%4)*30
		d.run(120)
	}
}

type driver struct {
	t       *testing.T
	seed    uint64
	r       *rand.Rand
	now     time.Time
	cfg     session.Config
	s       *session.Session
	log     []events.Event
	turns   int
	calls   int
	effects []session.Effect
	// asked is the newest effect of a step, a verdict or a compaction.
	asked session.Effect
}

func (d *driver) run(steps int) {
	d.s = session.New(d.cfg)
	d.step(&session.Start{Started: &events.SessionStarted{Agent: "a", Mode: events.ModeChat, DryRun: d.seed%7 == 0}})
	for range steps {
		d.now = d.now.Add(time.Duration(d.r.IntN(40)) * time.Second)
		d.step(d.next())
	}
	for range 60 { // faults stop: everything must come to rest
		if d.s.Turn == nil && len(d.s.Queue) == 0 {
			break
		}
		d.settle()
	}
	if open := d.s.Turn != nil && !d.s.Parked(); open || len(d.s.Queue) > 0 && d.s.Turn == nil {
		d.t.Fatalf("seed %d: the session does not come to rest: %s", d.seed, asJSON(d.t, d.s.State))
	}
	d.check()
	d.checkResults()
}

// next picks a random input, fitting or not.
func (d *driver) next() session.Input {
	turn, step, attempt := "t0", 1, 1
	if tt := d.s.Turn; tt != nil {
		turn, step, attempt = tt.ID, tt.Step, tt.Attempt
	}
	call := fmt.Sprintf("c%d", 1+d.r.IntN(d.calls+1))
	switch d.r.IntN(18) {
	case 0, 1, 2:
		d.turns++
		return &session.Message{TurnID: fmt.Sprintf("t%d", d.turns), Text: "x", From: "user", Interrupt: d.r.IntN(3) == 0, Place: d.r.IntN(2) == 0}
	case 3:
		return &session.Stop{}
	case 4:
		return &session.Decide{CallID: call, Decision: []string{"approve", "deny"}[d.r.IntN(2)]}
	case 5:
		return &session.Expire{}
	case 6, 7:
		return &session.ToolDone{CallID: call, Output: json.RawMessage(`1`), IsError: d.r.IntN(3) == 0, Code: ""}
	case 8:
		return &session.StepFailed{TurnID: turn, Step: step, Attempt: attempt, Message: "x", Code: []string{events.FailModel, events.FailContextOverflow}[d.r.IntN(2)], Broken: d.r.IntN(2) == 0}
	case 9:
		return &session.Deltas{TurnID: turn, Step: step, Attempt: attempt, Pieces: []session.Piece{{Text: "d"}}}
	case 10:
		d.calls++
		return &session.DirectCall{Call: events.Call{CallID: fmt.Sprintf("c%d", d.calls), ToolName: "t", Effect: "read"}}
	case 11:
		d.restart()
		return &session.Resume{}
	case 12:
		return &session.CompactNow{}
	case 13:
		return d.compacted(d.r.IntN(3) > 0)
	case 14, 15:
		return d.verdict(turn, step)
	}
	return d.done(turn, step, attempt, d.r.IntN(3))
}

func (d *driver) done(turn string, step, attempt, calls int) *session.StepDone {
	in := &session.StepDone{TurnID: turn, Step: step, Attempt: attempt, FinishReason: events.FinishStop, Usage: &events.Usage{InputTokens: 1}}
	for range calls {
		d.calls++
		p := session.Prepared{Call: events.Call{CallID: fmt.Sprintf("c%d", d.calls), ToolName: "t", Effect: []string{"read", "write"}[d.r.IntN(2)], Idempotent: d.r.IntN(3) == 0}, RequestID: fmt.Sprintf("r%d", d.calls), NeedsApproval: d.r.IntN(3) == 0}
		if d.r.IntN(6) == 0 {
			p.Code, p.Message = events.CodeInvalidInput, "bad"
		}
		in.Calls = append(in.Calls, p)
	}
	return in
}

// settle does what a host without faults would do next.
func (d *driver) settle() {
	t := d.s.Turn
	_, compacting := d.asked.(*session.Compact)
	switch {
	case t == nil:
		d.step(&session.Place{TurnID: d.s.Queue[0]})
	case compacting:
		d.step(d.compacted(true))
	case t.InStep:
		d.step(d.done(t.ID, t.Step, t.Attempt, 0))
	case t.Replied:
		d.step(&session.Resolved{TurnID: t.ID, Step: t.Step, Result: json.RawMessage(`1`)})
	default:
		for i := range t.Calls {
			switch c := t.Calls[i]; c.Status {
			case session.CallRunning:
				d.step(&session.ToolDone{CallID: c.CallID, Output: json.RawMessage(`1`)})
				return
			case session.CallParked:
				d.step(&session.Decide{CallID: c.CallID, Decision: events.DecisionDeny})
				return
			}
		}
		d.t.Fatalf("seed %d: a turn waits for nothing: %s", d.seed, asJSON(d.t, d.s.State))
	}
}

func (d *driver) restart() {
	again := session.New(d.cfg)
	for i := range d.log {
		line, err := events.AppendLine(nil, &d.log[i])
		if err != nil {
			d.t.Fatal(err)
		}
		if err := again.Fold(line); err != nil {
			d.t.Fatal(err)
		}
	}
	if live, fold := asJSON(d.t, d.s.State), asJSON(d.t, again.State); live != fold {
		d.t.Fatalf("seed %d: the fold differs:\n%s\n%s", d.seed, fold, live)
	}
	d.s = again
}

func (d *driver) step(in session.Input) {
	before := d.s.Next
	err := d.s.Step(in, d.now)
	r := d.s.Ready()
	if err != nil && (len(r.Events) > 0 || len(r.Effects) > 0) {
		d.t.Fatalf("seed %d: a refusal changed something", d.seed)
	}
	if len(r.Events) > 0 && r.First != before {
		d.t.Fatalf("seed %d: first is %d, expected %d", d.seed, r.First, before)
	}
	d.log = append(d.log, r.Events...)
	d.effects = append(d.effects, r.Effects...)
	for _, f := range r.Effects {
		switch f.(type) {
		case *session.CallModel, *session.Resolve, *session.Compact, *session.EndTurn, *session.EndCompact:
			d.asked = f
		}
	}
}

// check holds the log against the promises: P03, P14, P15, P18.
func (d *driver) check() {
	results, asked, ended := map[string]int{}, map[string]string{}, map[string]int{}
	open, stepCalls := "", []string{}
	for i := range d.log {
		e := &d.log[i]
		if e.Index != uint64(i) {
			d.fatal(i, "index %d", e.Index)
		}
		switch p := e.Data.(type) {
		case *events.TurnStarted:
			if open != "" {
				d.fatal(i, "turn %s starts inside %s", e.TurnID, open)
			}
			open, stepCalls = e.TurnID, nil
		case *events.StepStarted:
			for _, c := range stepCalls { // "Every call in actions.requested gets exactly one action.result before the next model step"
				if results[c] != 1 {
					d.fatal(i, "step starts while call %s has %d results", c, results[c])
				}
			}
		case *events.ActionsRequested:
			for _, c := range p.Calls {
				asked[c.CallID] = e.TurnID
				if e.TurnID != "" {
					stepCalls = append(stepCalls, c.CallID)
				}
			}
		case *events.ActionResult:
			if results[p.CallID]++; results[p.CallID] > 1 || asked[p.CallID] != e.TurnID {
				d.fatal(i, "call %s: %d results, asked in %q", p.CallID, results[p.CallID], asked[p.CallID])
			}
		case *events.TurnCompleted, *events.TurnFailed:
			if ended[e.TurnID]++; ended[e.TurnID] > 1 { // "every opened turn ends exactly once, started or not"
				d.fatal(i, "turn %s ends twice", e.TurnID)
			}
			for _, c := range stepCalls {
				if open == e.TurnID && results[c] != 1 {
					d.fatal(i, "turn ends while call %s has %d results", c, results[c])
				}
			}
			if open == e.TurnID {
				open = ""
			}
		case *events.SessionWaiting:
			if open != "" {
				d.fatal(i, "waiting inside a turn")
			}
		}
	}
}

func (d *driver) fatal(i int, format string, args ...any) {
	d.t.Fatalf("seed %d, event %d: %s", d.seed, i, fmt.Sprintf(format, args...))
}
