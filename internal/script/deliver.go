package script

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

// CallDelivery gives an event, a line of the log, to the handler that a channel has
// for the key, with Call.Conversation. What the handler throws is *Error. It returns
// when what the handler wrote to the conversation is kept.
func (r *Runtime) CallDelivery(ctx context.Context, module, key string, line json.RawMessage, c *agent.Call) error {
	_, k, _, err := r.runLasting(ctx, c, "deliver:"+key, module, string(line))
	if err == nil {
		k.lasting.release()
	}
	return err
}

// conversationOps serve the channel of an event's handler.
func conversationOps(o *ops) {
	o.sync("conversation.meta", func(v *vm, a args) (any, error) {
		c, place, err := v.conversationOf(a)
		if err != nil {
			return nil, err
		}
		return asJSON(struct {
			State             json.RawMessage `json:"state"`
			ContinuationToken string          `json:"continuationToken,omitempty"`
			DeliveryID        string          `json:"deliveryId"`
		}{place.State(), place.ContinuationToken(), c.call.DeliveryID})
	})
	o.async("conversation.state", func(v *vm, a args) (work, error) {
		_, place, err := v.conversationOf(a)
		state := json.RawMessage(a.text(1))
		return func(ctx context.Context) (any, error) { return nil, place.SetState(ctx, state) }, err
	})
	o.async("conversation.token", func(v *vm, a args) (work, error) {
		_, place, err := v.conversationOf(a)
		token := a.text(1)
		return func(ctx context.Context) (any, error) { return nil, place.SetContinuationToken(ctx, token) }, err
	})
}

func (v *vm) conversationOf(a args) (*call, agent.Conversation, error) {
	c, err := v.callOf(a)
	if err != nil {
		return nil, nil, err
	}
	if c.call.Conversation == nil {
		return nil, nil, errors.New("the channel is not available: this call delivers for no session")
	}
	return c, c.call.Conversation, nil
}
