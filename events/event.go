package events

import "time"

// An Event is one recorded fact of a session's or an agent's log.
//
// An Event that was recorded or decoded is immutable and may be read from any
// goroutine; nobody may write to it or to what Data points at.
type Event struct {
	// Type is the wire name, such as "turn.completed".
	Type string
	// Index is the place in the log, dense from 0. Order is the index alone.
	Index uint64
	// SessionID is "ses_…", or "agt_<slug>" for the log of an agent.
	SessionID string
	// TurnID is empty for what belongs to no turn: session.* events, direct
	// calls, and what a route or a clock records.
	TurnID string
	// At is informational, UTC, kept to the millisecond.
	At time.Time
	// Data is a pointer to a payload type of this package, or *Unknown.
	Data Payload

	// raw is the JSON of Data, where it is to be written as it was read; else nil.
	raw []byte
}

// A Payload is the data of one event type.
type Payload interface {
	// EventType is the wire name of the type.
	EventType() string
}

// New gives an event of the payload's type. Index and SessionID are set by who records it.
func New(turnID string, at time.Time, data Payload) Event {
	return Event{Type: data.EventType(), TurnID: turnID, At: at, Data: data}
}

// An Unknown is the payload of a type that this build does not know. Its bytes
// are kept, so that a log written by a newer build streams unchanged.
type Unknown struct {
	// Name is the wire name of the type.
	Name string
	// Raw is the JSON of data.
	Raw []byte
}

// EventType is the name that the log gives.
func (u *Unknown) EventType() string { return u.Name }

// MarshalJSON gives the bytes as they were read.
func (u *Unknown) MarshalJSON() ([]byte, error) {
	if len(u.Raw) == 0 {
		return []byte("{}"), nil
	}
	return u.Raw, nil
}
