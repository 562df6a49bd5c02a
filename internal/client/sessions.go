package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gobdk/bdk/projections"
)

// A Start opens a session with its first message. Zero fields are not sent.
type Start struct {
	Message        string         `json:"message"`
	Title          string         `json:"title,omitempty"`
	DryRun         bool           `json:"dryRun,omitempty"`
	AsOf           string         `json:"asOf,omitempty"`
	WorkspaceFiles map[string]any `json:"workspaceFiles,omitempty"`
	Purpose        string         `json:"purpose,omitempty"`
}

// An Accepted says where a message went.
type Accepted struct {
	SessionID         string `json:"sessionId"`
	ContinuationToken string `json:"continuationToken"`
}

// Start opens a session.
func (c *Client) Start(ctx context.Context, s Start) (Accepted, error) {
	var out Accepted
	err := c.call(ctx, request{method: http.MethodPost, path: "/v1/session", body: s}, &out)
	return out, err
}

// Send continues a session; token must be its newest one.
func (c *Client) Send(ctx context.Context, sessionID, token, message string) (Accepted, error) {
	var out Accepted
	body := map[string]string{"continuationToken": token, "message": message}
	err := c.call(ctx, request{method: http.MethodPost, path: sessionPath(sessionID, ""), body: body}, &out)
	return out, err
}

// Stop ends the running turn and says whether there was one.
func (c *Client) Stop(ctx context.Context, sessionID string) (bool, error) {
	var out struct{ Stopped bool }
	err := c.call(ctx, request{method: http.MethodPost, path: sessionPath(sessionID, "/stop")}, &out)
	return out.Stopped, err
}

// A Session is a row of the session list.
type Session = projections.SessionRow

// Session gives one row, and the token that the next follow-up needs (empty for a task).
func (c *Client) Session(ctx context.Context, sessionID string) (Session, string, error) {
	var out struct {
		Session struct {
			Session
			ContinuationToken string
		}
	}
	err := c.call(ctx, request{method: http.MethodGet, path: sessionPath(sessionID, "")}, &out)
	return out.Session.Session, out.Session.ContinuationToken, err
}

// A Query selects rows of the session list; zero fields do not narrow.
type Query struct {
	Text    string
	Purpose string
	Status  string
	Limit   int
	Cursor  string
}

// Sessions lists newest-updated first; the cursor is empty at the end.
func (c *Client) Sessions(ctx context.Context, q Query) ([]Session, string, error) {
	v := url.Values{}
	for name, value := range map[string]string{"q": q.Text, "purpose": q.Purpose, "status": q.Status, "cursor": q.Cursor} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	var out struct {
		Sessions []Session
		Cursor   string
	}
	err := c.call(ctx, request{method: http.MethodGet, path: "/v1/sessions", query: v}, &out)
	return out.Sessions, out.Cursor, err
}

// sessionPath is the path of a session's route.
func sessionPath(id, rest string) string { return "/v1/session/" + url.PathEscape(id) + rest }
