package projections

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ThreeDotsLabs/watermill/message"
)

// Rebuild deletes the rows of a projection and folds the log again; one that
// stopped runs again. It returns when the log as it is now is folded. While that
// lasts, reads see the rows that are there already. When ctx ends, it goes on without.
func (v *Views) Rebuild(ctx context.Context, name string) error {
	r, err := v.find(name)
	if err != nil {
		return err
	}
	head := v.journal.Position()
	cleared := make(chan error, 1)
	if err := v.begin(func() { v.rebuild(v.crewOf(r), r, head, cleared) }); err != nil {
		return err
	}
	if err := <-cleared; err != nil {
		return err
	}
	return v.await(ctx, func(s *Status, _ bool) (bool, error) {
		if s.Name == name && s.Error != "" {
			return false, fmt.Errorf("%w: %s: %s", ErrStopped, s.Name, s.Error)
		}
		return s.Name != name || s.Position >= head, nil
	})
}

func (v *Views) crewOf(r *runner) *crew {
	i := slices.IndexFunc(v.crews, func(c *crew) bool { return slices.Contains(c.runners, r) })
	return v.crews[i]
}

// rebuild clears the rows between two ranges, and sees to it that the log is
// folded again though no new event comes.
func (v *Views) rebuild(c *crew, r *runner, head uint64, cleared chan<- error) {
	err := c.clear(r)
	cleared <- err
	if err != nil {
		return
	}
	msg := message.NewMessage("rebuild", binary.BigEndian.AppendUint64(make([]byte, 8), head))
	msg.SetContext(v.life)
	if err := c.guarded(msg); err != nil && !ended(err) {
		v.log.Error().Err(err).Str("projection", r.name).Msg("rebuild broke off")
	}
}

func (c *crew) clear(r *runner) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.changed(c)
	return r.clear()
}

// begin starts a goroutine that Close waits for.
func (v *Views) begin(f func()) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case <-v.closing:
		return ErrClosed
	default:
		v.work.Go(f)
		return nil
	}
}
