package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// optionSets are what must make no difference.
var optionSets = map[string]struct {
	fs   func(t *testing.T) (vfs.FS, string)
	tune func(*pebble.Options)
}{
	"as shipped":    {fs: memory},
	"on disk":       {fs: func(t *testing.T) (vfs.FS, string) { return nil, t.TempDir() }},
	"tiny memtable": {fs: memory, tune: func(o *pebble.Options) { o.MemTableSize = 16 << 10 }},
	"small blocks":  {fs: memory, tune: func(o *pebble.Options) { o.MemTableSize = 32 << 10; small(o) }},
	"no cache":      {fs: memory, tune: func(o *pebble.Options) { o.CacheSize = 1; o.MemTableSize = 32 << 10 }},
	"old format":    {fs: memory, tune: func(o *pebble.Options) { o.FormatMajorVersion = pebble.FormatFlushableIngest }},
}

func memory(*testing.T) (vfs.FS, string) { return vfs.NewCrashableMem(), "root" }

func small(o *pebble.Options) {
	for i := range o.Levels {
		o.Levels[i].BlockSize, o.Levels[i].IndexBlockSize = 128, 128
	}
}

// A metaRun does random operations on a journal and on a model.
type metaRun struct {
	t     *testing.T
	rng   *rand.Rand
	fs    vfs.FS
	dir   string
	tune  func(*pebble.Options)
	j     *Journal
	m     *model
	texts int
	space map[string]string // what the space holds
}

// "random ops (append batch, read range, restart, crash-clone, compact) under 6
// option sets, compare to a slice model"
func TestJournal_Metamorphic(t *testing.T) {
	t.Parallel()
	seed := testSeed(t)
	for name, set := range optionSets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for round := range uint64(2 * scale()) {
				fs, dir := set.fs(t)
				r := &metaRun{t: t, rng: rand.New(rand.NewPCG(seed, round)), fs: fs, dir: dir, tune: set.tune, m: newModel(), space: map[string]string{}}
				r.open()
				for n := 0; n < 300 && !t.Failed(); n++ {
					r.step()
				}
				r.m.check(t, r.j)
				r.close()
				if t.Failed() {
					t.Fatalf("round %d", round)
				}
			}
		})
	}
}

