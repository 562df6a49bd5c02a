package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// receive gives a message of a schedule to a channel of its agent, as if it had come
// in there: it goes where the channel's Target says. It belongs to by where the message
// names no owner.
func (h *Host) receive(ctx context.Context, slug, channel string, m *agent.Receive, by events.Principal) (agent.Sent, error) {
	p := h.Channel(slug, channel)
	if p == nil {
		return agent.Sent{}, fmt.Errorf("receive: the agent has no channel %q; it has: %s", channel, h.channelNames(slug))
	}
	defer p.Close()
	o, err := targetOf(p.def, m.Target)
	if err != nil {
		return agent.Sent{}, fmt.Errorf("receive: the target of channel %q: %w", channel, err)
	}
	if m.Auth != (events.Principal{}) {
		o.Auth = m.Auth
	}
	s := p.sessions(by)
	s.from, s.admitted = events.FromSchedule, true
	return s.Send(ctx, m.Message, o)
}

// targetOf reads where in its channel a message goes.
func targetOf(c *agent.Channel, target json.RawMessage) (o agent.SendOptions, err error) {
	if c.Target != nil {
		return guarded(func() (agent.SendOptions, error) { return c.Target(target) })
	}
	if len(bytes.TrimSpace(target)) == 0 || string(bytes.TrimSpace(target)) == "null" {
		return o, nil
	}
	var t struct {
		ContinuationToken string `json:"continuationToken"`
		Title             string `json:"title"`
	}
	dec := json.NewDecoder(bytes.NewReader(target))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&t); err != nil {
		return o, errors.New("it is an object {continuationToken?, title?}, each a text")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return o, errors.New("it is more than one JSON value")
	}
	return agent.SendOptions{ContinuationToken: t.ContinuationToken, Title: t.Title}, nil
}

// channelNames lists the channels of an agent, for messages.
func (h *Host) channelNames(slug string) string {
	names := "none"
	if r := h.agents.of(slug); r != nil {
		for i, c := range r.Channels {
			if i == 0 {
				names = c.ID
				continue
			}
			names += ", " + c.ID
		}
	}
	return names
}
