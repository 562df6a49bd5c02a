package cli

import (
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// subagent notes who works for which call, and gives what begins the lines of an
// event: "" for the agent's own. A subagent's texts are not shown: several may
// speak at once, and its reply is the output of the call that it answers.
func (p *printer) subagent(e client.Event) (mark string, silent bool) {
	parent := ""
	switch d := e.Data.(type) {
	case *events.SubagentCalled:
		if p.subagents == nil {
			p.subagents = map[string]string{}
		}
		p.subagents[d.CallID] = d.Name
	case *events.SubagentCompleted:
		delete(p.subagents, d.CallID)
	case *events.StepStarted:
		return "", d.ParentCallID != ""
	case *events.MessageAppended:
		return "", d.ParentCallID != ""
	case *events.MessageCompleted:
		return "", d.ParentCallID != ""
	case *events.ActionsRequested:
		parent = d.ParentCallID
	case *events.ActionResult:
		parent = d.ParentCallID
	case *events.InputResolved:
		parent = d.ParentCallID
	case *events.AuthorizationCompleted:
		parent = d.ParentCallID
	}
	if parent == "" {
		return "", false
	}
	return "  " + p.subagents[parent] + " ", false
}
