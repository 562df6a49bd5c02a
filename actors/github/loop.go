package github

import (
	"context"

	"github.com/gobdk/bdk/actors/surface"
)

// A Breaker bounds how often one conversation is woken, so that two machines that
// answer each other stop.
type Breaker = surface.Breaker

// admit says whether a conversation may be woken once more, and says once on GitHub that
// it may not.
func (c *channel) admit(ctx context.Context, o *occasion) (bool, error) {
	if o.at == nil || o.d.KV == nil {
		return true, nil
	}
	open, trips, err := c.o.Breaker.Admit(ctx, o.d.Call, "github:wakes:"+o.at.token(), o.d.ID)
	if err != nil || !trips {
		return open, err
	}
	if o.d.Telemetry != nil {
		o.d.Telemetry.Increment("github.breaker", 1, nil)
	}
	if c.o.NoReplies {
		return open, nil
	}
	if err := c.comment(ctx, *o.at, c.o.Breaker.String(), mark("breaker", o.at.token()+o.d.ID)); err != nil {
		o.d.Log.Warn().Err(err).Msg("saying that the breaker tripped")
	}
	return open, nil
}
