package actors

import (
	"context"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A Message goes to a session that exists.
type Message struct {
	Text string
	// From defaults to events.FromUser.
	From string
	// FollowUp is the n of the HTTP token that came with it; nil: none is checked. A
	// message from a user makes the token before it stale in either case.
	FollowUp    *int
	Idempotency *events.Idempotency
	// DeliveryID makes the message once: again within 7 days, it gives the first
	// answer. It takes the place of Idempotency.
	DeliveryID string

	askers []string // the agents that it came through
}

// Send queues a message behind the running turn.
func (h *Host) Send(ctx context.Context, sessionID string, m Message) (Accepted, error) {
	return h.message(ctx, sessionID, m, false)
}

// Interrupt ends the open turn, if there is one, and puts the message first.
func (h *Host) Interrupt(ctx context.Context, sessionID string, m Message) (Accepted, error) {
	return h.message(ctx, sessionID, m, true)
}

func (h *Host) message(ctx context.Context, id string, m Message, interrupt bool) (Accepted, error) {
	if err := h.Admit(); err != nil {
		return Accepted{}, err
	}
	if m.From == "" {
		m.From = events.FromUser
	}
	in := &session.Message{
		TurnID: h.newID(events.TurnPrefix), Text: m.Text, From: m.From, DeliveryID: m.DeliveryID,
		Idempotency: m.Idempotency, FollowUp: m.FollowUp, Interrupt: interrupt, Askers: m.askers,
	}
	send := func(ctx context.Context) (Accepted, error) { return h.deliver(ctx, id, in) }
	if m.DeliveryID != "" {
		info, err := h.Session(ctx, id)
		if err != nil {
			return Accepted{}, err
		}
		return onceFor(ctx, h, deliveryKey(info.Agent, info.ChannelID, m.DeliveryID), "", send, h.acceptedAgain)
	}
	return once(ctx, h, m.Idempotency, send, h.acceptedAgain)
}

// deliver gives a message to its session and says where it went.
func (h *Host) deliver(ctx context.Context, id string, in *session.Message) (Accepted, error) {
	r, err := h.ask(ctx, &command{id: id, inputs: []session.Input{in}})
	if err != nil {
		return Accepted{}, err
	}
	return Accepted{SessionID: id, TurnID: r.turn, Index: r.index, FollowUps: r.followUps, Position: r.position}, nil
}

// A Stopped says whether there was a turn to stop.
type Stopped struct {
	Stopped  bool
	Position uint64
}

// Stop ends the open turn; on an idle session it does nothing.
func (h *Host) Stop(ctx context.Context, sessionID string) (Stopped, error) {
	r, err := h.ask(ctx, &command{id: sessionID, inputs: []session.Input{&session.Stop{}}})
	return Stopped{Stopped: r.stopped, Position: r.position}, err
}

// Rename changes the title and gives the position after it.
func (h *Host) Rename(ctx context.Context, sessionID, title string) (uint64, error) {
	r, err := h.ask(ctx, &command{id: sessionID, inputs: []session.Input{&session.Rename{Title: title}}})
	return r.position, err
}
