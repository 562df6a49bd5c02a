package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// A Reply is what a channel answered, whatever its status.
type Reply struct {
	Status int
	Body   []byte
}

// PostChannel sends bytes as they are to a channel's own path, as a webhook does. The
// client's token stays out of it.
func (c *Client) PostChannel(ctx context.Context, channel string, header http.Header, body []byte) (Reply, error) {
	target := c.base + "/v1/channels/" + url.PathEscape(channel)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return Reply{}, fmt.Errorf("making the request: %w", err)
	}
	req.Header = header.Clone()
	resp, err := c.http.Do(req)
	if err != nil {
		return Reply{}, unreachable(c.base, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return Reply{}, unreachable(c.base, err)
	}
	return Reply{resp.StatusCode, b}, nil
}
