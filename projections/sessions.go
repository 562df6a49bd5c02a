package projections

import (
	"strings"
	"time"

	"github.com/gobdk/bdk/events"
)

// Statuses of a SessionRow.
const (
	StatusRunning   = "running"   // a turn runs, or waits for its place
	StatusParked    = "parked"    // an approval or authorization is open and nothing else of the turn runs
	StatusWaiting   = "waiting"   // an idle chat, which takes a message
	StatusCompleted = "completed" // a task that reached its result
	StatusFailed    = "failed"    // a task that did not
)

// maxLastMessage is how many characters of the newest message a row shows.
const maxLastMessage = 200

// A SessionRow is a row of the session list, in the key order of the HTTP reply.
type SessionRow struct {
	ID        string    `json:"id"`
	Title     string    `json:"title,omitempty"`
	Agent     string    `json:"agent"`
	ChannelID string    `json:"channelId"`
	Mode      string    `json:"mode"`
	Purpose   string    `json:"purpose"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// Turns counts the turns that started.
	Turns int `json:"turns"`
	// LastMessage is the newest message or reply, its first 200 characters.
	LastMessage string `json:"lastMessage,omitempty"`
	// LastError is why the turn that ended last failed, its first 200 characters; empty:
	// it did not, or another runs.
	LastError string       `json:"lastError,omitempty"`
	Usage     events.Usage `json:"usage"`
	// Cost is the sum of what ended turns recorded, and of what the running one used
	// where Options.Prices knows that, with the model of the last of them; nil where
	// an ended one's cost is unknown, and before anything is known.
	Cost      *events.Cost     `json:"cost,omitempty"`
	Principal events.Principal `json:"principal"`
	// ForkedFrom is where the session's history was copied from; nil: it is no fork.
	ForkedFrom *events.ForkRef `json:"forkedFrom,omitempty"`
}

// sessions is the built-in projection behind the session list.
//
// Its key space, layout 5: 'i' and an id hold the position of the session's last
// event, 8 bytes; 'u' and that position hold the row. Positions grow, so a
// descending scan of 'u' is the list, newest-updated first, without a second look-up.
type sessions struct{}

// Name is "sessions".
func (sessions) Name() string { return nameSessions }

// Version is the version of the fold and of its layout.
func (sessions) Version() int { return 5 }

// Apply folds an event into its session's row.
func (sessions) Apply(w *Writer, e *events.Event) error {
	if strings.HasPrefix(e.SessionID, events.AgentLogPrefix) {
		return nil
	}
	switch data := e.Data.(type) {
	case *events.Unknown:
		return nil
	case *events.SessionStarted:
		w.put(e.SessionID, newSessionState(e, data, w.Position()))
		return nil
	}
	old, err := load(w, e.SessionID, readSession)
	if old == nil || err != nil {
		return err
	}
	if _, ok := e.Data.(*events.SessionDeleted); ok {
		old.unlist(w)
		w.Delete(idKey(e.SessionID))
		w.put(e.SessionID, nil)
		return nil
	}
	s := *old
	s.fold(e)
	s.position = w.Position()
	w.put(e.SessionID, &s)
	return nil
}

// A sessionState is a row and what is needed to fold the next event into it.
// It is replaced, never changed: slices are cloned before they are.
type sessionState struct {
	row SessionRow
	// position is the place of the session's last event, listed the one under which
	// the store lists the row; isListed is false for a row that is not there yet.
	position uint64
	listed   uint64
	isListed bool
	// ownFrom is the index of the first event that is not a fork's copy.
	ownFrom uint64
	// copying says that the fork has no event of its own yet: nobody is shown it.
	copying bool

	money tally
	turn  turnState
}

func newSessionState(e *events.Event, s *events.SessionStarted, position uint64) *sessionState {
	at := instant(e.At)
	st := &sessionState{position: position, row: SessionRow{
		ID: e.SessionID, Title: valid(s.Title), Agent: valid(s.Agent), ChannelID: valid(s.ChannelID),
		Mode: valid(s.Mode), Purpose: valid(s.Purpose), CreatedAt: at, UpdatedAt: at,
		Principal: events.Principal{
			Kind: valid(s.Principal.Kind), ID: valid(s.Principal.ID),
			Issuer: valid(s.Principal.Issuer), Tenant: valid(s.Principal.Tenant),
		},
	}}
	if f := s.ForkedFrom; f != nil {
		st.ownFrom, st.copying = s.Copied(), true
		st.row.ForkedFrom = &events.ForkRef{SessionID: valid(f.SessionID), Index: f.Index}
	}
	st.row.Status = st.status()
	return st
}

func (s *sessionState) fold(e *events.Event) {
	if at := instant(e.At); at.After(s.row.UpdatedAt) {
		s.row.UpdatedAt = at
	}
	s.foldRow(e)
	if e.Index >= s.ownFrom {
		s.copying = false
		s.money.fold(e, s.turn.running)
	}
	s.turn.fold(e)
	s.row.Status = s.status()
}

func (s *sessionState) foldRow(e *events.Event) {
	switch data := e.Data.(type) {
	case *events.SessionUpdated:
		s.row.Title = valid(data.Title) // empty clears it
	case *events.MessageReceived:
		s.row.LastMessage = cut(data.Text, maxLastMessage)
	case *events.MessageCompleted:
		if data.ParentCallID == "" && data.FinishReason != events.FinishToolCalls {
			s.row.LastMessage = cut(data.Text, maxLastMessage)
		}
	case *events.TurnStarted:
		s.row.Turns++
		s.row.LastError = ""
	case *events.TurnFailed:
		if data.Status != events.StatusCancelled {
			s.row.LastError = cut(data.Message, maxLastMessage)
		}
	case *events.SessionCompleted:
		s.turn.ended = StatusCompleted
	case *events.SessionFailed:
		s.turn.ended = StatusFailed
	}
}

// status says how the session stands after its last event.
func (s *sessionState) status() string {
	switch {
	case s.turn.ended != "":
		return s.turn.ended
	case s.turn.parked():
		return StatusParked
	case s.turn.open() || s.row.Mode == events.ModeTask:
		return StatusRunning
	}
	return StatusWaiting
}
