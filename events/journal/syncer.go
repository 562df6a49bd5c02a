package journal

import (
	"fmt"

	"github.com/gobdk/bdk/internal/failpoint"
)

// syncLoop waits for the syncs in order of position and shows what is on disk.
// Pebble shows a write to readers before its sync returns; what this loop has
// not published, no reader of the journal sees.
func (j *Journal) syncLoop() {
	defer close(j.syncer)
	var batch, settled []*pending
	for {
		var more bool
		if batch, more = j.take(batch, settled); !more {
			return
		}
		settled = batch
		for _, p := range batch {
			j.settle(p)
		}
	}
}

// take gives the queue, waiting until there is something in it, and lets go of
// what was settled. The two slices take turns.
func (j *Journal) take(free, settled []*pending) (batch []*pending, more bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, p := range settled {
		if p.stream != nil {
			j.dropLocked(p.stream)
		}
		j.landLocked(p)
		settled[i] = nil
	}
	for len(j.queue) == 0 {
		if j.drain {
			return nil, false
		}
		j.ready.Wait()
	}
	batch, j.queue = j.queue, free[:0]
	return batch, true
}

// settle waits until one append is on disk, publishes it and tells its caller.
func (j *Journal) settle(p *pending) {
	if p.batch == nil {
		j.refuse(p)
		return
	}
	err := p.batch.SyncWait()
	if e := p.batch.Close(); err == nil && e != nil {
		err = e
	}
	// Once one append is lost those after it cannot count either, whatever the
	// store says of them: positions are dense.
	if err == nil {
		err = j.Err()
	} else {
		err = j.fail(err)
	}
	if err != nil {
		j.strand(p)
		p.done(Appended{}, err)
		return
	}
	failpoint.Hit("append.synced")
	wake := j.publish(p)
	failpoint.Hit("publish.before_ack")
	p.done(Appended{Next: p.next, Position: p.end}, nil)
	if wake != nil {
		close(wake)
	}
}

// publish moves the durable marks and gives what is to be closed to wake the stream's readers.
func (j *Journal) publish(p *pending) (wake chan struct{}) {
	if len(p.events) > 0 {
		wake = p.stream.publish(p.lines, p.next)
		j.ring.add(p)
		j.durable.Store(p.end)
		j.moves.announce()
		j.events.Add(uint64(len(p.events)))
	}
	j.appends.Add(1)
	return wake
}

// refuse answers an append that was refused because of one before it, now that this is settled.
func (j *Journal) refuse(p *pending) {
	err := j.Err()
	if err == nil {
		err = p.err
	}
	p.done(Appended{}, err)
}

// strand keeps the stream and the claims of a lost append in memory for ever, so
// that nobody asks the store, which shows them.
func (j *Journal) strand(p *pending) {
	p.stream, p.claims = nil, nil
}

// Err is nil while the journal takes appends, and an ErrFailed once the disk has refused one.
func (j *Journal) Err() error {
	if e := j.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// fail makes the failure stick, and gives the first one.
func (j *Journal) fail(cause error) error {
	err := fmt.Errorf("%w: %w", ErrFailed, cause)
	if j.failure.CompareAndSwap(nil, &err) {
		j.log.Error().Err(cause).Msg("journal: the disk refused a write; no append is taken any more")
		close(j.failed)
	}
	return j.Err()
}

// wedge is fail for a store that panicked in the middle of a write: it holds its
// own locks for ever and cannot be closed.
func (j *Journal) wedge(r any) error {
	j.stuck.Store(true)
	return j.fail(fmt.Errorf("the store panicked: %v", r))
}

func (j *Journal) wedged() bool { return j.stuck.Load() }

// Failed is closed when the disk has refused a write: see ErrFailed.
func (j *Journal) Failed() <-chan struct{} { return j.failed }
