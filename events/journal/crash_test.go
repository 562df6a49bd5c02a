package journal

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// A camera takes pictures of what a crash would leave: at every sync, before it
// happens, and at every acknowledgement.
type camera struct {
	mu    sync.Mutex
	fs    *vfs.MemFS
	rng   *rand.Rand
	acked uint64 // the highest position that was acknowledged
	shots []shot
}

type shot struct {
	fs    *vfs.MemFS
	acked uint64
	kept  int // percent of what was not synced
}

func (c *camera) before(op errorfs.Op) error {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo, errorfs.OpRename, errorfs.OpRemove:
		c.shoot(0)
	}
	return nil
}

// shoot says first that a position was acknowledged, if one was.
func (c *camera) shoot(acked uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked = max(c.acked, acked)
	kept := c.rng.IntN(3) * 50
	fs := c.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: kept, RNG: c.rng})
	c.shots = append(c.shots, shot{fs: fs, acked: c.acked, kept: kept})
}

// A cameraFS keeps the camera still while a file is used again: there a MemFS takes
// a lock twice, and a picture in between would wait for ever.
type cameraFS struct {
	vfs.FS
	c *camera
}

func (f cameraFS) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f.c.mu.Lock()
	defer f.c.mu.Unlock()
	return f.FS.ReuseForWrite(from, to, category)
}

func (f cameraFS) Unwrap() vfs.FS { return f.FS }

// "CrashClone at every sync": what was acknowledged is there, and what is there is
// a prefix of what was written, each append with its claim and its mark or not at all.
func TestJournal_CrashAtEverySync(t *testing.T) {
	t.Parallel()
	seed := testSeed(t)
	for round := range uint64(2 * scale()) {
		rng := rand.New(rand.NewPCG(seed, round))
		c := &camera{fs: vfs.NewCrashableMem(), rng: rng}
		history := c.run(t)
		checked := 0
		for i, s := range c.shots {
			checkShot(t, s, history)
			if checked++; t.Failed() {
				t.Fatalf("round %d, picture %d of %d, %d%% of what was not synced kept", round, i, len(c.shots), s.kept)
			}
		}
		if checked < 100 {
			t.Errorf("only %d pictures were taken", checked)
		}
	}
}

// A crash in the middle of an opening, the first or a later one, leaves what opens again.
func TestOpen_CrashInTheMiddle(t *testing.T) {
	t.Parallel()
	seed := testSeed(t)
	for round := range uint64(20 * scale()) {
		c := &camera{fs: vfs.NewCrashableMem(), rng: rand.New(rand.NewPCG(seed, round))}
		for range 2 {
			j, err := Open("root", &Options{FS: cameraFS{FS: errorfs.Wrap(c.fs, errorfs.InjectorFunc(c.before)), c: c}})
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range c.shots {
			j, err := Open("root", &Options{FS: s.fs})
			if err != nil {
				t.Fatalf("round %d, picture %d of %d, %d%% of what was not synced kept: %v", round, i, len(c.shots), s.kept, err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A written append and where it went.
type written struct {
	Append
	position uint64 // after it
}

// run appends from several writers while pictures are taken, and gives what was written by position.
func (c *camera) run(t *testing.T) []written {
	t.Helper()
	fs := cameraFS{FS: errorfs.Wrap(c.fs, errorfs.InjectorFunc(c.before)), c: c}
	j, err := Open("root", &Options{FS: fs, tune: func(o *pebble.Options) { o.MemTableSize = 16 << 10 }})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var history []written
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			id := fmt.Sprint("ses_", w)
			for i := range uint64(30) {
				a := Append{
					Stream: id, Expect: 2 * i, Events: texts(fmt.Sprint(w, i), "x"),
					Mark:   MarkOp{Set: true, Value: fmt.Append(nil, i)},
					Claims: []Claim{{Key: fmt.Sprint(id, i), Value: []byte(id)}},
				}
				r := <-appendAsync(j, a)
				if r.err != nil {
					t.Error(r.err)
					return
				}
				c.shoot(r.at.Position)
				mu.Lock()
				history = append(history, written{a, r.at.Position})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	slices.SortFunc(history, func(a, b written) int { return cmp.Compare(a.position, b.position) })
	return history
}

func checkShot(t *testing.T, s shot, history []written) {
	t.Helper()
	j, err := Open("root", &Options{FS: s.fs})
	if err != nil {
		t.Errorf("after a crash with %d acknowledged: %v", s.acked, err)
		return
	}
	defer j.Close()
	p := j.Position()
	if p < s.acked {
		t.Errorf("%d events are left, but %d were acknowledged", p, s.acked)
	}
	m := newModel()
	for _, w := range history {
		if w.position <= p {
			m.apply(w.Append)
		}
	}
	if !m.ends[p] {
		t.Errorf("the position %d is in the middle of an append", p)
		return
	}
	m.check(t, j)
	for _, w := range history {
		key := w.Claims[0].Key
		_, ok, err := j.Lookup(t.Context(), key, time.Time{})
		if want := w.position <= p; ok != want || err != nil {
			t.Errorf("the claim %s of the append up to %d is there: %v, %v", key, w.position, ok, err)
		}
	}
}

// What a start recovered it has made durable: it shows it, so it may not be lost by the next crash.
func TestOpen_WhatWasRecoveredIsDurable(t *testing.T) {
	t.Parallel()
	seed := testSeed(t)
	most := uint64(0)
	for round := range uint64(20 * scale()) {
		rng := rand.New(rand.NewPCG(seed, round))
		fs := vfs.NewCrashableMem()
		d := newDisk(fs)
		j := openFS(t, d, nil)
		mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0")})
		arrived := d.holdSyncs()
		var last <-chan result
		for i := range uint64(10) {
			last = appendAsync(j, Append{Stream: "ses_a", Expect: 1 + i, Events: texts("x")})
		}
		<-arrived
		left := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng})
		d.release(0)
		<-last
		second := openFS(t, left, nil)
		shown := second.Position()
		most = max(most, shown)
		third := openFS(t, left.CrashClone(vfs.CrashCloneCfg{}), nil)
		if p := third.Position(); p != shown {
			t.Errorf("round %d: a start showed %d events, and after a crash %d are left", round, shown, p)
		}
	}
	if most < 2 {
		t.Error("no start recovered what was not synced: the test does not reach it")
	}
}
