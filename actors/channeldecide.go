package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

var _ agent.Approver = (*channelSessions)(nil)

// Decide is agent.Approver's, for the calls of the channel's own sessions.
func (s *channelSessions) Decide(ctx context.Context, id, callID string, d agent.Decision) error {
	if d.By.Kind == "" || d.By.ID == "" {
		return errors.New("decide: by needs a kind and an id: they name who decides")
	}
	if s.admitted {
		ctx = admitted(ctx)
	}
	_, ok, err := s.Find(ctx, id)
	if err != nil {
		return err
	}
	if !ok || !s.channel.Approvals {
		return fmt.Errorf("decide: the channel %q has no session %s whose calls it can approve", s.channel.ID, id)
	}
	decision := events.DecisionDeny
	if d.Approve {
		decision = events.DecisionApprove
	}
	_, err = s.h.ResolveApproval(ctx, id, callID, Decision{Decision: decision, Reason: d.Reason, By: d.By})
	for _, settled := range []error{ErrAlreadyResolved, ErrCallExpired, ErrCallCancelled, ErrUnknownCall} {
		if errors.Is(err, settled) {
			return fmt.Errorf("%w: %w", agent.ErrDecided, err)
		}
	}
	return err
}
