package script

import (
	"errors"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// errCallEnded is what a ctx says when its call has already answered.
var errCallEnded = errors.New("this call has ended; await what it starts before it returns")

// about is what ctx tells of a call.
type about struct {
	Session    agent.Session `json:"session"`
	Agent      named         `json:"agent"`
	Channel    channel       `json:"channel"`
	ToolCallID string        `json:"toolCallId,omitempty"`
	TurnID     string        `json:"turnId,omitempty"`
	StateRoot  string        `json:"stateRoot"`
}

// A channel's token is null where the session takes no follow-ups by one.
type channel struct {
	ID                string  `json:"id"`
	ContinuationToken *string `json:"continuationToken"`
}

func channelOf(c agent.ChannelRef) channel {
	if c.ContinuationToken == "" {
		return channel{ID: c.ID}
	}
	return channel{c.ID, &c.ContinuationToken}
}

type named struct {
	Name string `json:"name"`
}

// callOf finds the call that a host function was asked for; its id comes first.
func (v *vm) callOf(a args) (*call, error) {
	if c := v.calls[a.integer(0)]; c != nil {
		return c, nil
	}
	return nil, errCallEnded
}

// callOps are what ctx asks for.
func callOps(o *ops) {
	o.sync("call.done", func(v *vm, a args) (any, error) {
		v.answer(a.integer(0), a.text(1))
		return nil, nil
	})
	o.sync("call.meta", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		k := c.call
		return asJSON(about{k.Session, named{k.Agent}, channelOf(k.Channel), k.ID, k.TurnID, k.StateRoot})
	})
	o.sync("call.now", func(v *vm, a args) (any, error) {
		now := time.Now
		if c := v.calls[a.integer(0)]; c != nil && c.call.Now != nil {
			now = c.call.Now
		}
		return float64(now().UnixMilli()), nil
	})
	o.sync("call.workspace", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Workspace == nil {
			return nil, errors.New("ctx.workspaceDir is not available: this call has no workspace")
		}
		return c.call.Workspace()
	})
	o.sync("call.log", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			v.log().WithLevel(levelOf(a.text(1))).Msg(a.text(2))
			return nil, nil
		}
		c.mark(c.call.Log.WithLevel(levelOf(a.text(1)))).Msg(a.text(2))
		return nil, nil
	})
}
