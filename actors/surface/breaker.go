package surface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// A Breaker bounds how often one conversation is woken, so that two machines that
// answer each other stop.
type Breaker struct {
	// Wakes within Per. Default to 10 in 10 minutes.
	Wakes int
	Per   time.Duration
}

// WithDefaults fills in what is not set.
func (b Breaker) WithDefaults() Breaker {
	if b.Wakes <= 0 {
		b.Wakes = 10
	}
	if b.Per <= 0 {
		b.Per = 10 * time.Minute
	}
	return b
}

// String says the bound in words.
func (b Breaker) String() string {
	return fmt.Sprintf("I was called %d times within %s here, so I stop answering until it has been quiet for as long.", b.Wakes, words(b.Per))
}

// wakes is what is kept of a conversation's wakes, in the agent's store.
type wakes struct {
	// Made are those of the last while, by their deliveries.
	Made []wakeMark `json:"made"`
	// Tripped is when the breaker tripped, Last the newest event that it held back.
	Tripped *time.Time `json:"tripped,omitempty"`
	Last    *time.Time `json:"last,omitempty"`
}

type wakeMark struct {
	Delivery string    `json:"delivery,omitempty"`
	At       time.Time `json:"at"`
}

// storeRetries is how often a lost race for a key is run again.
const storeRetries = 20

// Admit says whether the conversation that key names may be woken once more, and whether
// this is the wake that trips the breaker. Too many wakes do; it resets when nothing was
// held back for as long as they are counted. The same delivery again counts once.
// What is held back is logged.
func (b Breaker) Admit(ctx context.Context, call *agent.Call, key, delivery string) (open, trips bool, err error) {
	for range storeRetries {
		entry, _, err := call.KV.Get(ctx, key)
		if err != nil {
			return false, false, fmt.Errorf("reading the breaker: %w", err)
		}
		var w wakes
		_ = json.Unmarshal(entry.Value, &w) // nothing yet, or what somebody else put there
		open, trips := w.count(delivery, call.Now().UTC(), b)
		value, err := json.Marshal(w)
		if err != nil {
			return false, false, err
		}
		_, err = call.KV.Put(ctx, key, value, agent.PutOptions{IfVersion: &entry.Version, TTL: 2 * b.Per})
		if errors.Is(err, agent.ErrVersionConflict) {
			continue
		}
		if err != nil {
			return false, false, fmt.Errorf("keeping the breaker: %w", err)
		}
		b.log(call, key, delivery, open, trips)
		return open, trips, nil
	}
	return false, false, errors.New("the breaker of " + key + " is written all the time")
}

// count adds a wake and says whether it may be, and whether it trips the breaker.
func (w *wakes) count(delivery string, now time.Time, b Breaker) (open, trips bool) {
	if delivery != "" && slices.ContainsFunc(w.Made, func(m wakeMark) bool { return m.Delivery == delivery }) {
		return true, false // again after a crash
	}
	w.Made = slices.DeleteFunc(w.Made, func(m wakeMark) bool { return now.Sub(m.At) >= b.Per })
	if w.Last != nil && now.Sub(*w.Last) >= b.Per {
		w.Tripped, w.Last = nil, nil
	}
	if w.Tripped == nil && len(w.Made) < b.Wakes {
		w.Made = append(w.Made, wakeMark{delivery, now})
		return true, false
	}
	trips = w.Tripped == nil
	if trips {
		w.Tripped = &now
	}
	w.Last = &now
	return false, trips
}

// log makes a breaker that holds back visible.
func (b Breaker) log(call *agent.Call, key, delivery string, open, trips bool) {
	if open {
		return
	}
	line := call.Log.Warn().Str("thread", key).Str("delivery", delivery).Int("wakes", b.Wakes).Stringer("per", b.Per)
	if !trips {
		line.Msg("the breaker held back an event")
		return
	}
	line.Msg("the breaker tripped: the conversation was woken too often")
}

// words is a time in whole minutes or seconds.
func words(d time.Duration) string {
	if m := int(d.Minutes()); d%time.Minute == 0 {
		return fmt.Sprintf("%d min", m)
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}
