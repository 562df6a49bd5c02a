package actors

import (
	"fmt"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/internal/clock"
)

// An approvalChild stands for one parked call while its session is awake, and
// tells the session when its deadline has passed. A sleeping session's deadline
// is the alarms'.
type approvalChild struct {
	h     *Host
	turn  string
	to    *actor.PID
	pid   *actor.PID
	timer clock.Timer // nil without a deadline
}

type deadline struct{}

func (a *sessionActor) awaitApproval(f *session.AwaitApproval) {
	if a.approvals[f.Call.CallID] != nil {
		return
	}
	c := &approvalChild{h: a.h, turn: f.TurnID, to: a.pid}
	c.pid = a.h.eng.spawn("approval", a.h.childName(), c)
	if at := f.Call.ExpiresAt; at != nil {
		eng, pid := a.h.eng, c.pid
		c.timer = a.h.o.Clock.AfterFunc(max(at.Sub(a.h.now()), time.Millisecond), func() { eng.send(pid, deadline{}) })
	}
	if a.approvals == nil {
		a.approvals = map[string]*approvalChild{}
	}
	a.approvals[f.Call.CallID] = c
}

func (a *sessionActor) closeApproval(callID string) {
	if c := a.approvals[callID]; c != nil {
		c.end()
		delete(a.approvals, callID)
	}
}

func (c *approvalChild) end() {
	if c.timer != nil {
		c.timer.Stop()
	}
	c.h.eng.end(c.pid)
}

func (c *approvalChild) receive(msg any) {
	if _, ok := msg.(deadline); ok {
		c.h.eng.send(c.to, &session.Expire{})
	}
}

func (c *approvalChild) crashed(fault any) { c.h.o.Logger.Error().Msg(fmt.Sprint(fault)) }
