package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A held is what an idempotency key's claim holds: the event that carried it.
type held struct {
	Stream   string `json:"stream"`
	Index    uint64 `json:"index"`
	BodyHash string `json:"bodyHash,omitempty"`
}

func holder(stream string, index uint64, bodyHash string) []byte {
	b, err := json.Marshal(held{stream, index, bodyHash})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b
}

func idempotencyKey(i *events.Idempotency) string { return "idempotency/" + i.Scope + "/" + i.Key }

func appendIdempotency(out []journal.Claim, i *events.Idempotency, stream string, index uint64, now time.Time) []journal.Claim {
	if i == nil {
		return out
	}
	return append(out, journal.Claim{Key: idempotencyKey(i), Value: holder(stream, index, i.BodyHash), Until: now.Add(idempotencyTime)})
}

// inflight holds the keys whose first request is under way.
type inflight struct {
	mu   sync.Mutex
	keys map[string]chan struct{} // closed when the key is let go
}

func (f *inflight) enter(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.keys[key] != nil {
		return false
	}
	if f.keys == nil {
		f.keys = map[string]chan struct{}{}
	}
	f.keys[key] = make(chan struct{})
	return true
}

// hold enters a key, after whoever has it.
func (f *inflight) hold(ctx context.Context, key string) error {
	for !f.enter(key) {
		if err := f.wait(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// wait returns when a key that is held is let go.
func (f *inflight) wait(ctx context.Context, key string) error {
	f.mu.Lock()
	held := f.keys[key]
	f.mu.Unlock()
	if held == nil {
		return nil
	}
	select {
	case <-held:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *inflight) leave(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.keys[key])
	delete(f.keys, key)
}

// once runs first for a new key, and again, with the event that carried it, for a
// repeated one. The answer is computed anew from the log each time, also after a restart.
func once[T any](ctx context.Context, h *Host, i *events.Idempotency, first func(context.Context) (T, error), again func(e *events.Event) (T, error)) (out T, err error) {
	if i == nil {
		return first(ctx)
	}
	return onceFor(ctx, h, idempotencyKey(i), i.BodyHash, first, again)
}

// onceFor is once for any unique key that an event claims. The key is held until
// first has ended, whoever still waits for it: a caller that went away and comes
// again must not find the key free while its command is on the way.
func onceFor[T any](ctx context.Context, h *Host, key, bodyHash string, first func(context.Context) (T, error), again func(e *events.Event) (T, error)) (out T, err error) {
	if !h.inflight.enter(key) {
		return out, ErrInFlight
	}
	value, ok, err := h.journal.Lookup(ctx, key, h.now())
	if err != nil || ok {
		h.inflight.leave(key)
		if err != nil {
			return out, refusal(err)
		}
		e, err := h.heldEvent(value, bodyHash)
		if err != nil {
			return out, err
		}
		return again(e)
	}
	return whileHeld(ctx, h, key, first)
}

// whileHeld runs f and lets go of a key that the caller has entered, when f has ended.
func whileHeld[T any](ctx context.Context, h *Host, key string, f func(context.Context) (T, error)) (out T, err error) {
	type outcome struct {
		v   T
		err error
	}
	done := make(chan outcome, 1)
	if err := h.enterFor(ctx); err != nil {
		h.inflight.leave(key)
		return out, err
	}
	held := func() (T, error) {
		defer h.inflight.leave(key) // before the answer leaves, or the next request finds the key taken
		return f(context.WithoutCancel(ctx))
	}
	h.spawnEffect(func() {
		v, err := held()
		done <- outcome{v, err}
	}, func(any) { done <- outcome{out, ErrFault} })
	select {
	case o := <-done:
		return o.v, o.err
	case <-ctx.Done():
		return out, ctx.Err()
	}
}

// onceInTurn is onceFor that waits for the one under way, and has no body.
func onceInTurn[T any](ctx context.Context, h *Host, key string, first func(context.Context) (T, error), again func(e *events.Event) (T, error)) (out T, err error) {
	for {
		out, err = onceFor(ctx, h, key, "", first, again)
		if !errors.Is(err, ErrInFlight) {
			return out, err
		}
		if err := h.inflight.wait(ctx, key); err != nil {
			return out, err
		}
	}
}

// holding runs f while it alone holds the key: it waits for whoever has it.
func holding[T any](ctx context.Context, h *Host, key string, f func(context.Context) (T, error)) (out T, err error) {
	if err := h.inflight.hold(ctx, key); err != nil {
		return out, err
	}
	return whileHeld(ctx, h, key, f)
}

// heldEvent reads the event that a claim names and holds the request against it.
func (h *Host) heldEvent(value []byte, bodyHash string) (*events.Event, error) {
	var at held
	if err := json.Unmarshal(value, &at); err != nil {
		return nil, fmt.Errorf("actors: reading an idempotency key: %w", err)
	}
	if at.BodyHash != bodyHash {
		return nil, ErrIdempotencyMismatch
	}
	lines, err := h.journal.Read(at.Stream, at.Index, at.Index+1)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("%w: it ends before %d", ErrCorrupt, at.Index)
	}
	if err != nil {
		return nil, fmt.Errorf("actors: reading the event of a unique key: %w", err)
	}
	return events.Decode(lines[0].Data)
}
