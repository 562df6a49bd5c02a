package actors

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A turnChild runs the model steps of one line of work: the turn's own, or those of
// a subagent in it. Its work is a goroutine that reports to the session; ending the
// child cancels it.
type turnChild struct {
	h      *Host
	id     string          // the turn
	parent string          // the call that a subagent answers; empty for the turn's own line
	as     *agent.Subagent // who works; nil for the agent itself, or for a subagent that is gone
	job    job
	to     *actor.PID // the session
	pid    *actor.PID
	ctx    context.Context
	cancel context.CancelFunc
	talk   *transcript // used by one step at a time
	prompt *string     // the system prompt, once it is made; used as talk is

	gather *gather // of the step that runs; set on the session's goroutine
}

// A runStep asks for one model step.
type runStep struct {
	f      *session.CallModel
	fresh  fresh
	gather *gather
}

// callModel gives the step to the turn's child.
func (a *sessionActor) callModel(f *session.CallModel) {
	c, heard := a.lineOf(f)
	m := &runStep{f: f, fresh: heard, gather: newGather(c, f)}
	c.gather = m.gather
	a.give(c, m)
}

// give hands work to a child, counted here, before Close can wait, and before its
// agent can be closed.
func (a *sessionActor) give(c *turnChild, work any) {
	c.job.agent.hold()
	a.h.effects.Add(1)
	a.h.eng.send(c.pid, work)
}

// lineOf gives the child of a step, and what it has to hear first. A subagent's
// reads it from the log, of which but a part is its own.
func (a *sessionActor) lineOf(f *session.CallModel) (*turnChild, fresh) {
	if f.ParentCallID != "" {
		return a.subagent(f), fresh{from: a.next, to: a.next}
	}
	return a.turnOf(f.TurnID), a.takeFresh()
}

// turnOf is the turn's child, a new one for a new turn.
func (a *sessionActor) turnOf(id string) *turnChild {
	if a.turn == nil || a.turn.id != id {
		a.turn = a.newTurn(id)
	}
	return a.turn
}

// takeFresh hands what was recorded to the turn's child.
func (a *sessionActor) takeFresh() fresh {
	f := a.fresh
	a.fresh = fresh{}
	return f
}

// newTurn starts a child that hears what the session's model is told.
func (a *sessionActor) newTurn(id string) *turnChild {
	return a.newLine(&turnChild{id: id, talk: newTranscript(a.core.Context.From)})
}

// newLine starts a child.
func (a *sessionActor) newLine(c *turnChild) *turnChild {
	c.h, c.job, c.to = a.h, a.job(), a.pid
	c.ctx, c.cancel = context.WithCancel(a.h.life)
	c.pid = a.h.eng.spawn("turn", a.h.childName(), c)
	return c
}

// takeDeltas records what the running steps have in hand, before they are interrupted.
func (a *sessionActor) takeDeltas() {
	for _, c := range a.running() {
		if pieces := c.gather.rest(); len(pieces) > 0 {
			a.outcome(c.gather.deltas(pieces))
		}
	}
}

// end cancels the turn's work. Only the session calls it, once.
func (c *turnChild) end() {
	c.cancel()
	c.h.eng.end(c.pid)
}

func (c *turnChild) crashed(fault any) { c.h.logFault(c.job.info.ID, fmt.Sprint(fault)) }

func (c *turnChild) receive(msg any) {
	var work func()
	switch m := msg.(type) {
	case *runStep:
		work = func() { c.step(m) }
	case *runResolve:
		work = func() { c.resolve(m) }
	case *runCompact:
		work = func() { c.compact(m) }
	default:
		return
	}
	if c.ctx.Err() != nil {
		c.job.agent.release()
		c.h.effects.Done()
		return
	}
	c.h.spawnEffect(func() { defer c.job.agent.release(); work() }, func(fault any) {
		if m, ok := msg.(*runCompact); ok && c.id == "" { // no turn waits, but somebody does
			c.report(&session.CompactDone{N: m.f.N, Message: "a fault of the host ended it"})
			return
		}
		c.report(&session.Fail{TurnID: c.id, Code: events.FailInternal, Message: "a fault of the host ended the turn"})
	})
}

