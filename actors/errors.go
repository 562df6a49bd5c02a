package actors

import (
	"errors"
	"strings"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events/journal"
)

// Errors that callers branch on.
var (
	ErrUnknownSession      = errors.New("actors: unknown session")
	ErrUnknownAgent        = errors.New("actors: unknown agent")
	ErrDeleted             = errors.New("actors: the session was deleted")
	ErrStaleToken          = errors.New("actors: continuation token is stale")
	ErrTaskSession         = errors.New("actors: a task session takes no messages")
	ErrSessionBusy         = errors.New("actors: the session has an open turn, or its context is being summed up")
	ErrUnknownCall         = errors.New("actors: unknown call")
	ErrAlreadyResolved     = errors.New("actors: approval was already resolved")
	ErrCallCancelled       = errors.New("actors: call was cancelled")
	ErrCallExpired         = errors.New("actors: approval expired")
	ErrTooManyMessages     = errors.New("actors: too many messages are waiting: try again when some were taken")
	ErrInFlight            = errors.New("actors: the first request with this idempotency key is in flight")
	ErrIdempotencyMismatch = errors.New("actors: idempotency key was used with another body")
	ErrDraining            = errors.New("actors: the host is shutting down and takes no new work")
	ErrCorrupt             = errors.New("actors: session log cannot be read")
	ErrAgentExecution      = errors.New("actors: tool runs inside a turn only")
	ErrWorkspace           = errors.New("actors: workspace cannot be made")
	ErrNoSpace             = errors.New("actors: the host has too little free disk space for new work")
	// ErrTaskReminder refuses a reminder of a task, which takes no messages.
	ErrTaskReminder     = errors.New("actors: a task ends by itself and takes no messages, so it has no reminders: set them in a chat session")
	ErrTooManyReminders = errors.New("actors: the session has as many reminders armed as it may (--limit reminders=…): cancel one, or set one again under its key")
	ErrUnknownReminder  = errors.New("actors: unknown reminder")
	// ErrCallEnded refuses what a call records after its end.
	ErrCallEnded = errors.New("actors: the call has ended: what it does now is not recorded")
	// ErrFault answers a command that was in hand when its session's actor panicked.
	ErrFault = errors.New("actors: the session was interrupted by a fault")
	// ErrDecision says that a decision is neither approve nor deny.
	ErrDecision = errors.New("actors: a decision is approve or deny")
)

// An UnknownToolError names the tools that there are.
type UnknownToolError struct {
	Name      string
	Available []string
}

// Error names the tool.
func (e *UnknownToolError) Error() string { return "actors: unknown tool " + e.Name }

// A PathError says which workspace file was refused and why.
type PathError struct{ Path, Reason string }

// Error is one sentence.
func (e *PathError) Error() string { return "workspace file " + e.Path + ": " + e.Reason }

// A FieldError says which field of a NewSession cannot be honoured, and why.
type FieldError struct{ Field, Reason string }

// Error is one sentence.
func (e *FieldError) Error() string { return "actors: " + e.Field + ": " + e.Reason }

// refusals turns what a session refuses into what a host's caller knows.
var refusals = []struct{ from, to error }{
	{session.ErrDeleted, ErrDeleted},
	{session.ErrTask, ErrTaskSession},
	{session.ErrStaleToken, ErrStaleToken},
	{session.ErrTooManyMessages, ErrTooManyMessages},
	{session.ErrUnknownCall, ErrUnknownCall},
	{session.ErrResolved, ErrAlreadyResolved},
	{session.ErrCallCancelled, ErrCallCancelled},
	{session.ErrCallExpired, ErrCallExpired},
	{session.ErrBusy, ErrSessionBusy},
	{session.ErrDecision, ErrDecision},
	{session.ErrCallEnded, ErrCallEnded},
	{session.ErrTaskReminder, ErrTaskReminder},
	{session.ErrTooManyReminders, ErrTooManyReminders},
	{session.ErrUnknownReminder, ErrUnknownReminder},
	{journal.ErrCorrupt, ErrCorrupt},
	{journal.ErrFull, ErrNoSpace},
	{journal.ErrClosed, ErrDraining},
}

// A ConversationError says which session holds a channel's conversation.
type ConversationError struct{ SessionID string }

// Error names the session.
func (e *ConversationError) Error() string {
	return "actors: the conversation is that of session " + e.SessionID
}

func takenRefusal(e *journal.TakenError) error {
	if strings.HasPrefix(e.Key, conversationPrefix) {
		return &ConversationError{SessionID: string(e.Value)}
	}
	return ErrInFlight
}

func refusal(err error) error {
	var taken *journal.TakenError
	if errors.As(err, &taken) {
		return takenRefusal(taken)
	}
	for _, r := range refusals {
		if errors.Is(err, r.from) {
			return r.to
		}
	}
	return err
}
