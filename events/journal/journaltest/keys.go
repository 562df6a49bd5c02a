package journaltest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/events/journal"
)

// "Unique keys that its events carry … are claimed in the same batch: a taken one
// writes nothing and names the holder."
func testClaims(t *testing.T, b *bench) {
	claim := func(stream string, expect uint64, now time.Time, frees []string, claims ...journal.Claim) error {
		_, err := b.Append(t.Context(), journal.Append{Stream: stream, Expect: expect, Events: texts("x"), Now: now, Claims: claims, Frees: frees})
		return err
	}
	check := func(key string, now time.Time, want string) {
		t.Helper()
		v, ok, err := b.Lookup(t.Context(), key, now)
		if err != nil || ok != (want != "") || string(v) != want {
			t.Errorf("the holder of %q is %q, %v, %v; want %q", key, v, ok, err, want)
		}
	}
	taken := func(err error, key, holder string) {
		t.Helper()
		e, ok := errors.AsType[*journal.TakenError](err)
		if !ok || e.Key != key || string(e.Value) != holder {
			t.Errorf("a taken key gave %v, want %s held by %s", err, key, holder)
		}
	}
	b.ok(claim("ses_a", 0, at, nil, journal.Claim{Key: "ever", Value: []byte("A")}, journal.Claim{Key: "hour", Value: []byte("A"), Until: at.Add(time.Hour)}))
	for range 2 {
		check("ever", at.Add(1000*time.Hour), "A")
		check("hour", at.Add(time.Hour-1), "A")
		check("hour", at.Add(time.Hour), "")
		check("none", at, "")
		taken(claim("ses_b", 0, at, nil, journal.Claim{Key: "new"}, journal.Claim{Key: "ever", Value: []byte("B")}), "ever", "A")
		taken(claim("ses_b", 0, at, nil, journal.Claim{Key: "hour", Value: []byte("B")}), "hour", "A")
		taken(claim("ses_b", 0, at, nil, journal.Claim{Key: "twice", Value: []byte("1")}, journal.Claim{Key: "twice", Value: []byte("2")}), "twice", "1")
		check("new", at, "")
		check("twice", at, "")
		if head, err := b.Head("ses_b"); head != 0 || err != nil {
			t.Errorf("a refused append wrote: head %d, %v", head, err)
		}
		b.reopen()
	}
	b.ok(claim("ses_b", 0, at.Add(time.Hour), nil, journal.Claim{Key: "hour", Value: []byte("B")}))
	check("hour", at.Add(2*time.Hour), "B")
	b.ok(claim("ses_a", 1, at, []string{"ever", "unknown"}))
	check("ever", at, "")
	b.ok(claim("ses_b", 1, at, nil, journal.Claim{Key: "ever", Value: []byte("B")}))
	check("ever", at, "B")
	b.ok(claim("ses_a", 2, at, []string{"ever"}, journal.Claim{Key: "ever", Value: []byte("A again")}))
	check("ever", at, "A again")
	taken(claim("ses_b", 2, at, nil, journal.Claim{Key: "ever", Value: []byte("B")}), "ever", "A again")
	b.reopen()
	check("ever", at, "A again")
}

// "message and token rotation land in the same atomic batch": the claim and the
// events of an append are there together, or not at all.
func testClaimAtomic(t *testing.T, b *bench) {
	for i := range uint64(40) {
		a := journal.Append{Stream: "ses_a", Expect: i, Events: texts("x"), Claims: []journal.Claim{{Key: fmt.Sprint(i)}}}
		if i%4 == 3 {
			a.Expect = i + 1
			if _, err := b.Append(t.Context(), a); err == nil {
				t.Fatal("a gap was written")
			}
			a.Expect = i
			_, ok, err := b.Lookup(t.Context(), fmt.Sprint(i), at)
			if ok || err != nil {
				t.Fatalf("claim %d is there without its event: %v", i, err)
			}
		}
		_, err := b.Append(t.Context(), a)
		b.ok(err)
		if _, ok, err := b.Lookup(t.Context(), fmt.Sprint(i), at); !ok || err != nil {
			t.Fatalf("claim %d is not there with its event: %v", i, err)
		}
	}
}

