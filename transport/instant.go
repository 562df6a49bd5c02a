package transport

import (
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

// instantLayout is the one form of an instant in replies, and that of the events:
// RFC 3339 in UTC with three digits of milliseconds.
const instantLayout = "2006-01-02T15:04:05.000Z"

// An instant is a time in a reply.
type instant time.Time

// MarshalJSON writes it in instantLayout; what is below a millisecond is cut off.
func (i instant) MarshalJSON() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(make([]byte, 0, 32), `"`+instantLayout+`"`), nil
}

// A sessionRow is a row of the session list as replies show it.
type sessionRow struct {
	ID          string           `json:"id"`
	Title       string           `json:"title,omitempty"`
	Agent       string           `json:"agent"`
	ChannelID   string           `json:"channelId"`
	Mode        string           `json:"mode"`
	Purpose     string           `json:"purpose"`
	Status      string           `json:"status"`
	CreatedAt   instant          `json:"createdAt"`
	UpdatedAt   instant          `json:"updatedAt"`
	Turns       int              `json:"turns"`
	LastMessage string           `json:"lastMessage,omitempty"`
	Usage       events.Usage     `json:"usage"`
	Cost        *events.Cost     `json:"cost,omitempty"`
	Principal   events.Principal `json:"principal"`
}

func newSessionRow(r *projections.SessionRow) sessionRow {
	return sessionRow{
		ID: r.ID, Title: r.Title, Agent: r.Agent, ChannelID: r.ChannelID, Mode: r.Mode, Purpose: r.Purpose, Status: r.Status,
		CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt), Turns: r.Turns, LastMessage: r.LastMessage,
		Usage: r.Usage, Cost: r.Cost, Principal: r.Principal,
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
	RequestedAt  instant        `json:"requestedAt"`
	ExpiresAt    *instant       `json:"expiresAt,omitempty"`
}

func newApprovalRow(a *projections.Approval) approvalRow {
	return approvalRow{
		RequestID: a.RequestID, CallID: a.CallID, ToolName: a.ToolName, Args: a.Args, TurnID: a.TurnID,
		ParentCallID: a.ParentCallID, RequestedAt: instant(a.RequestedAt), ExpiresAt: (*instant)(a.ExpiresAt),
	}
}

// A logRow is a line of the server's log as replies show it.
type logRow struct {
	N       uint64         `json:"n"`
	At      instant        `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

func newLogRow(l *LogLine) logRow {
	row := logRow{N: l.N, At: instant(l.At), Level: l.Level, Message: l.Message, Fields: l.Fields}
	if row.Fields == nil {
		row.Fields = map[string]any{}
	}
	return row
}
