// Package client speaks the host's HTTP API: sessions, their event streams,
// approvals, direct tool calls and the discovery routes, in Go types.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// maxReply bounds what is read of one JSON reply.
const maxReply = 64 << 20

// Options of a Client. The zero value sends no token over the default transport.
type Options struct {
	// Token is sent as a bearer token when not empty.
	Token string
	// Transport defaults to http.DefaultTransport.
	Transport http.RoundTripper
}

// A Client speaks to one agent of a host. It is safe for concurrent use.
type Client struct {
	base string
	o    Options
	http *http.Client
}

// New gives a client of the agent whose routes lie under base, such as
// "http://127.0.0.1:3000/pr-reviewer", or of a host where only its own routes are asked.
func New(base string, o *Options) *Client {
	c := &Client{base: strings.TrimRight(base, "/")}
	if o != nil {
		c.o = *o
	}
	c.http = &http.Client{
		Transport: c.o.Transport,
		// A redirect would carry the token to where nobody meant to send it.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Base is the URL under which the agent's routes lie.
func (c *Client) Base() string { return c.base }

// request is one call of a route.
type request struct {
	method string
	path   string // from /v1 on, escaped
	query  url.Values
	body   any
	accept string
}

// send gives the response of a 2xx; anything else is an *Error.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	var body io.Reader
	if r.body != nil {
		b, err := json.Marshal(r.body)
		if err != nil {
			return nil, fmt.Errorf("encoding the request: %w", err)
		}
		body = bytes.NewReader(b)
	}
	target := c.base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	if c.o.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unreachable(c.base, err)
	}
	if resp.StatusCode/100 != 2 {
		defer resp.Body.Close()
		return nil, readError(resp)
	}
	return resp, nil
}

// call sends a request and reads its JSON reply into out.
func (c *Client) call(ctx context.Context, r request, out any) error {
	resp, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return unreachable(c.base, err)
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fmt.Errorf("%s answered %s %s with something that is not the API's JSON: %w", c.base, r.method, r.path, err)
	}
	return nil
}
