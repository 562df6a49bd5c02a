package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// TestSession_RandomHistories drives sessions with random inputs, restarts among
// them, and checks what must hold of every log.
func TestSession_RandomHistories(t *testing.T) {
	t.Parallel()
	begun, done, together, asked, regained := 0, 0, 0, 0, 0
	for seed := range uint64(600) {
		d := &driver{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1e9, 0)}
		d.cfg = session.Config{Model: "m", FreePlaces: seed%2 == 0, NoApprover: seed%5 == 0, MaxSteps: 2 + int(seed%5), MaxQueue: 4, ApprovalTimeout: time.Duration(seed%3) * time.Minute}
		d.cfg.Judged, d.cfg.MaxRepairs, d.cfg.CompactAt = seed%3 == 1, 2, int64(seed%4)*30
		if seed%11 == 0 {
			d.cfg.MaxSessionTokens = 8
		}
		d.run(120)
		begun, done = begun+d.begun, done+d.replied
		asked, regained = asked+d.asks, regained+d.regained
		if d.begun > 0 && d.compactions > 0 && d.repairs > 0 {
			together++
		}
	}
	if asked < 300 || regained < 50 {
		t.Errorf("%d calls waited for a grant and %d ran after it: that shows too little", asked, regained)
	}
	if begun < 700 || done < 200 || together < 50 {
		t.Errorf("%d subagents began and %d replied, %d histories have them, repairs and compactions: that shows too little", begun, done, together)
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
	// begun counts subagents, replied those that gave a reply.
	begun, replied int
	// asks counts the calls that waited for a grant, regained those that ran after it.
	asks, regained int
	// compactions and repairs counts those that were recorded.
	compactions, repairs int
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
	at := d.line()
	call := fmt.Sprintf("c%d", 1+d.r.IntN(d.calls+1))
	if _, compacting := d.asked.(*session.Compact); compacting && d.r.IntN(3) == 0 {
		return d.compacted(d.r.IntN(3) > 0)
	}
	if t := d.s.Turn; t != nil && t.Replied && d.r.IntN(3) == 0 {
		return d.verdict(t.ID, t.Step)
	}
	n := d.r.IntN(30)
	if n < 4 && d.s.Turn != nil && d.seed%2 == 1 && d.r.IntN(5) > 0 { // turns that mostly reach their end
		n = 23
	}
	switch n {
	case 0, 1, 2:
		d.turns++
		m := &session.Message{TurnID: fmt.Sprintf("t%d", d.turns), Text: "x", From: "user", Interrupt: d.r.IntN(3) == 0, Place: d.r.IntN(2) == 0}
		m.Coalesce, m.Reject = d.r.IntN(3) == 0, d.r.IntN(6) == 0
		return m
	case 3:
		return &session.Stop{}
	case 4:
		return &session.Decide{CallID: call, Decision: []string{"approve", "deny"}[d.r.IntN(2)]}
	case 5:
		return &session.Expire{}
	case 6, 7:
		return &session.ToolDone{CallID: call, Output: d.raw(), IsError: d.r.IntN(3) == 0, Code: ""}
	case 8:
		return &session.StepFailed{TurnID: at.turn, ParentCallID: at.parent, Step: at.Step, Attempt: at.Attempt, Message: "x", Code: []string{events.FailModel, events.FailContextOverflow}[d.r.IntN(2)], Broken: d.r.IntN(2) == 0}
	case 9:
		return &session.Deltas{TurnID: at.turn, ParentCallID: at.parent, Step: at.Step, Attempt: at.Attempt, Pieces: []session.Piece{{Text: "d"}}}
	case 10:
		d.calls++
		return &session.DirectCall{Call: events.Call{CallID: fmt.Sprintf("c%d", d.calls), ToolName: "t", Effect: "read"}}
	case 11:
		return &session.Tag{Origin: session.Origin{TurnID: []string{at.turn, ""}[d.r.IntN(2)], CallID: []string{call, ""}[d.r.IntN(2)]}, Artifact: events.Artifact{ID: "art_1"}}
	case 24:
		return d.reminder()
	case 12:
		d.restart()
		return &session.Resume{}
	case 13:
		return &session.Delegate{CallID: call, Delegation: session.Delegation{Name: "s", Task: "x"}}
	case 14:
		return &session.CompactNow{}
	case 15:
		return d.compacted(d.r.IntN(3) > 0)
	case 18, 19, 20:
		return d.grant(n, call)
	case 16, 17:
		return d.verdict(at.turn, at.Step)
	}
	if n == 26 {
		return &session.UpdateChannel{State: d.raw(), Token: []string{"", "a", "b"}[d.r.IntN(3)]}
	}
	return d.done(at, d.r.IntN(3))
}

