package journal

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

// tailOf is what memory holds of a stream: lines, bytes, and whether there is an entry at all.
func tailOf(j *Journal, id string) (lines, bytes int, there bool) {
	j.mu.Lock()
	s := j.streams[id]
	j.mu.Unlock()
	if s == nil {
		return 0, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.tail {
		lines += len(r.lines)
		bytes += r.size()
	}
	return lines, bytes, true
}

// "Recent lines are served from memory (64 per awake session …)", and no more of them.
func TestHold_KeepsTheLastLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ each, size, most int }{{1, 10, 64}, {3, 10, 63}, {100, 10, 100}, {1, 100 << 10, 2}, {1, 300 << 10, 1}, {5, 300 << 10, 5}} {
		t.Run(fmt.Sprint(c.each, "x", c.size), func(t *testing.T) {
			t.Parallel()
			j := openMem(t)
			if _, err := j.Hold("ses_a"); err != nil {
				t.Fatal(err)
			}
			text := make([]string, c.each)
			for i := range text {
				text[i] = strings.Repeat("x", c.size)
			}
			rounds := 70 / c.each * 2
			if c.size > 10 {
				rounds = 6
			}
			for i := range uint64(rounds + 1) {
				mustAppend(t, j, Append{Stream: "ses_a", Expect: i * uint64(c.each), Events: texts(text...)})
				lines, bytes, _ := tailOf(j, "ses_a")
				if lines > c.most || (bytes > tailBytes && lines > c.each) {
					t.Fatalf("after append %d memory holds %d lines, %d bytes", i, lines, bytes)
				}
			}
			if lines, _, _ := tailOf(j, "ses_a"); lines != c.most {
				t.Errorf("memory holds %d lines, want %d", lines, c.most)
			}
			head := uint64((rounds + 1) * c.each)
			for from := head - min(head, 140); from < head; from++ {
				lines, err := j.Read("ses_a", from, head)
				if err != nil || uint64(len(lines)) != head-from {
					t.Fatalf("from %d of %d: %d lines, %v", from, head, len(lines), err)
				}
				if e, err := events.Decode(lines[0].Data); err != nil || e.Index != from {
					t.Fatalf("from %d it begins with %+v, %v", from, e, err)
				}
			}
			j.Release("ses_a")
			if lines, _, there := tailOf(j, "ses_a"); there && lines > 0 {
				t.Errorf("after Release memory holds %d lines", lines)
			}
		})
	}
}

// "A session in memory is an optimisation": what nobody holds takes no memory.
func TestStreams_LeaveMemory(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	for i := range 100 {
		id := fmt.Sprint("ses_", i)
		if _, err := j.Hold(id); err != nil {
			t.Fatal(err)
		}
		mustAppend(t, j, Append{Stream: id, Events: texts("x")})
		if _, err := j.Read(id, 0, 1); err != nil {
			t.Error(err)
		}
		for range j.Follow(t.Context(), id, 0) {
			break
		}
		j.Release(id)
	}
	// The last one leaves when the syncer is done with it: another append's turn says so.
	mustAppend(t, j, Append{Stream: "other", Events: texts("x")})
	mustAppend(t, j, Append{Stream: "other", Expect: 1, Events: texts("x")})
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.streams); n > 1 {
		t.Errorf("%d streams are in memory", n)
	}
}

// The lines that readers share are never written to again, and Read's are the caller's.
func TestRead_SlicesAreTheCallers(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	if _, err := j.Hold("ses_a"); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("x", "y")})
	for range 2 {
		lines, err := j.Read("ses_a", 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range lines {
			if want := fmt.Sprintf(`{"type":"message.received","index":%d,`, i); !strings.HasPrefix(string(l.Data), want) {
				t.Fatalf("line %d is %s", i, l.Data)
			}
			clear(l.Data)
			_ = append(l.Data, "more"...)
		}
	}
}

// "decoded once": who keeps up gets the very values that were appended, and who
// does not gets equal ones from the disk; the border between the two is not seen.
func TestRange_FromMemoryAndDisk(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	j := openFS(t, fs, nil)
	total := uint64(0)
	add := func(n, size int) *events.Event {
		text := make([]string, n)
		text[0] = strings.Repeat("x", size)
		a := Append{Stream: "ses_a", Expect: total, Events: texts(text...)}
		mustAppend(t, j, a)
		total += uint64(n)
		return &a.Events[n-1]
	}
	for range ringAppends + 50 {
		last := add(2, 1)
		evs, next, err := j.Range(total-1, 10)
		if err != nil || next != total || len(evs) != 1 || evs[0] != last {
			t.Fatalf("the last event is %v, not the one that was appended: %v", evs, err)
		}
	}
	if first := j.ring.item(0).at; first != 100 || j.ring.n != ringAppends {
		t.Errorf("memory holds %d appends from %d on", j.ring.n, first)
	}
	for _, from := range []uint64{0, 98, 99, 100, 101, total - 3} {
		evs, next, err := j.Range(from, 5)
		if err != nil || next != min(from+5, total) {
			t.Fatalf("from %d: to %d, %v", from, next, err)
		}
		for i, e := range evs {
			if e.Index != from+uint64(i) {
				t.Errorf("from %d: event %d is %d", from, i, e.Index)
			}
		}
	}
	for range 5 {
		add(1, 1<<20)
	}
	if j.ring.bytes > ringBytes || j.ring.n > 4 {
		t.Errorf("memory holds %d appends of %d bytes", j.ring.n, j.ring.bytes)
	}
	add(1, ringBytes+1)
	if j.ring.n != 1 {
		t.Errorf("memory holds %d appends after a great one", j.ring.n)
	}
}

// No wake-up is lost: each of many followers sees each of many appends, one by one.
func TestFollow_ManyReaders(t *testing.T) {
	t.Parallel()
	const readers, appends = 200, 100
	j := openMem(t)
	var wg, seen sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	next := make([]chan uint64, readers)
	for r := range readers {
		next[r] = make(chan uint64, 1)
		wg.Go(func() {
			at := uint64(0)
			for lines, err := range j.Follow(ctx, "ses_a", 0) {
				if err != nil {
					t.Error(err)
				}
				at += uint64(len(lines))
				seen.Done()
			}
			next[r] <- at
		})
	}
	for i := range uint64(appends) {
		seen.Add(readers)
		mustAppend(t, j, Append{Stream: "ses_a", Expect: i, Events: texts("x")})
		seen.Wait()
	}
	cancel()
	wg.Wait()
	for r := range readers {
		if n := <-next[r]; n != appends {
			t.Errorf("reader %d saw %d events", r, n)
		}
	}
}

// "A slow or dead stream reader never slows the session": one that stopped in the
// middle of its loop holds nobody up, and goes on from where it was.
func TestFollow_StalledReader(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("x")})
	stalled, wake := make(chan struct{}), make(chan struct{})
	got := make(chan int, 1)
	go func() {
		n := 0
		for lines, err := range j.Follow(t.Context(), "ses_a", 0) {
			if err != nil {
				t.Error(err)
			}
			if n == 0 {
				close(stalled)
				<-wake
			}
			if n += len(lines); n == 1001 {
				break
			}
		}
		got <- n
	}()
	<-stalled
	for i := range uint64(1000) {
		mustAppend(t, j, Append{Stream: "ses_a", Expect: 1 + i, Events: texts("x")})
	}
	if lines, _, _ := tailOf(j, "ses_a"); lines > tailLines {
		t.Errorf("a stalled reader keeps %d lines in memory", lines)
	}
	close(wake)
	if n := <-got; n != 1001 {
		t.Errorf("it got %d lines", n)
	}
}