func (r *metaRun) open() {
	r.t.Helper()
	var err error
	if r.j, err = Open(r.dir, &Options{FS: r.fs, tune: r.tune}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *metaRun) close() {
	r.t.Helper()
	if err := r.j.Close(); err != nil {
		r.t.Error(err)
	}
}

func (r *metaRun) step() {
	switch n := r.rng.IntN(100); {
	case n < 35:
		r.append()
	case n < 45:
		r.burst()
	case n < 60:
		id := r.stream()
		from := r.index(id)
		r.m.checkRead(r.t, r.j, id, from, from+uint64(r.rng.IntN(20)))
	case n < 70:
		r.m.checkRange(r.t, r.j, r.rng.IntN(len(r.m.all)+2), r.rng.IntN(300))
	case n < 78:
		r.follow()
	case n < 82:
		r.hold()
	case n < 90:
		r.batch()
	case n < 93:
		r.compact()
	case n < 96:
		r.close()
		r.open()
		r.checkSpace()
	case n < 98:
		r.crash()
	default:
		r.m.check(r.t, r.j)
	}
}

func (r *metaRun) stream() string { return fmt.Sprint("ses_", r.rng.IntN(6)) }

func (r *metaRun) index(id string) uint64 { return uint64(r.rng.IntN(len(r.m.streams[id]) + 2)) }

// random is an append and why it must fail, if it must.
func (r *metaRun) random() (a Append, fails error) {
	id := r.stream()
	a = Append{Stream: id, Expect: uint64(len(r.m.streams[id]))}
	n := 1 + r.rng.IntN(5)
	if r.rng.IntN(50) == 0 {
		n = r.rng.IntN(3 * runLines)
	}
	for range n {
		r.texts++
		a.Events = append(a.Events, texts(fmt.Sprint(r.texts, strings.Repeat("x", r.rng.IntN(200))))...)
	}
	if r.rng.IntN(4) == 0 {
		a.Mark = []MarkOp{{Clear: true}, {Set: true, Value: fmt.Append(nil, r.texts)}}[r.rng.IntN(2)]
	}
	key := fmt.Sprint("k", r.rng.IntN(10))
	switch r.rng.IntN(8) {
	case 0:
		a.Claims = []Claim{{Key: key, Value: []byte(id)}}
		if _, held := r.m.claims[key]; held {
			fails = &TakenError{}
		}
	case 1:
		a.Frees = []string{key}
	case 2:
		a.Expect += uint64(1 + r.rng.IntN(3))
		fails = ErrMoved
	}
	return a, fails
}

func (r *metaRun) append() {
	a, fails := r.random()
	at, err := r.j.Append(context.Background(), a)
	r.settle(a, fails, at, err)
}

// settle compares how an append ended with how it must.
func (r *metaRun) settle(a Append, fails error, at Appended, err error) {
	r.t.Helper()
	if fails == nil {
		r.m.apply(a)
		want := Appended{Next: uint64(len(r.m.streams[a.Stream])), Position: uint64(len(r.m.all))}
		if err != nil || at != want {
			r.t.Errorf("an append gave %+v, %v; want %+v", at, err, want)
		}
		return
	}
	_, taken := errors.AsType[*TakenError](err)
	if !errors.Is(err, fails) && !taken {
		r.t.Errorf("an append gave %v, want %v", err, fails)
	}
}

// burst appends several times without waiting.
func (r *metaRun) burst() {
	type pair struct {
		want Appended
		got  <-chan result
	}
	var all []pair
	for range 1 + r.rng.IntN(20) {
		a, fails := r.random()
		if fails != nil {
			continue
		}
		c := appendAsync(r.j, a)
		r.m.apply(a)
		all = append(all, pair{Appended{Next: uint64(len(r.m.streams[a.Stream])), Position: uint64(len(r.m.all))}, c})
	}
	for _, p := range all {
		if got := <-p.got; got.err != nil || got.at != p.want {
			r.t.Errorf("an append of a burst gave %+v, want %+v", got, p.want)
		}
	}
}

// follow reads to the head as a stream's reader does.
func (r *metaRun) follow() {
	id := r.stream()
	from := r.index(id)
	head := uint64(len(r.m.streams[id]))
	if from >= head {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var lines []Line
	for run, err := range r.j.Follow(ctx, id, from) {
		if err != nil {
			r.t.Error(err)
		}
		if lines = append(lines, run...); err != nil || from+uint64(len(lines)) >= head {
			break
		}
	}
	r.m.checkLines(r.t, id, from, head, lines)
}

func (r *metaRun) hold() {
	id := r.stream()
	if r.rng.IntN(2) == 0 {
		r.j.Release(id)
		return
	}
	if next, err := r.j.Hold(id); err != nil || next != uint64(len(r.m.streams[id])) {
		r.t.Errorf("hold gave %d, %v; want %d", next, err, len(r.m.streams[id]))
	}
}

func (r *metaRun) compact() {
	if err := r.j.db.Flush(); err != nil {
		r.t.Error(err)
	}
	if r.rng.IntN(2) == 0 {
		if err := r.j.db.Compact(context.Background(), []byte("a"), []byte("z"), false); err != nil {
			r.t.Error(err)
		}
	}
}

// crash goes on with what a crash would have left. Everything here was acknowledged.
func (r *metaRun) crash() {
	mem, ok := r.fs.(*vfs.MemFS)
	if !ok {
		return
	}
	clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: r.rng.IntN(3) * 50, RNG: r.rng})
	r.close()
	r.fs = clone
	r.open()
	r.m.check(r.t, r.j)
	r.readSpace()
}
