package slack

import (
	"context"

	"github.com/gobdk/bdk/actors/agent"
)

// start begins what runs beside the requests: held posts, and the socket.
func (c *channel) start(_ context.Context, call *agent.Call) error {
	if c.o.Client == nil {
		return nil
	}
	if c.o.Engagement.ChannelPosts.Debounce > 0 {
		call.WaitUntil(func(ctx context.Context) { c.serveHeld(ctx, call) })
	}
	if c.o.AppToken != "" {
		call.WaitUntil(func(ctx context.Context) { c.listen(ctx, call) })
	}
	return nil
}
