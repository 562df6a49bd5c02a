package journaltest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// "DUMP taken earlier is a byte-exact prefix of every later DUMP."
func testPrefix(t *testing.T, b *bench) {
	var earlier []journal.Line
	for i := uint64(0); i < 60; {
		n := 1 + i%3
		b.put("ses_a", i, texts(make([]string, n)...)...)
		i += n
		now := b.dump("ses_a")
		if !sameLines(now[:len(earlier)], earlier) {
			t.Fatalf("at %d the log changed behind its readers", i)
		}
		earlier = now
		if i%20 == 0 {
			b.reopen()
		}
	}
}

// "50 readers opening at random times": each gets exactly what the log holds from
// its index on; "switching from history to live neither skips nor repeats".
func testReaders(t *testing.T, b *bench) {
	const readers, total = 50, 1500
	rng := rand.New(rand.NewPCG(3, 4))
	starts := make(map[uint64][]uint64) // when so many events are written, readers begin there
	for range readers {
		at := uint64(rng.IntN(total))
		starts[at] = append(starts[at], uint64(rng.IntN(total)))
	}
	type got struct {
		from  uint64
		lines []journal.Line
	}
	results := make(chan got, readers)
	var wg sync.WaitGroup
	begin := func(from uint64) {
		wg.Go(func() {
			lines, err := b.follow(t.Context(), "ses_a", from, total-int(from))
			if err != nil {
				t.Errorf("a reader from %d: %v", from, err)
			}
			results <- got{from, lines}
		})
	}
	for i := uint64(0); i < total; {
		n := min(1+i%4, total-i)
		b.put("ses_a", i, texts(make([]string, n)...)...)
		for end := i + n; i < end; i++ {
			for _, from := range starts[i] {
				begin(from)
			}
		}
	}
	wg.Wait()
	close(results)
	all := b.dump("ses_a")
	for g := range results {
		if !sameLines(g.lines, all[g.from:]) {
			t.Errorf("a reader from %d got %d lines that are not the log's", g.from, len(g.lines))
		}
	}
}

// "Reconnect with last+1 after any cut gives the same total sequence as an uninterrupted reader."
func testReconnect(t *testing.T, b *bench) {
	const total = 400
	done := make(chan []journal.Line, 1)
	go func() {
		rng := rand.New(rand.NewPCG(5, 6))
		var lines []journal.Line
		for len(lines) < total {
			ctx, cancel := context.WithCancel(t.Context())
			more, err := b.follow(ctx, "ses_a", uint64(len(lines)), min(1+rng.IntN(20), total-len(lines)))
			cancel()
			if err != nil {
				t.Error(err)
				break
			}
			lines = append(lines, more...)
		}
		done <- lines
	}()
	for i := range uint64(total) {
		b.put("ses_a", i, texts(fmt.Sprint(i))...)
	}
	if lines := <-done; !sameLines(lines, b.dump("ses_a")) {
		t.Errorf("the reader put together %d lines that are not the log", len(lines))
	}
}

// "Subscriber sees every event once; position = highest contiguous durable": over
// all logs, while many write, and again from the disk.
func testRangeAll(t *testing.T, b *bench) {
	const writers, each = 8, 60
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			id := fmt.Sprint("ses_", w)
			for i := uint64(0); i < each; i += 2 {
				if _, err := b.Append(t.Context(), journal.Append{Stream: id, Expect: i, Events: texts("a", "b")}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	live := b.rangeAll(t, writers*each, 7)
	wg.Wait()
	b.reopen()
	again := b.rangeAll(t, writers*each, 100)
	next := map[string]uint64{}
	for i, e := range live {
		if e.Index != next[e.SessionID] {
			t.Fatalf("position %d is event %d of %s, want %d", i, e.Index, e.SessionID, next[e.SessionID])
		}
		next[e.SessionID]++
		if o := again[i]; o.SessionID != e.SessionID || o.Index != e.Index || o.Type != e.Type || !o.At.Equal(e.At) {
			t.Fatalf("position %d was %+v, and from the disk it is %+v", i, e, o)
		}
	}
}

// rangeAll reads n events by ranges of a size, waiting for each.
func (b *bench) rangeAll(t *testing.T, n, size int) (all []*events.Event) {
	t.Helper()
	for at := uint64(0); at < uint64(n); {
		b.ok(b.Wait(t.Context(), at+1))
		evs, next, err := b.Range(at, size)
		b.ok(err)
		if len(evs) == 0 || next != at+uint64(len(evs)) || len(evs) > size {
			t.Fatalf("a range from %d gave %d events to %d", at, len(evs), next)
		}
		all = append(all, evs...)
		at = next
	}
	return all
}
