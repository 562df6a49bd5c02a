package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// closedLog makes a closed log, part of it in tables and part in the write-ahead
// log, and gives its files and what each stream holds.
func closedLog(t *testing.T) (image map[string][]byte, want map[string][]Line) {
	t.Helper()
	fs := vfs.NewMem()
	j, err := Open("root", &Options{FS: fs, tune: smallBlocks})
	if err != nil {
		t.Fatal(err)
	}
	want = map[string][]Line{}
	for round := range uint64(30) {
		for s := range 6 {
			id := fmt.Sprintf("ses_%d", s)
			mustAppend(t, j, Append{Stream: id, Expect: 2 * round, Events: texts(fmt.Sprint(id, round), "x")})
		}
		if round == 10 || round == 20 {
			if err := j.db.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for s := range 6 {
		id := fmt.Sprintf("ses_%d", s)
		if want[id], err = j.Read(id, 0, 60); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	image = map[string][]byte{}
	for _, dir := range []string{"root", "root/journal"} {
		names, err := fs.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := fs.Stat(path); err != nil || info.IsDir() {
				continue
			}
			f, err := fs.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
			image[path] = b
		}
	}
	return image, want
}

// smallBlocks makes streams lie in blocks of their own.
func smallBlocks(o *pebble.Options) {
	for i := range o.Levels {
		o.Levels[i].BlockSize = 256
		o.Levels[i].IndexBlockSize = 256
	}
	o.DisableAutomaticCompactions = true
}

// restore writes an image to a new file system.
func restore(t *testing.T, image map[string][]byte) vfs.FS {
	t.Helper()
	fs := vfs.NewMem()
	for _, dir := range []string{"root", "root/journal"} {
		if err := fs.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, b := range image {
		f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(b)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// honest opens a damaged image and says how it showed: a refusal to open, streams
// that cannot be read, or not at all. What it does show must be the log.
func honest(t *testing.T, what string, fs vfs.FS, want map[string][]Line) (refused bool, broken int) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil && fmt.Sprint(r) != "fatal" {
			t.Errorf("%s: a panic: %v", what, r)
		} else if r != nil {
			refused = true
		}
	}()
	j, err := Open("root", &Options{FS: fs, tune: smallBlocks, fatal: func(string) { panic("fatal") }})
	if err != nil {
		return true, 0
	}
	defer j.Close()
	for id, lines := range want {
		if !honestStream(t, what, j, id, lines) {
			broken++
		}
	}
	if p := j.Position(); p != 360 {
		t.Errorf("%s: the position is %d", what, p)
	}
	honestRange(t, what, j)
	listed, listErr := 0, error(nil)
	for s, err := range j.Streams("") {
		if listErr = err; err == nil && s.Head != 60 {
			t.Errorf("%s: the head of %s is listed as %d", what, s.ID, s.Head)
		}
		listed++
	}
	if listErr == nil && listed != 6 {
		t.Errorf("%s: %d logs are listed", what, listed)
	}
	return false, broken
}

func honestStream(t *testing.T, what string, j *Journal, id string, want []Line) bool {
	t.Helper()
	head, err := j.Head(id)
	if err == nil && head != 60 {
		t.Errorf("%s: the head of %s is %d", what, id, head)
	}
	lines, err := j.Read(id, 0, 60)
	if err != nil {
		if c, ok := errors.AsType[*CorruptError](err); !ok || !errors.Is(err, ErrCorrupt) || c.Stream != id {
			t.Errorf("%s: reading %s gave %v", what, id, err)
		}
		return false
	}
	if len(lines) != len(want) {
		t.Errorf("%s: %s has %d events", what, id, len(lines))
		return false
	}
	for i := range want {
		if !bytes.Equal(lines[i].Data, want[i].Data) || lines[i].Last != want[i].Last {
			t.Errorf("%s: %s, event %d is %s", what, id, i, lines[i].Data)
		}
	}
	return true
}

// honestRange walks over the damage: each position is an event or an error.
func honestRange(t *testing.T, what string, j *Journal) {
	t.Helper()
	for at := uint64(0); at < 360; {
		evs, next, err := j.Range(at, 100)
		for i, e := range evs {
			p := at + uint64(i)
			round, stream, index := p/12, p%12/2, p%2
			if e.SessionID != fmt.Sprintf("ses_%d", stream) || e.Index != 2*round+index {
				t.Errorf("%s: position %d is event %d of %s", what, p, e.Index, e.SessionID)
			}
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: a range gave %v", what, err)
		}
		if err == nil && len(evs) == 0 {
			t.Errorf("%s: a range from %d gave nothing", what, at)
		}
		if next == at {
			return
		}
		at = next
	}
}

// "flip each of 200 random bytes / truncate each file …; reopen must give a
// correct prefix or a loud refusal — never silently shorter history, never
// "stream not found"."
func TestBitFlip(t *testing.T) {
	t.Parallel()
	seed := testSeed(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	image, want := closedLog(t)
	paths := slices.Sorted(maps.Keys(image))
	total := 0
	for _, b := range image {
		total += len(b)
	}
	refusals, broken, unseen := 0, 0, 0
	try := func(what, path string, b []byte) {
		damaged := map[string][]byte{}
		for p := range image {
			damaged[p] = image[p]
		}
		damaged[path] = b
		r, n := honest(t, fmt.Sprintf("%s of %s (seed %d)", what, path, seed), restore(t, damaged), want)
		switch {
		case r:
			refusals++
		case n > 0:
			broken++
		default:
			unseen++
		}
	}
	if r, n := honest(t, "no damage", restore(t, image), want); r || n > 0 {
		t.Fatalf("the log is refused undamaged: %v, %d streams cannot be read", r, n)
	}
	for range 200 * scale() {
		at := rng.IntN(total)
		for _, path := range paths {
			b := bytes.Clone(image[path])
			if at -= len(b); at >= 0 {
				continue
			}
			b[len(b)+at] ^= 1 << rng.IntN(8)
			try(fmt.Sprintf("flipping byte %d", len(b)+at), path, b)
			break
		}
	}
	for _, path := range paths {
		for range 10 * scale() {
			if n := len(image[path]); n > 0 {
				cut := rng.IntN(n)
				try(fmt.Sprintf("cutting at %d", cut), path, image[path][:cut])
			}
		}
	}
	t.Logf("%d refusals to open, %d with streams that cannot be read, %d without harm", refusals, broken, unseen)
	if refusals+broken == 0 { // nearly all is seen as the store opens; a stream that fails alone has a test of its own
		t.Error("no damage was seen: the test does not reach it")
	}
}

// "A corrupt or unreadable session fails alone"
func TestJournal_CorruptStreamFailsAlone(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	j := openFS(t, fs, nil)
	for _, id := range []string{"ses_a", "ses_b", "ses_c"} {
		for i := range uint64(3) {
			mustAppend(t, j, Append{Stream: id, Expect: i, Events: texts("x")})
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := pebble.Open("root/journal", &pebble.Options{FS: fs, FormatMajorVersion: pebble.FormatNewest, Logger: &storeLog{}})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		db.Set(eventKey("ses_a", 1), []byte("{no json"), pebble.Sync), // cannot be decoded
		db.Delete(eventKey("ses_b", 1), pebble.Sync),                  // is missing
		db.Close())
	if err != nil {
		t.Fatal(err)
	}
	j = openFS(t, fs, nil)
	if _, err := j.Read("ses_b", 0, 3); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a log with a gap gave %v", err)
	}
	if lines, err := j.Read("ses_c", 0, 3); err != nil || len(lines) != 3 {
		t.Errorf("another log gave %d lines, %v", len(lines), err)
	}
	var got, lost []string
	for at := uint64(0); at < j.Position(); {
		evs, next, err := j.Range(at, 100)
		for _, e := range evs {
			got = append(got, fmt.Sprint(e.SessionID, e.Index))
		}
		if c, ok := errors.AsType[*CorruptError](err); ok {
			lost = append(lost, fmt.Sprint(c.Stream, c.Index, "@", c.Position))
		} else if err != nil {
			t.Fatal(err)
		}
		if next == at {
			t.Fatalf("nothing passes over position %d", at)
		}
		at = next
	}
	if fmt.Sprint(got) != "[ses_a0 ses_a2 ses_b0 ses_b2 ses_c0 ses_c1 ses_c2]" || fmt.Sprint(lost) != "[ses_a1@1 ses_b1@4]" {
		t.Errorf("a range over the damage gave %v, without %v", got, lost)
	}
	for _, err := range j.Follow(t.Context(), "ses_b", 0) {
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("following a log with a gap gave %v", err)
		}
	}
}

// A log that lost its end is refused until somebody says that this is known.
func TestOpen_ShorterThanItWas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "position"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("7\n")
	if _, err := Open(dir, nil); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a log with 0 of 7 events gave %v", err)
	}
	write("many")
	if _, err := Open(dir, nil); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a position of many gave %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "position")); err != nil {
		t.Fatal(err)
	}
	j, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
