package events

import "time"

// A WorkspaceFile names a file that the session's workspace starts with; its content is in the content store.
type WorkspaceFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// A ScheduleRef names the firing that opened a session.
type ScheduleRef struct {
	ID      string    `json:"id"`
	Instant time.Time `json:"instant"`
}

// A ForkRef names where a session's history was copied from: all events of a fork up
// to Index, but for the session.started, are those of the session SessionID.
type ForkRef struct {
	SessionID string `json:"sessionId"`
	Index     uint64 `json:"index"`
}

// Copied is how many events at the beginning of the log are another session's, the
// session.started included; 0: the session is no fork.
func (s *SessionStarted) Copied() uint64 {
	if s.ForkedFrom == nil {
		return 0
	}
	return s.ForkedFrom.Index + 1
}

// SessionStarted opens a log; it is always event 0 of a session.
type SessionStarted struct {
	Agent             string          `json:"agent"`
	ChannelID         string          `json:"channelId"`
	Mode              string          `json:"mode"`
	Purpose           string          `json:"purpose"`
	Principal         Principal       `json:"principal"`
	Title             string          `json:"title,omitempty"`
	DryRun            bool            `json:"dryRun,omitempty"`
	AsOf              *time.Time      `json:"asOf,omitempty"`
	WorkspaceFiles    []WorkspaceFile `json:"workspaceFiles,omitempty"`
	ContinuationToken string          `json:"continuationToken,omitempty"`
	Schedule          *ScheduleRef    `json:"schedule,omitempty"`
	ForkedFrom        *ForkRef        `json:"forkedFrom,omitempty"`
	// WorkspaceDir, Stubs and Model are of sessions of evals: the user's folder that it
	// works in, the names of the tools that are not run, and the model in the agent's place.
	WorkspaceDir string   `json:"workspaceDir,omitempty"`
	Stubs        []string `json:"stubs,omitempty"`
	Model        string   `json:"model,omitempty"`
}

// SessionUpdated changes what a session is called.
type SessionUpdated struct {
	Title string `json:"title,omitempty"`
}

// SessionWaiting says that a chat became idle and takes a message.
type SessionWaiting struct{}

// SessionCompleted ends a task that reached its result.
type SessionCompleted struct {
	Result RawJSON `json:"result,omitempty"`
}

// SessionFailed ends a task that did not.
type SessionFailed struct {
	Message string `json:"message"`
}

// SessionDeleted says that the contents were purged; the id stays taken.
type SessionDeleted struct{}

// MessageReceived is a message to the agent; its TurnID is the turn that it opens.
type MessageReceived struct {
	Text        string       `json:"text"`
	From        string       `json:"from"`
	DeliveryID  string       `json:"deliveryId,omitempty"`
	Idempotency *Idempotency `json:"idempotency,omitempty"`
	// Askers are the slugs of the agents that a peer's message came through, the first first.
	Askers []string `json:"askers,omitempty"`
}

// ChannelUpdated keeps a channel's own state in the log.
type ChannelUpdated struct {
	State             RawJSON `json:"state,omitempty"`
	ContinuationToken string  `json:"continuationToken,omitempty"`
}

// ReminderSet arms a reminder.
type ReminderSet struct {
	ReminderID   string     `json:"reminderId"`
	Key          string     `json:"key,omitempty"`
	At           *time.Time `json:"at,omitempty"`
	Cron         string     `json:"cron,omitempty"`
	TimeZone     string     `json:"timeZone,omitempty"`
	Message      string     `json:"message"`
	Data         RawJSON    `json:"data,omitempty"`
	ParentCallID string     `json:"parentCallId,omitempty"`
}

// ReminderCancelled disarms one.
type ReminderCancelled struct {
	ReminderID   string `json:"reminderId"`
	ParentCallID string `json:"parentCallId,omitempty"`
}

// ReminderFired says that one came due.
type ReminderFired struct {
	ReminderID string `json:"reminderId"`
	// Next is when it fires again; nil: it is disarmed.
	Next *time.Time `json:"next,omitempty"`
}
