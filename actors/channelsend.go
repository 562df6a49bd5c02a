package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// ErrOtherOwner refuses a message to a conversation that another principal owns.
var ErrOtherOwner = errors.New("actors: the conversation belongs to another principal; send with auth set to its owner, or with another continuationToken")

// channelSessions is agent.Sessions for one channel of an agent and one principal.
type channelSessions struct {
	h         *Host
	slug      string
	channel   *agent.Channel
	principal events.Principal
	from      string // of the messages: one of events.From…
	// admitted says that they are for work that Close waits for, and that may end what it
	// does while the host drains.
	admitted bool
	// deliveries gives the id of a message whose sender names none; nil: it has none.
	deliveries func() string
}

// Send is agent.Sessions'. Title, Auth, Mode, Files and State are those of the session
// that the message opens; a conversation that is open keeps its own. One that another
// principal owns is ErrOtherOwner, unless the message is for a shared one.
func (s *channelSessions) Send(ctx context.Context, text string, o agent.SendOptions) (agent.Sent, error) {
	if err := s.complete(&o); err != nil {
		return agent.Sent{}, err
	}
	if err := checkSend(text, &o); err != nil {
		return agent.Sent{}, err
	}
	if s.admitted {
		ctx = admitted(ctx)
	}
	if err := s.h.Admit(); err != nil && (!errors.Is(err, ErrDraining) || s.h.refuses(ctx)) {
		return agent.Sent{}, err
	}
	if o.DeliveryID == "" {
		return s.send(ctx, text, &o)
	}
	key := deliveryKey(s.slug, s.channel.ID, o.DeliveryID)
	return onceInTurn(ctx, s.h, key, func(ctx context.Context) (agent.Sent, error) { return s.send(ctx, text, &o) },
		func(e *events.Event) (agent.Sent, error) { return s.sentAgain(e, &o) })
}

// complete fills what was left out.
func (s *channelSessions) complete(o *agent.SendOptions) error {
	if o.DeliveryID == "" && s.deliveries != nil {
		o.DeliveryID = s.deliveries()
	}
	o.Title = cutTitle(o.Title)
	if o.Auth == (events.Principal{}) {
		o.Auth = s.principal
	}
	if o.Auth.Kind == "" || o.Auth.ID == "" {
		return errors.New("send: auth needs a kind and an id: they name who owns the session")
	}
	for _, d := range []struct {
		field  *string
		values []string
	}{{&o.Admission, []string{s.channel.Admission, agent.AdmissionQueue}}, {&o.Mode, []string{events.ModeChat}}} {
		for _, v := range d.values {
			if *d.field == "" {
				*d.field = v
			}
		}
	}
	return nil
}

// send gives the message to the conversation that its token names, or opens one.
func (s *channelSessions) send(ctx context.Context, text string, o *agent.SendOptions) (agent.Sent, error) {
	if o.ContinuationToken == "" {
		return s.open(ctx, text, o)
	}
	key := conversationKey(s.slug, s.channel.ID, o.ContinuationToken)
	return holding(ctx, s.h, key, func(ctx context.Context) (agent.Sent, error) {
		for {
			holder, ok, err := s.h.journal.Lookup(ctx, key, s.h.now())
			if err != nil {
				return agent.Sent{}, refusal(err)
			}
			if !ok {
				return s.open(ctx, text, o)
			}
			sent, err := s.join(ctx, string(holder), text, o)
			if !errors.Is(err, errEnded) {
				return sent, err
			}
			if err := s.h.freeConversation(ctx, string(holder), key); err != nil {
				return agent.Sent{}, err
			}
		}
	})
}

// open starts a session with the message.
func (s *channelSessions) open(ctx context.Context, text string, o *agent.SendOptions) (agent.Sent, error) {
	if !s.h.agents.lists(s.slug) {
		return agent.Sent{}, ErrUnknownAgent
	}
	n := &NewSession{
		Agent: s.slug, Principal: o.Auth, ChannelID: s.channel.ID, Mode: o.Mode, Title: o.Title, Message: text, From: s.from,
		ContinuationToken: o.ContinuationToken, delivery: o.DeliveryID, state: o.State,
	}
	for _, f := range o.Files {
		n.Files = append(n.Files, File(f))
	}
	n.ensureDefaults()
	a, err := s.h.startSession(ctx, n)
	return agent.Sent{SessionID: a.SessionID, ContinuationToken: o.ContinuationToken, TurnID: a.TurnID}, err
}

// errEnded says that the session which holds a conversation has ended.
var errEnded = errors.New("actors: the session has ended")

