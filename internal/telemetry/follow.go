package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/gobdk/bdk/events"
)

// Bounds of what is read again after a restart.
const (
	lookBack       = 10 * time.Minute
	lookBackEvents = 10_000
)

// keepEvery is how often what was made is sent and its position kept.
const keepEvery = 5 * time.Second

// A Log is where events are read from.
type Log interface {
	Position() uint64
	Range(from uint64, max int) ([]*events.Event, uint64, error)
	Wait(ctx context.Context, at uint64) error
}

// A Keeper holds a position of the log over restarts.
type Keeper interface {
	// Load gives ok=false where none was kept.
	Load() (position uint64, ok bool, err error)
	Save(position uint64) error
}

// Follow folds what is recorded, until ctx ends, and then what is left, or until the log
// is closed. Live is where the log ended when the process started: of what lies before,
// it folds what was not known to be sent, as far as that is not long ago. A span may be
// sent twice by that, and has the same ids then.
func (t *Traces) Follow(ctx context.Context, live uint64, log Log) {
	f := &follower{t: t, log: log, live: live, at: live, kept: live, last: time.Now()}
	f.begin()
	for f.wait(ctx) && f.fold() {
	}
	for f.at < log.Position() && f.fold() {
	}
	t.reached.Store(f.at)
}

// A follower is how far Follow has come.
type follower struct {
	t          *Traces
	log        Log
	live       uint64
	since      time.Time // what is before live and older is left out
	at, kept   uint64
	last       time.Time // when it was kept
	overlooked bool
}

// begin finds where to begin.
func (f *follower) begin() {
	if f.t.o.Keep == nil {
		return
	}
	kept, ok, err := f.t.o.Keep.Load()
	if err == nil && !ok { // a crash in the first seconds loses nothing either
		err = f.t.o.Keep.Save(f.live)
	}
	if err != nil {
		f.t.o.Logger.Warn().Err(err).Msg("telemetry: how far spans were sent cannot be read or kept")
	}
	if err != nil || !ok || kept >= f.live {
		return
	}
	f.at, f.kept = kept, kept
	if f.live-kept > lookBackEvents {
		f.at = f.live - lookBackEvents
	}
	if evs, _, err := f.log.Range(f.live-1, 1); err == nil && len(evs) == 1 {
		f.since = evs[0].At.Add(-lookBack)
	}
}

// fold folds some of what there is. False: it cannot be read.
func (f *follower) fold() bool {
	evs, next, err := f.log.Range(f.at, 256)
	if next == f.at {
		if f.at < f.live && err != nil && !f.overlooked { // the past is lost, which is not the present
			f.overlooked, f.at = true, f.live
			return true
		}
		if err != nil {
			f.t.o.Logger.Warn().Err(err).Msg("telemetry: the log cannot be read, so no more spans are made")
		}
		return err == nil
	}
	for i, e := range evs {
		if f.at+uint64(i) >= f.live || !e.At.Before(f.since) {
			f.t.Apply(e)
		}
	}
	f.at = next
	return true
}

// wait returns when there is something to fold; it keeps the position meanwhile.
// False: ctx has ended, or the log is closed.
func (f *follower) wait(ctx context.Context) bool {
	for ctx.Err() == nil {
		if f.at != f.kept && time.Since(f.last) >= keepEvery {
			f.keep(ctx)
		}
		if f.at < f.log.Position() {
			return true
		}
		bound, cancel := ctx, context.CancelFunc(func() {})
		if f.at != f.kept && f.t.o.Keep != nil {
			bound, cancel = context.WithTimeout(ctx, keepEvery)
		}
		err := f.log.Wait(bound, f.at+1)
		cancel()
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
			return false
		}
	}
	return false
}

// keep sends what was made and keeps the position where that went well. What is
// still open is known from the log when it is read again.
func (f *follower) keep(ctx context.Context) {
	f.last = time.Now()
	if f.t.o.Keep == nil || f.t.provider.ForceFlush(ctx) != nil {
		return
	}
	if err := f.t.o.Keep.Save(f.at); err != nil {
		f.t.o.Logger.Warn().Err(err).Msg("telemetry: how far spans were sent cannot be kept")
		return
	}
	f.kept = f.at
}