// reminder sets, cancels or fires one of a few.
func (d *driver) reminder() session.Input {
	id, at := fmt.Sprintf("rem_%d", d.r.IntN(3)), time.Unix(2e9, 0).UTC()
	switch d.r.IntN(4) {
	case 0:
		return &session.CancelReminder{IDOrKey: "k"}
	case 1:
		d.turns++
		return &session.FireReminder{ReminderID: id, TurnID: fmt.Sprintf("t%d", d.turns), Next: []*time.Time{nil, &at}[d.r.IntN(2)], Place: d.r.IntN(2) == 0}
	}
	return &session.SetReminder{Max: 3, Set: &events.ReminderSet{ReminderID: id, Key: []string{"", "k"}[d.r.IntN(2)], At: &at, Message: "m"}}
}

// A line is a line of work that a step's outcome may be for.
type line struct {
	turn, parent string
	session.Work
}

// line picks one of the open turn's.
func (d *driver) line() line {
	t := d.s.Turn
	if t == nil {
		return line{turn: "t0", Work: session.Work{Step: 1, Attempt: 1}}
	}
	if i := d.r.IntN(len(t.Subs) + 1); i < len(t.Subs) {
		return line{t.ID, t.Subs[i].CallID, t.Subs[i].Work}
	}
	return line{t.ID, "", t.Work}
}

func (d *driver) done(at line, calls int) *session.StepDone {
	in := &session.StepDone{TurnID: at.turn, ParentCallID: at.parent, Step: at.Step, Attempt: at.Attempt, FinishReason: events.FinishStop, Usage: &events.Usage{InputTokens: 1}}
	for range calls {
		d.calls++
		p := session.Prepared{Call: events.Call{CallID: fmt.Sprintf("c%d", d.calls), ToolName: "t", Effect: []string{"read", "write"}[d.r.IntN(2)], Idempotent: d.r.IntN(3) == 0}, RequestID: fmt.Sprintf("r%d", d.calls), NeedsApproval: d.r.IntN(3) == 0}
		p.Call.ParentCallID, p.Call.Args = at.parent, d.raw()
		if d.r.IntN(3) == 0 {
			p = session.Prepared{Call: events.Call{CallID: p.Call.CallID, ToolName: "task", ParentCallID: at.parent, Effect: "read"}, Delegation: &session.Delegation{Name: "s", Task: "x"}}
		}
		if p.Delegation == nil && d.r.IntN(4) == 0 {
			l := d.link()
			p.Link = &l
		}
		if d.r.IntN(6) == 0 {
			p.Code, p.Message = events.CodeInvalidInput, "bad"
		}
		in.Calls = append(in.Calls, p)
	}
	return in
}

// grant is what a call that waits for a connection comes to.
func (d *driver) grant(n int, call string) session.Input {
	switch n {
	case 18:
		return &session.NeedGrant{CallID: call, Link: d.link()}
	case 19:
		return &session.NeedApproval{CallID: call, RequestID: "again_" + call}
	}
	return &session.Granted{Connection: d.link().Connection, Outcome: []string{events.OutcomeGranted, events.OutcomeGranted, events.OutcomeDenied}[d.r.IntN(3)]}
}

