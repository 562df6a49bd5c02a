package hosted

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// Decide is eval.Driver's. The decision is that of the session's owner, through the host's
// own way, which records it. Where others of the turn's calls still wait, so does the turn
// that it gives.
func (s *session) Decide(ctx context.Context, callID string, approve bool, reason string) (*eval.Turn, error) {
	call, err := s.waiting(callID)
	if err != nil {
		return nil, err
	}
	d := actors.Decision{Decision: events.DecisionDeny, Reason: reason, By: s.t.o.Principal}
	if approve {
		d.Decision = events.DecisionApprove
	}
	if _, err := s.t.host.ResolveApproval(ctx, s.sessionID(), call, d); err != nil {
		s.lose(ctx)
		return nil, fmt.Errorf("deciding about %s: %w", call, err)
	}
	return s.rest(ctx)
}

// waiting gives the call that an id means: an empty one the only call that waits.
func (s *session) waiting(callID string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return "", errors.New("the case has ended: nothing more can be decided")
	case s.cut:
		return "", errors.New("the turn before has not ended: nothing can be decided now")
	case !s.seen.parked():
		return "", errors.New("no call waits for an approval")
	case callID == "" && len(s.seen.open) > 1:
		return "", fmt.Errorf("several calls wait for an approval: name one of %s", names(s.seen.open))
	case callID == "":
		return s.seen.open[0].callID, nil
	}
	for _, w := range s.seen.open {
		if w.callID == callID {
			return callID, nil
		}
	}
	return "", fmt.Errorf("no call %q waits for an approval; those that do: %s", callID, names(s.seen.open))
}

func names(open []waits) string {
	texts := make([]string, len(open))
	for i, w := range open {
		texts[i] = w.String()
	}
	return strings.Join(texts, ", ")
}
