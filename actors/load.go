package actors

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// load brings the session into memory with the actor's first message: not in the
// engine's producer, which runs on the spawner's goroutine. False: the actor gave up.
func (a *sessionActor) load(msg any) bool {
	if _, ok := msg.(*sleep); ok {
		a.giveUp(ErrDraining)
		return false
	}
	if c, ok := msg.(*command); ok && c.orphan {
		a.orphan = true
	}
	var err error
	if start := opening(msg); start != nil {
		err = a.open(start)
	} else {
		err = a.fold()
	}
	if err == nil {
		a.h.infos.Store(a.id, a.info)
		return true
	}
	if !errors.Is(err, ErrUnknownSession) && !errors.Is(err, ErrUnknownAgent) {
		a.h.degraded.Store(true)
		a.h.o.Logger.Error().Str("session", a.id).Err(err).Msg("a session's log cannot be read")
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	a.giveUp(err)
	return false
}

func opening(msg any) *events.SessionStarted {
	c, ok := msg.(*command)
	if !ok || len(c.inputs) == 0 {
		return nil
	}
	if start, ok := c.inputs[0].(*session.Start); ok {
		return start.Started
	}
	return nil
}

// open begins a session that has no event yet.
func (a *sessionActor) open(start *events.SessionStarted) error {
	if err := a.bind(start); err != nil {
		return err
	}
	next, err := a.h.journal.HoldNew(a.id)
	if err != nil {
		return err
	}
	a.held = true
	if next != 0 {
		return fmt.Errorf("actors: session %s is there already", a.id)
	}
	a.core = session.New(a.config())
	return nil
}

// bind finds the agent and keeps what never changes.
func (a *sessionActor) bind(start *events.SessionStarted) error {
	if a.agent = a.h.agents.take(start.Agent); a.agent == nil {
		return fmt.Errorf("%w: %s", ErrUnknownAgent, start.Agent)
	}
	a.start, a.info = start, infoOf(a.id, start)
	a.info.followUps, a.info.place = new(atomic.Int64), new(atomic.Pointer[channelPlace])
	return nil
}

// config is what the session's agent allows; each turn begins with that of the
// newest agent.
func (a *sessionActor) config() session.Config {
	cfg := a.agent.config(a.start)
	cfg.Renew = a.renew
	return cfg
}

// renew binds the session to the newest agent of its slug, for a turn that is about to start.
func (a *sessionActor) renew() session.Config {
	before := a.agent
	a.agent = a.h.agents.take(before.Slug)
	before.release()
	return a.config()
}

// fold reads the session back from its newest snapshot and what came after, and
// takes up what was open.
func (a *sessionActor) fold() error {
	head, err := a.h.journal.Hold(a.id)
	if err != nil {
		return err
	}
	a.held = true
	if head == 0 {
		return ErrUnknownSession
	}
	start, err := a.h.startedOf(a.id)
	if err != nil {
		return err
	}
	if head <= start.Copied() { // not whole: whoever makes it appends to it
		return ErrUnknownSession
	}
	if err := a.bind(start); err != nil {
		return err
	}
	core, snapAt, err := a.h.foldTo(a.id, a.config(), head)
	if err != nil {
		return err
	}
	a.core, a.snapAt, a.next, a.position = core, snapAt, head, a.h.journal.Position()
	mark, err := a.h.markOnDisk(a.info, &core.State)
	if err != nil {
		return err
	}
	a.mark, a.nextMark = string(mark), string(mark)
	a.info.followUps.Store(tokenNumber(&core.State))
	a.info.place.Store(placeOf(&core.State))
	a.conversation = conversationOf(a.start, &core.State)
	a.takeUpDelivery(mark, head)
	return a.resume()
}

// resume takes up the open turn, or fails it when the actor before panicked on it, or
// cancels it when nobody waits for it.
func (a *sessionActor) resume() error {
	in := &session.Resume{}
	if a.fault != "" {
		in.Fault = "a fault of the host ended the turn"
	}
	if a.orphan {
		in.Cancel = "the eval that asked has ended: its host stopped"
	}
	return a.core.Step(in, a.h.now())
}

// startedOf reads a session's first event.
func (h *Host) startedOf(id string) (*events.SessionStarted, error) {
	lines, err := h.journal.Read(id, 0, 1)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, ErrUnknownSession
	}
	e, err := events.Decode(lines[0].Data)
	if err != nil {
		return nil, err
	}
	start, ok := e.Data.(*events.SessionStarted)
	if !ok {
		return nil, fmt.Errorf("actors: the log of %s begins with %s", id, e.Type)
	}
	return start, nil
}

// foldTo gives the state up to, not including, an index, and where the snapshot
// that it began with lies.
func (h *Host) foldTo(id string, cfg session.Config, to uint64) (core *session.Session, snapAt uint64, err error) {
	core = session.New(cfg)
	if at, state, ok, err := h.journal.Snapshot(id); err == nil && ok && at <= to {
		var st session.State
		if json.Unmarshal(state, &st) == nil && st.Next == at {
			core, snapAt = session.Restore(cfg, st), at
		}
	}
	for core.Next < to {
		lines, err := h.journal.ReadSome(id, core.Next, to)
		if err != nil {
			return nil, 0, err
		}
		if len(lines) == 0 {
			return nil, 0, fmt.Errorf("actors: the log of %s ends at %d, expected %d", id, core.Next, to)
		}
		for i := range lines {
			if err := core.Fold(lines[i].Data); err != nil {
				return nil, 0, err
			}
		}
	}
	return core, snapAt, nil
}
