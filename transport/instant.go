package transport

import (
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

// instantLayout is the one form of an instant in replies, and that of the events:
// RFC 3339 in UTC with three digits of milliseconds.
const instantLayout = "2006-01-02T15:04:05.000Z"

// An Instant is a time in a reply.
type Instant time.Time

// MarshalJSON writes it in instantLayout; what is below a millisecond is cut off.
func (i Instant) MarshalJSON() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(make([]byte, 0, 32), `"`+instantLayout+`"`), nil
}

// A SessionRow is a row of the session list as replies show it.
type SessionRow struct {
	ID          string           `json:"id"`
	Title       string           `json:"title,omitempty"`
	Agent       string           `json:"agent"`
	ChannelID   string           `json:"channelId"`
	Mode        string           `json:"mode"`
	Purpose     string           `json:"purpose"`
	Status      string           `json:"status"`
	CreatedAt   Instant          `json:"createdAt"`
	UpdatedAt   Instant          `json:"updatedAt"`
	Turns       int              `json:"turns"`
	LastMessage string           `json:"lastMessage,omitempty"`
	LastError   string           `json:"lastError,omitempty"`
	Usage       events.Usage     `json:"usage"`
	Cost        *events.Cost     `json:"cost,omitempty"`
	Principal   events.Principal `json:"principal"`
	ForkedFrom  *events.ForkRef  `json:"forkedFrom,omitempty"`
}

// NewSessionRow gives the row of a session.
func NewSessionRow(r *projections.SessionRow) SessionRow {
	return SessionRow{
		ID: r.ID, Title: r.Title, Agent: r.Agent, ChannelID: r.ChannelID, Mode: r.Mode, Purpose: r.Purpose, Status: r.Status,
		CreatedAt: Instant(r.CreatedAt), UpdatedAt: Instant(r.UpdatedAt), Turns: r.Turns, LastMessage: r.LastMessage, LastError: r.LastError,
		Usage: r.Usage, Cost: r.Cost, Principal: r.Principal, ForkedFrom: r.ForkedFrom,
	}
}

// An approvalRow is a call that waits for a decision as replies show it.
type approvalRow struct {
	RequestID    string         `json:"requestId"`
	CallID       string         `json:"callId"`
	ToolName     string         `json:"toolName"`
	Args         events.RawJSON `json:"args"`
	TurnID       string         `json:"turnId"`
	ParentCallID string         `json:"parentCallId,omitempty"`
	RequestedAt  Instant        `json:"requestedAt"`
	ExpiresAt    *Instant       `json:"expiresAt,omitempty"`
}

func newApprovalRow(a *projections.Approval) approvalRow {
	return approvalRow{
		RequestID: a.RequestID, CallID: a.CallID, ToolName: a.ToolName, Args: a.Args, TurnID: a.TurnID,
		ParentCallID: a.ParentCallID, RequestedAt: Instant(a.RequestedAt), ExpiresAt: (*Instant)(a.ExpiresAt),
	}
}

// A LogRow is a line of the server's log as replies show it.
type LogRow struct {
	N       uint64         `json:"n"`
	At      Instant        `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

// NewLogRow gives the row of a line.
func NewLogRow(l *LogLine) LogRow {
	row := LogRow{N: l.N, At: Instant(l.At), Level: l.Level, Message: l.Message, Fields: l.Fields}
	if row.Fields == nil {
		row.Fields = map[string]any{}
	}
	return row
}
