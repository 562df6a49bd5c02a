package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/clock"
	"github.com/gobdk/bdk/internal/failpoint"
)

// makeFork records a fork, and then copies: what a crash leaves half done is found by
// its mark, and done at the next start. Its maker holds the fork's key.
func (h *Host) makeFork(ctx context.Context, id string, start *events.SessionStarted, i *events.Idempotency) (Forked, error) {
	place, discard, err := h.copyFolder(start.ForkedFrom.SessionID, id)
	if err != nil {
		return Forked{}, err
	}
	now := h.now()
	_, err = h.journal.Append(ctx, journal.Append{
		Stream: id, Events: []events.Event{events.New("", now, start)}, Mark: journal.MarkOp{Set: true, Value: forkMark},
		Claims: appendIdempotency(nil, i, id, 0, now), Now: now,
	})
	if err != nil {
		discard()
		return Forked{}, refusal(err)
	}
	failpoint.Hit("fork.recorded")
	if err := place(); err != nil {
		h.warnFork(id, err, "its workspace was not copied: it begins anew")
	}
	return h.completeFork(id, start)
}

// resumeFork makes a fork whole that a crash, or the host's end, cut off.
func (h *Host) resumeFork(id string) {
	if h.enter() != nil {
		return
	}
	cannot := func(fault any) {
		h.degraded.Store(true)
		h.o.Logger.Error().Str("session", id).Str("fault", fmt.Sprint(fault)).Msg("a fork cannot be made whole")
	}
	h.spawnEffect(func() {
		if _, err := h.wholeFork(h.life, id); err != nil && h.life.Err() == nil {
			cannot(err)
		}
	}, cannot)
}

// wholeFork gives a fork that was begun before, after whoever makes it.
func (h *Host) wholeFork(ctx context.Context, id string) (Forked, error) {
	return holding(ctx, h, forkKey(id), func(context.Context) (Forked, error) {
		start, err := h.startedOf(id)
		if err != nil {
			return Forked{}, err
		}
		if whole, err := h.isWhole(id, start); err != nil || whole {
			return h.forked(id, start, err)
		}
		place, _, err := h.copyFolder(start.ForkedFrom.SessionID, id)
		if err == nil {
			err = place()
		}
		if err != nil {
			h.warnFork(id, err, "its workspace was not copied: it begins anew")
		}
		return h.completeFork(id, start)
	})
}

// completeFork copies what is missing and closes what the history left open. It reads
// and appends piece by piece: a log may be longer than the memory is large.
func (h *Host) completeFork(id string, start *events.SessionStarted) (Forked, error) {
	if err := h.copyBeside(start, id); err != nil {
		h.warnFork(id, err, "not all of its files were copied")
	}
	next, err := h.journal.Head(id)
	for err == nil && next < start.Copied() {
		next, err = h.copyEvents(id, start.ForkedFrom, next)
	}
	if err == nil {
		err = h.settleFork(id, start)
	}
	return h.forked(id, start, err)
}

// copyEvents copies some events from an index on, and gives the index after them.
func (h *Host) copyEvents(id string, from *events.ForkRef, next uint64) (uint64, error) {
	lines, err := h.journal.ReadSome(from.SessionID, next, from.Index+1)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("%w: %s ends before %d", ErrCorrupt, from.SessionID, next)
	}
	if err != nil {
		return next, err
	}
	evs := make([]events.Event, len(lines))
	for i := range lines {
		e, err := events.DecodeExact(lines[i].Data)
		if err != nil {
			return next, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		evs[i] = *e
	}
	at, err := h.appendFork(journal.Append{Stream: id, Expect: next, Events: evs})
	failpoint.Hit("fork.copied")
	return at.Next, err
}

// settleFork ends the copying: with this append the fork is there.
func (h *Host) settleFork(id string, start *events.SessionStarted) error {
	core, _, err := h.foldTo(id, session.Config{}, start.Copied())
	if err == nil {
		err = core.Step(&session.Settle{}, h.now())
	}
	if err != nil {
		return err
	}
	if _, err = h.appendFork(journal.Append{Stream: id, Expect: start.Copied(), Events: core.Ready().Events, Mark: journal.MarkOp{Clear: true}}); err != nil {
		return err
	}
	failpoint.Hit("fork.settled")
	if core.Next < snapshotEvery {
		return nil
	}
	if err := h.putSnapshot(id, core); err != nil { // the log is enough
		h.warnFork(id, err, "its snapshot was not written")
	}
	return nil
}

// forked is the answer for a fork that is whole, unless there was an error.
func (h *Host) forked(id string, start *events.SessionStarted, err error) (Forked, error) {
	if err != nil {
		if h.life.Err() != nil {
			err = ErrDraining
		}
		return Forked{}, refusal(err)
	}
	st, err := h.StateAt(id, start.Copied())
	return Forked{SessionID: id, Index: start.ForkedFrom.Index, FollowUps: st.FollowUps, Position: h.journal.Position()}, err
}

// appendFork appends to a fork, however long the disk is full.
func (h *Host) appendFork(ap journal.Append) (journal.Appended, error) {
	for {
		at, err := h.journal.Append(h.life, ap)
		if !errors.Is(err, journal.ErrFull) || clock.Wait(h.life, h.o.Clock, appendAgain) != nil {
			return at, err
		}
	}
}

func (h *Host) warnFork(id string, err error, what string) {
	h.o.Logger.Warn().Str("session", id).Err(err).Msg("a fork is made, and " + what)
}
