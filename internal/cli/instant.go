package cli

import (
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// An instant is a time in JSON, in the one form that the host gives it: RFC 3339 in
// UTC with three digits of milliseconds.
type instant time.Time

// MarshalJSON writes it; what is below a millisecond is cut off.
func (i instant) MarshalJSON() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(make([]byte, 0, 32), `"2006-01-02T15:04:05.000Z"`), nil
}

// A sessionRow is a session in JSON, as GET /v1/sessions shows it.
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

func newSessionRow(s client.Session) sessionRow {
	return sessionRow{
		ID: s.ID, Title: s.Title, Agent: s.Agent, ChannelID: s.ChannelID, Mode: s.Mode, Purpose: s.Purpose, Status: s.Status,
		CreatedAt: instant(s.CreatedAt), UpdatedAt: instant(s.UpdatedAt), Turns: s.Turns, LastMessage: s.LastMessage,
		Usage: s.Usage, Cost: s.Cost, Principal: s.Principal,
	}
}

func newSessionRows(list []client.Session) []sessionRow {
	rows := make([]sessionRow, len(list))
	for i, s := range list {
		rows[i] = newSessionRow(s)
	}
	return rows
}

// A logRow is a line of the host's log in JSON, as GET /v1/logs shows it.
type logRow struct {
	N       uint64         `json:"n"`
	At      instant        `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}
