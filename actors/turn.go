package actors

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A turnChild runs the model steps of one turn. Its work is a goroutine that
// reports to the session; ending the child cancels it.
type turnChild struct {
	h      *Host
	id     string // the turn
	job    job
	to     *actor.PID // the session
	pid    *actor.PID
	ctx    context.Context
	cancel context.CancelFunc
	talk   *transcript // used by one step at a time

	gather *gather // of the step that runs; set on the session's goroutine
}

// A runStep asks for one model step.
type runStep struct {
	f      *session.CallModel
	fresh  fresh
	gather *gather
}

// callModel gives the step to the turn's child, a new one for a new turn.
func (a *sessionActor) callModel(f *session.CallModel) {
	if a.turn == nil || a.turn.id != f.TurnID {
		a.turn = a.newTurn(f.TurnID)
	}
	m := &runStep{f: f, fresh: a.fresh, gather: newGather(a.turn, f)}
	a.fresh = fresh{}
	a.turn.gather = m.gather
	a.turn.job.agent.hold()
	a.h.effects.Add(1) // here, before Close can wait
	a.h.eng.send(a.turn.pid, m)
}

func (a *sessionActor) newTurn(id string) *turnChild {
	c := &turnChild{h: a.h, id: id, job: a.job(), to: a.pid, talk: newTranscript()}
	c.ctx, c.cancel = context.WithCancel(a.h.life)
	c.pid = a.h.eng.spawn("turn", a.h.childName(), c)
	return c
}

// takeDeltas records what the running step has in hand, before it is interrupted.
func (a *sessionActor) takeDeltas() {
	if a.turn == nil || a.turn.gather == nil {
		return
	}
	g := a.turn.gather
	if pieces := g.rest(); len(pieces) > 0 {
		a.outcome(&session.Deltas{TurnID: g.f.TurnID, Step: g.f.Step, Attempt: g.f.Attempt, Pieces: pieces})
	}
}

// end cancels the turn's work. Only the session calls it, once.
func (c *turnChild) end() {
	c.cancel()
	c.h.eng.end(c.pid)
}

func (c *turnChild) crashed(fault any) { c.h.logFault(c.job.info.ID, fmt.Sprint(fault)) }

func (c *turnChild) receive(msg any) {
	m, ok := msg.(*runStep)
	if !ok {
		return
	}
	if c.ctx.Err() != nil {
		c.job.agent.release()
		c.h.effects.Done()
		return
	}
	c.h.spawnEffect(func() { defer c.job.agent.release(); c.step(m) }, func(fault any) {
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
	res, err := c.stream(m)
	pieces := m.gather.rest()
	if err != nil {
		c.report(stepFailed(f, pieces, err))
		return
	}
	done := &session.StepDone{
		TurnID: f.TurnID, Step: f.Step, Attempt: f.Attempt, Pieces: pieces,
		Text: res.Text, Reasoning: res.Reasoning, FinishReason: res.FinishReason, Usage: res.Usage, Provider: res.Provider,
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
	over := make(chan struct{})
	timer := c.h.o.Clock.AfterFunc(wait, func() { close(over) })
	defer timer.Stop()
	select {
	case <-over:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// brokenPause is the least wait after the first break.
const brokenPause = 250 * time.Millisecond

func stepFailed(f *session.CallModel, pieces []session.Piece, err error) *session.StepFailed {
	out := &session.StepFailed{TurnID: f.TurnID, Step: f.Step, Attempt: f.Attempt, Pieces: pieces, Message: err.Error(), Code: events.FailModel}
	var me *model.Error
	if errors.As(err, &me) {
		out.Broken = me.Broken
		if me.Code != "" {
			out.Code = me.Code
		}
	}
	return out
}

// stream asks the model for the step.
func (c *turnChild) stream(m *runStep) (*model.Response, error) {
	if err := c.listen(&m.fresh); err != nil {
		return nil, err
	}
	r := c.job.agent
	found, err := r.resolve()
	if err != nil {
		return nil, err
	}
	req := &model.Request{
		Model: found.Request, Params: r.params, MaxOutputTokens: r.Limits.MaxOutputTokens, System: r.Instructions,
		Messages: c.talk.messages[:len(c.talk.messages):len(c.talk.messages)], Tools: r.modelTools,
		SessionID: c.job.info.ID, TurnID: c.id, Step: m.f.Step, Attempt: m.f.Attempt,
	}
	return found.Model.Stream(c.ctx, req, m.gather.add)
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
