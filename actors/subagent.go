package actors

import (
	"fmt"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// subagent gives the child that runs a subagent's steps, a new one where there is none.
func (a *sessionActor) subagent(f *session.CallModel) *turnChild {
	if c := a.subs[f.ParentCallID]; c != nil {
		return c
	}
	c := a.newLine(&turnChild{
		id: f.TurnID, parent: f.ParentCallID, as: a.agent.subagent(f.Subagent), talk: newSubTranscript(f.ParentCallID, f.From),
	})
	if a.subs == nil {
		a.subs = map[string]*turnChild{}
	}
	a.subs[f.ParentCallID] = c
	return c
}

func (a *sessionActor) endSub(callID string) {
	if c := a.subs[callID]; c != nil {
		c.end()
		delete(a.subs, callID)
	}
}

// endSubs ends those of a turn; empty: all.
func (a *sessionActor) endSubs(turn string) {
	for id, c := range a.subs {
		if turn == "" || c.id == turn {
			a.endSub(id)
		}
	}
}

// running are the children whose steps may run, the turn's own first.
func (a *sessionActor) running() []*turnChild {
	all := []*turnChild{a.turn}
	if t := a.core.Turn; t != nil {
		for _, sub := range t.Subs {
			all = append(all, a.subs[sub.CallID])
		}
	}
	return slices.DeleteFunc(all, func(c *turnChild) bool { return c == nil || c.gather == nil })
}

// instructions are the system prompt of a step.
func (c *turnChild) instructions() (string, error) {
	if c.as != nil {
		return c.as.Instructions, nil
	}
	return c.job.system(c.ctx, c.id)
}

// tools are what the model may call in a step: in a subagent all but the tool that
// would delegate further.
func (c *turnChild) tools() []model.Tool {
	r := c.job.agent
	if c.parent != "" {
		return r.shown(c.ctx, r.tools.sub)
	}
	return r.shown(c.ctx, r.tools.model)
}

// known says whether who works here is still part of the agent.
func (c *turnChild) known() error {
	if c.parent == "" || c.as != nil {
		return nil
	}
	return &model.Error{Message: "the agent has no such subagent any more", Code: events.FailModel}
}

// tool finds a tool for a line of work; nil with the reason when it has none of that name.
func (c *turnChild) tool(name string) (*agent.Tool, string) {
	r := c.job.agent
	t := r.find(c.ctx, name)
	switch {
	case t == nil && c.parent != "":
		return nil, r.missing(name, slices.DeleteFunc(r.names(), func(n string) bool { return r.delegates(r.Tool(n)) }))
	case t == nil:
		return nil, r.missing(name, r.names())
	case c.parent != "" && r.delegates(t):
		return nil, fmt.Sprintf("a subagent cannot delegate its work further: %s is not among its tools", name)
	}
	return t, ""
}
