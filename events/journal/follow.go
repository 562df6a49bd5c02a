package journal

import (
	"context"
	"iter"
)

// Follow yields durable lines from an index on, in runs of at least one, and waits
// for more until ctx ends, which is no error. A from past the head waits for that
// index and yields nothing older. A closed journal ends it with ErrClosed. The
// lines are shared: nobody may write to them.
func (j *Journal) Follow(ctx context.Context, stream string, from uint64) iter.Seq2[[]Line, error] {
	return func(yield func([]Line, error) bool) {
		s, err := j.acquire(stream)
		if err != nil {
			yield(nil, err)
			return
		}
		s.keep()
		defer func() {
			s.unkeep()
			j.drop(s)
		}()
		for at := from; ; {
			lines, err := j.next(ctx, s, at)
			if err != nil {
				yield(nil, err)
				return
			}
			if lines == nil || !yield(lines, nil) {
				return
			}
			at += uint64(len(lines))
		}
	}
}

// next gives the lines from an index on, waiting for the first; none when ctx has ended.
func (j *Journal) next(ctx context.Context, s *stream, at uint64) ([]Line, error) {
	for {
		if ctx.Err() != nil {
			return nil, nil
		}
		lines, head, wake := s.look(at)
		if lines != nil {
			return lines, nil
		}
		if at < head {
			return j.readStored(s.id, at, min(head, at+readLines), readBytes)
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, nil
		case <-j.done:
			return nil, ErrClosed
		}
	}
}

// look gives the lines from an index on as far as memory has them, the head, and
// where the index is not there yet what is closed when the head moves. All three
// are of one moment, so no wake-up is lost.
func (s *stream) look(at uint64) (lines []Line, head uint64, wake chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at < s.durable {
		return s.recentLocked(at, s.durable), s.durable, nil
	}
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	return nil, s.durable, s.wake
}
