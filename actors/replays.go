package actors

import (
	"sync"
)

// Bounds of what is kept of logs that were asked for.
const (
	replaySessions = 32       // sessions
	replayPlaces   = 64       // places of each
	replayEvery    = 256      // events between two places, and twice as many whenever there are too many
	replayBytes    = 32 << 10 // of the state at a place: a larger one, with long arguments of calls, is not kept
)

// replays keeps folds of logs at some places, so that State folds from the nearest one
// on. A log never changes, so neither do they. Its zero value keeps none yet; it is safe
// for concurrent use.
type replays struct {
	mu       sync.Mutex
	clock    uint64 // counts uses
	sessions map[string]*replayed
}

// replayed are the places of one log, by the index of the next event; nobody changes them.
type replayed struct {
	used   uint64
	every  uint64
	places map[uint64]*replay
}

// near gives a fold of its own, of at most the first n events.
func (r *replays) near(id string, n uint64) *replay {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.of(id)
	var best *replay
	for next, f := range s.places {
		if next <= n && (best == nil || next > best.core.Next) {
			best = f
		}
	}
	if best == nil {
		return newReplay()
	}
	own, _ := best.copy()
	return own
}

// pass keeps where a fold is, when that is one of the places.
func (r *replays) pass(id string, f *replay) {
	if f.core.Next%replayEvery != 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.of(id)
	if f.core.Next%s.every != 0 || s.places[f.core.Next] != nil {
		return
	}
	kept, size := f.copy()
	if size > replayBytes {
		return
	}
	s.places[f.core.Next] = kept
	for len(s.places) > replayPlaces {
		s.every *= 2
		for next := range s.places {
			if next%s.every != 0 {
				delete(s.places, next)
			}
		}
	}
}

// of gives the places of a session, and forgets those of the one that was not asked for
// the longest.
func (r *replays) of(id string) *replayed {
	r.clock++
	s := r.sessions[id]
	if s == nil {
		if len(r.sessions) >= replaySessions {
			oldest, at := "", r.clock
			for id, s := range r.sessions {
				if s.used < at {
					oldest, at = id, s.used
				}
			}
			delete(r.sessions, oldest)
		}
		if r.sessions == nil {
			r.sessions = map[string]*replayed{}
		}
		s = &replayed{every: replayEvery, places: map[uint64]*replay{}}
		r.sessions[id] = s
	}
	s.used = r.clock
	return s
}
