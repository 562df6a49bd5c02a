package journaltest

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// five writes five events in two appends.
func (b *bench) five() {
	b.put("ses_a", 0, texts("0", "1", "2")...)
	b.put("ses_a", 3, texts("3", "4")...)
	b.put("ses_b", 0, texts("b")...)
}

// "any journal plugin replays exactly the asked range, in order": a range that is
// empty, backwards or past the end gives nothing, an unknown id gives nothing.
func testBounds(t *testing.T, b *bench) {
	b.five()
	cases := []struct {
		stream   string
		from, to uint64
		n        int
	}{
		{"ses_a", 0, 5, 5},
		{"ses_a", 0, 100, 5},
		{"ses_a", 0, math.MaxUint64, 5},
		{"ses_a", 0, 1, 1},
		{"ses_a", 0, 0, 0},
		{"ses_a", 2, 3, 1},
		{"ses_a", 2, 4, 2},
		{"ses_a", 3, 3, 0},
		{"ses_a", 4, 2, 0},
		{"ses_a", 4, 5, 1},
		{"ses_a", 4, 9, 1},
		{"ses_a", 5, 9, 0},
		{"ses_a", 100, 200, 0},
		{"ses_a", math.MaxUint64 - 1, math.MaxUint64, 0},
		{"ses_b", 0, 9, 1},
		{"ses_", 0, 9, 0},
		{"ses_aa", 0, 9, 0},
		{"ses_unknown", 0, 9, 0},
	}
	for _, held := range []bool{false, true} {
		if held {
			_, err := b.Hold("ses_a")
			b.ok(err)
			defer b.Release("ses_a")
		}
		for _, c := range cases {
			lines, err := b.Read(c.stream, c.from, c.to)
			if err != nil || len(lines) != c.n {
				t.Errorf("Read(%s, %d, %d) gave %d lines, %v; want %d", c.stream, c.from, c.to, len(lines), err, c.n)
			}
			b.checkDense(c.stream, c.from, lines)
		}
	}
	for stream, want := range map[string]uint64{"ses_a": 5, "ses_b": 1, "ses_": 0, "ses_unknown": 0} {
		if head, err := b.Head(stream); err != nil || head != want {
			t.Errorf("the head of %s is %d, %v; want %d", stream, head, err, want)
		}
	}
	last := []bool{false, false, true, false, true}
	for i, l := range b.dump("ses_a") {
		if l.Last != last[i] {
			t.Errorf("line %d is the last of its append: %v", i, l.Last)
		}
	}
}

// "count limit 0 returns nothing", over all logs.
func testRangeBounds(t *testing.T, b *bench) {
	b.five()
	for _, fresh := range []bool{true, false} {
		if !fresh {
			b.reopen()
		}
		for _, c := range []struct {
			from uint64
			max  int
			n    int
		}{
			{0, 0, 0}, {0, -1, 0}, {0, 1, 1}, {0, 6, 6}, {0, 100, 6}, {0, math.MaxInt, 6},
			{2, 2, 2}, {4, 9, 2}, {5, 9, 1}, {6, 9, 0}, {7, 9, 0}, {math.MaxUint64, 9, 0},
		} {
			evs, next, err := b.Range(c.from, c.max)
			if err != nil || len(evs) != c.n || next != c.from+uint64(c.n) {
				t.Errorf("Range(%d, %d) gave %d events to %d, %v; want %d", c.from, c.max, len(evs), next, err, c.n)
			}
		}
	}
	if p := b.Position(); p != 6 {
		t.Errorf("the position is %d, want 6", p)
	}
}

// "N at or past the head waits for that index and sends nothing older."
func testFollowBounds(t *testing.T, b *bench) {
	b.five()
	for _, from := range []uint64{0, 1, 4, 5, 6, 8} {
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan []journal.Line, 1)
		go func() {
			lines, err := b.follow(ctx, "ses_f", from, 9-int(from))
			if err != nil {
				t.Errorf("following from %d: %v", from, err)
			}
			got <- lines
		}()
		head, err := b.Head("ses_f")
		b.ok(err)
		for i := head; i < 9; i++ {
			b.put("ses_f", i, texts("x")...)
		}
		lines := <-got
		if len(lines) != 9-int(from) {
			t.Errorf("following from %d gave %d lines", from, len(lines))
		}
		b.checkDense("ses_f", from, lines)
		cancel()
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for lines, err := range b.Follow(ended, "ses_unknown", 0) {
		t.Errorf("an ended follower of an unknown log got %v, %v", lines, err)
	}
}

