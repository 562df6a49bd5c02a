package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Tokens of people in tests.
const (
	annsToken = "token-of-ann-0123456789"
	bobsToken = "token-of-bob-0123456789"
)

func people() []agent.AuthPolicy {
	return []agent.AuthPolicy{agent.BearerTokens(map[string]string{annsToken: "ann", bobsToken: "bob"})}
}

func on(method, path string, handle func(context.Context, *agent.Call) (*agent.Response, error)) *agent.Route {
	return &agent.Route{Method: method, Path: path, Handle: handle}
}

// typedReport takes {"subject": …} and ?limit=.
func typedReport(t *testing.T) *agent.Route {
	t.Helper()
	type body struct {
		Subject string `json:"subject"`
	}
	type query struct {
		Limit int `json:"limit,omitempty"`
	}
	r, err := agent.NewRoute("POST", "/reports", func(_ context.Context, b body, q query, _ *agent.Call) (*agent.Response, error) {
		return agent.JSON(http.StatusCreated, map[string]any{"subject": b.Subject, "limit": q.Limit})
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said is what a route of the test's own was called with, and what it answers.
func said(_ context.Context, c *agent.Call) (*agent.Response, error) {
	r := c.Request
	return agent.JSON(200, map[string]any{"method": r.Method, "url": r.URL, "params": r.Params, "query": r.Query, "body": string(r.Body), "principal": r.Principal, "header": r.Header, "channel": c.Channel.ID})
}

func fails(err error) func(context.Context, *agent.Call) (*agent.Response, error) {
	return func(context.Context, *agent.Call) (*agent.Response, error) { return nil, err }
}

// channelsOf are the channels that tests have: one for each chain, with a route for each
// thing that a route can do.
func channelsOf(t *testing.T) []*agent.Channel {
	t.Helper()
	all := []*agent.Route{on("GET", "/", said), on("POST", "/", said), on("PUT", "/items/:id", said), on("PATCH", "/items/:id", said), on("DELETE", "/items/:id", said), typedReport(t)}
	return []*agent.Channel{
		{ID: "closed", Auth: []agent.AuthPolicy{}, Routes: all},
		{ID: "default", Routes: all},
		{ID: "desk", Auth: people(), Routes: all},
		{ID: "judged", Auth: []agent.AuthPolicy{agent.AuthFunc(func(_ context.Context, r *agent.Request) (*events.Principal, error) {
			if r.Header.Get("X-Who") == "" {
				return nil, errors.New("nobody")
			}
			return &events.Principal{Kind: "local", ID: "local"}, nil // looks like an operator, and is none
		})}, Routes: all},
		{ID: "ns__open", Auth: []agent.AuthPolicy{agent.AllowAll()}, Routes: all},
		{ID: "odd", Routes: oddRoutes()},
	}
}

// oddRoutes answer in ways of their own.
func oddRoutes() []*agent.Route {
	answer := func(r agent.Response) func(context.Context, *agent.Call) (*agent.Response, error) {
		return func(context.Context, *agent.Call) (*agent.Response, error) { return &r, nil }
	}
	return []*agent.Route{
		on("GET", "/nothing", fails(nil)),
		on("GET", "/secret", fails(errors.New("the password is hunter2"))),
		on("GET", "/panic", func(context.Context, *agent.Call) (*agent.Response, error) { panic("the password is hunter2") }),
		on("GET", "/unauthorized", fails(fmt.Errorf("because: %w", agent.ErrUnauthorized))),
		on("GET", "/busy", fails(agent.ErrBusy)),
		on("POST", "/unfit", fails(&agent.RequestError{Where: "body", Issues: []agent.Issue{{Path: "a.b", Message: "is odd"}}})),
		on("GET", "/unfit", fails(&agent.RequestError{Where: "query"})),
		on("GET", "/status/low", answer(agent.Response{Status: 101})),
		on("GET", "/status/high", answer(agent.Response{Status: 1000})),
		on("GET", "/status/empty", answer(agent.Response{Status: 204})),
		on("GET", "/header", answer(agent.Response{Header: http.Header{"X-Bad": {"a\r\nSet-Cookie: b"}}})),
		on("GET", "/halfway", answer(agent.Response{Header: http.Header{"Content-Encoding": {"gzip"}, "Set-Cookie": {"a=b"}, "X-Bad": {"\n"}}})),
		on("GET", "/headers", answer(agent.Response{Status: 418, Header: http.Header{
			"connection": {"close"}, "Transfer-Encoding": {"chunked"}, "Content-Length": {"7"}, "Upgrade": {"h2c"}, "Access-Control-Allow-Origin": {"*"}, "X-Own": {"a", "b"}, "Set-Cookie": {"c=d"}, "Cache-Control": {"max-age=60"}}})),
		on("GET", "/text", func(context.Context, *agent.Call) (*agent.Response, error) { return agent.Text(200, "hello"), nil }),
		on("GET", "/a/b", called("static")), on("GET", "/:x/b", called("left free")), on("GET", "/a/:y", called("right free")), on("POST", "/a/:y", called("post")), on("GET", "/:x/:y", called("free")),
		on("GET", "/.well-known/agent-card.json", called("card")), on("POST", "/message:send", called("send")),
	}
}

// called answers with its name.
func called(name string) func(context.Context, *agent.Call) (*agent.Response, error) {
	return func(_ context.Context, c *agent.Call) (*agent.Response, error) {
		return agent.JSON(200, map[string]any{"name": name, "params": c.Request.Params})
	}
}

// newChannelWorld makes one with the agents "bot", which follows the command line, and
// "own", whose built-in routes have auth of their own.
func newChannelWorld(t *testing.T, more ...*agent.Channel) *world {
	t.Helper()
	return newWorldOf(t, nil, func(w *world) []*agent.Agent {
		return []*agent.Agent{
			{Slug: "bot", Model: agent.Model{ID: "scripted"}, Tools: w.tools(), Channels: append(channelsOf(t), more...)},
			{Slug: "own", Model: agent.Model{ID: "scripted"}, Tools: w.tools(), Auth: people(), Channels: channelsOf(t), Connections: connections()},
		}
	})
}

// A slowBody gives what a test sends it, and knows whether it was closed.
type slowBody struct {
	*io.PipeReader
	closed chan struct{}
}

func newSlowBody() (*slowBody, *io.PipeWriter) {
	r, w := io.Pipe()
	return &slowBody{r, make(chan struct{})}, w
}

// Close says so.
func (b *slowBody) Close() error {
	close(b.closed)
	return b.PipeReader.Close()
}
