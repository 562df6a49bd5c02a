package journal

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"
)

// ErrFull says that the disk takes nothing at the moment, or soon will not:
// nothing was written. It passes when there is room again.
var ErrFull = errors.New("journal: the disk is full")

const (
	roomFloor = 64 << 20               // bytes that are kept free
	roomEvery = time.Second            // how often the disk is asked
	retryWait = 100 * time.Millisecond // before the store tries a failed flush again
)

// A stall watches the store's background work. A flush that fails is tried again
// and again; meanwhile the store's memory fills up, and then writes wait.
type stall struct {
	on    atomic.Bool
	flush atomic.Pointer[error] // how the last flush ended

	asked atomic.Int64 // when the disk was asked last, Unix nanoseconds
	low   atomic.Bool
}

// listen gives Pebble's events to the stall and to the log.
func (s *stall) listen(log zerolog.Logger) *pebble.EventListener {
	return &pebble.EventListener{
		// The default ends the process; here a damaged block harms only the
		// streams that lie in it.
		DataCorruption: func(i pebble.DataCorruptionInfo) {
			log.Error().Str("file", i.Path).Err(i.Details).Msg("journal: damaged file")
		},
		// Pebble tries again at once, which would keep a core busy for as long
		// as the disk is full. Readers do not need the lock that is held here.
		BackgroundError: func(err error) {
			log.Error().Err(err).Msg("journal: work in the background failed; it is tried again")
			if last := s.flush.Load(); last != nil && *last != nil && errors.Is(err, *last) {
				s.on.Store(true)
			}
			time.Sleep(retryWait)
		},
		FlushEnd: s.flushEnd,
	}
}

// flushEnd hears of every flush; those that failed reach BackgroundError next, but
// not one that had nothing to write, which has an error of its own here.
func (s *stall) flushEnd(i pebble.FlushInfo) {
	s.flush.Store(&i.Err)
	if i.Err == nil {
		s.on.Store(false)
	}
}

// Room is ErrFull while the disk takes nothing, or has less than 64 MiB left. Ask
// it before new work is taken on; work that runs may go on with what is left.
func (j *Journal) Room() error {
	if j.stall.on.Load() || j.stall.isLow(j.fs, j.dir) {
		return ErrFull
	}
	return nil
}

func (s *stall) isLow(fs vfs.FS, dir string) bool {
	now := time.Now().UnixNano()
	if last := s.asked.Load(); now-last < int64(roomEvery) || !s.asked.CompareAndSwap(last, now) {
		return s.low.Load()
	}
	u, err := fs.GetDiskUsage(dir)
	low := err == nil && u.AvailBytes < roomFloor
	s.low.Store(low)
	return low
}
