package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// A ToolReply is what a direct call gave.
type ToolReply struct {
	OK         bool            `json:"ok"`
	ToolName   string          `json:"toolName"`
	CallID     string          `json:"callId"`
	IsError    bool            `json:"isError"`
	Result     json.RawMessage `json:"result,omitempty"`
	Message    string          `json:"message,omitempty"`
	Code       string          `json:"code,omitempty"`
	Stubbed    bool            `json:"stubbed,omitempty"`
	DurationMS int64           `json:"durationMs"`
}

// CallTool runs a server tool without a model. A failure of the tool itself is a
// reply with IsError; an error means that it did not run.
func (c *Client) CallTool(ctx context.Context, name string, input json.RawMessage) (ToolReply, error) {
	var out ToolReply
	body := map[string]json.RawMessage{"input": input}
	err := c.call(ctx, request{method: http.MethodPost, path: "/v1/tools/" + url.PathEscape(name), body: body}, &out)
	return out, err
}

// Info gives the agent's description as the API has it: "agent", "extensions", "diagnostics".
func (c *Client) Info(ctx context.Context) (json.RawMessage, error) {
	var out json.RawMessage
	err := c.call(ctx, request{method: http.MethodGet, path: "/v1/info"}, &out)
	return out, err
}
