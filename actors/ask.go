package actors

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

var (
	// ErrForbidden refuses a session that belongs to another principal.
	ErrForbidden = errors.New("actors: session belongs to another principal")
	// ErrNeedsApproval refuses a direct call by a model that a person must approve.
	ErrNeedsApproval = errors.New("actors: a person must approve this call")
)

// askChannel is the channel of the sessions that Ask opens.
const askChannel = "mcp"

// An Ask is a message whose sender waits for the reply.
type Ask struct {
	// Agent is the slug.
	Agent   string
	Message string
	// SessionID goes on with a chat of the principal's; empty: a new one.
	SessionID string
	// Title is of a new session alone.
	Title string
	// From defaults to events.FromPeer: messages of users alone make an HTTP token
	// stale, and an ask does not.
	From      string
	Principal events.Principal
	// Operator says that the principal may act on everybody's sessions.
	Operator bool
	// Wait is how long the reply is waited for; 0: not at all.
	Wait time.Duration
	// Accepted is told where the message went, once it is on disk; nil: nobody is.
	Accepted func(Accepted)

	askers  []string // the agents that it came through
	purpose string   // of a new session; empty: live
}

// A Check looks at the newest turn of a session.
type Check struct {
	// Agent is the slug.
	Agent     string
	SessionID string
	Principal events.Principal
	Operator  bool
	// Wait is how long the turn's end is waited for; 0: not at all.
	Wait time.Duration
}

// AskRunning is the status of a turn that neither ended nor parked while it was waited for.
const AskRunning = "running"

// An AskReply says how far a turn has come.
type AskReply struct {
	// Status is AskRunning, or one of a Completion's.
	Status    string `json:"status"`
	SessionID string `json:"sessionId"`
	// ContinuationToken is the newest one of the HTTP routes; empty for a task.
	ContinuationToken string `json:"continuationToken"`
	Reply             string `json:"reply,omitempty"`
	ErrorMessage      string `json:"errorMessage,omitempty"`
}

// Ask sends a message and waits for its turn. On a busy session it queues. When ctx
// ends, the wait does; the turn goes on.
func (h *Host) Ask(ctx context.Context, a Ask) (AskReply, error) {
	if a.From == "" {
		a.From = events.FromPeer
	}
	sent, err := h.accept(ctx, &a)
	if err != nil {
		return AskReply{}, err
	}
	if a.Accepted != nil {
		a.Accepted(sent)
	}
	return h.askReply(ctx, sent.SessionID, sent.TurnID, a.Wait)
}

// accept takes the message of an Ask, into a new session or one of the principal's.
func (h *Host) accept(ctx context.Context, a *Ask) (Accepted, error) {
	if a.SessionID == "" {
		return h.StartSession(ctx, NewSession{Agent: a.Agent, Principal: a.Principal, ChannelID: askChannel, Purpose: a.purpose, Title: a.Title, Message: a.Message, From: a.From, askers: a.askers})
	}
	if err := h.mayUse(ctx, a.Agent, a.SessionID, a.Principal, a.Operator); err != nil {
		return Accepted{}, err
	}
	return h.Send(ctx, a.SessionID, Message{Text: a.Message, From: a.From, askers: a.askers})
}

// Check gives the shape of Ask for the newest turn of a session.
func (h *Host) Check(ctx context.Context, c Check) (AskReply, error) {
	if err := h.mayUse(ctx, c.Agent, c.SessionID, c.Principal, c.Operator); err != nil {
		return AskReply{}, err
	}
	return h.askReply(ctx, c.SessionID, "", c.Wait)
}

// mayUse says whether a session is one of the agent that the principal may act on.
func (h *Host) mayUse(ctx context.Context, slug, id string, p events.Principal, operator bool) error {
	s, err := h.Session(ctx, id)
	switch {
	case err != nil:
		return err
	case s.Agent != slug:
		return ErrUnknownSession
	case s.Owner != p && !operator:
		return ErrForbidden
	}
	return nil
}

// askReply waits for a turn and describes it.
func (h *Host) askReply(ctx context.Context, id, turn string, wait time.Duration) (AskReply, error) {
	done, err := h.turnWithin(ctx, id, turn, wait)
	if err != nil {
		return AskReply{}, err
	}
	st, err := h.StateAt(id, math.MaxUint64)
	if err != nil {
		return AskReply{}, err
	}
	out := AskReply{Status: done.Status, SessionID: id, ErrorMessage: done.ErrorMessage}
	if done.Status == agent.CompletionFinished {
		out.Reply = done.Reply
	}
	if st.Mode != events.ModeTask {
		out.ContinuationToken = h.Token(id, st.FollowUps)
	}
	return out, nil
}

// turnWithin waits for a turn, but not longer than wait, nor than the host lives.
func (h *Host) turnWithin(ctx context.Context, id, turn string, wait time.Duration) (agent.Completion, error) {
	if wait > 0 {
		bound, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		defer context.AfterFunc(h.life, cancel)()
		done, err := h.WaitTurn(bound, id, turn)
		switch {
		case err == nil:
			return done, nil
		case ctx.Err() != nil:
			return done, ctx.Err()
		case bound.Err() == nil:
			return done, err
		}
	}
	return h.turnNow(id, turn)
}

// turnNow says how far a turn has come by what is in the log. One that waits behind
// a parked turn is parked with it.
func (h *Host) turnNow(id, turn string) (agent.Completion, error) {
	w := turnWait{core: session.New(session.Config{}), turn: turn, newest: turn == ""}
	head, err := h.journal.Head(id)
	if err != nil {
		return agent.Completion{}, refusal(err)
	}
	for w.core.Next < head {
		lines, err := h.journal.ReadSome(id, w.core.Next, head)
		if err != nil {
			return agent.Completion{}, refusal(err)
		}
		if len(lines) == 0 {
			return agent.Completion{}, ErrCorrupt
		}
		for i := range lines {
			if err := w.fold(lines[i].Data); err != nil {
				return agent.Completion{}, errors.Join(ErrCorrupt, err)
			}
		}
	}
	if w.rests(true) {
		return w.out, nil
	}
	w.out.Status = AskRunning
	if w.core.Status() == session.StatusParked {
		w.out.Status = agent.CompletionParked
	}
	return w.out, nil
}
