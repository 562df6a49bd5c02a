package eval

import (
	"fmt"
	"time"

	"github.com/gobdk/bdk/events"
)

// keyLife is how long an idempotency key is remembered, as those of sessions are.
const keyLife = 24 * time.Hour

// again is the run that a key started, as it stands now; nil: it started none.
func (s *Service) again(key *events.Idempotency) (*Run, error) {
	if key == nil {
		return nil, nil
	}
	runs, err := s.Runs(0)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if !sameKey(r.Idempotency, key) || s.o.Clock.Now().Sub(r.StartedAt) >= keyLife {
			continue
		}
		if r.Idempotency.BodyHash != key.BodyHash {
			return nil, fmt.Errorf("%w: it started %s", ErrMismatch, r.ID)
		}
		return s.Run(r.ID)
	}
	return nil, nil
}

// sameKey says whether two requests claim to be one.
func sameKey(a, b *events.Idempotency) bool {
	return a != nil && b != nil && a.Key == b.Key && a.Scope == b.Scope
}
