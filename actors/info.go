package actors

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A SessionInfo is what never changes of a session. It is immutable.
type SessionInfo struct {
	ID        string
	Agent     string // its slug
	Owner     events.Principal
	ChannelID string
	Mode      string
	Purpose   string
	DryRun    bool

	// followUps is kept up by the session's actor: the n of the newest HTTP token that
	// is on disk; below 0: no follow-up is taken. Nil where the session is not awake.
	followUps *atomic.Int64
	// place is kept up by the session's actor, too: what is on disk. Nil where the
	// session is not awake.
	place *atomic.Pointer[channelPlace]
}

// A channelPlace is how a channel knows a conversation: what channel.updated said last;
// empty where none did.
type channelPlace struct {
	token string
	state events.RawJSON
}

// nowhere is the place of sessions whose channel says nothing of them.
var nowhere = &channelPlace{}

func placeOf(st *session.State) *channelPlace {
	if st.ContinuationToken == "" && st.ChannelState == nil {
		return nowhere
	}
	return &channelPlace{token: st.ContinuationToken, state: st.ChannelState}
}

// builtIn says whether the session is of a channel that every agent has.
func (i *SessionInfo) builtIn() bool { return slices.Contains(builtIn, i.ChannelID) }

func infoOf(id string, s *events.SessionStarted) *SessionInfo {
	return &SessionInfo{ID: id, Agent: s.Agent, Owner: s.Principal, ChannelID: s.ChannelID, Mode: s.Mode, Purpose: s.Purpose, DryRun: s.DryRun}
}

// Session finds a session and who owns it. It wakes nobody. A fork that is not whole
// yet is unknown.
func (h *Host) Session(_ context.Context, id string) (SessionInfo, error) {
	if info, ok := h.infos.Load(id); ok {
		return *info.(*SessionInfo), nil
	}
	start, err := h.visible(id)
	if err != nil {
		return SessionInfo{}, err
	}
	return *infoOf(id, start), nil
}

// FollowUps is the number of follow-ups so far: the n of the session's newest HTTP
// token. It reads the log and wakes nobody.
func (h *Host) FollowUps(_ context.Context, sessionID string) (int, error) {
	st, err := h.StateAt(sessionID, math.MaxUint64)
	return st.FollowUps, err
}

// tokenNumber is the n of a session's newest HTTP token; below 0: it takes no follow-up.
func tokenNumber(st *session.State) int64 {
	if st.Mode == events.ModeTask || st.Ended != "" {
		return -1
	}
	return int64(st.FollowUps)
}

// numbered gives a session's info with the number of its newest token, whether the
// session is awake or not.
func (h *Host) numbered(id string, start *events.SessionStarted) (*SessionInfo, error) {
	if info, ok := h.infos.Load(id); ok {
		return info.(*SessionInfo), nil
	}
	st, err := h.StateAt(id, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	info := infoOf(id, start)
	info.followUps = new(atomic.Int64)
	info.followUps.Store(tokenNumber(&st))
	info.place = new(atomic.Pointer[channelPlace])
	info.place.Store(placeOf(&st))
	return info, nil
}

// StateAt gives the session's state before the event of an index: the fold of its log up to it.
func (h *Host) StateAt(sessionID string, index uint64) (session.State, error) {
	head, err := h.journal.Head(sessionID)
	switch {
	case err != nil:
		return session.State{}, refusal(err)
	case head == 0:
		return session.State{}, ErrUnknownSession
	}
	core, _, err := h.foldTo(sessionID, session.Config{}, min(index, head))
	if err != nil {
		return session.State{}, refusal(err)
	}
	return core.State, nil
}

// An Outcome is how a session came to rest.
type Outcome struct {
	// Status is one of session.StatusWaiting, StatusParked, StatusCompleted, StatusFailed, StatusDeleted.
	Status string
	// Result is what the last turn gave, Message why it failed.
	Result  events.RawJSON
	Message string
}

// Wait returns when the session is idle, parked or ended.
func (h *Host) Wait(ctx context.Context, sessionID string) (Outcome, error) {
	var out Outcome
	core := session.New(session.Config{})
	for lines, err := range h.journal.Follow(ctx, sessionID, 0) {
		if err != nil {
			return out, refusal(err)
		}
		head, err := h.journal.Head(sessionID)
		if err != nil {
			return out, refusal(err)
		}
		for i := range lines {
			if err := core.Fold(lines[i].Data); err != nil {
				return out, errors.Join(ErrCorrupt, err)
			}
			out.note(lines[i].Data)
		}
		if out.Status = core.Status(); core.Next >= head && out.Status != session.StatusRunning {
			return out, nil
		}
	}
	return out, ctx.Err()
}

// note keeps what the newest turn's end says.
func (o *Outcome) note(line []byte) {
	switch events.TypeOf(line) {
	case "turn.completed", "turn.failed":
	default:
		return
	}
	e, err := events.Decode(line)
	if err != nil {
		return
	}
	switch d := e.Data.(type) {
	case *events.TurnCompleted:
		o.Result, o.Message = d.Result, ""
	case *events.TurnFailed:
		o.Result, o.Message = nil, d.Message
	}
}
