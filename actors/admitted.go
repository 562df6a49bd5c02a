package actors

import "context"

// admittedKey marks the context of work that was admitted.
type admittedKey struct{}

// admitted gives the context of what work does that was admitted before, such as the
// handler of a request: it may end what it does while the host drains.
func admitted(ctx context.Context) context.Context {
	return context.WithValue(ctx, admittedKey{}, true)
}

// refuses says whether a host that drains has to refuse a command with this context.
func (h *Host) refuses(ctx context.Context) bool {
	return h.Draining() && ctx.Value(admittedKey{}) == nil
}

// enterFor is enter for a command: one of admitted work is let in until the host ends.
func (h *Host) enterFor(ctx context.Context) error {
	h.gate.Lock()
	defer h.gate.Unlock()
	if h.refuses(ctx) || h.life.Err() != nil {
		return ErrDraining
	}
	h.effects.Add(1)
	return nil
}
