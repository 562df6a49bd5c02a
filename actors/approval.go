package actors

import (
	"fmt"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/internal/clock"
)

// An approvalChild stands for one parked call while its session is awake, and
// tells the session when its deadline has passed. A sleeping session's deadline
// is the alarms'.
type approvalChild struct {
	h    *Host
	turn string
	to   *actor.PID
	pid  *actor.PID
	at   time.Time // zero without a deadline

	mu    sync.Mutex
	timer clock.Timer // nil without a deadline
	over  bool
}

// arm lets the deadline ring after a while.
func (c *approvalChild) arm(after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.timer = c.h.o.Clock.AfterFunc(max(after, time.Millisecond), func() { c.h.eng.send(c.pid, deadline{}) })
	}
}

type deadline struct{}

func (a *sessionActor) awaitApproval(f *session.AwaitApproval) {
	if a.approvals[f.Call.CallID] != nil {
		return
	}
	c := &approvalChild{h: a.h, turn: f.TurnID, to: a.pid}
	c.pid = a.h.eng.spawn("approval", a.h.childName(), c)
	if at := f.Call.ExpiresAt; at != nil {
		c.at = *at
		c.arm(at.Sub(a.h.now()))
	}
	if a.approvals == nil {
		a.approvals = map[string]*approvalChild{}
	}
	a.approvals[f.Call.CallID] = c
	a.awaitGrant(&f.Call)
}

func (a *sessionActor) closeApproval(callID string) {
	if c := a.approvals[callID]; c != nil {
		c.end()
		delete(a.approvals, callID)
	}
}

func (c *approvalChild) end() {
	c.mu.Lock()
	c.over = true
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	c.h.eng.end(c.pid)
}

func (c *approvalChild) receive(msg any) {
	if _, ok := msg.(deadline); ok {
		if left := c.at.Sub(c.h.now()); left > 0 { // the wall clock is behind the timer
			c.arm(left)
			return
		}
		c.h.eng.send(c.to, &session.Expire{})
	}
}

func (c *approvalChild) crashed(fault any) { c.h.o.Logger.Error().Msg(fmt.Sprint(fault)) }
