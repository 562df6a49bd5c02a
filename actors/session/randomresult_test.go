package session_test

import (
	"encoding/json"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// compacted ends the compaction that was asked for last, right or late.
func (d *driver) compacted(well bool) session.Input {
	in := &session.CompactDone{Message: "not now"}
	for _, f := range d.effects {
		if c, ok := f.(*session.Compact); ok {
			in.TurnID, in.N = c.TurnID, c.N
		}
	}
	if well {
		in.Compacted = &events.ContextCompacted{Summary: "s", ThroughIndex: uint64(d.r.IntN(int(d.s.Next))), TokensAfter: 5, Usage: &events.Usage{InputTokens: 1}}
	}
	return in
}

// verdict rejects most replies.
func (d *driver) verdict(turn string, step int) session.Input {
	switch d.r.IntN(8) {
	case 0:
		return &session.Resolved{TurnID: turn, Step: step, Result: json.RawMessage(`1`)}
	case 1:
		return &session.Resolved{TurnID: turn, Step: step, Fail: "wrong"}
	}
	return &session.Resolved{TurnID: turn, Step: step, Retry: "again"}
}

// checkResults holds the log against what is promised of results and summaries.
func (d *driver) checkResults() {
	open, repairs := "", 0
	waiting := map[string]bool{} // calls of the turn without a result
	for i := range d.log {
		e := &d.log[i]
		switch p := e.Data.(type) {
		case *events.TurnStarted:
			open, repairs = e.TurnID, 0
		case *events.ActionsRequested:
			for _, c := range p.Calls {
				waiting[c.CallID] = e.TurnID != ""
			}
		case *events.ActionResult:
			delete(waiting, p.CallID)
		case *events.ContextCompacted:
			d.compactions++
			if p.ThroughIndex >= e.Index || e.TurnID != open {
				d.fatal(i, "compacted through %d in turn %q, open is %q", p.ThroughIndex, e.TurnID, open)
			}
			for call, ofTurn := range waiting { // "never splitting a tool call from its result"
				if ofTurn {
					d.fatal(i, "compacted while call %s has no result", call)
				}
			}
		case *events.StepStarted:
			if p.Repair != "" {
				repairs++
				d.repairs++
			}
			if repairs > d.cfg.MaxRepairs { // "after `maxRepairs` the turn fails with `result_rejected`"
				d.fatal(i, "repair %d of %d", repairs, d.cfg.MaxRepairs)
			}
		case *events.TurnCompleted:
			if d.cfg.Judged && string(p.Result) != "1" { // "`result` is what `result.ts` gave"
				d.fatal(i, "the result is %s", p.Result)
			}
			open = ""
		case *events.TurnFailed:
			if e.TurnID == open {
				open = ""
			}
		}
	}
}

// checkOnward: whatever an input leads to, each line of work goes on in one way.
func (d *driver) checkOnward(in session.Input, effects []session.Effect) {
	d.t.Helper()
	on := map[string]int{}
	for _, f := range effects {
		switch f := f.(type) {
		case *session.CallModel:
			on[f.TurnID+" "+f.ParentCallID]++
		case *session.Resolve:
			on[f.TurnID+" "]++
		case *session.Compact:
			on[f.TurnID+" "]++
		}
	}
	for line, n := range on {
		if n > 1 {
			d.t.Fatalf("seed %d: after %T the line %q goes on %d times", d.seed, in, line, n)
		}
	}
}
