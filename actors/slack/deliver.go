package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// Bounds of messages, in bytes of Markdown. Slack advises 4,000 characters.
const (
	maxMessage = 3_500
	maxParts   = 20
)

// deliveries are the events of sessions that are brought to Slack.
func (c *channel) deliveries() map[string]agent.DeliverFunc {
	on := map[string]agent.DeliverFunc{}
	if c.o.ToolApprovals {
		on["input.requested"] = c.posting(c.asked)
		on["input.resolved"] = c.posting(c.decided)
	}
	if !c.o.Reply.Status.Off {
		on["step.started"] = c.posting(c.thinks)
		on["actions.requested"] = c.posting(c.works)
	}
	if c.o.Reply.Mode == ModeStream {
		on["message.appended"] = c.posting(c.grows)
	}
	if c.o.Reply.Mode != ModeManual || !c.o.Reply.Status.Off {
		on["turn.completed"] = c.posting(c.completed)
		on["turn.failed"] = c.posting(c.failed)
	}
	return on
}

// kept is the state of a session in the channel.
type kept struct {
	// Channel and Team are where a session without a token posts.
	Channel string `json:"channel,omitempty"`
	Team    string `json:"team,omitempty"`
	// Cards are the messages of calls that wait, by the calls' ids.
	Cards map[string]string `json:"cards,omitempty"`
}

// A visit brings one event of a session to its thread.
type visit struct {
	*agent.Call
	e  *agent.HookEvent
	at place
	// key is the same when the event is brought again.
	key string
	now kept
}

// posting lets events pass that belong nowhere on Slack, or may not be shown there.
func (c *channel) posting(f func(ctx context.Context, v *visit) error) agent.DeliverFunc {
	return func(ctx context.Context, e *agent.HookEvent, call *agent.Call) error {
		v := &visit{Call: call, e: e, key: call.DeliveryID}
		_ = json.Unmarshal(call.Conversation.State(), &v.now) // null: nothing is kept yet
		at, ok := parsePlace(call.Conversation.ContinuationToken())
		if !ok && v.now.Channel != "" && call.Conversation.ContinuationToken() == "" {
			at, ok = place{team: v.now.Team, channel: v.now.Channel}, true
		}
		if !ok || call.Session.DryRun || call.Session.Purpose == events.PurposeEval || c.o.Client == nil {
			return nil
		}
		if v.at = at; v.key == "" {
			v.key = fmt.Sprintf("%s/%d", e.SessionID, e.Index)
		}
		return f(ctx, v)
	}
}

// put posts a message of a visit. The first one of a conversation that is in no thread
// yet begins that.
func (c *channel) put(ctx context.Context, v *visit, p post) (string, error) {
	p.at = v.e.At
	ts, err := c.once(ctx, v.Call, v.at, p)
	if err != nil {
		return "", fmt.Errorf("posting to %s: %w", v.at.channel, err)
	}
	c.shown.due(v.e.SessionID, "", c.o.Clock.Now()) // Slack takes the status away
	return ts, c.begin(ctx, v, ts)
}

func (c *channel) begin(ctx context.Context, v *visit, ts string) error {
	if v.at.thread != "" || ts == "" {
		return nil
	}
	next := v.at
	next.thread = ts
	if _, ok := parsePlace(next.token()); !ok {
		return nil
	}
	if err := v.Conversation.SetContinuationToken(ctx, next.token()); err != nil {
		return fmt.Errorf("naming the conversation: %w", err)
	}
	v.at = next
	return nil
}

// completed posts the reply.
func (c *channel) completed(ctx context.Context, v *visit) error {
	if c.o.Reply.Mode == ModeManual {
		return c.rests(ctx, v)
	}
	reply, err := surface.Reply(v.Call, v.e)
	if err != nil {
		return err
	}
	parts := surface.Split(reply, maxMessage, maxParts)
	if len(parts) == 0 {
		return c.rests(ctx, v)
	}
	for i, part := range parts {
		p := post{key: v.replyKey(i), text: part}
		if i == 0 && c.o.Reply.Mode == ModeStream {
			err = c.finish(ctx, v, p)
		} else {
			_, err = c.put(ctx, v, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replyKey names a part of the reply of a turn.
func (v *visit) replyKey(part int) string {
	return "reply/" + v.e.SessionID + "/" + v.e.TurnID + "/" + strconv.Itoa(part)
}

// failed posts that the turn failed, and under which id the log says why. What was
// stopped says nothing.
func (c *channel) failed(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.TurnFailed)
	if !ok || d.Status == events.StatusCancelled || c.o.Reply.Mode == ModeManual {
		return c.rests(ctx, v)
	}
	id := surface.Digest(v.key)
	v.Log.Error().Str("errorId", id).Str("thread", v.at.token()).Str("turn", v.e.TurnID).Str("code", d.Code).Msg("a turn failed on Slack: " + d.Message)
	_, err := c.put(ctx, v, post{key: "failure/" + v.key, text: "I could not finish this: something went wrong on my side. Error id: `" + id + "`"})
	return err
}

// keep writes what the channel keeps of the session.
func (v *visit) keep(ctx context.Context) error {
	state, err := json.Marshal(v.now)
	if err != nil {
		return err
	}
	return v.Conversation.SetState(ctx, state)
}

// finish gives the message that grew its last form, or posts it.
func (c *channel) finish(ctx context.Context, v *visit, p post) error {
	defer c.shown.forget(v.e.SessionID)
	p.at = v.e.At.Add(-longTurn)
	ts := c.shown.message(v.e.SessionID, v.e.TurnID)
	if ts == "" {
		var err error
		if ts, err = c.find(ctx, v.Call, v.at, &p); err != nil {
			return err
		}
	}
	if ts == "" {
		_, err := c.put(ctx, v, p)
		return err
	}
	err := c.edit(ctx, v.at, ts, &p)
	if code := codeOf(err); code == "message_not_found" || code == "cant_update_message" || code == "edit_window_closed" {
		p.key += "/anew"
		_, err = c.put(ctx, v, p)
		return err
	}
	return errors.Join(err, c.begin(ctx, v, ts))
}

// longTurn is how long before its end a turn may have begun to say something.
const longTurn = 24 * time.Hour
