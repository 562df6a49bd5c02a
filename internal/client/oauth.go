package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// An Authorization says how it stands with the authorization of a connection.
type Authorization struct {
	Connection string `json:"connection"`
	// URL is the link for a person, and ExpiresAt when it is of no use any more.
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
	// AuthorizedAt is when somebody authorized it; zero: nobody has.
	AuthorizedAt time.Time `json:"authorizedAt"`
	// FailedAt is when somebody last came back in vain since then, and Error why.
	FailedAt time.Time `json:"failedAt"`
	Error    string    `json:"error"`
}

// BeginAuthorization gives the link at which a person lets the host use a connection.
func (c *Client) BeginAuthorization(ctx context.Context, connection string) (Authorization, error) {
	return c.authorization(ctx, http.MethodPost, connection)
}

// Authorization says whether somebody has authorized a connection.
func (c *Client) Authorization(ctx context.Context, connection string) (Authorization, error) {
	return c.authorization(ctx, http.MethodGet, connection)
}

func (c *Client) authorization(ctx context.Context, method, connection string) (out Authorization, err error) {
	err = c.call(ctx, request{method: method, path: "/v1/mcp/oauth/" + url.PathEscape(connection)}, &out)
	return out, err
}
