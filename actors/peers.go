package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/internal/mcp"
)

// hostPeers let the agents of a host ask each other.
type hostPeers struct{ h *Host }

// Ask is mcp.Peers'.
func (p hostPeers) Ask(ctx context.Context, a mcp.Ask) (mcp.PeerReply, error) {
	askers, err := p.h.askers(&a)
	if err != nil {
		return mcp.PeerReply{}, err
	}
	ask := Ask{Agent: a.Agent, Message: a.Message, SessionID: a.SessionID, Title: a.Title, Principal: a.Principal, Wait: a.Wait, askers: askers}
	if info, err := p.h.Session(ctx, a.Session); err == nil {
		ask.purpose = info.Purpose // what an eval asks is no live traffic
	}
	r, err := p.h.Ask(ctx, ask)
	return mcp.PeerReply(r), peerError(a.Agent, a.SessionID, err)
}

// Check is mcp.Peers'.
func (p hostPeers) Check(ctx context.Context, c mcp.Check) (mcp.PeerReply, error) {
	r, err := p.h.Check(ctx, Check{Agent: c.Agent, SessionID: c.SessionID, Principal: c.Principal, Wait: c.Wait})
	return mcp.PeerReply(r), peerError(c.Agent, c.SessionID, err)
}

// peerError says in words for a model why a peer was not reached.
func peerError(slug, id string, err error) error {
	switch {
	case errors.Is(err, ErrUnknownAgent):
		return fmt.Errorf("no agent of this host is called %q", slug)
	case errors.Is(err, ErrUnknownSession), errors.Is(err, ErrForbidden):
		return fmt.Errorf("the agent %s has no session %q of yours: leave sessionId out to begin a new one", slug, id)
	}
	return err
}