// Of many who claim one key at a time one gets it, and the others learn who.
func testClaimRace(t *testing.T, b *bench) {
	for round := range 20 {
		key := fmt.Sprint("k", round)
		var wins atomic.Int64
		var winner atomic.Value
		var losers sync.Map
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				id := fmt.Sprintf("ses_%d_%d", round, w)
				_, err := b.Append(t.Context(), journal.Append{Stream: id, Events: texts("x"), Claims: []journal.Claim{{Key: key, Value: []byte(id)}}})
				if err == nil {
					wins.Add(1)
					winner.Store(id)
					return
				}
				if e, ok := errors.AsType[*journal.TakenError](err); ok {
					losers.Store(w, string(e.Value))
				} else {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if wins.Load() != 1 {
			t.Fatalf("%d appends got %s", wins.Load(), key)
		}
		losers.Range(func(w, holder any) bool {
			if holder != winner.Load() {
				t.Errorf("%v was told that %v holds %s, but it is %v", w, holder, key, winner.Load())
			}
			return true
		})
	}
}

// "The journal keeps, in the append's own batch, an open mark for each session that has something to do"
func testMarks(t *testing.T, b *bench) {
	mark := func(stream string, expect uint64, m journal.MarkOp) {
		t.Helper()
		_, err := b.Append(t.Context(), journal.Append{Stream: stream, Expect: expect, Events: texts("x"), Mark: m})
		b.ok(err)
	}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for m, err := range b.Marks() {
			b.ok(err)
			got = append(got, m.Stream+"="+string(m.Value))
			if one, err := b.Mark(m.Stream); err != nil || one == nil || string(one) != string(m.Value) {
				t.Errorf("the mark of %s is %q, %v", m.Stream, one, err)
			}
		}
		if one, err := b.Mark("ses_c"); err != nil || one != nil {
			t.Errorf("a stream without a mark has %q, %v", one, err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the marks are %q, want %q", got, want)
		}
	}
	check()
	mark("ses_b", 0, journal.MarkOp{Set: true, Value: []byte("1")})
	mark("ses_a", 0, journal.MarkOp{Set: true})
	mark("ses_c", 0, journal.MarkOp{})
	check("ses_a=", "ses_b=1")
	mark("ses_b", 1, journal.MarkOp{})
	mark("ses_a", 1, journal.MarkOp{Set: true, Value: []byte("2")})
	check("ses_a=2", "ses_b=1")
	b.reopen()
	check("ses_a=2", "ses_b=1")
	mark("ses_a", 2, journal.MarkOp{Clear: true})
	check("ses_b=1")
	// A mark alone takes no index and no position.
	r, err := b.Append(t.Context(), journal.Append{Stream: "ses_b", Expect: 2, Mark: journal.MarkOp{Set: true, Value: []byte("3")}})
	if err != nil || r.Next != 2 {
		t.Errorf("a mark alone gave %+v, %v", r, err)
	}
	check("ses_b=3")
	b.reopen()
	check("ses_b=3")
	if p := b.Position(); p != 6 {
		t.Errorf("the position is %d, want 6", p)
	}
}

func testStreams(t *testing.T, b *bench) {
	check := func(prefix string, want ...journal.Stream) {
		t.Helper()
		var got []journal.Stream
		for s, err := range b.Streams(prefix) {
			b.ok(err)
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the logs of %q are %v, want %v", prefix, got, want)
		}
	}
	check("")
	b.put("ses_b", 0, texts("x")...)
	b.put("ses_a", 0, texts("x", "y")...)
	b.put("agt_bot", 0, texts("x")...)
	_, err := b.Hold("ses_held")
	b.ok(err)
	for range 2 {
		check("", journal.Stream{ID: "agt_bot", Head: 1}, journal.Stream{ID: "ses_a", Head: 2}, journal.Stream{ID: "ses_b", Head: 1})
		check("ses_", journal.Stream{ID: "ses_a", Head: 2}, journal.Stream{ID: "ses_b", Head: 1})
		check("ses_a", journal.Stream{ID: "ses_a", Head: 2})
		check("x")
		b.reopen()
	}
	for range b.Streams("") {
		break // leaving early is fine
	}
}

func testSnapshots(t *testing.T, b *bench) {
	check := func(stream string, index uint64, state string, want bool) {
		t.Helper()
		i, s, ok, err := b.Snapshot(stream)
		if err != nil || ok != want || i != index || string(s) != state {
			t.Errorf("the snapshot of %s is %d, %q, %v, %v", stream, i, s, ok, err)
		}
	}
	b.five()
	check("ses_a", 0, "", false)
	b.ok(b.PutSnapshot("ses_a", 3, []byte("three")))
	check("ses_a", 3, "three", true)
	b.ok(b.PutSnapshot("ses_a", 5, nil))
	check("ses_a", 5, "", true)
	check("ses_b", 0, "", false)
	if err := b.PutSnapshot("ses_a", 6, nil); err == nil {
		t.Error("a snapshot past the head was taken")
	}
	b.reopen()
	check("ses_a", 5, "", true)
}

func testHold(t *testing.T, b *bench) {
	for i := range uint64(5) {
		next, err := b.Hold("ses_a")
		if err != nil || next != i {
			t.Fatalf("hold %d gave %d, %v", i, next, err)
		}
		b.put("ses_a", i, texts("x")...)
		if i%2 == 1 {
			b.Release("ses_a")
		}
	}
	for range 10 {
		b.Release("ses_a") // more than were held: harmless
	}
	b.Release("ses_unknown")
	if n := len(b.dump("ses_a")); n != 5 {
		t.Errorf("%d events, want 5", n)
	}
}

// After Close every call fails or gives nothing, and followers have ended.
func testClosed(t *testing.T, b *bench) {
	b.five()
	ended := make(chan error, 1)
	waiting := make(chan struct{})
	go func() {
		var last error
		for _, err := range b.Follow(t.Context(), "ses_a", 4) {
			if last = err; err == nil {
				close(waiting)
			}
		}
		ended <- last
	}()
	<-waiting
	b.ok(b.Close())
	b.ok(b.Close())
	if err := <-ended; !errors.Is(err, journal.ErrClosed) {
		t.Errorf("a follower ended with %v", err)
	}
	_, err := b.Append(t.Context(), journal.Append{Stream: "ses_a", Expect: 5, Events: texts("x")})
	_, headErr := b.Head("ses_a")
	_, readErr := b.Read("ses_a", 0, 5)
	_, _, lookupErr := b.Lookup(t.Context(), "k", at)
	_, _, _, snapshotErr := b.Snapshot("ses_a")
	for what, err := range map[string]error{
		"append": err, "head": headErr, "read": readErr, "lookup": lookupErr, "snapshot": snapshotErr,
		"put snapshot": b.PutSnapshot("ses_a", 1, nil), "wait": b.Wait(t.Context(), 100),
	} {
		if !errors.Is(err, journal.ErrClosed) {
			t.Errorf("%s gave %v", what, err)
		}
	}
	for _, err := range b.Marks() {
		if !errors.Is(err, journal.ErrClosed) {
			t.Errorf("marks gave %v", err)
		}
	}
}
