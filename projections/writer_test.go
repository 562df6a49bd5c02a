package projections

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A memory is a rowStore, and the dumb twin of a Writer.
type memory map[string]string

func (m memory) Get(key []byte) ([]byte, bool, error) {
	v, ok := m[string(key)]
	return []byte(v), ok, nil
}

func (m memory) Scan(from, to []byte, descending bool) iter.Seq2[journal.KV, error] {
	return func(yield func(journal.KV, error) bool) {
		keys := slices.Sorted(maps.Keys(m))
		if descending {
			slices.Reverse(keys)
		}
		for _, k := range keys {
			if k < string(from) || to != nil && k >= string(to) {
				continue
			}
			if !yield(journal.KV{Key: []byte(k), Value: []byte(m[k])}, nil) {
				return
			}
		}
	}
}

func scanned(t fataler, seq iter.Seq2[journal.KV, error]) (out []string) {
	for kv, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(kv.Key)+"="+string(kv.Value))
	}
	return out
}

type fataler interface{ Fatal(args ...any) }

// TestWriter_LikeAMap: gets and scans of a Writer see committed rows, the range's
// own, and nothing of an event that was dropped, as a map would show them.
func TestWriter_LikeAMap(t *testing.T) {
	t.Parallel()
	key := rapid.StringMatching(`[a-d]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		store := memory(rapid.MapOf(key, rapid.StringMatching(`[x-z]?`)).Draw(t, "store"))
		w, twin, before := newWriter(store), maps.Clone(store), maps.Clone(store)
		w.begin(0)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			k := key.Draw(t, "key")
			switch rapid.IntRange(0, 5).Draw(t, "op") {
			case 0:
				v := rapid.StringMatching(`[x-z]?`).Draw(t, "value")
				w.Set([]byte(k), []byte(v))
				twin[k] = v
			case 1:
				w.Delete([]byte(k))
				delete(twin, k)
			case 2:
				w.begin(w.Position() + 1)
				before = maps.Clone(twin)
			case 3:
				w.rollback()
				twin = maps.Clone(before)
			case 4:
				v, ok, err := w.Get([]byte(k))
				if want, has := twin[k]; err != nil || ok != has || string(v) != want {
					t.Fatalf("Get(%q) = %q, %v, %v; want %q, %v", k, v, ok, err, want, has)
				}
			case 5:
				var to []byte
				if rapid.Bool().Draw(t, "bounded") {
					to = []byte(key.Draw(t, "to"))
				}
				descending := rapid.Bool().Draw(t, "descending")
				got := scanned(t, w.Scan([]byte(k), to, descending))
				if want := scanned(t, twin.Scan([]byte(k), to, descending)); !slices.Equal(got, want) {
					t.Fatalf("Scan(%q, %q, %v) = %q, want %q", k, to, descending, got, want)
				}
			}
		}
	})
}

// TestWriter_KeepsCopies: what a caller does to its slices afterwards changes no row.
func TestWriter_KeepsCopies(t *testing.T) {
	t.Parallel()
	w := newWriter(memory{"b": "old"})
	k, v := []byte("a"), []byte("1")
	w.Set(k, v)
	k[0], v[0] = 'z', '9'
	got, _, err := w.Get([]byte("a"))
	if err != nil || string(got) != "1" {
		t.Fatalf("got %q, %v", got, err)
	}
	got[0] = '7'
	if rows := scanned(t, w.Scan(nil, nil, false)); !slices.Equal(rows, []string{"a=1", "b=old"}) {
		t.Errorf("rows %q", rows)
	}
}

// TestWriter_ScanBrokenOff: a loop may end early, and may write to what it scans.
func TestWriter_ScanBrokenOff(t *testing.T) {
	t.Parallel()
	w := newWriter(memory{"a": "1", "c": "3"})
	w.Set([]byte("b"), []byte("2"))
	n := 0
	for kv, err := range w.Scan(nil, nil, false) {
		if err != nil {
			t.Fatal(err)
		}
		w.Delete(kv.Key)
		if n++; n == 2 {
			break
		}
	}
	if rows := scanned(t, w.Scan(nil, nil, false)); !slices.Equal(rows, []string{"c=3"}) {
		t.Errorf("rows %q", rows)
	}
}

var errDisk = errors.New("the disk is gone")

type brokenStore struct{}

func (brokenStore) Get([]byte) ([]byte, bool, error) { return nil, false, errDisk }
func (brokenStore) Scan(_, _ []byte, _ bool) iter.Seq2[journal.KV, error] {
	return func(yield func(journal.KV, error) bool) { yield(journal.KV{}, errDisk) }
}

// TestWriter_StoreFault: an error of the store is known as one, also when the
// projection takes no notice of it.
func TestWriter_StoreFault(t *testing.T) {
	t.Parallel()
	w := newWriter(brokenStore{})
	if _, _, err := w.Get([]byte("a")); !errors.Is(err, errDisk) || w.fault == nil {
		t.Errorf("got %v, fault %v", err, w.fault)
	}
	w.reset()
	for _, err := range w.Scan(nil, nil, false) {
		if !errors.Is(err, errDisk) || w.fault == nil {
			t.Errorf("got %v, fault %v", err, w.fault)
		}
	}
}

// TestRowCache_Bounded: what was written last is there, and the cache never grows beyond two generations.
func TestRowCache_Bounded(t *testing.T) {
	t.Parallel()
	c := newRowCache()
	for i := range 5 * cacheRows {
		c.put(fmt.Sprint(i), &pending{})
		if n := len(c.young) + len(c.old); n > 2*cacheRows {
			t.Fatalf("%d rows", n)
		}
		if _, ok := c.get(fmt.Sprint(max(0, i-cacheRows+1))); !ok {
			t.Fatalf("row %d is not there at %d", i-cacheRows+1, i)
		}
	}
}

// TestPack_RoundTrip: a row that was cut anywhere is refused, never read as another.
func TestPack_RoundTrip(t *testing.T) {
	t.Parallel()
	s := &sessionState{position: 7, row: SessionRow{ID: "a", Title: "t", CreatedAt: testTime, UpdatedAt: testTime}}
	s.turn = turnState{running: "t1", queued: []string{"t2", "t3"}, steps: []string{""}, calls: []openCall{{id: "c", waits: true}}}
	s.money = tally{sum: 5, priced: 1, model: "m", loose: spending{used: []modelUsage{{model: "x", usage: events.Usage{InputTokens: 9}}}, spent: true}, open: spending{
		model: "m", stepping: []steppingModel{{"c", "n"}}, used: []modelUsage{{"m", events.Usage{InputTokens: 3}}}, spent: true,
	}}
	b := s.encode()
	got, err := decodeSession(7, b)
	if err != nil {
		t.Fatal(err)
	}
	s.listed, s.isListed = 7, true
	if fmt.Sprintf("%+v", got.turn) != fmt.Sprintf("%+v", s.turn) || fmt.Sprintf("%+v", got.money) != fmt.Sprintf("%+v", s.money) ||
		asJSON(t, got.shown(nil)) != asJSON(t, s.shown(nil)) {
		t.Errorf("got %+v, want %+v", got, s)
	}
	for n := range b {
		if _, err := decodeSession(7, b[:n]); !errors.Is(err, errRow) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	sum := amount(0)
	for range 1000 {
		a, ok := amountOf(0.1)
		if !ok {
			t.Fatal("0.1 is no amount")
		}
		sum = sum.plus(a)
	}
	if sum.usd() != 100 {
		t.Errorf("1000 times 0.1 is %v", sum.usd())
	}
	for _, usd := range []float64{-0.01, maxUSD * 2, nan()} {
		if _, ok := amountOf(usd); ok {
			t.Errorf("%v is taken as an amount", usd)
		}
	}
	if most := amount(1<<63 - 1); most.plus(1) != most {
		t.Error("a sum wraps around")
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}
