package projections

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A crasher takes crash images of a store while events are folded.
type crasher struct {
	fs *vfs.MemFS

	mu     sync.Mutex
	random *rand.Rand
	images []*vfs.MemFS
}

// apply takes an image now and then in the middle of a range: between what is
// applied and what is committed.
func (c *crasher) apply() { c.image(100, 101) }

// sync takes an image now and then as the sync before left it: that one may have
// ended between any two batches.
func (c *crasher) sync(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo {
		c.image(4, 1)
	}
	return nil
}

// maxImages bounds what is started again; which ones are kept is left to chance.
const maxImages = 40

func (c *crasher) image(every, percents int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.random.IntN(every) > 0 {
		return
	}
	image := c.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: c.random.IntN(percents), RNG: c.random})
	if len(c.images) == maxImages {
		c.images[c.random.IntN(maxImages)] = image
		return
	}
	c.images = append(c.images, image)
}

// A probed projection is a projection under a crasher.
type probed struct {
	Projection
	crasher *crasher
}

func (p probed) Apply(w *Writer, e *events.Event) error {
	p.crasher.apply()
	return p.Projection.Apply(w, e)
}

// TestViews_CrashImages: "Projection position moves with its data in one batch; no
// event counted twice (costs!)", and "Projections equal a fold of the log after any
// crash". Each image is started again and compared with a fold from the beginning.
func TestViews_CrashImages(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	fs := vfs.NewCrashableMem()
	c := &crasher{fs: fs, random: rand.New(rand.NewPCG(seed, 2))}
	j := openJournal(t, errorfs.Wrap(fs, errorfs.InjectorFunc(c.sync)))
	var list []Projection
	for _, p := range builtins(j) {
		list = append(list, probed{p, c})
	}
	v, err := start(t.Context(), &Options{Journal: j, Extra: []Projection{&counter{name: "types", version: 1}}}, list)
	if err != nil {
		t.Fatal(err)
	}
	addTurnsAtOnce(t, j, 8, 20)
	caughtUp(t, v, j)
	closeViews(t, v)
	if len(c.images) == 0 {
		t.Fatal("no image was taken")
	}
	t.Logf("%d images", len(c.images))
	for _, image := range c.images {
		checkImage(t, image)
	}
}

// addTurnsAtOnce lets writers append turns each, at the same time.
func addTurnsAtOnce(t *testing.T, j *journal.Journal, writers, turns int) {
	t.Helper()
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			for i := range turns {
				addTurns(t, j, n*turns+i, 1)
			}
		})
	}
	wg.Wait()
}

func checkImage(t *testing.T, fs vfs.FS) {
	t.Helper()
	j, err := journal.Open("root", &journal.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	v, err := Start(t.Context(), &Options{Journal: j, Extra: []Projection{&counter{name: "types", version: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer closeViews(t, v)
	checkRebuilt(t, v, j)
	checkCosts(t, v, j)
}

// checkCosts holds: "Cost totals equal fold exactly". The dumb fold knows nothing
// of ranges, rows and positions.
func checkCosts(t testing.TB, v *Views, j *journal.Journal) {
	t.Helper()
	caughtUp(t, v, j)
	ended := map[string]int{}
	known := map[string]bool{}
	for from := uint64(0); from < j.Position(); {
		evs, next, err := j.Range(from, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range evs {
			known[e.SessionID] = true
			if _, ok := e.Data.(*events.TurnCompleted); ok {
				ended[e.SessionID]++
			}
		}
		from = next
	}
	for id := range known {
		c, ok, err := v.Cost(context.Background(), id)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", id, ok, err)
		}
		var usd float64
		if c.Total.TotalUSD != nil {
			usd = *c.Total.TotalUSD
		}
		n := int64(ended[id])
		if want := float64(n*123) / 1e6; usd != want || c.Total.Usage.InputTokens != 900*n {
			t.Errorf("%s: %v USD and %+v after %d turns, want %v", id, usd, c.Total.Usage, n, want)
		}
	}
}
