package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

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

// admit says whether a conversation may be woken once more. Too many wakes trip its
// breaker; that resets when nothing was held back for as long as they are counted.
func (c *channel) admit(ctx context.Context, o *occasion) (bool, error) {
	if o.at == nil || o.d.KV == nil {
		return true, nil
	}
	key := "github:wakes:" + o.at.token()
	for range storeRetries {
		entry, _, err := o.d.KV.Get(ctx, key)
		if err != nil {
			return false, fmt.Errorf("reading the breaker: %w", err)
		}
		var w wakes
		_ = json.Unmarshal(entry.Value, &w) // nothing yet, or what somebody else put there
		open, trips := w.count(o.d.ID, o.d.Now().UTC(), c.o.Breaker)
		value, err := json.Marshal(w)
		if err != nil {
			return false, err
		}
		_, err = o.d.KV.Put(ctx, key, value, agent.PutOptions{IfVersion: &entry.Version, TTL: 2 * c.o.Breaker.Per})
		if errors.Is(err, agent.ErrVersionConflict) {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("keeping the breaker: %w", err)
		}
		c.tell(ctx, o, open, trips)
		return open, nil
	}
	return false, errors.New("the breaker of " + o.at.String() + " is written all the time")
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

// tell makes a breaker that holds back visible: in the log, and once on GitHub.
func (c *channel) tell(ctx context.Context, o *occasion, open, trips bool) {
	if open {
		return
	}
	line := o.d.Log.Warn().Str("thread", o.at.token()).Str("delivery", o.d.ID).Int("wakes", c.o.Breaker.Wakes).Stringer("per", c.o.Breaker.Per)
	if !trips {
		line.Msg("the breaker held back a GitHub event")
		return
	}
	line.Msg("the breaker tripped: the conversation was woken too often")
	if o.d.Telemetry != nil {
		o.d.Telemetry.Increment("github.breaker", 1, nil)
	}
	if c.o.NoReplies {
		return
	}
	text := fmt.Sprintf("I was called %d times within %s here, so I stop answering until it has been quiet for as long.", c.o.Breaker.Wakes, words(c.o.Breaker.Per))
	if err := c.comment(ctx, *o.at, text, mark("breaker", o.at.token()+o.d.ID)); err != nil {
		o.d.Log.Warn().Err(err).Msg("saying that the breaker tripped")
	}
}

// words is a time in whole minutes or seconds.
func words(d time.Duration) string {
	if m := int(d.Minutes()); d%time.Minute == 0 {
		return fmt.Sprintf("%d min", m)
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}