// report sends an outcome, unless the turn was ended.
func (c *turnChild) report(in session.Input) {
	if c.ctx.Err() == nil {
		c.h.eng.send(c.to, in)
	}
}

// step runs one model step and prepares the calls that it asks for.
func (c *turnChild) step(m *runStep) {
	f := m.f
	if !c.pause(f.Broken) {
		return
	}
	res, base, err := c.stream(m)
	pieces := m.gather.rest()
	if err != nil {
		c.report(stepFailed(f, pieces, err))
		return
	}
	done := &session.StepDone{
		TurnID: f.TurnID, ParentCallID: f.ParentCallID, Step: f.Step, Attempt: f.Attempt, Pieces: pieces,
		Text: res.Text, Reasoning: res.Reasoning, FinishReason: res.FinishReason, Usage: res.Usage, Provider: res.Provider,
		Base: base,
	}
	done.Calls = c.prepareAll(res.Calls)
	c.report(done)
}

// pause waits before a step whose stream broke is tried again: longer each time,
// and not all at once. False: the turn ended meanwhile.
func (c *turnChild) pause(broken int) bool {
	if broken == 0 {
		return true
	}
	wait := brokenPause << (broken - 1)
	wait += rand.N(wait)
	return clock.Wait(c.ctx, c.h.o.Clock, wait) == nil
}

// brokenPause is the least wait after the first break.
const brokenPause = 250 * time.Millisecond

func stepFailed(f *session.CallModel, pieces []session.Piece, err error) *session.StepFailed {
	out := &session.StepFailed{TurnID: f.TurnID, ParentCallID: f.ParentCallID, Step: f.Step, Attempt: f.Attempt, Pieces: pieces, Message: err.Error(), Code: events.FailModel}
	var none *instructionsError
	if errors.As(err, &none) {
		out.Code = events.FailInstructions
		return out
	}
	var me *model.Error
	if errors.As(err, &me) {
		out.Broken = me.Broken
		if me.Code != "" {
			out.Code = me.Code
		}
	}
	return out
}

// stream asks the model for the step. base is what its request has besides messages, in tokens.
func (c *turnChild) stream(m *runStep) (res *model.Response, base int64, err error) {
	if err := errors.Join(c.known(), c.listen(&m.fresh)); err != nil {
		return nil, 0, err
	}
	r := c.job.agent
	found, err := c.job.resolve()
	if err != nil {
		return nil, 0, err
	}
	if c.prompt == nil {
		text, err := c.instructions()
		if err != nil {
			return nil, 0, err
		}
		c.prompt = &text
	}
	req := &model.Request{
		Model: found.Request, Params: r.params, MaxOutputTokens: r.Limits.MaxOutputTokens, System: *c.prompt,
		Messages: c.talk.messages[:len(c.talk.messages):len(c.talk.messages)], Tools: c.tools(),
		SessionID: c.job.info.ID, TurnID: c.id, ParentCallID: c.parent, Step: m.f.Step, Attempt: m.f.Attempt,
	}
	res, err = found.Model.Stream(c.ctx, req, m.gather.add)
	return res, model.TokensOf(req.BaseBytes()), err
}

// listen brings the transcript up to the step: from the log where need be, then
// what the session has just recorded.
func (c *turnChild) listen(f *fresh) error {
	for c.talk.next < f.from {
		lines, err := c.h.journal.ReadSome(c.job.info.ID, c.talk.next, f.from)
		if err != nil {
			return fmt.Errorf("reading the session's log: %w", err)
		}
		if len(lines) == 0 {
			return fmt.Errorf("reading the session's log: it ends at %d", c.talk.next)
		}
		for i := range lines {
			if err := c.talk.fold(lines[i].Data); err != nil {
				return err
			}
		}
	}
	for i := range f.events {
		c.talk.apply(&f.events[i])
	}
	c.talk.next = max(c.talk.next, f.to)
	return nil
}
