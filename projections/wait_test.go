package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

// TestWaitFor_OwnWrite: "HTTP list routes wait for the position of the caller's
// last write". Many callers at once, each sees its own.
func TestWaitFor_OwnWrite(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	ctx := within(t)
	var wg sync.WaitGroup
	for n := range 16 {
		wg.Go(func() {
			id := sessionID(n)
			add(t, j, id, opening("turn_1")...)
			for i := range 20 {
				title := fmt.Sprintf("title %d", i)
				position := add(t, j, id, ev("", &events.SessionUpdated{Title: title}))
				if err := v.WaitFor(ctx, position); err != nil {
					t.Error(err)
					return
				}
				if row, _, err := v.Session(ctx, id); err != nil || row.Title != title {
					t.Errorf("title %q, want %q (%v)", row.Title, title, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestWaitFor_Context(t *testing.T) {
	t.Parallel()
	v := startViews(t, openJournal(t, vfs.NewMem()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.WaitFor(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := v.WaitFor(ctx, 0); err != nil {
		t.Errorf("nothing to wait for: %v", err)
	}
}

// TestClose_EndsWaiters: nobody waits for views that are closed, closing again is
// harmless, and rows can still be read.
func TestClose_EndsWaiters(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	position := addTurns(t, j, 0, 1)
	waitFor(t, v, position)
	waited := make(chan error)
	go func() { waited <- v.WaitFor(context.Background(), position+1) }()
	closeViews(t, v)
	if err := <-waited; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	closeViews(t, v)
	if err := v.Rebuild(within(t), nameSessions); !errors.Is(err, ErrClosed) {
		t.Errorf("rebuild of closed views: %v", err)
	}
	if _, ok, err := v.Session(t.Context(), sessionID(0)); err != nil || !ok {
		t.Errorf("reading after Close: %v, %v", ok, err)
	}
}

// TestClose_KeepsPosition: a clean stop leaves nothing to fold again, whatever was written.
func TestClose_KeepsPosition(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	position := addTurns(t, j, 0, 3) // approvals write no row for these
	waitFor(t, v, position)
	closeViews(t, v)
	for _, p := range builtins(j) {
		r := newRunner(j, p, true, testLog)
		if err := r.open(position); err != nil || r.position != position {
			t.Errorf("%s stands at %d, %v; want %d", r.name, r.position, err, position)
		}
	}
}

// TestStart_Names: custom names may not collide, and every fault is told at once.
func TestStart_Names(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	extra := []Projection{
		&counter{name: "sessions"}, &counter{name: "Mine"}, &counter{name: "a"}, &counter{name: "a"}, nil,
	}
	_, err := Start(t.Context(), &Options{Journal: j, Extra: extra})
	const want = `projections: name "sessions" is taken: choose another
projections: name "Mine": use lower-case letters, digits and hyphens, a letter first, at most 64
projections: name "a" is taken: choose another
projections: Options.Extra[4] is nil`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := Start(t.Context(), nil); err == nil {
		t.Error("no journal, and no error")
	}
}

func TestReader_Unknown(t *testing.T) {
	t.Parallel()
	v := startViews(t, openJournal(t, vfs.NewMem()))
	if _, _, err := v.Reader("nothing").Get([]byte("a")); !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v", err)
	}
	for _, err := range v.Reader("nothing").Scan(nil, nil, false) {
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("got %v", err)
		}
	}
}
