package projections

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/failpoint"
)

// saveEvery is how many events a projection may be past its mark on disk when
// they wrote no row: they are folded again after a crash, to the same nothing.
const saveEvery = 4096

// A runner folds for one projection. Its crew's lock guards it.
type runner struct {
	p       Projection
	name    string
	version int
	builtin bool
	space   *journal.Space
	reader  *Reader
	w       *Writer
	log     zerolog.Logger

	// position is the first event that is not folded, saved the one that the mark
	// on disk has. Invariant: saved <= position.
	position uint64
	saved    uint64
	// skipped counts the events that a built-in projection left out.
	skipped uint64
	// fault is what the store said last; the range is tried again.
	fault error
	// stop is why it stopped; nil while it runs.
	stop *eventError
	// skip is what it left out last.
	skip *eventError
}

// An eventError says at which event a projection failed.
type eventError struct {
	session string
	index   uint64
	err     error
}

func (e *eventError) Error() string {
	return fmt.Sprintf("session %s, event %d: %v", e.session, e.index, e.err)
}

func (e *eventError) Unwrap() error { return e.err }

func newRunner(j *journal.Journal, p Projection, builtin bool, log zerolog.Logger) *runner {
	space := j.Space(spaceName(p.Name()))
	reader := &Reader{space: space}
	return &runner{
		p: p, name: p.Name(), version: p.Version(), builtin: builtin,
		space: space, reader: reader, w: newWriter(reader),
		log: log.With().Str("projection", p.Name()).Logger(),
	}
}

// open reads the mark. What another version or layout wrote is cleared, and what
// is ahead of the log, which a log put back from a copy may leave behind.
func (r *runner) open(head uint64) error {
	b, ok, err := r.space.Get(markKey)
	if err != nil {
		return fmt.Errorf("projections: opening %s: %w", r.name, err)
	}
	u := unpacker{b: b}
	layout, version := u.uint(), u.int()
	position, skipped := u.uint(), u.uint()
	if ok && !u.short && layout == spaceLayout && version == int64(r.version) && position <= head {
		r.position, r.saved, r.skipped = position, position, skipped
		return nil
	}
	return r.clear()
}

// clear deletes the rows: the log is folded from its beginning.
func (r *runner) clear() error {
	b := r.space.NewBatch()
	defer b.Close()
	b.Clear()
	r.setMark(b, 0, 0)
	if err := b.Commit(false); err != nil {
		return fmt.Errorf("projections: clearing %s: %w", r.name, err)
	}
	r.w.reset()
	r.w.cache.clear()
	r.position, r.saved, r.skipped = 0, 0, 0
	r.fault, r.stop, r.skip = nil, nil, nil
	return nil
}

func (r *runner) setMark(b *journal.Batch, position, skipped uint64) {
	p := packer{make([]byte, 0, 24)}
	p.uint(spaceLayout)
	p.int(int64(r.version))
	p.uint(position)
	p.uint(skipped)
	b.Set(markKey, p.b)
}

// fold applies events from its position on and commits what they wrote together
// with the new position. An error is the store's: nothing has changed then, and
// the same events may be folded again.
func (r *runner) fold(evs []*events.Event) error {
	r.w.reset() // a panic of ours may have left a range half applied
	skipped := uint64(0)
	for i, e := range evs {
		r.w.begin(r.position + uint64(i))
		if err := r.apply(e); err != nil {
			r.w.rollback()
			at := &eventError{session: e.SessionID, index: e.Index, err: err}
			if !r.builtin {
				return r.halt(evs[:i], at)
			}
			r.leaveOut(at)
			skipped++
		}
		if r.w.fault != nil {
			return r.abandon(r.w.fault)
		}
		if i == (len(evs)-1)/2 {
			failpoint.Hit("projection.mid_batch")
		}
	}
	return r.commit(r.position+uint64(len(evs)), r.skipped+skipped)
}

// apply calls the projection; a panic in it is an error like any other.
func (r *runner) apply(e *events.Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Debug().Str("stack", string(debug.Stack())).Msg("projection panicked")
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return r.p.Apply(r.w, e)
}

// halt commits what came before the event at which the projection failed, and stops it.
func (r *runner) halt(before []*events.Event, at *eventError) error {
	if r.w.fault != nil {
		return r.abandon(r.w.fault)
	}
	if err := r.commit(r.position+uint64(len(before)), r.skipped); err != nil {
		return err
	}
	r.stop = at
	r.log.Error().Str("session", at.session).Uint64("index", at.index).Err(at.err).Msg("projection stopped")
	return nil
}

func (r *runner) leaveOut(at *eventError) {
	r.skip = at
	r.log.Error().Str("session", at.session).Uint64("index", at.index).Err(at.err).Msg("projection skipped an event")
}

// abandon drops the range.
func (r *runner) abandon(err error) error {
	r.w.reset()
	r.fault = fmt.Errorf("projections: folding %s: %w", r.name, err)
	return r.fault
}

// commit writes rows and mark in one batch, without a sync: in one store what
// survives a crash is a prefix of what was written, so no row outlives its events.
func (r *runner) commit(position, skipped uint64) error {
	if err := r.w.flush(); err != nil {
		return r.abandon(err)
	}
	if len(r.w.rows) > 0 || skipped != r.skipped || position-r.saved >= saveEvery {
		if err := r.write(position, skipped); err != nil {
			return r.abandon(err)
		}
		r.saved = position
	}
	r.w.committed()
	r.position, r.skipped, r.fault = position, skipped, nil
	return nil
}

func (r *runner) write(position, skipped uint64) error {
	b := r.space.NewBatch()
	defer b.Close()
	for key, c := range r.w.rows {
		k := rowKey([]byte(key))
		if c.deleted {
			b.Delete(k)
			continue
		}
		b.Set(k, c.value)
	}
	r.setMark(b, position, skipped)
	return b.Commit(false)
}

// save writes the mark alone, so that a clean start folds nothing again.
func (r *runner) save() error {
	if r.saved == r.position {
		return nil
	}
	r.w.reset()
	if err := r.write(r.position, r.skipped); err != nil {
		return fmt.Errorf("projections: saving the position of %s: %w", r.name, err)
	}
	r.saved = r.position
	return nil
}

// leave gives up after the tries are used up.
func (r *runner) leave(err error) {
	if r.stop != nil {
		return
	}
	var at *eventError
	if !errors.As(err, &at) {
		at = &eventError{err: err}
	}
	r.w.reset()
	r.stop = at
	r.log.Error().Str("session", at.session).Uint64("index", at.index).Err(at.err).Msg("projection stopped")
}
