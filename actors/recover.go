package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/events/journal"
)

// recoverLogs closes what was left open in the logs of these agents, before a new
// call of them can begin.
func (h *Host) recoverLogs(ctx context.Context, agents map[string]*agentRuntime) error {
	return h.eachMark(ctx, func(m journal.Mark) error {
		slug, ok := agentOf(m.Stream)
		if r := agents[slug]; ok && r != nil {
			return r.log.recover(ctx, m.Value)
		}
		return nil
	})
}

// recoverSessions wakes what open marks of sessions of these agents name, nil for all;
// no other session is touched.
func (h *Host) recoverSessions(ctx context.Context, only map[string]*agentRuntime) error {
	return h.eachMark(ctx, func(m journal.Mark) error {
		if _, ok := agentOf(m.Stream); !ok {
			h.takeUpOf(m, only)
		}
		return nil
	})
}

func (h *Host) eachMark(ctx context.Context, f func(journal.Mark) error) error {
	for m, err := range h.journal.Marks() {
		if err != nil {
			return fmt.Errorf("actors: reading open marks: %w", err)
		}
		if err := errors.Join(ctx.Err(), f(m)); err != nil {
			return err
		}
	}
	return nil
}

// takeUpOf takes a session up if it is of one of these agents, nil for any.
func (h *Host) takeUpOf(m journal.Mark, only map[string]*agentRuntime) {
	if only != nil {
		if start, err := h.startedOf(m.Stream); err != nil || only[start.Agent] == nil {
			return
		}
	}
	h.takeUp(m)
}

// takeUp wakes a session; one of which nothing runs, and that has nothing to deliver,
// sleeps on until its time. One that an eval waited for is woken to be ended.
func (h *Host) takeUp(m journal.Mark) {
	mark := readMark(m.Value)
	at := mark.wake(h.o.Manual)
	switch {
	case mark.Fork:
		h.resumeFork(m.Stream)
	case mark.Eval:
		h.tell(&command{id: m.Stream, orphan: true, reply: make(chan reply, 1)})
	case !mark.Parked, mark.Undelivered != nil:
		h.tell(&command{id: m.Stream, reply: make(chan reply, 1)})
	case !at.IsZero():
		h.alarms.set(m.Stream, at)
	}
}
