package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gobdk/bdk/projections"
)

// An Approval is a call that waits for a person.
type Approval = projections.Approval

// Approvals lists the pending ones of a session, oldest first.
func (c *Client) Approvals(ctx context.Context, sessionID string) ([]Approval, error) {
	var out struct{ Approvals []Approval }
	err := c.call(ctx, request{method: http.MethodGet, path: sessionPath(sessionID, "/approvals")}, &out)
	return out.Approvals, err
}

// Resolve decides one: events.DecisionApprove or events.DecisionDeny, the reason may be empty.
func (c *Client) Resolve(ctx context.Context, sessionID, callID, decision, reason string) error {
	body := map[string]string{"decision": decision}
	if reason != "" {
		body["reason"] = reason
	}
	path := sessionPath(sessionID, "/approvals/"+url.PathEscape(callID))
	var out struct{}
	return c.call(ctx, request{method: http.MethodPost, path: path, body: body}, &out)
}
