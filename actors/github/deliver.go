package github

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// deliveries are the events of sessions that are brought to GitHub; none where nothing
// is posted.
func (c *channel) deliveries() map[string]agent.DeliverFunc {
	progress := c.o.Progress.CommitStatus || c.o.Progress.Banner
	if c.o.NoReplies && !progress {
		return nil
	}
	on := map[string]agent.DeliverFunc{
		"turn.completed": c.posting(c.completed),
		"turn.failed":    c.posting(c.failed),
	}
	if progress {
		on["turn.started"] = c.posting(c.started)
	}
	return on
}

// A visit brings one event of a session to its thread.
type visit struct {
	*agent.Call
	e  *agent.HookEvent
	at thread
	// key is the same when the event is brought again.
	key string
}

// posting lets events pass that belong nowhere on GitHub, or may not be shown there.
func (c *channel) posting(f func(ctx context.Context, v *visit) error) agent.DeliverFunc {
	return func(ctx context.Context, e *agent.HookEvent, call *agent.Call) error {
		at, ok := parseThread(call.Conversation.ContinuationToken())
		if !ok || call.Session.DryRun || call.Session.Purpose == events.PurposeEval {
			return nil
		}
		key := call.DeliveryID
		if key == "" {
			key = fmt.Sprintf("%s/%d", e.SessionID, e.Index)
		}
		return f(ctx, &visit{Call: call, e: e, at: at, key: key})
	}
}

func (c *channel) started(ctx context.Context, v *visit) error {
	return c.progress(ctx, v, working, "")
}

// completed posts the reply.
func (c *channel) completed(ctx context.Context, v *visit) error {
	reply, err := surface.Reply(v.Call, v.e)
	if err != nil {
		return err
	}
	if reply != "" && !c.o.NoReplies {
		err = c.deliver(ctx, v.at, reply, v.key, v.e.At)
	}
	return errors.Join(err, c.progress(ctx, v, done, ""))
}

// failed posts that the turn failed, and under which id the log says why. What was
// stopped says so in the progress alone.
func (c *channel) failed(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.TurnFailed)
	switch {
	case !ok:
		return nil
	case d.Status == events.StatusCancelled && d.Code == events.FailInterrupted:
		return nil // the next turn goes on
	case d.Status == events.StatusCancelled:
		return c.progress(ctx, v, stopped, "")
	}
	id := surface.Digest(v.key)
	v.Log.Error().Str("errorId", id).Str("thread", v.at.token()).Str("turn", v.e.TurnID).Str("code", d.Code).Msg("a turn failed on GitHub: " + d.Message)
	var err error
	if !c.o.NoReplies {
		text := fmt.Sprintf("I could not finish this: something went wrong on my side. Error id: `%s`", id)
		err = c.deliver(ctx, v.at, text, v.key, v.e.At)
	}
	return errors.Join(err, c.progress(ctx, v, broken, id))
}
