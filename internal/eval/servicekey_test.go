package eval

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/events"
)

func keyed(key, scope, body string) StartOptions {
	return StartOptions{Idempotency: &events.Idempotency{Key: key, Scope: scope, BodyHash: body}}
}

// sessions.md, Idempotency: "the answer is computed again from the log, for 24 h, also after
// a restart … Same key with another body: idempotency_mismatch".
func TestService_IdempotencyKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begun := make(chan struct{}, 9)
	h := hostAt(t, dir, func(r *testRun) (*Record, error) { begun <- struct{}{}; return untilOver(r) }, "a")
	first := started(t, h, keyed("k", "s", "b"))
	<-begun
	if again := started(t, h, keyed("k", "s", "b")); again.ID != first.ID || again.Status != RunRunning {
		t.Errorf("again, while it runs: %+v", again)
	}
	if _, err := h.Start(t.Context(), keyed("k", "s", "other")); !errors.Is(err, ErrMismatch) {
		t.Errorf("with another body: %v", err)
	}
	for _, o := range []StartOptions{keyed("k", "of another caller", "b"), keyed("k2", "s", "b"), {}} {
		if _, err := h.Start(t.Context(), o); !errors.Is(err, ErrRunning) {
			t.Errorf("%+v is the same: %v", o.Idempotency, err)
		}
	}
	if _, err := h.Cancel(first.ID); err != nil {
		t.Fatal(err)
	}
	h.ended(t, first.ID)
	loads := h.loads
	if again := started(t, h, keyed("k", "s", "b")); again.ID != first.ID || again.Status != RunCancelled || h.loads != loads {
		t.Errorf("again, after it: %+v", again)
	}
	second := started(t, h, keyed("k2", "s", "b"))
	<-begun
	if again := started(t, h, keyed("k", "s", "b")); again.ID != first.ID {
		t.Errorf("again, while another runs: %+v", again)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := hostAt(t, dir, says, "a")
	if again := started(t, next, keyed("k2", "s", "b")); again.ID != second.ID || next.loads != 0 {
		t.Errorf("again, after a restart: %+v", again)
	}
}

// "the first still in flight: in_flight".
func TestService_IdempotencyInFlight(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, says, "a")
	loading, load := make(chan struct{}), h.o.Load
	h.o.Load = func(ctx context.Context) (*Suite, error) { loading <- struct{}{}; <-loading; return load(ctx) }
	done := make(chan *Run)
	go func() {
		r, err := h.Start(context.Background(), keyed("k", "s", "b"))
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	<-loading
	if _, err := h.Start(t.Context(), keyed("k", "s", "b")); !errors.Is(err, ErrInFlight) {
		t.Error(err)
	}
	if _, err := h.Start(t.Context(), keyed("k2", "s", "b")); !errors.Is(err, ErrRunning) {
		t.Error(err)
	}
	loading <- struct{}{}
	first := <-done
	h.ended(t, first.ID)
	if again := started(t, h, keyed("k", "s", "b")); again.ID != first.ID {
		t.Errorf("%+v", again)
	}
}

func TestService_IdempotencyKeyIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := hostAt(t, t.TempDir(), says, "a")
		first := started(t, h, keyed("k", "s", "b"))
		h.ended(t, first.ID)
		<-time.After(24*time.Hour - time.Second)
		if again := started(t, h, keyed("k", "s", "b")); again.ID != first.ID {
			t.Errorf("after a day but a second: %+v", again)
		}
		<-time.After(time.Second)
		if again := started(t, h, keyed("k", "s", "other body")); again.ID == first.ID {
			t.Error("after a day it is still known")
		}
	})
}
