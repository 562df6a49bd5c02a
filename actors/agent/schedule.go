package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gobdk/bdk/events"
)

// Values of Schedule.Overlap.
const (
	OverlapSkip  = "skip"
	OverlapAllow = "allow"
)

// A Schedule fires at instants of a clock. Exactly one of Markdown and Run is set.
type Schedule struct {
	// ID is the file's name, or <ns>__<id> of an extension.
	ID string
	// Source is "project" or "extension:<ns>".
	Source string
	// Cron has five fields: minute, hour, day of month, month, day of week.
	Cron string
	// TimeZone is an IANA name. Defaults to UTC.
	TimeZone string
	// Markdown is the prompt of the task session that a firing opens.
	Markdown string
	// Run is called for each firing; Call.Firing says which.
	Run func(ctx context.Context, c *Call) error
	// Overlap says what happens while the firing before still runs. Defaults to OverlapSkip.
	Overlap string
	// CatchUp fires once at start for instants that were missed.
	CatchUp bool
}

// A Firing is one firing of a schedule and what its Run may do.
type Firing struct {
	ScheduledAt time.Time
	// AppAuth is the schedule's own principal.
	AppAuth events.Principal
	// Receive gives a message to a channel as if it had come in there.
	Receive func(ctx context.Context, channel string, r Receive) (Sent, error)
	// Wait returns when the turn of a message has ended or is parked.
	Wait func(ctx context.Context, s Sent) (Completion, error)
	// CallTool calls a server tool without a model; the error result of a tool is no error.
	CallTool func(ctx context.Context, name string, input json.RawMessage) (Result, error)
}

// A Receive is a message for a channel.
type Receive struct {
	Message string
	// Auth owns the session that is opened; zero: the schedule.
	Auth events.Principal
	// Target says where in the channel; what it holds is the channel's own.
	Target json.RawMessage
}

// Reminders are those of one chat session. They return when what they did is on disk.
type Reminders interface {
	// Set arms a reminder and gives its id. One of At, In and Cron is set. The same key
	// replaces the reminder that has it.
	Set(ctx context.Context, r Reminder) (id string, err error)
	// List gives those that are armed, by their time.
	List(ctx context.Context) ([]Reminder, error)
	// Cancel disarms one by its id or key; it says whether there was one.
	Cancel(ctx context.Context, idOrKey string) (bool, error)
}

// A Reminder sends its session a message at a time.
type Reminder struct {
	ID  string        `json:"id,omitempty"`
	Key string        `json:"key,omitempty"`
	At  *time.Time    `json:"at,omitempty"` // of the next firing, when listed
	In  time.Duration `json:"-"`
	// Cron has five fields and repeats; TimeZone defaults to UTC.
	Cron     string          `json:"cron,omitempty"`
	TimeZone string          `json:"timeZone,omitempty"`
	Message  string          `json:"message"`
	Data     json.RawMessage `json:"data,omitempty"`
}