// link is where one of two connections is authorized.
func (d *driver) link() session.Link {
	return session.Link{Connection: []string{"door", "yard"}[d.r.IntN(2)], URL: fmt.Sprintf("https://a/%d", d.r.IntN(9)), ExpiresAt: d.now.Add(time.Duration(d.r.IntN(900)) * time.Second)}
}

// raw is JSON that is not written as the log writes it.
func (d *driver) raw() json.RawMessage {
	return json.RawMessage([]string{"1", "{}", " { \"a b\" : [ 1 ,\n\"\\\" \" ] } ", "{\"a\":\"\xff \u2028\u2029 \u00e9\"}"}[d.r.IntN(4)])
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
	case !t.InStep && t.Replied:
		d.step(&session.Resolved{TurnID: t.ID, Step: t.Step, Result: json.RawMessage(`1`)})
	case d.settleLine(line{t.ID, "", t.Work}):
	default:
		for _, sub := range t.Subs {
			if d.settleLine(line{t.ID, sub.CallID, sub.Work}) {
				return
			}
		}
		d.t.Fatalf("seed %d: a turn waits for nothing: %s", d.seed, asJSON(d.t, d.s.State))
	}
}

// settleLine does so for a line of work; false when it waits for subagents alone.
func (d *driver) settleLine(at line) bool {
	if at.InStep {
		d.step(d.done(at, 0))
		return true
	}
	for _, c := range at.Calls {
		switch {
		case c.Status == session.CallRunning && !d.delegated(c.CallID):
			d.step(&session.ToolDone{CallID: c.CallID, Output: json.RawMessage(`1`)})
			return true
		case c.Asks():
			d.step(&session.Granted{Connection: c.Grant.Connection, Outcome: events.OutcomeGranted})
			return true
		case c.Status == session.CallParked:
			d.step(&session.Decide{CallID: c.CallID, Decision: events.DecisionDeny})
			return true
		}
	}
	return false
}

func (d *driver) delegated(call string) bool {
	return slices.ContainsFunc(d.s.Turn.Subs, func(sub *session.Sub) bool { return sub.CallID == call })
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
	if d.r.IntN(2) == 0 { // a snapshot is as good as the log
		var st session.State
		if err := json.Unmarshal([]byte(asJSON(d.t, again.State)), &st); err != nil {
			d.t.Fatal(err)
		}
		d.s = session.Restore(d.cfg, st)
		if live, kept := asJSON(d.t, again.State), asJSON(d.t, d.s.State); live != kept {
			d.t.Fatalf("seed %d: the snapshot differs:\n%s\n%s", d.seed, kept, live)
		}
	}
}

func (d *driver) step(in session.Input) {
	before, closing := d.s.Next, d.closing(in)
	err := d.s.Step(in, d.now)
	r := d.s.Ready()
	if err != nil && (len(r.Events) > 0 || len(r.Effects) > 0) {
		d.t.Fatalf("seed %d: a refusal changed something", d.seed)
	}
	if len(r.Events) > 0 && r.First != before {
		d.t.Fatalf("seed %d: first is %d, expected %d", d.seed, r.First, before)
	}
	if got := resultsOf(r.Events); closing != nil && len(r.Events) > 0 && !slices.Equal(got, closing) {
		d.t.Fatalf("seed %d: %T closed %q, expected %q", d.seed, in, got, closing)
	}
	d.checkOnward(in, r.Effects)
	d.log = append(d.log, r.Events...)
	d.effects = append(d.effects, r.Effects...)
	for _, f := range r.Effects {
		switch f.(type) {
		case *session.CallModel, *session.Resolve, *session.Compact, *session.EndTurn, *session.EndCompact:
			d.asked = f
		}
	}
}

func (d *driver) fatal(i int, format string, args ...any) {
	d.t.Fatalf("seed %d, event %d: %s", d.seed, i, fmt.Sprintf(format, args...))
}
