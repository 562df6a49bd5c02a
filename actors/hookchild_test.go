package actors

import (
	"context"
	"sync"
	"testing"
)

// hooks.md: "Same session: events dispatch one at a time". An event that comes while the
// goroutine before ends begins one that takes its place, and the next event no other.
func TestHookChild_BeginsOnce(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	for range 20_000 {
		c := &hookChild{h: &Host{}, ctx: ended, running: true}
		var first sync.WaitGroup
		first.Go(c.drain)
		began := 0
		for range 1000 {
			if c.extend(&hookRun{from: 5, to: 6}) {
				began++
			}
		}
		first.Wait()
		if began > 1 {
			t.Fatalf("%d goroutines run at once", began)
		}
	}
}
