package projections

import (
	"context"
	"fmt"
	"slices"
)

// A Status says how one projection stands.
type Status struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	// Position is the first event over all logs that is not folded, Lag how many events are not.
	Position uint64 `json:"position"`
	Lag      uint64 `json:"lag"`
	// Error is why it stopped, empty while it runs; Session and Index say at what.
	// Where the store failed and not an event, Session is empty.
	Error   string `json:"error,omitempty"`
	Session string `json:"session,omitempty"`
	Index   uint64 `json:"index,omitempty"`
	// Skipped counts the events that a built-in projection left out because it failed
	// on them or they cannot be read; Skip says where and why it did so last since the start.
	Skipped uint64 `json:"skipped,omitempty"`
	Skip    string `json:"skip,omitempty"`
}

// Status tells of every projection, the built-in ones first.
func (v *Views) Status() []Status {
	head := v.journal.Position()
	v.mu.Lock()
	defer v.mu.Unlock()
	all := slices.Clone(v.status)
	for i := range all {
		all[i].Lag = head - min(head, all[i].Position)
	}
	return all
}

// publish makes known how a crew's members stand, and wakes who waits for that.
func (v *Views) publish(c *crew) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, r := range v.runners {
		if slices.Contains(c.runners, r) {
			v.status[i] = r.status()
		}
	}
	if v.moved != nil {
		close(v.moved)
		v.moved = nil
	}
}

func (r *runner) status() Status {
	s := Status{Name: r.name, Version: r.version, Position: r.position, Skipped: r.skipped}
	if r.skip != nil {
		s.Skip = r.skip.Error()
	}
	if r.stop != nil {
		s.Error, s.Session, s.Index = r.stop.err.Error(), r.stop.session, r.stop.index
	}
	return s
}

// WaitFor returns when every running view has folded everything below position,
// so that a caller sees its own write. A custom view that stopped is not waited
// for; a built-in one that did is ErrStopped. After Close it is ErrClosed.
func (v *Views) WaitFor(ctx context.Context, position uint64) error {
	return v.await(ctx, func(s *Status, builtin bool) (bool, error) {
		if s.Error != "" && builtin {
			return false, fmt.Errorf("%w: %s: %s", ErrStopped, s.Name, s.Error)
		}
		return s.Error != "" || s.Position >= position, nil
	})
}

// await returns when done holds for every view, or with its error.
func (v *Views) await(ctx context.Context, done func(s *Status, builtin bool) (bool, error)) error {
	for {
		moved, err := v.check(done)
		if moved == nil {
			return err
		}
		select {
		case <-moved:
		case <-v.closing:
			return ErrClosed
		case <-ctx.Done():
			return fmt.Errorf("projections: waiting for the views: %w", ctx.Err())
		}
	}
}

// check gives nil when there is nothing to wait for.
func (v *Views) check(done func(s *Status, builtin bool) (bool, error)) (<-chan struct{}, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.status {
		ok, err := done(&v.status[i], v.runners[i].builtin)
		if err != nil {
			return nil, err
		}
		if !ok {
			if v.moved == nil {
				v.moved = make(chan struct{})
			}
			return v.moved, nil
		}
	}
	return nil, nil
}
