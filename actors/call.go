package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// A callChild runs one tool call. Ending it cancels the call.
type callChild struct {
	h      *Host
	turn   string // empty for a direct call
	peer   bool   // it waits for another agent
	job    job
	to     *actor.PID
	pid    *actor.PID
	ctx    context.Context
	cancel context.CancelFunc
}

// runTool starts a call in a child of its own.
func (a *sessionActor) runTool(f *session.RunTool) {
	if a.calls[f.Call.CallID] != nil {
		return
	}
	c := &callChild{h: a.h, turn: f.TurnID, job: a.jobOf(f.TurnID), to: a.pid}
	c.peer = c.job.agent.waitsForPeer(f.Call.ToolName, f.Call.Args)
	c.ctx, c.cancel = context.WithCancel(a.h.life)
	c.pid = a.h.eng.spawn("call", a.h.childName(), c)
	if a.calls == nil {
		a.calls = map[string]*callChild{}
	}
	a.calls[f.Call.CallID] = c
	a.h.effects.Add(1) // here, before Close can wait
	a.h.eng.send(c.pid, f)
}

func (c *callChild) end() {
	c.cancel()
	c.h.eng.end(c.pid)
}

func (c *callChild) crashed(fault any) { c.h.logFault(c.job.info.ID, fmt.Sprint(fault)) }

func (c *callChild) receive(msg any) {
	f, ok := msg.(*session.RunTool)
	if !ok {
		return
	}
	if c.ctx.Err() != nil {
		c.job.agent.release()
		c.h.effects.Done()
		return
	}
	overdue := c.h.o.Clock.AfterFunc(c.limit(f)+overdueGrace, func() {
		c.report((&failure{code: events.CodeTimeout, message: "the tool did not end at its time limit, nor after it was cancelled"}).outcome(f.Call.CallID))
	})
	c.h.spawnEffect(func() {
		defer c.job.agent.release()
		defer overdue.Stop()
		c.report(c.run(f))
	}, func(any) { c.fault(f) })
}

// overdueGrace is how long a tool may take to notice that its time is over. One
// that never does is left behind, and what it gives later is dropped.
const overdueGrace = 2 * time.Second

func (c *callChild) limit(f *session.RunTool) time.Duration {
	if t := c.job.agent.Tool(f.Call.ToolName); t != nil {
		return timeLimit(t)
	}
	return agent.DefaultTimeout
}

func (c *callChild) run(f *session.RunTool) session.Input {
	began, stub := c.h.now(), f.Stub
	if f.Connection != "" {
		c.job.agent.connections.Retry(f.Connection)
	}
	t := c.job.agent.find(c.ctx, f.Call.ToolName)
	if t == nil { // the agent, or its connection, has changed since the call was recorded
		lacks := c.job.agent.connections.Lacking(f.Call.ToolName)
		return c.needGrant(f, lacks, began, c.job.agent.noTool(f.Call.ToolName, lacks).outcome(f.Call.CallID))
	}
	if c.job.agent.delegates(t) {
		return c.delegate(t, f)
	}
	call := c.job.callIn(f.Call.ParentCallID, t, f.Call.CallID, f.TurnID, f.Call.Args)
	if f.Check {
		var over session.Input
		if stub, over = c.again(f, t, call, began); over != nil {
			return over
		}
	}
	done, lacks := c.job.try(c.ctx, t, call, stub)
	failpoint.Hit("tool.effect_before_result")
	return c.needGrant(f, lacks, began, done)
}

// fault answers for a call that panicked: it fails its turn, or the direct call alone.
func (c *callChild) fault(f *session.RunTool) {
	const message = "a fault in the tool ended the call"
	if f.TurnID == "" {
		c.report((&failure{code: events.CodeToolError, message: message}).outcome(f.Call.CallID))
		return
	}
	c.report(&session.Fail{TurnID: f.TurnID, Code: events.FailInternal, Message: message + " and its turn"})
}

func (c *callChild) report(in session.Input) {
	if c.ctx.Err() == nil {
		c.h.eng.send(c.to, in)
	}
}