// join gives the message to an open session.
func (s *channelSessions) join(ctx context.Context, id, text string, o *agent.SendOptions) (agent.Sent, error) {
	info, err := s.h.Session(ctx, id)
	switch {
	case err != nil:
		return agent.Sent{}, err
	case info.Owner != o.Auth && !o.Shared:
		return agent.Sent{}, ErrOtherOwner
	case o.Title != "" || len(o.Files) > 0 || o.State != nil || o.Mode != info.Mode:
		s.h.o.Logger.Debug().Str("session", id).Str("channel", s.channel.ID).Msg("send: the conversation is open, so it keeps its title, files, mode and state: those of this message are not used")
	}
	a, err := s.h.deliver(ctx, id, &session.Message{
		TurnID: s.h.newID(events.TurnPrefix), Text: text, From: s.from, DeliveryID: o.DeliveryID,
		Interrupt: o.Admission == agent.AdmissionInterrupt, Coalesce: o.Admission == agent.AdmissionCoalesce, Reject: o.Admission == agent.AdmissionReject,
	})
	switch {
	case errors.Is(err, ErrSessionBusy):
		return agent.Sent{}, agent.ErrBusy
	case errors.Is(err, ErrDeleted), errors.Is(err, ErrTaskSession):
		st, stErr := s.h.StateAt(id, math.MaxUint64)
		if stErr == nil && st.Ended != "" {
			return agent.Sent{}, errEnded
		}
	}
	return agent.Sent{SessionID: id, ContinuationToken: o.ContinuationToken, TurnID: a.TurnID}, err
}

// sentAgain computes the answer to a message from the log. One to another conversation
// is another message, which must not be lost for that.
func (s *channelSessions) sentAgain(e *events.Event, o *agent.SendOptions) (agent.Sent, error) {
	token, err := s.h.channelToken(e.SessionID, e.Index+1)
	if err == nil && o.ContinuationToken != "" && o.ContinuationToken != token {
		return agent.Sent{}, fmt.Errorf("send: the deliveryId %q was that of a message to %s, and this one is for the conversation %q: give the messages of each conversation ids of their own",
			o.DeliveryID, conversationNamed(token), o.ContinuationToken)
	}
	return agent.Sent{SessionID: e.SessionID, ContinuationToken: token, TurnID: e.TurnID}, err
}

func conversationNamed(token string) string {
	if token == "" {
		return "a new conversation without a token"
	}
	return fmt.Sprintf("the conversation %q", token)
}

// Find is agent.Sessions': a session that was deleted is not found.
func (s *channelSessions) Find(ctx context.Context, id string) (agent.Sent, bool, error) {
	info, err := s.h.Session(ctx, id)
	switch {
	case errors.Is(err, ErrUnknownSession):
		return agent.Sent{}, false, nil
	case err != nil:
		return agent.Sent{}, false, err
	case info.Agent != s.slug || info.ChannelID != s.channel.ID:
		return agent.Sent{}, false, nil
	}
	token, err := s.h.channelToken(id, math.MaxUint64)
	if errors.Is(err, ErrDeleted) {
		return agent.Sent{}, false, nil
	}
	return agent.Sent{SessionID: id, ContinuationToken: token}, err == nil, err
}

// Wait is agent.Sessions'.
func (s *channelSessions) Wait(ctx context.Context, sent agent.Sent) (agent.Completion, error) {
	return s.h.WaitTurn(ctx, sent.SessionID, sent.TurnID)
}

// channelToken gives a session's name in its channel, as of an index of its log.
func (h *Host) channelToken(id string, index uint64) (string, error) {
	st, err := h.StateAt(id, index)
	switch {
	case err != nil:
		return "", err
	case st.Ended == session.StatusDeleted:
		return "", ErrDeleted
	case st.ContinuationToken != "":
		return st.ContinuationToken, nil
	}
	start, err := h.startedOf(id)
	if err != nil {
		return "", refusal(err)
	}
	return start.ContinuationToken, nil
}

// Bounds of what a sender names.
const (
	maxToken      = 512
	maxDeliveryID = 255
	maxTitle      = 200
)

func checkState(state json.RawMessage) error {
	switch {
	case state != nil && !json.Valid(state):
		return errors.New("the state of a conversation must be JSON")
	case len(state) > maxState:
		return fmt.Errorf("the state of a conversation has %d bytes, it may have %d: keep more in host.kv", len(state), maxState)
	}
	return nil
}

// maxState is how long the state of a conversation may be: it is in the log each time.
const maxState = 64 << 10