// "an unserialisable event is rejected without consuming a number"
func testUnencodable(t *testing.T, b *bench) {
	b.five()
	bad := texts("5", "6")
	bad = append(bad, events.New("", at, &events.SessionCompleted{Result: []byte(`{"half`)}))
	_, err := b.Append(t.Context(), journal.Append{Stream: "ses_a", Expect: 5, Events: bad, Claims: []journal.Claim{{Key: "k"}}})
	if err == nil {
		t.Fatal("an event that is no JSON was taken")
	}
	b.unharmed(t)
}

// unharmed says that nothing came to what five wrote, and that it goes on from there.
func (b *bench) unharmed(t *testing.T) {
	t.Helper()
	if n := len(b.dump("ses_a")); n != 5 {
		t.Errorf("%d events are there, want 5", n)
	}
	if p := b.Position(); p != 6 {
		t.Errorf("the position is %d, want 6", p)
	}
	if _, ok, err := b.Lookup(t.Context(), "k", at); ok || err != nil {
		t.Errorf("the claim of a refused append is there: %v, %v", ok, err)
	}
	if r := b.put("ses_a", 5, texts("5")...); r != (journal.Appended{Next: 6, Position: 7}) {
		t.Errorf("the next append went to %+v", r)
	}
}

// "An append is all or nothing and carries the index that it expects: a mismatch writes nothing."
func testMoved(t *testing.T, b *bench) {
	b.five()
	for _, expect := range []uint64{0, 4, 6, math.MaxUint64} {
		_, err := b.Append(t.Context(), journal.Append{Stream: "ses_a", Expect: expect, Events: texts("x"), Claims: []journal.Claim{{Key: "k"}}, Mark: journal.MarkOp{Set: true}})
		if !errors.Is(err, journal.ErrMoved) {
			t.Errorf("an append at %d of 5 gave %v", expect, err)
		}
	}
	if _, err := b.Append(t.Context(), journal.Append{Stream: "ses_new", Expect: 1, Events: texts("x")}); !errors.Is(err, journal.ErrMoved) {
		t.Errorf("an append at 1 of a new log gave %v", err)
	}
	for m, err := range b.Marks() {
		t.Errorf("the mark of a refused append is there: %v, %v", m, err)
	}
	b.unharmed(t)
}

// "ids of all kinds, with Cyrillic, emoji, 512 chars"; none takes another's events.
func testIDs(t *testing.T, b *bench) {
	ids := []string{
		"ses_01K00000000000000000000000", "agt_bot", "a", "aa", "a\x01", "a\x01\x00"[:2] + "b", "a/b", "a b", "ses_",
		"сессия-первая", "🦊", "🦊🦊", "e\u0301", "é", "\u2028", "\x7f", "\"quoted\\\"", "ÿ", "\U0010ffff",
		strings.Repeat("x", 512), strings.Repeat("x", 511), strings.Repeat("ы", 256), "e", "h", "p", "\n",
	}
	for round := range uint64(3) {
		for _, id := range ids {
			b.put(id, 2*round, texts(id, id)...)
		}
	}
	for range 2 {
		for _, id := range ids {
			lines := b.dump(id)
			if len(lines) != 6 {
				t.Errorf("%q has %d events", id, len(lines))
			}
			b.checkDense(id, 0, lines)
		}
		evs, _, err := b.Range(0, 1000)
		if err != nil || len(evs) != 6*len(ids) {
			t.Errorf("a range over all gave %d events, %v", len(evs), err)
		}
		b.reopen()
	}
}

func testBadIDs(t *testing.T, b *bench) {
	for _, id := range []string{"", "\x00", "a\x00", "a\x00b", "\xff", "a\xc3"} {
		if _, err := b.Append(t.Context(), journal.Append{Stream: id, Events: texts("x")}); err == nil {
			t.Errorf("an append to %q was taken", id)
		}
		if _, err := b.Hold(id); err == nil {
			t.Errorf("%q was held", id)
		}
		if _, err := b.Read(id, 0, 1); err == nil {
			t.Errorf("%q was read", id)
		}
	}
	if p := b.Position(); p != 0 {
		t.Errorf("the position is %d", p)
	}
}
