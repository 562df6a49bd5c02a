package journal

import (
	"context"
	"sync"
)

// moves tells waiters that the durable position moved.
type moves struct {
	mu   sync.Mutex
	next chan struct{} // closed at the next move; nil when nobody waits
}

func (m *moves) announce() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next != nil {
		close(m.next)
		m.next = nil
	}
}

// wait is closed at the next move after the call.
func (m *moves) wait() chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next == nil {
		m.next = make(chan struct{})
	}
	return m.next
}

// Position is the durable position: the number of events of all logs that are on disk.
func (j *Journal) Position() uint64 { return j.durable.Load() }

// Wait returns when Position is at least at.
func (j *Journal) Wait(ctx context.Context, at uint64) error {
	for j.durable.Load() < at {
		moved := j.moves.wait()
		if j.durable.Load() >= at {
			return nil
		}
		if err := j.await(ctx, moved); err != nil {
			return err
		}
	}
	return nil
}

// await returns nil when c is closed, or why it never will be, or ctx's error.
func (j *Journal) await(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	default:
	}
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-j.failed:
		return j.Err()
	case <-j.done:
		return ErrClosed
	}
}
