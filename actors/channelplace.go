package actors

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A conversation is agent.Conversation for one run of a handler.
type conversation struct {
	ctx   context.Context // of the child: what is on its way is waited for
	j     *job
	token string
	state json.RawMessage
}

func newConversation(ctx context.Context, j *job, def *agent.Channel) *conversation {
	c := &conversation{ctx: ctx, j: j, token: j.channelToken(), state: def.State}
	if at := j.info.place.Load(); at != nil && at.state != nil {
		c.state = at.state
	}
	if c.state == nil {
		c.state = json.RawMessage("null")
	}
	return c
}

// ContinuationToken is agent.Conversation's.
func (c *conversation) ContinuationToken() string { return c.token }

// State is agent.Conversation's.
func (c *conversation) State() json.RawMessage { return c.state }

// SetState is agent.Conversation's.
func (c *conversation) SetState(ctx context.Context, state json.RawMessage) error {
	if state == nil {
		state = json.RawMessage("null")
	}
	if err := checkState(state); err != nil {
		return err
	}
	if err := c.update(ctx, &session.UpdateChannel{State: state}); err != nil {
		return err
	}
	c.state = events.AsLogged(state)
	return nil
}

// SetContinuationToken is agent.Conversation's. A session that has ended holds no
// name: it keeps the token for its handlers alone.
func (c *conversation) SetContinuationToken(ctx context.Context, token string) error {
	if err := checkToken(token); err != nil {
		return err
	}
	if token == c.token {
		return nil
	}
	h := c.j.h
	key := conversationKey(c.j.agent.Slug, c.j.info.ChannelID, token)
	if err := h.inflight.hold(ctx, key); err != nil {
		return err
	}
	defer h.inflight.leave(key)
	if err := c.free(ctx, key); err != nil {
		return err
	}
	if err := c.update(ctx, &session.UpdateChannel{Token: token}); err != nil {
		return err
	}
	c.token = token
	return nil
}

// free says whether a name can be had.
func (c *conversation) free(ctx context.Context, key string) error {
	h := c.j.h
	holder, ok, err := h.journal.Lookup(ctx, key, h.now())
	switch {
	case err != nil:
		return refusal(err)
	case !ok, string(holder) == c.j.info.ID:
		return nil
	}
	return fmt.Errorf("setContinuationToken: %w", &ConversationError{SessionID: string(holder)})
}

// update records what the channel says, and waits for the disk once it is on its way.
func (c *conversation) update(ctx context.Context, in *session.UpdateChannel) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := c.j.h.exchange(c.ctx, &command{id: c.j.info.ID, inputs: []session.Input{in}})
	return err
}
