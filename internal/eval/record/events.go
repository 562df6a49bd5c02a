package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/redact"
)

// kept are the events of a recording. What a session has besides says who took part and
// where, and is nobody's business who reads the repository.
var kept = []string{
	"session.started", "message.received", "message.completed", "reasoning.completed",
	"turn.started", "turn.resumed", "turn.completed", "turn.failed", "step.started", "step.completed",
	"actions.requested", "action.result", "input.requested", "input.resolved",
	"subagent.called", "subagent.completed", "skill.loaded", "artifact.tagged", "context.compacted",
}

// personal are the fields that no event of a recording has: people, their keys, and
// what a provider wants back.
var personal = []string{"principal", "by", "idempotency", "deliveryId", "askers", "continuationToken", "provider", "cost"}

// events gives the events of the turns that the eval has, without secrets.
func (s *session) events(lines [][]byte, r *redact.Redactor) ([]byte, error) {
	var b bytes.Buffer
	for _, line := range lines {
		if !slices.Contains(kept, events.TypeOf(line)) {
			continue
		}
		var e envelope
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("%w: %w", errCorrupt, err)
		}
		if e.Type != "session.started" && !s.has(e.TurnID) {
			continue
		}
		for _, name := range personal {
			delete(e.Data, name)
		}
		r.Value("", e.Data)
		if err := e.write(&b); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func (s *session) has(id string) bool {
	return slices.ContainsFunc(s.turns, func(u *turn) bool { return u.id == id })
}

// An envelope is an event whose payload is any object.
type envelope struct {
	Type      string         `json:"type"`
	Index     json.Number    `json:"index"`
	SessionID string         `json:"sessionId"`
	TurnID    string         `json:"turnId,omitempty"`
	At        string         `json:"at"`
	Data      map[string]any `json:"data"`
}

func (e *envelope) write(b *bytes.Buffer) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return nil
}
