package actors

import (
	"sync"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/internal/clock"
)

// A gather lets the deltas of one step wait for company, for the delta window at
// most: a sync is paid for a window and never for a token.
type gather struct {
	c *turnChild
	f *session.CallModel

	mu     sync.Mutex
	pieces []session.Piece
	timer  clock.Timer
	over   bool // what comes now comes too late
}

func newGather(c *turnChild, f *session.CallModel) *gather { return &gather{c: c, f: f} }

// add is called by the model, from any goroutine, one at a time.
func (g *gather) add(d model.Delta) {
	if d.Text == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return
	}
	g.pieces = append(g.pieces, session.Piece{Text: d.Text, Reasoning: d.Reasoning})
	switch window := g.c.h.o.DeltaWindow; {
	case window < 0:
		g.sendLocked()
	case g.timer == nil:
		g.timer = g.c.h.o.Clock.AfterFunc(window, g.fire)
	}
}

func (g *gather) fire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.timer = nil
	g.sendLocked()
}

func (g *gather) sendLocked() {
	if len(g.pieces) == 0 || g.over {
		return
	}
	g.c.report(g.deltas(g.pieces))
	g.pieces = nil
}

// deltas says of which step pieces are.
func (g *gather) deltas(pieces []session.Piece) *session.Deltas {
	return &session.Deltas{TurnID: g.f.TurnID, ParentCallID: g.f.ParentCallID, Step: g.f.Step, Attempt: g.f.Attempt, Pieces: pieces}
}

// rest ends the gathering and gives what still waits.
func (g *gather) rest() []session.Piece {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
	pieces := g.pieces
	g.pieces = nil
	return pieces
}
