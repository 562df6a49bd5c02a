package actors

import (
	"context"
	"fmt"

	"github.com/anthdm/hollywood/actor"
)

// An engine is what we use of hollywood: spawn with a small inbox and a name that
// is never used twice, send, end. Requests, event streams and parents are not
// used: they hang, collide or storm (ARCHITECTURE.md, "The actor engine is fenced in").
type engine struct{ e *actor.Engine }

// inboxSize is small: the default costs 28 KB for each idle actor.
const inboxSize = 2

func newEngine() (*engine, error) {
	e, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return nil, fmt.Errorf("actors: starting the engine: %w", err)
	}
	return &engine{e: e}, nil
}

// A receiver handles the messages of one actor, one at a time, and never blocks.
type receiver interface {
	receive(msg any)
	// crashed is told what receive panicked with.
	crashed(fault any)
}

// guard keeps panics from the engine, which would end the process at an actor's
// fourth, and keeps its own messages from the receiver.
type guard struct{ r receiver }

// Receive is called by the engine.
func (g guard) Receive(c *actor.Context) {
	switch c.Message().(type) {
	case actor.Initialized, actor.Started, actor.Stopped:
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			g.r.crashed(fault)
		}
	}()
	g.r.receive(c.Message())
}

func (e *engine) spawn(kind, id string, r receiver) *actor.PID {
	return e.e.Spawn(func() actor.Receiver { return guard{r} }, kind, actor.WithID(id), actor.WithInboxSize(inboxSize))
}

func (e *engine) send(to *actor.PID, msg any) { e.e.Send(to, msg) }

// end stops an actor after what it was sent; only its owner calls it, once.
func (e *engine) end(pid *actor.PID) { e.e.Poison(pid) }

func (e *engine) endAndWait(ctx context.Context, pid *actor.PID) error {
	select {
	case <-e.e.Poison(pid).Done():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("actors: %s did not stop: %w", pid.ID, ctx.Err())
	}
}
