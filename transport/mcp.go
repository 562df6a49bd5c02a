package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// mcpVersions are the revisions of the protocol that are spoken, newest first: the
// newest of the SDK and the two before it.
var mcpVersions = mcp.SupportedProtocolVersions()[:3]

// An mcpServer answers the protocol for one agent on one route. It is made once for
// an agent, as making it costs several times as much as a request.
type mcpServer struct {
	agent *agent.Agent
	// whole answers with JSON, piecewise with an event stream.
	whole, piecewise http.Handler
}

// mcpServers keeps the servers of the agents that are served now.
type mcpServers struct {
	mu   sync.Mutex
	kept map[mcpName]*mcpServer
}

type mcpName struct {
	slug  string
	tools bool // of /v1/mcp/tools
}

// of gives the server of an agent, a new one after a reload.
func (s *mcpServers) of(h *handler, a *agent.Agent, tools bool) *mcpServer {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := mcpName{a.Slug, tools}
	if k := s.kept[name]; k != nil && k.agent == a {
		return k
	}
	if s.kept == nil {
		s.kept = map[mcpName]*mcpServer{}
	}
	s.kept[name] = h.newMCPServer(a, tools)
	return s.kept[name]
}

func (h *handler) newMCPServer(a *agent.Agent, tools bool) *mcpServer {
	server := mcp.NewServer(&mcp.Implementation{Name: a.Slug, Title: nameOf(a), Version: h.o.Version}, &mcp.ServerOptions{
		Instructions:              a.Description,
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SupportedProtocolVersions: mcpVersions,
		SetCacheable:              func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	if tools {
		h.addServerTools(server, a)
	} else {
		addChatTools(server, a)
	}
	serve := func(wholly bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: wholly, MaxRequestBodyBytes: -1, // the body was read and bounded before
			DisableLocalhostProtection: true, // the policies look at the Host
		})
	}
	return &mcpServer{agent: a, whole: serve(true), piecewise: serve(false)}
}

// mcp is the endpoint for talking with the agent.
func (c *call) mcp() error { return c.serveMCP(false) }

// mcpTools is the endpoint for its tools alone.
func (c *call) mcpTools() error { return c.serveMCP(true) }

func (c *call) serveMCP(tools bool) error {
	body, err := c.readBody(c.h.o.Limits.BodyBytes)
	if err != nil {
		return err
	}
	m, fault := c.readMCP(body)
	if fault != nil {
		return c.refuseMCP(m.id, fault)
	}
	if m.notifies() {
		c.begin(http.StatusAccepted)
		return nil
	}
	c.about.note("", m.tool)
	if m.method == "tools/call" && m.tool != checkName {
		if err := c.h.host.Admit(); err != nil {
			return err
		}
	}
	form := mcpForm(c.r.Header["Accept"], m.progress && !tools && (m.tool == askName || m.tool == checkName))
	if form == "" {
		return c.refuseMCP(m.id, badMessage(rpcInvalidRequest, "Accept must name application/json and text/event-stream"))
	}
	s := c.h.mcp.of(c.h, c.agent, tools)
	w := &mcpWriter{c: c, id: m.id}
	if form == eventStream {
		sl, err := c.h.streams.take(c.r.Context(), c.principal)
		if err != nil {
			return err
		}
		defer sl.release() // it is counted, and goes on to its answer while the server shuts down
		s.piecewise.ServeHTTP(w, c.forSDK(body, true))
	} else {
		s.whole.ServeHTTP(w, c.forSDK(body, false))
	}
	if w.status == 0 { // the request ended first
		return actors.ErrDraining
	}
	return w.finish()
}

// mcpForm chooses how to answer: as a stream where that is wanted and taken, or
// where nothing else is; empty where the caller takes neither.
func mcpForm(accept []string, stream bool) string {
	var json, events bool
	for part := range strings.SplitSeq(strings.ToLower(strings.Join(accept, ",")), ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.TrimSpace(name) {
		case "", "*/*":
			json, events = true, true
		case "application/json", "application/*":
			json = true
		case eventStream, "text/*":
			events = true
		}
	}
	switch {
	case events && (stream || !json):
		return eventStream
	case json:
		return "application/json"
	}
	return ""
}

// mcpKey holds the *mcpRequest in the context of the SDK.
type mcpKey struct{}

// An mcpRequest is what a tool of the endpoint must know of the request.
type mcpRequest struct {
	*call
	// streams says that notifications reach the caller before the answer.
	streams bool
}

// forSDK is the request as the SDK shall see it: the body that was read, and
// nothing that names a session.
func (c *call) forSDK(body []byte, streams bool) *http.Request {
	r := c.r.WithContext(context.WithValue(c.r.Context(), mcpKey{}, &mcpRequest{c, streams}))
	r.Header = c.r.Header.Clone()
	for _, name := range []string{"Mcp-Session-Id", "Last-Event-Id"} {
		r.Header.Del(name)
	}
	r.Header["Content-Type"] = jsonType
	r.Header["Accept"] = []string{"application/json, text/event-stream"}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}

// An mcpTool answers one call of a tool. Its ctx ends with the request.
type mcpTool func(ctx context.Context, q *mcpRequest, r *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// ServeMCP makes of a tool what the SDK takes. An error is an error result, and a
// panic one that says nothing.
func (t mcpTool) serve(ctx context.Context, r *mcp.CallToolRequest) (res *mcp.CallToolResult, _ error) {
	q, ok := ctx.Value(mcpKey{}).(*mcpRequest)
	if !ok {
		return nil, fmt.Errorf("a call without its request")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(q.r.Context(), cancel)()
	defer func() {
		if v := recover(); v != nil {
			q.h.o.Logger.Error().Str("stack", string(debug.Stack())).Msgf("panic in a tool of %s: %v", q.r.URL.Path, v)
			res = q.failed(fmt.Errorf("panic: %v", v))
		}
	}()
	res, err := t(ctx, q, r)
	if err != nil {
		return q.failed(err), nil
	}
	return res, nil
}

// failed is the result of a call that the host refused.
func (q *mcpRequest) failed(err error) *mcp.CallToolResult {
	p := problemOf(err)
	if p == nil || statuses[p.code] == http.StatusInternalServerError {
		id := requestID()
		q.h.o.Logger.Error().Err(err).Str("request", id).Str("method", q.r.Method).Str("path", q.r.URL.Path).Msg("request failed")
		if p == nil {
			p = &problem{code: "internal", message: "the host's log says more"}
		}
		p = &problem{code: p.code, message: strings.TrimSpace(p.message + " (request " + id + ")")}
	}
	text := p.code
	if p.message != "" {
		text += ": " + p.message
	}
	for _, i := range p.issues {
		if s := sentence(i); s != p.message {
			text += "; " + s
		}
	}
	if p.available != nil {
		text += "; there are: " + strings.Join(p.available, ", ")
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// structured is a result as an object and as its JSON.
func structured(v any) (*mcp.CallToolResult, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(b.Bytes())
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text)}, nil
}
