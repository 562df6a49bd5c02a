package actors

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// "A grace period (5 s) bounds only how long the old tools' processes live; the new
// turn's workspace tools wait for it".
func TestBenches_OneTurnAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &benches{}
		enter := func(session, turn string) func() {
			leave, err := b.enter(t.Context(), clock.System{}, session, turn)
			if err != nil {
				t.Fatal(err)
			}
			return leave
		}
		began := time.Now()
		one, two := enter("s", "t1"), enter("s", "t1") // side by side
		other := enter("s2", "t9")
		if time.Since(began) != 0 {
			t.Error("tools of one turn, or of two sessions, waited")
		}
		entered := make(chan func())
		go func() { entered <- enter("s", "t2") }()
		synctest.Wait()
		one()
		synctest.Wait()
		select {
		case <-entered:
			t.Fatal("the new turn did not wait for the second tool of the old one")
		default:
		}
		<-time.After(time.Second)
		two()
		late := <-entered
		if got := time.Since(began); got != time.Second {
			t.Errorf("waited for %v", got)
		}
		late()
		other()
		if len(b.open) > 0 {
			t.Errorf("left are %d benches", len(b.open))
		}
	})
}

func TestBenches_GraceAndContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &benches{}
		stuck, err := b.enter(t.Context(), clock.System{}, "s", "t1")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("stopped"))
		defer cancel()
		if _, err := b.enter(ctx, clock.System{}, "s", "t2"); err == nil || err.Error() != "stopped" {
			t.Errorf("a call that was stopped while it waited: %v", err)
		}
		began := time.Now()
		for range 2 { // what the kernel holds is waited for once
			leave, err := b.enter(t.Context(), clock.System{}, "s", "t2")
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		if got := time.Since(began); got != benchGrace {
			t.Errorf("waited for %v", got)
		}
		stuck()
	})
}
