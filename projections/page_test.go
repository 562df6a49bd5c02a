package projections

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

// TestSessions_PagesUnderUpdates: a cursor neither skips nor repeats rows that did
// not change while others do.
func TestSessions_PagesUnderUpdates(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	const sessions, quiet = 60, 40 // the first 40 do not change
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	for _, n := range random.Perm(sessions) {
		add(t, j, sessionID(n), opening("turn_1")...)
	}
	caughtUp(t, v, j)
	for limit := 1; limit < 20; limit += 3 {
		seen := map[string]int{}
		var order []string
		for cursor := ""; ; {
			rows, next, err := v.Sessions(t.Context(), SessionQuery{Limit: limit, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				seen[r.ID]++
				order = append(order, r.ID)
			}
			if next == "" {
				break
			}
			cursor = next
			busy := sessionID(quiet + random.IntN(sessions-quiet))
			waitFor(t, v, add(t, j, busy, ev("", &events.SessionUpdated{Title: "moved"})))
		}
		for n := range quiet {
			if seen[sessionID(n)] != 1 {
				t.Errorf("limit %d: session %d came %d times in %v", limit, n, seen[sessionID(n)], order)
			}
		}
	}
}

// TestSessions_NewestFirst: "newest-updated first", by the order of the log and not by clocks.
func TestSessions_NewestFirst(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	var want []string
	for n := range 30 {
		evs := opening("turn_1")
		for i := range evs {
			evs[i].At = testTime.Add(-1e9 * 3600 * 24) // a clock that was set back
		}
		add(t, j, sessionID(n), evs...)
		want = append(want, sessionID(n))
	}
	slices.Reverse(want)
	caughtUp(t, v, j)
	rows, cursor, err := v.Sessions(t.Context(), SessionQuery{})
	if err != nil || cursor != "" {
		t.Fatal(cursor, err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, r.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestSessions_CursorIsChecked(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	addTurns(t, j, 0, 3)
	caughtUp(t, v, j)
	_, good, err := v.Sessions(t.Context(), SessionQuery{Limit: 1})
	if err != nil || good == "" {
		t.Fatal(good, err)
	}
	bad := []string{"x", "AAAA", good + "A", good[1:], strings.ToLower(good), strings.Repeat("A", 16), "ü", good + "="}
	for i := range good {
		c := byte('A')
		if good[i] == c {
			c = 'B'
		}
		bad = append(bad, good[:i]+string(c)+good[i+1:])
	}
	for _, c := range bad {
		if _, _, err := v.Sessions(t.Context(), SessionQuery{Cursor: c}); c != good && !errors.Is(err, ErrCursor) {
			t.Errorf("cursor %q: %v", c, err)
		}
	}
}

// TestSession_MovesWhileRead: a row is found while events move it.
func TestSession_MovesWhileRead(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	id := sessionID(0)
	waitFor(t, v, add(t, j, id, opening("turn_1")...))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 300 {
			add(t, j, id, ev("", &events.SessionUpdated{Title: "moved"}))
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		if _, ok, err := v.Session(t.Context(), id); err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
	}
}
