package agent

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/events"
)

// AnyEvent is the key of a handler for every event.
const AnyEvent = "*"

// A Hook observes the events of all sessions of its agent, each after it was
// recorded. It cannot change what happens.
//
// The events of one session reach its handlers one at a time, in the order of
// their indexes: for each event the hooks by their names, in each the handler of
// its type before that of AnyEvent. Handlers of different sessions run side by side.
type Hook struct {
	// Name is the path below hooks/ without its ending, such as "audit/usage".
	Name string
	// Source is "project" or "extension:<ns>".
	Source string
	// On maps event types, or AnyEvent, to handlers.
	On map[string]HookFunc
}

// A HookFunc handles one event. An error, or a panic, is logged and skipped. What
// it does is bounded by ctx, which ends with the host.
type HookFunc func(ctx context.Context, e *HookEvent, c *Call) error

// A HookEvent is a recorded event. It is the handler's own: what it changes in it
// nobody sees.
type HookEvent struct {
	*events.Event
	// Line is the event as it is in the log, an NDJSON line without its end.
	Line json.RawMessage
}
