package transport

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; nothing takes nearly as long.
const patience = 20 * time.Second

// somebody owns the sessions that are not the caller's.
var somebody = events.Principal{Kind: "jwt", ID: "somebody", Issuer: "https://idp.test"}

// A world is a real host in memory with two agents, and servers in front of it.
type world struct {
	t       *testing.T
	journal *journal.Journal
	views   *projections.Views
	host    *actors.Host
	// release lets the calls of the tool "hold" go on.
	release chan struct{}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newPricedWorld(t, nil)
}

// newPricedWorld makes one whose host and views know these prices.
func newPricedWorld(t *testing.T, prices model.Prices) *world {
	t.Helper()
	return newWorldOf(t, prices, func(w *world) []*agent.Agent {
		return []*agent.Agent{
			{Slug: "bot", Name: "Bot <b>", Description: "Helps & listens", Instructions: "Höre zu.", Model: agent.Model{ID: "scripted"}, Tools: w.tools(),
				Connections: connections(),
				Subagents:   []*agent.Subagent{{Name: "helper", Description: "Helps.", Source: "project"}}},
			{Slug: "other", Model: agent.Model{ID: "scripted"}},
		}
	})
}

// connections are one that asks for OAuth, and one that does not.
func connections() []*agent.Connection {
	return []*agent.Connection{
		{Name: "issues", HostOnly: true, Source: "project", URL: "http://127.0.0.1:1/mcp", OAuth: &agent.OAuth{ClientID: "me"}},
		{Name: "open", HostOnly: true, Source: "project", URL: "http://127.0.0.1:1/mcp"},
	}
}

// newWorldOf makes one with agents of the test's own.
func newWorldOf(t *testing.T, prices model.Prices, agents func(w *world) []*agent.Agent) *world {
	t.Helper()
	w := &world{t: t, release: make(chan struct{})}
	var err error
	if w.journal, err = journal.Open(t.TempDir(), &journal.Options{FS: vfs.NewMem()}); err != nil {
		t.Fatal(err)
	}
	if w.views, err = projections.Start(t.Context(), &projections.Options{Journal: w.journal, Prices: prices}); err != nil {
		t.Fatal(err)
	}
	w.host, err = actors.Start(t.Context(), &actors.Options{Journal: w.journal, Views: w.views, Agents: agents(w), Models: scriptedModels{}, Prices: prices, DeltaWindow: -1, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	return w
}

func (w *world) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(w.host.Close(ctx), w.views.Close(ctx), w.journal.Close()); err != nil {
		w.t.Error(err)
	}
}

// scriptedModels resolves every model to the scripted one.
type scriptedModels struct{}

func (scriptedModels) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: scripted.New(nil), Name: "scripted", Request: "scripted"}, nil
}

func (w *world) tools() []*agent.Tool {
	hold := tool("hold", agent.EffectRead, agent.ApprovalNever, func(ctx context.Context, c *agent.Call) (agent.Result, error) {
		select {
		case <-w.release:
			return agent.Result{Output: json.RawMessage(`"held"`)}, nil
		case <-ctx.Done():
			return agent.Result{}, ctx.Err()
		}
	})
	return []*agent.Tool{
		tool("break", agent.EffectRead, agent.ApprovalNever, func(context.Context, *agent.Call) (agent.Result, error) {
			return agent.Result{}, errors.New("it broke")
		}),
		tool("echo", agent.EffectRead, agent.ApprovalNever, echo),
		hold,
		tool("merge", agent.EffectWrite, agent.ApprovalAlways, echo),
		tool("save", agent.EffectWrite, agent.ApprovalNever, echo),
		tool("tag", agent.EffectRead, agent.ApprovalNever, tag),
	}
}

func echo(_ context.Context, c *agent.Call) (agent.Result, error) {
	return agent.Result{Output: c.Args}, nil
}

// tag tags what it is told.
func tag(ctx context.Context, c *agent.Call) (agent.Result, error) {
	var in struct {
		Kind, Key, Title, ContentType, FileName string
		Data                                    json.RawMessage
		Contents                                *string
	}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return agent.Result{}, err
	}
	a := agent.TagArtifact{Kind: in.Kind, Key: in.Key, Title: in.Title, ContentType: in.ContentType, FileName: in.FileName, Data: in.Data}
	if in.Contents != nil {
		a.Contents = []byte(*in.Contents)
	}
	rec, err := c.Artifacts.Tag(ctx, a)
	return agent.Result{Output: json.RawMessage(encode(rec))}, err
}

// tagged lets the tool tag in a session, as a person does; in none where the id is empty.
func (w *world) tagged(sessionID string, in map[string]any) events.Artifact {
	w.t.Helper()
	return w.taggedOf("bot", sessionID, in)
}

