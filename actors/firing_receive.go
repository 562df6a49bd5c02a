package actors

import (
	"context"

	"github.com/gobdk/bdk/actors/agent"
)

// receive gives a message to a channel as if it had come in there.
func (f *firing) receive(ctx context.Context, channel string, in agent.Receive) (agent.Sent, error) {
	sent, err := f.h.receive(ctx, f.agent.Slug, channel, &in, SchedulePrincipal(f.sched.ID))
	if err == nil {
		f.mu.Lock()
		f.sent = append(f.sent, sent.SessionID)
		f.mu.Unlock()
	}
	return sent, err
}

func (f *firing) wait(ctx context.Context, s agent.Sent) (agent.Completion, error) {
	return f.h.WaitTurn(ctx, s.SessionID, s.TurnID)
}
