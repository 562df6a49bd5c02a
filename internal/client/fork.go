package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gobdk/bdk/events"
)

// A Forked is a session with the history of another one up to the event of Index.
type Forked struct {
	Accepted
	Index uint64 `json:"index"`
}

// Fork opens a session with the history of another one, up to the end of the last turn
// that had ended at an index.
func (c *Client) Fork(ctx context.Context, sessionID string, index uint64) (Forked, error) {
	var out Forked
	err := c.call(ctx, request{method: http.MethodPost, path: sessionPath(sessionID, "/fork"), body: map[string]uint64{"index": index}}, &out)
	return out, err
}

// A State is a session as it was after the event of Index.
type State struct {
	SessionID string       `json:"sessionId"`
	Index     uint64       `json:"index"`
	Status    string       `json:"status"`
	TurnID    string       `json:"turnId"`
	OpenCalls []OpenCall   `json:"openCalls"`
	Approvals []Approval   `json:"approvals"`
	Usage     events.Usage `json:"usage"`
}

// An OpenCall is a call that had no result; Status is "running" or "parked".
type OpenCall struct {
	events.Call
	TurnID string `json:"turnId"`
	Status string `json:"status"`
}

// State gives a session as it was after the event of an index; nil: as it is.
func (c *Client) State(ctx context.Context, sessionID string, index *uint64) (State, error) {
	q := url.Values{}
	if index != nil {
		q.Set("index", strconv.FormatUint(*index, 10))
	}
	var out State
	err := c.call(ctx, request{method: http.MethodGet, path: sessionPath(sessionID, "/state"), query: q}, &out)
	return out, err
}