func (w *world) taggedOf(slug, sessionID string, in map[string]any) events.Artifact {
	w.t.Helper()
	a, err := w.host.CallTool(w.t.Context(), actors.ToolCall{Agent: slug, Name: "tag", SessionID: sessionID, Principal: localPrincipal, Input: json.RawMessage(encode(in))})
	if err != nil {
		w.t.Fatal(err)
	}
	var rec events.Artifact
	if err := json.Unmarshal(a.Result.Output, &rec); err != nil || a.Result.IsError {
		w.t.Fatal(string(a.Result.Output), err)
	}
	return rec
}

// tool makes one that takes any object but {"bad": …}.
func tool(name, effect, approval string, run func(context.Context, *agent.Call) (agent.Result, error)) *agent.Tool {
	return &agent.Tool{
		Name: name, Title: strings.ToUpper(name), Description: "It can " + name, Source: "project", Execution: agent.ExecutionServer, Effect: effect, NeedsApproval: approval,
		InputSchema: json.RawMessage(`{"type":"object"}`),
		Prepare: func(_ context.Context, c *agent.Call) (agent.Prepared, error) {
			var in map[string]json.RawMessage
			if err := json.Unmarshal(c.Args, &in); err != nil || in["bad"] != nil {
				return agent.Prepared{}, &agent.InputError{Issues: []agent.Issue{{Path: "bad", Message: "must not be there"}}}
			}
			return agent.Prepared{Input: c.Args, Effect: effect, NeedsApproval: approval == agent.ApprovalAlways}, nil
		},
		Execute: run,
	}
}

// handler makes one over the world's host; change edits its options.
func (w *world) handler(change func(*Options)) *handler {
	w.t.Helper()
	o := &Options{Host: w.host, Views: w.views, Version: "test"}
	if change != nil {
		change(o)
	}
	h, err := NewHandler(o)
	if err != nil {
		w.t.Fatal(err)
	}
	return h.(*handler)
}

// serve puts a handler on a loopback port until the test ends.
func (w *world) serve(change func(*Options)) *client {
	return w.serveHandler(w.handler(change))
}

func (w *world) serveHandler(h *handler) *client {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	srv := NewServer(h, &h.o)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	transport := &http.Transport{}
	c := &client{t: w.t, addr: l.Addr().String(), http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	c.shutdown = func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		transport.CloseIdleConnections()
		if err := Shutdown(ctx, srv, h); err != nil {
			w.t.Error(err)
		}
		if err := <-served; err != http.ErrServerClosed {
			w.t.Error(err)
		}
		served <- http.ErrServerClosed
	}
	w.t.Cleanup(c.shutdown)
	return c
}

// A client talks to one server.
type client struct {
	t        *testing.T
	addr     string
	http     *http.Client
	shutdown func()
}

// An answer is a whole reply.
type answer struct {
	status int
	header http.Header
	body   string
}

// open sends a request and gives the response; headers are name, value, name, value, …
func (c *client) open(method, path, body string, headers ...string) *http.Response {
	c.t.Helper()
	var b io.Reader
	if body != "" {
		b = strings.NewReader(body)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.addr+path, b)
	if err != nil {
		c.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Add(headers[i], headers[i+1])
		if headers[i+1] == "-" {
			req.Header.Del(headers[i])
		}
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

func (c *client) do(method, path, body string, headers ...string) answer {
	c.t.Helper()
	res := c.open(method, path, body, headers...)
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatalf("%s %s: %v after %d bytes", method, path, err, len(b))
	}
	return answer{res.StatusCode, res.Header, string(b)}
}

// want fails unless the answer has a status, and an error code when there is one.
func (a answer) want(t *testing.T, status int, code string) map[string]any {
	t.Helper()
	var m map[string]any
	if a.header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal([]byte(a.body), &m); err != nil {
			t.Fatalf("%v in %s", err, a.body)
		}
	}
	got, _ := m["error"].(string)
	if a.status != status || got != code || code != "" && m["ok"] != false {
		t.Fatalf("status %d, error %q, want %d %q; body %s", a.status, got, status, code, a.body)
	}
	return m
}

// started opens a session and lets its turn end.
func (c *client) started(message string) (id, token string) {
	c.t.Helper()
	a := c.do("POST", "/bot/v1/session", encode(map[string]any{"message": message}), "Accept", ndjson)
	if a.status != http.StatusOK {
		c.t.Fatalf("start: %d %s", a.status, a.body)
	}
	return a.header.Get("bdk-session-id"), a.header.Get("bdk-continuation-token")
}

// foreign opens a session of somebody else and lets its turn end.
func (w *world) foreign(agentSlug, message string) string {
	w.t.Helper()
	a, err := w.host.StartSession(w.t.Context(), actors.NewSession{Agent: agentSlug, Principal: somebody, Message: message})
	if err != nil {
		w.t.Fatal(err)
	}
	w.settled(a.SessionID)
	return a.SessionID
}

func (w *world) settled(id string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if _, err := w.host.Wait(ctx, id); err != nil {
		w.t.Fatal(err)
	}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func types(ndjson string) []string {
	var list []string
	for line := range strings.Lines(ndjson) {
		list = append(list, events.TypeOf([]byte(line)))
	}
	return list
}
