package journaltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// "A 2xx for a message means it is on disk", and after a restart everything goes
// on where it was: "highest sequence number never goes down".
func testRestart(t *testing.T, b *bench) {
	b.five()
	before := b.dump("ses_a")
	for i := range uint64(3) {
		b.reopen()
		if now := b.dump("ses_a"); !sameLines(now[:5], before) {
			t.Fatalf("restart %d: the log changed", i)
		}
		if p := b.Position(); p != 6+i {
			t.Errorf("restart %d: the position is %d", i, p)
		}
		if r := b.put("ses_a", 5+i, texts("x")...); r != (journal.Appended{Next: 6 + i, Position: 7 + i}) {
			t.Errorf("restart %d: the append went to %+v", i, r)
		}
	}
}

// "Event indexes per session start at 0 and are dense: no gap, no repeat, across
// restarts, crashes, failed appends and concurrent senders."
func testDense(t *testing.T, b *bench) {
	rng := rand.New(rand.NewPCG(1, 2))
	next := map[string]uint64{}
	position := uint64(0)
	for range 400 {
		id := fmt.Sprint("ses_", rng.IntN(4))
		evs := texts(make([]string, 1+rng.IntN(4))...)
		a := journal.Append{Stream: id, Expect: next[id], Events: evs}
		want := true
		switch rng.IntN(6) {
		case 0:
			a.Expect, want = a.Expect+1+uint64(rng.IntN(3)), false
		case 1:
			a.Events, want = append(a.Events, events.New("", at, &events.SessionCompleted{Result: []byte("{")})), false
		case 2:
			a.Claims = []journal.Claim{{Key: "taken"}}
			_, taken, err := b.Lookup(t.Context(), "taken", at)
			b.ok(err)
			want = !taken
		}
		r, err := b.Append(t.Context(), a)
		if (err == nil) != want {
			t.Fatalf("an append gave %v", err)
		}
		if want {
			next[id] += uint64(len(evs))
			position += uint64(len(evs))
			if r.Next != next[id] || r.Position != position {
				t.Fatalf("an append went to %+v, want %d and %d", r, next[id], position)
			}
		}
		if rng.IntN(100) == 0 {
			b.reopen()
		}
	}
	for id, n := range next {
		lines := b.dump(id)
		if uint64(len(lines)) != n {
			t.Errorf("%s has %d events, want %d", id, len(lines), n)
		}
		b.checkDense(id, 0, lines)
	}
}

// Of concurrent appends that expect the same index one wins, the others write nothing.
func testOneWinner(t *testing.T, b *bench) {
	const writers, each = 4, 20
	var wg sync.WaitGroup
	var lost atomic.Int64
	for w := range writers {
		wg.Go(func() {
			for n := 0; n < each; {
				head, err := b.Head("ses_a")
				if err != nil {
					t.Error(err)
					return
				}
				a := journal.Append{Stream: "ses_a", Expect: head, Events: texts(fmt.Sprint(w))}
				_, err = b.Append(t.Context(), a)
				switch {
				case err == nil:
					n++
				case errors.Is(err, journal.ErrMoved):
					lost.Add(1)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	lines := b.dump("ses_a")
	if len(lines) != writers*each || b.Position() != writers*each {
		t.Errorf("%d lines at position %d, want %d (%d appends lost the race)", len(lines), b.Position(), writers*each, lost.Load())
	}
	b.checkDense("ses_a", 0, lines)
}

// "Calls come in the order of positions", each once, and a stream takes further
// appends while earlier ones are on their way.
func testDoneInOrder(t *testing.T, b *bench) {
	const writers, each = 6, 50
	var mu sync.Mutex
	var positions []uint64
	var called sync.WaitGroup
	called.Add(writers * each)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			id := fmt.Sprint("ses_", w)
			for i := range uint64(each) {
				b.AppendAsync(journal.Append{Stream: id, Expect: i, Events: texts("x")}, func(r journal.Appended, err error) {
					defer called.Done()
					if err != nil || r.Next != i+1 {
						t.Errorf("%s, append %d: %+v, %v", id, i, r, err)
					}
					mu.Lock()
					defer mu.Unlock()
					positions = append(positions, r.Position)
				})
			}
		})
	}
	wg.Wait()
	called.Wait()
	for i, p := range positions {
		if p != uint64(i+1) {
			t.Fatalf("call %d was for position %d", i, p)
		}
	}
	if len(positions) != writers*each {
		t.Errorf("%d calls, want %d", len(positions), writers*each)
	}
}
