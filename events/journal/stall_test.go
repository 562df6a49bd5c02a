package journal

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// fullDisk is a file system that takes no tables while full is set.
func fullDisk(full *atomic.Bool) vfs.FS {
	return errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if full.Load() && op.Kind == errorfs.OpFileWrite && strings.HasSuffix(op.Path, ".sst") {
			return errors.New("no space left on device")
		}
		return nil
	}))
}

// until polls, since the store works in goroutines of its own.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("it never came that %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// "Disk full: new work gets 507/503 before the log fails; reads and streams keep
// working; after space is freed no manual repair."
func TestJournal_DiskFullAndFreeAgain(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	j := openFS(t, fullDisk(&full), &Options{tune: func(o *pebble.Options) { o.MemTableSize = 64 << 10 }})
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts("0", "1", "2")})
	full.Store(true)
	big := strings.Repeat("x", 4<<10)
	var waiting []<-chan result
	until(t, "a full disk is noticed", func() bool {
		c := make(chan result, 1)
		a := Append{Stream: fmt.Sprint("ses_", len(waiting)), Events: texts(big)}
		go j.AppendAsync(a, func(at Appended, err error) { c <- result{at, err} }) // it may wait for room
		waiting = append(waiting, c)
		return errors.Is(j.Room(), ErrFull)
	})
	if _, err := j.Append(t.Context(), Append{Stream: "ses_new", Events: texts("x")}); !errors.Is(err, ErrFull) {
		t.Errorf("an append on a full disk gave %v", err)
	}
	if lines, err := j.Read("ses_a", 0, 3); err != nil || len(lines) != 3 {
		t.Errorf("a read on a full disk gave %d lines, %v", len(lines), err)
	}
	full.Store(false)
	for i, c := range waiting {
		if r := <-c; r.err != nil && !errors.Is(r.err, ErrFull) {
			t.Errorf("append %d gave %v", i, r.err)
		}
	}
	until(t, "there is room again", func() bool { return j.Room() == nil })
	mustAppend(t, j, Append{Stream: "ses_a", Expect: 3, Events: texts("again")})
}

// A free-space floor: the disk is asked once a second.
func TestStall_LowDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fs := vfs.NewMem()
		var s stall
		for _, c := range []struct {
			free uint64
			low  bool
		}{{1 << 30, false}, {roomFloor, false}, {roomFloor - 1, true}, {0, true}, {1 << 30, false}} {
			was := s.low.Load()
			fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: c.free, TotalBytes: 1 << 40})
			if s.asked.Load() != 0 && s.isLow(fs, "/") != was {
				t.Errorf("with %d bytes free the disk was asked again at once", c.free)
			}
			<-time.After(roomEvery)
			if low := s.isLow(fs, "/"); low != c.low {
				t.Errorf("with %d bytes free it is low: %v", c.free, low)
			}
		}
	})
}
