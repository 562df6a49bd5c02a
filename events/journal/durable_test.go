package journal

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// result is what an append's done was called with.
type result struct {
	at  Appended
	err error
}

func appendAsync(j *Journal, a Append) <-chan result {
	c := make(chan result, 1)
	j.AppendAsync(a, func(at Appended, err error) { c <- result{at, err} })
	return c
}

// seen is everything that a reader can find out about what tests here write.
type seen struct {
	head, position uint64
	lines, ranged  int
	streams        []Stream
}

func look(t *testing.T, j *Journal) (s seen) {
	t.Helper()
	var err error
	if s.head, err = j.Head("ses_a"); err != nil {
		t.Error(err)
	}
	lines, err := j.Read("ses_a", 0, 100)
	if err != nil {
		t.Error(err)
	}
	evs, _, err := j.Range(0, 100)
	if err != nil {
		t.Error(err)
	}
	for st, err := range j.Streams("") {
		if err != nil {
			t.Error(err)
		}
		s.streams = append(s.streams, st)
	}
	s.position, s.lines, s.ranged = j.Position(), len(lines), len(evs)
	return s
}

func (s seen) equal(o seen) bool {
	return s.head == o.head && s.position == o.position && s.lines == o.lines && s.ranged == o.ranged &&
		slices.Equal(s.streams, o.streams)
}

func marksOf(j *Journal) <-chan []Mark {
	c := make(chan []Mark, 1)
	go func() {
		defer close(c)
		var out []Mark
		for m, err := range j.Marks() {
			if err != nil {
				return
			}
			out = append(out, m)
		}
		c <- out
	}()
	return c
}

// checkWaits says that what asks for things on their way waits: here, for a context that has ended.
func checkWaits(t *testing.T, j *Journal) {
	t.Helper()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, k := range []string{"k", "old"} {
		if _, _, err := j.Lookup(ended, k, time.Now()); !errors.Is(err, context.Canceled) {
			t.Errorf("a lookup of %s, whose change is not on disk, did not wait: %v", k, err)
		}
	}
	if err := j.Wait(ended, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait for a position that is not on disk did not wait: %v", err)
	}
	for lines, err := range j.Follow(ended, "ses_a", 1) {
		t.Errorf("a follower got %v, %v", lines, err)
	}
}

// "an event is handed to a reader, hook, channel, projection or HTTP reply only
// after its append was synced to disk"
func TestJournal_NothingIsSeenBeforeItsSync(t *testing.T) {
	t.Parallel()
	d := newDisk(vfs.NewMem())
	j := openFS(t, d, nil)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("first"), Mark: MarkOp{Set: true, Value: []byte("1")}, Claims: []Claim{{Key: "old"}}})
	before := look(t, j)
	arrived := d.holdSyncs()
	key := Claim{Key: "k", Value: []byte("ses_a")}
	first := appendAsync(j, Append{Stream: "ses_a", Expect: 1, Events: texts("second"), Claims: []Claim{key}, Frees: []string{"old"}, Mark: MarkOp{Clear: true}})
	other := appendAsync(j, Append{Stream: "ses_b", Events: texts("other")})
	refused := appendAsync(j, Append{Stream: "ses_c", Events: texts("no"), Claims: []Claim{key}})
	<-arrived
	marks := marksOf(j)

	if now := look(t, j); !now.equal(before) {
		t.Errorf("with the sync held a reader saw %+v, before %+v", now, before)
	}
	checkWaits(t, j)
	select {
	case r := <-first:
		t.Errorf("done was called before the sync: %+v", r)
	case r := <-refused:
		t.Errorf("a refusal that rests on what is not on disk was given: %+v", r)
	case m := <-marks:
		t.Errorf("marks were given before the sync: %v", m)
	default:
	}

	d.release(0)
	if r := <-first; r.err != nil || r.at != (Appended{Next: 2, Position: 2}) {
		t.Errorf("after the sync: %+v", r)
	}
	if r := <-other; r.err != nil || r.at != (Appended{Next: 1, Position: 3}) {
		t.Errorf("after the sync: %+v", r)
	}
	r := <-refused
	if taken, ok := errors.AsType[*TakenError](r.err); !ok || taken.Key != "k" || string(taken.Value) != "ses_a" {
		t.Errorf("the taken key gave %v", r.err)
	}
	if _, ok, err := j.Lookup(t.Context(), "old", time.Now()); ok || err != nil {
		t.Errorf("a freed key is held: %v", err)
	}
	if m := <-marks; len(m) != 0 {
		t.Errorf("a cleared mark is there: %v", m)
	}
	want := seen{head: 2, position: 3, lines: 2, ranged: 3, streams: []Stream{{"ses_a", 2}, {"ses_b", 1}}}
	if now := look(t, j); !now.equal(want) {
		t.Errorf("after the sync a reader saw %+v, want %+v", now, want)
	}
}

// A reader that was waiting sees an event before, or when, the writer is told.
func TestJournal_VisibleWhenAcknowledged(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	for i := range uint64(200) {
		c := make(chan seen, 1)
		j.AppendAsync(Append{Stream: "ses_a", Expect: i, Events: texts("x")}, func(at Appended, err error) {
			head, _ := j.Head("ses_a")
			c <- seen{head: head, position: j.Position()}
		})
		if s := <-c; s.head != i+1 || s.position != i+1 {
			t.Fatalf("when append %d was acknowledged, head was %d, position %d", i, s.head, s.position)
		}
	}
}

// "fsync or write error: no 2xx is returned for affected work …; it never reports
// success later for data lost"
func TestJournal_FailedSyncIsNeverASuccess(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]int{"one sync": 1, "all syncs": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisk(vfs.NewMem())
			j := openFS(t, d, nil)
			mustAppend(t, j, Append{Stream: "ses_a", Events: texts("first")})
			before := look(t, j)
			arrived := d.holdSyncs()
			lost := appendAsync(j, Append{Stream: "ses_a", Expect: 1, Events: texts("lost"), Claims: []Claim{{Key: "k"}}, Mark: MarkOp{Set: true}})
			<-arrived
			after := appendAsync(j, Append{Stream: "ses_b", Events: texts("after")})
			d.release(fail)
			for _, c := range []<-chan result{lost, after} {
				if r := <-c; !errors.Is(r.err, ErrFailed) || !errors.Is(r.err, errDisk) {
					t.Errorf("a lost append gave %+v", r)
				}
			}
			<-j.Failed()
			for range 3 {
				if _, err := j.Append(t.Context(), Append{Stream: "ses_c", Events: texts("later")}); !errors.Is(err, ErrFailed) {
					t.Errorf("an append after the failure gave %v", err)
				}
			}
			if now := look(t, j); !now.equal(before) {
				t.Errorf("after the failure a reader sees %+v, before %+v", now, before)
			}
			if _, _, err := j.Lookup(t.Context(), "k", time.Now()); !errors.Is(err, ErrFailed) {
				t.Errorf("a lost claim gave %v", err)
			}
			if m, ok := <-marksOf(j); ok {
				t.Errorf("lost marks were given: %v", m)
			}
			if err := j.PutSnapshot("ses_a", 1, nil); !errors.Is(err, ErrFailed) {
				t.Errorf("a snapshot after the failure gave %v", err)
			}
			b := j.Space("s").NewBatch()
			b.Set([]byte("k"), nil)
			if err := b.Commit(true); !errors.Is(err, ErrFailed) {
				t.Errorf("a batch after the failure gave %v", err)
			}
		})
	}
}
