package store

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/clock"
)

// TestMain makes random runs fewer than rapid's own 100: each opens stores and crashes them.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	m.Run()
}

// A hand is a clock that moves when it is told to.
type hand struct {
	clock.System
	mu  sync.Mutex
	now time.Time
}

func newHand() *hand { return &hand{now: time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)} }

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hand) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// A disk is a state root in memory that can be closed, opened and crashed.
type disk struct {
	fs    *vfs.MemFS
	j     *journal.Journal
	clock *hand
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	d := &disk{fs: vfs.NewCrashableMem(), clock: newHand()}
	must(t, d.fs.MkdirAll("root", 0o755))
	top, err := d.fs.OpenDir("/")
	must(t, err)
	must(t, top.Sync()) // a crash keeps the folder itself
	must(t, top.Close())
	return d
}

func (d *disk) open(t testing.TB) *kv {
	t.Helper()
	j, err := journal.Open("root", &journal.Options{FS: d.fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	d.j = j
	return NewKV(j.Space("kv"), d.clock).(*kv)
}

// crash gives the disk as a power cut at this moment leaves it.
func (d *disk) crash() *disk {
	return &disk{fs: d.fs.CrashClone(vfs.CrashCloneCfg{}), clock: d.clock}
}

func put(t testing.TB, s agent.KV, key, value string, o agent.PutOptions) int64 {
	t.Helper()
	version, err := s.Put(context.Background(), key, json.RawMessage(value), o)
	if err != nil {
		t.Fatalf("Put(%q): %v", key, err)
	}
	return version
}

// get gives the value of a key, "-" when it is absent.
func get(t testing.TB, s agent.KV, key string) string {
	t.Helper()
	e, ok, err := s.Get(context.Background(), key)
	if err != nil {
		t.Fatalf("Get(%q): %v", key, err)
	}
	if !ok {
		return "-"
	}
	return string(e.Value)
}

func keys(entries []agent.KVEntry) []string {
	ks := make([]string, len(entries))
	for i, e := range entries {
		ks[i] = e.Key
	}
	return ks
}

// "values as raw JSON (kept byte for byte)" and "synced before they return".
func TestKV_ValueSurvivesCrashByteForByte(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	s := d.open(t)
	values := []string{`{"b":1, "a":12345678901234567890.10,"a":2}`, `null`, `"\u0000 é 😊"`, ` [1 ,2] `, `0`, `""`}
	for i, v := range values {
		put(t, s, fmt.Sprintf("a:b/%d", i), v, agent.PutOptions{})
	}
	s = d.crash().open(t)
	for i, v := range values {
		if got := get(t, s, fmt.Sprintf("a:b/%d", i)); got != v {
			t.Errorf("value %s came back as %s", v, got)
		}
	}
}

// "Keys 1–512 bytes; values 1 MiB."
func TestKV_Bounds(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newDisk(t).open(t)
	big := `"` + strings.Repeat("x", MaxValue-2) + `"`
	long := strings.Repeat("к", MaxKey/2)
	put(t, s, long, big, agent.PutOptions{})
	if get(t, s, long) != big || get(t, s, "k") != "-" {
		t.Fatal("the largest pair did not come back")
	}
	minus := int64(-1)
	bad := []struct {
		key, value string
		o          agent.PutOptions
	}{
		{"", `1`, agent.PutOptions{}},
		{long + "x", `1`, agent.PutOptions{}},
		{"a\xff", `1`, agent.PutOptions{}},
		{"k", big + " ", agent.PutOptions{}},
		{"k", ``, agent.PutOptions{}},
		{"k", `undefined`, agent.PutOptions{}},
		{"k", `NaN`, agent.PutOptions{}},
		{"k", `1 2`, agent.PutOptions{}},
		{"k", "\"\xff\"", agent.PutOptions{}},
		{"k", `1`, agent.PutOptions{TTL: -1}},
		{"k", `1`, agent.PutOptions{IfVersion: &minus}},
	}
	for _, c := range bad {
		if _, err := s.Put(ctx, c.key, json.RawMessage(c.value), c.o); err == nil || !strings.HasPrefix(err.Error(), "kv: ") {
			t.Errorf("Put(%.20q, %.20q, %+v) = %v, want an error", c.key, c.value, c.o, err)
		}
	}
	if get(t, s, "k") != "-" {
		t.Error("a refused put wrote something")
	}
	if _, _, err := s.Get(ctx, ""); err == nil {
		t.Error("Get took an empty key")
	}
	if _, err := s.Delete(ctx, long+"x"); err == nil {
		t.Error("Delete took a long key")
	}
}

// "put(key, json, {ttlSeconds?, ifVersion?}) → {version}".
func TestKV_CompareAndSet(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := newDisk(t)
	s := d.open(t)
	cas := func(s agent.KV, value string, version int64) (int64, error) {
		return s.Put(ctx, "k", json.RawMessage(value), agent.PutOptions{IfVersion: &version})
	}
	v1, err := cas(s, `1`, 0)
	must(t, err)
	if _, err := cas(s, `2`, 0); !errors.Is(err, agent.ErrVersionConflict) {
		t.Fatalf("absent was asked of a key that is there: %v", err)
	}
	v2, err := cas(s, `2`, v1)
	must(t, err)
	if _, err := cas(s, `3`, v1); !errors.Is(err, agent.ErrVersionConflict) {
		t.Fatalf("an old version was taken: %v", err)
	}
	if there, err := s.Delete(ctx, "k"); !there || err != nil {
		t.Fatalf("Delete = %v, %v", there, err)
	}
	s = d.crash().open(t)
	v3 := put(t, s, "k", `3`, agent.PutOptions{})
	if v1 >= v2 || v2 >= v3 {
		t.Fatalf("versions %d, %d, %d do not grow over a delete and a crash", v1, v2, v3)
	}
	if _, err := cas(s, `4`, v2); !errors.Is(err, agent.ErrVersionConflict) {
		t.Fatalf("the version of a deleted value was taken: %v", err)
	}
}

// "update(key, fn) (read, change, compare-and-set, again on conflict)".
func TestKV_ManyUpdaters(t *testing.T) {
	t.Parallel()
	s := newDisk(t).open(t)
	ctx := context.Background()
	put(t, s, "n", `0`, agent.PutOptions{})
	increment := func() error {
		for {
			e, _, err := s.Get(ctx, "n")
			if err != nil {
				return err
			}
			n, _ := strconv.Atoi(string(e.Value))
			_, err = s.Put(ctx, "n", json.RawMessage(strconv.Itoa(n+1)), agent.PutOptions{IfVersion: &e.Version})
			if !errors.Is(err, agent.ErrVersionConflict) {
				return err
			}
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if err := increment(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := get(t, s, "n"); got != "200" {
		t.Fatalf("200 increments made %s", got)
	}
}

func TestKV_TTL(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := newDisk(t)
	s := d.open(t)
	v1 := put(t, s, "k", `1`, agent.PutOptions{TTL: time.Second})
	put(t, s, "stays", `1`, agent.PutOptions{})
	d.clock.pass(time.Second - time.Nanosecond)
	if get(t, s, "k") != "1" {
		t.Fatal("expired early")
	}
	d.clock.pass(time.Millisecond)
	if get(t, s, "k") != "-" {
		t.Fatal("still there after its time")
	}
	if entries, _, err := s.List(ctx, agent.ListOptions{}); err != nil || !slices.Equal(keys(entries), []string{"stays"}) {
		t.Fatalf("List = %v, %v", keys(entries), err)
	}
	if there, err := s.Delete(ctx, "k"); there || err != nil {
		t.Fatalf("Delete of an expired key = %v, %v", there, err)
	}
	zero := int64(0)
	if v2 := put(t, s, "k", `2`, agent.PutOptions{IfVersion: &zero}); v2 <= v1 {
		t.Fatalf("version %d after %d", v2, v1)
	}
	d.clock.pass(time.Hour)
	if got := get(t, d.crash().open(t), "k"); got != "2" {
		t.Fatalf("a put without a time kept the old one's: %s", got)
	}
}

// Expired pairs that nobody asks for again must not stay on disk for ever.
func TestKV_ExpiredPairsAreSweptAway(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	s := d.open(t)
	for i := range 40 {
		put(t, s, fmt.Sprintf("old%d", i), `1`, agent.PutOptions{TTL: time.Second})
	}
	put(t, s, "renewed", `1`, agent.PutOptions{TTL: time.Second})
	put(t, s, "renewed", `2`, agent.PutOptions{TTL: time.Hour})
	d.clock.pass(time.Minute)
	for range 40/sweepMax + 1 {
		put(t, s, "busy", `1`, agent.PutOptions{})
	}
	var rows []string
	for row, err := range s.space.Scan(nil, nil, false) {
		must(t, err)
		rows = append(rows, strconv.Quote(string(row.Key[:1])+string(row.Key[max(1, len(row.Key)-7):])))
	}
	if want := []string{`"drenewed"`, `"pbusy"`, `"prenewed"`, `"v"`}; !slices.Equal(rows, want) {
		t.Fatalf("rows left: %s, want %s", rows, want)
	}
	if get(t, s, "renewed") != "2" {
		t.Fatal("a renewed pair was swept away")
	}
}

// "list({prefix?, limit?, cursor?}) → {entries, cursor?}".
func TestKV_ListPages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newDisk(t).open(t)
	for i := range 25 {
		put(t, s, fmt.Sprintf("a/%02d", i), strconv.Itoa(i), agent.PutOptions{})
	}
	for _, key := range []string{"a", "a0", "b", "\x7f", "ю"} {
		put(t, s, key, `0`, agent.PutOptions{})
	}
	var got []string
	o := agent.ListOptions{Prefix: "a/", Limit: 10}
	for pages := 1; ; pages++ {
		entries, cursor, err := s.List(ctx, o)
		must(t, err)
		got = append(got, keys(entries)...)
		if cursor == "" {
			if pages != 3 || len(got) != 25 || !slices.IsSorted(got) || entries[4].Version == 0 || string(entries[4].Value) != "24" {
				t.Fatalf("%d pages with %q", pages, got)
			}
			break
		}
		o.Cursor = cursor
	}
	all, cursor, err := s.List(ctx, agent.ListOptions{})
	if err != nil || cursor != "" || len(all) != 30 {
		t.Fatalf("all: %d, %q, %v", len(all), cursor, err)
	}
	exact, cursor, err := s.List(ctx, agent.ListOptions{Prefix: "a/", Limit: 25})
	if err != nil || cursor != "" || len(exact) != 25 {
		t.Fatalf("a page that just fits: %d, cursor %q, %v", len(exact), cursor, err)
	}
	for _, o := range []agent.ListOptions{{Limit: -1}, {Limit: 1001}, {Cursor: "!"}, {Prefix: "b", Cursor: o.Cursor}} {
		if _, _, err := s.List(ctx, o); err == nil {
			t.Errorf("List(%+v) was taken", o)
		}
	}
}

func TestKV_ListPageIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	s := newDisk(t).open(t)
	big := `"` + strings.Repeat("x", MaxValue-2) + `"`
	for i := range 10 {
		put(t, s, strconv.Itoa(i), big, agent.PutOptions{})
	}
	entries, cursor, err := s.List(t.Context(), agent.ListOptions{})
	if err != nil || len(entries) != 8 || cursor == "" {
		t.Fatalf("%d entries, cursor %q, %v", len(entries), cursor, err)
	}
	rest, cursor, err := s.List(t.Context(), agent.ListOptions{Cursor: cursor})
	if err != nil || len(rest) != 2 || cursor != "" {
		t.Fatalf("then %d entries, cursor %q, %v", len(rest), cursor, err)
	}
}

// "One space per agent."
func TestKV_SpacesAreApart(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	one := d.open(t)
	two := NewKV(d.j.Space("kv2"), d.clock)
	put(t, one, "k", `1`, agent.PutOptions{})
	put(t, two, "k", `2`, agent.PutOptions{})
	entries, _, err := two.List(t.Context(), agent.ListOptions{})
	if err != nil || get(t, one, "k") != "1" || len(entries) != 1 || string(entries[0].Value) != "2" {
		t.Fatalf("spaces mix: %v, %v", entries, err)
	}
}

// A model of the whole store: random puts, deletes, waits and crashes against a map.
func TestKV_Model(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{d: newDisk(t), pairs: map[string]pair{}}
		m.open(t)
		rt.Repeat(map[string]func(*rapid.T){
			"put":    m.put,
			"delete": m.delete,
			"wait": func(rt *rapid.T) {
				m.d.clock.pass(time.Duration(rapid.IntRange(1, 3).Draw(rt, "seconds")) * time.Second)
			},
			"crash": func(rt *rapid.T) { m.crash(t) },
			"":      m.compare,
		})
		_ = m.d.j.Close()
	})
}

type pair struct {
	value   string
	version int64
	expires time.Time
}

type model struct {
	d     *disk
	s     agent.KV
	pairs map[string]pair
	top   int64
}

var someKeys = rapid.SampledFrom([]string{"a", "ab", "b", "a/b", "\x00"})

func (m *model) open(t testing.TB) { m.s = m.d.open(t) }

func (m *model) crash(t testing.TB) {
	next := m.d.crash()
	_ = m.d.j.Close()
	m.d = next
	m.open(t)
}

// live forgets what has expired.
func (m *model) live() {
	now := m.d.clock.Now()
	maps.DeleteFunc(m.pairs, func(_ string, p pair) bool { return !p.expires.IsZero() && !now.Before(p.expires) })
}

func (m *model) put(rt *rapid.T) {
	m.live()
	key, value := someKeys.Draw(rt, "key"), strconv.Itoa(rapid.Int().Draw(rt, "value"))
	o := agent.PutOptions{TTL: time.Duration(rapid.IntRange(0, 3).Draw(rt, "ttl")) * time.Second}
	want := error(nil)
	if rapid.Bool().Draw(rt, "cas") {
		v := rapid.SampledFrom([]int64{0, m.top, m.pairs[key].version}).Draw(rt, "ifVersion")
		o.IfVersion = &v
		if v != m.pairs[key].version {
			want = agent.ErrVersionConflict
		}
	}
	version, err := m.s.Put(context.Background(), key, json.RawMessage(value), o)
	if !errors.Is(err, want) {
		rt.Fatalf("Put = %v, want %v", err, want)
	}
	if err != nil {
		return
	}
	if version <= m.top {
		rt.Fatalf("version %d after %d", version, m.top)
	}
	m.top = version
	p := pair{value: value, version: version}
	if o.TTL > 0 {
		p.expires = m.d.clock.Now().Add(o.TTL)
	}
	m.pairs[key] = p
}

func (m *model) delete(rt *rapid.T) {
	m.live()
	key := someKeys.Draw(rt, "key")
	_, want := m.pairs[key]
	if there, err := m.s.Delete(context.Background(), key); err != nil || there != want {
		rt.Fatalf("Delete(%q) = %v, %v; want %v", key, there, err, want)
	}
	delete(m.pairs, key)
}

func (m *model) compare(rt *rapid.T) {
	m.live()
	entries, cursor, err := m.s.List(context.Background(), agent.ListOptions{})
	if err != nil || cursor != "" {
		rt.Fatalf("List: %q, %v", cursor, err)
	}
	if want := slices.Sorted(maps.Keys(m.pairs)); !slices.Equal(keys(entries), want) {
		rt.Fatalf("List = %q, want %q", keys(entries), want)
	}
	for _, e := range entries {
		p := m.pairs[e.Key]
		got, ok, err := m.s.Get(context.Background(), e.Key)
		if err != nil || !ok || got.Version != e.Version || e.Version != p.version || string(e.Value) != p.value || string(got.Value) != p.value {
			rt.Fatalf("%q: list %+v, get %+v %v %v, want %+v", e.Key, e, got, ok, err, p)
		}
	}
}
