package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// receive gives a message to a channel as if it had come in there.
func (f *firing) receive(ctx context.Context, channel string, in agent.Receive) (agent.Sent, error) {
	c := f.agent.channel(channel)
	if c == nil {
		return agent.Sent{}, noChannel(channel, f.agent.Channels)
	}
	o, err := targetOf(c, in.Target)
	if err != nil {
		return agent.Sent{}, fmt.Errorf("receive: the target for channel %s: %w", c.ID, err)
	}
	o.Auth = in.Auth
	s := &channelSessions{h: f.h, slug: f.agent.Slug, channel: c, principal: schedulePrincipal(f.sched.ID), from: events.FromSchedule}
	sent, err := s.Send(ctx, in.Message, o)
	if err == nil {
		f.mu.Lock()
		f.sent = append(f.sent, sent.SessionID)
		f.mu.Unlock()
	}
	return sent, err
}

func (f *firing) wait(ctx context.Context, s agent.Sent) (agent.Completion, error) {
	return f.h.WaitTurn(ctx, s.SessionID, s.TurnID)
}

func noChannel(id string, there []*agent.Channel) error {
	var ids []string
	for _, c := range there {
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return fmt.Errorf("receive: there is no channel %q: the agent has none", id)
	}
	return fmt.Errorf("receive: there is no channel %q: there are %s", id, strings.Join(ids, ", "))
}

// targetOf makes of a target where its message goes.
func targetOf(c *agent.Channel, target json.RawMessage) (o agent.SendOptions, err error) {
	if c.Target != nil {
		return c.Target(target)
	}
	if len(target) == 0 || string(target) == "null" {
		return o, nil
	}
	var t struct {
		ContinuationToken *string `json:"continuationToken"`
		Title             *string `json:"title"`
	}
	if err := json.Unmarshal(target, &t); err != nil {
		return o, errors.New("it is an object {continuationToken?, title?}")
	}
	if t.ContinuationToken != nil {
		o.ContinuationToken = *t.ContinuationToken
	}
	if t.Title != nil {
		o.Title = *t.Title
	}
	return o, nil
}
