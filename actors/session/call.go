package session

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gobdk/bdk/events"
)

// request records the calls of a step: what each is, which park, which fail at
// once. What can run, and the subagents, start after the append.
func (s *Session) request(parent string, calls []Prepared) {
	asked := make([]events.Call, len(calls))
	for i := range calls {
		calls[i].Call.Args = events.AsLogged(calls[i].Call.Args) // what runs is what can be read
		asked[i] = calls[i].Call
	}
	s.record(&events.ActionsRequested{Calls: asked, ParentCallID: parent})
	for i := range calls {
		switch c := &calls[i]; {
		case c.Code != "":
		case c.Link != nil:
			s.askGrant(c.Call.CallID, *c.Link)
		case c.NeedsApproval && !s.stubs(c.Call):
			s.park(c)
		}
	}
	for i := range calls {
		switch c := &calls[i]; {
		case c.Code != "":
			s.result(c.Call.CallID, failure(c.Code, c.Message))
		case c.Delegation == nil && s.Turn.call(c.Call.CallID).Status == CallRunning:
			s.do(&RunTool{TurnID: s.Turn.ID, Call: c.Call, Stub: s.stubs(c.Call)})
		}
	}
	s.delegateAll(calls)
	s.advance(parent)
}

// stubs says whether a call is answered for instead of run.
func (s *Session) stubs(c events.Call) bool {
	return s.DryRun && c.Effect == events.EffectWrite && !slices.Contains(s.cfg.Contained, c.ToolName)
}

// harmless says whether a call that was cut off had no effect, whatever it was: nothing
// but a stub can have run.
func (s *Session) harmless(c events.Call) bool {
	return s.stubs(c) || slices.Contains(s.cfg.Stubbed, c.ToolName)
}

func failure(code, message string) *ToolDone {
	return &ToolDone{Output: jsonString(message), IsError: true, Code: code}
}

// jsonString keeps <, > and & as they are: models read it.
func jsonString(s string) events.RawJSON {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// result records the one result of a call of the turn.
func (s *Session) result(callID string, d *ToolDone) {
	c := s.Turn.call(callID)
	for _, f := range d.Facts {
		s.record(withParent(f, c.ParentCallID))
	}
	s.record(&events.ActionResult{CallID: callID, ToolName: c.ToolName, Output: events.AsLogged(d.Output), IsError: d.IsError, Code: d.Code, Stubbed: d.Stubbed, ParentCallID: c.ParentCallID})
}

// withParent says of a fact that it is part of a subagent's work.
func withParent(p events.Payload, parent string) events.Payload {
	if d, ok := p.(*events.SkillLoaded); ok && parent != "" {
		return &events.SkillLoaded{Name: d.Name, ParentCallID: parent}
	}
	return p
}

// advance goes to the next step of a line when every call has its result. Nothing
// comes of it when the line has gone on, or ended, meanwhile.
func (s *Session) advance(parent string) {
	w := s.Turn.work(parent)
	if w == nil || w.InStep || s.compacting != nil && parent == "" {
		return
	}
	for i := range w.Calls {
		if w.Calls[i].Status != CallDone {
			return
		}
	}
	s.nextStep(parent)
}

// toolDone takes the outcome of a call; one that nobody waits for any more is dropped.
func (s *Session) toolDone(in *ToolDone) {
	if i := s.direct(in.CallID); i >= 0 {
		c := s.Direct[i]
		for _, f := range in.Facts {
			s.recordFor("", f)
		}
		s.recordFor("", &events.ActionResult{CallID: c.CallID, ToolName: c.ToolName, Output: events.AsLogged(in.Output), IsError: in.IsError, Code: in.Code, Stubbed: in.Stubbed})
		return
	}
	if c := s.Turn.call(in.CallID); c != nil && c.Status == CallRunning && s.Turn.sub(in.CallID) == nil {
		parent := c.ParentCallID
		s.result(in.CallID, in)
		s.advance(parent)
	}
}

// directCall takes a call by a person: recorded in the log, outside of any turn.
func (s *Session) directCall(in *DirectCall) error {
	switch {
	case s.Ended == StatusDeleted:
		return ErrDeleted
	case in.FollowUp != nil && *in.FollowUp != s.FollowUps:
		return ErrStaleToken
	case in.Call.Effect == events.EffectWrite && s.OpenTurn() != "":
		return ErrBusy
	}
	in.Call.Args = events.AsLogged(in.Call.Args)
	s.recordFor("", &events.ActionsRequested{Calls: []events.Call{in.Call}, Idempotency: in.Idempotency})
	if in.Code != "" {
		f := failure(in.Code, in.Message)
		f.CallID = in.Call.CallID
		s.toolDone(f)
		return nil
	}
	s.do(&RunTool{Call: in.Call, Stub: s.DryRun && in.Call.Effect == events.EffectWrite}) // none is the host's own
	return nil
}
