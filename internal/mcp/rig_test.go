package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// asServer makes the test's own program a server over stdio.
const asServer = "MCP_TEST_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(asServer) {
	case "":
		goleak.VerifyTestMain(m)
	case "tools":
		_ = newServerOf(t1, t2).Run(context.Background(), &sdk.StdioTransport{})
	case "grows":
		_ = growing().Run(context.Background(), &sdk.StdioTransport{})
	case "env":
		_ = newServerOf(envTool).Run(context.Background(), &sdk.StdioTransport{})
	case "deaf": // answers what opens it, and reads nothing any more when a tool is called
		deaf()
	case "dies":
		fmt.Fprintln(os.Stderr, "cannot open the safe: Authorization: Bearer hunter22secret")
		os.Exit(1)
	case "garbage":
		fmt.Println("Listening on stdio, hooray")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "exits": // when it is called
		s := newServerOf(t1)
		s.AddTool(&sdk.Tool{Name: "exit", InputSchema: json.RawMessage(anyObject)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			os.Exit(3)
			return nil, nil
		})
		_ = s.Run(context.Background(), &sdk.StdioTransport{})
	case "host": // has a server, until it is killed
		c := stdio("s", "stubborn")
		c.Env["MARK"] = os.Getenv("MARK")
		_, _ = New(&Options{Connections: []*agent.Connection{c}, Environ: os.Environ()}).For(alice).ListTools(context.Background(), "s")
		<-time.After(time.Hour)
	case "stubborn": // lives on when its input ends
		_ = os.WriteFile(os.Getenv("MARK"), []byte(strconv.Itoa(os.Getpid())), 0o600)
		<-time.After(time.Hour)
	case "parent":
		parent()
	}
}

// A tools is one tool of a test's server.
type tool struct {
	sdk.Tool
	run func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)
}

const anyObject = `{"type":"object"}`

func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

var t1 = tool{sdk.Tool{Name: "echo", Description: "Echoes.", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true},
	InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)},
	func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text("got " + string(r.Params.Arguments)), nil
	}}

var t2 = tool{sdk.Tool{Name: "fail", Description: "Fails.", InputSchema: json.RawMessage(anyObject)},
	func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		r := text("no such file")
		r.IsError = true
		return r, nil
	}}

var envTool = tool{sdk.Tool{Name: "env", InputSchema: json.RawMessage(anyObject)},
	func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		dir, _ := os.Getwd()
		return text(strings.Join(os.Environ(), "\n") + "\nDIR=" + dir), nil
	}}

func newServerOf(tools ...tool) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, t := range tools {
		s.AddTool(&t.Tool, t.run)
	}
	s.AddResource(&sdk.Resource{URI: "memo:a", Name: "a"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "memo:a", Text: "remember"}}}, nil
	})
	return s
}

// growing is a server whose tool grow adds another.
func growing() *sdk.Server {
	s := newServerOf(t1)
	s.AddTool(&sdk.Tool{Name: "grow", InputSchema: json.RawMessage(anyObject)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddTool(&sdk.Tool{Name: "grown", InputSchema: json.RawMessage(anyObject)}, t2.run)
		return text("grown"), nil
	})
	return s
}

// deaf reads its input until a tool is called, and then never again.
func deaf() {
	d := json.NewDecoder(os.Stdin)
	for {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if d.Decode(&m) != nil {
			return
		}
		result := ""
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"deaf","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"hear","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			select {}
		case "notifications/initialized":
			continue
		}
		if result == "" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// parent is a server with a child that outlives it, unless the group is killed. The
// child holds the file open that the test looks at.
func parent() {
	cmd := exec.Command("/bin/sh", "-c", `trap "" TERM HUP; echo up > "$0"; while :; do sleep 0.05; echo up > "$0"; done`, os.Getenv("MARK"))
	_ = cmd.Start()
	_ = newServerOf(t1).Run(context.Background(), &sdk.StdioTransport{})
}

// A book is a log that a test reads.
type book struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *book) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newPool(t *testing.T, o *Options, connections ...*agent.Connection) (*Pool, *book) {
	t.Helper()
	log := &book{}
	if o == nil {
		o = &Options{}
	}
	o.Agent, o.Connections, o.Logger = "tester", connections, zerolog.New(log)
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	p := New(o)
	t.Cleanup(p.Close)
	return p, log
}

// stdio is a connection to the test's own program as a server.
func stdio(name, kind string) *agent.Connection {
	self, _ := os.Executable()
	return &agent.Connection{Name: name, Command: self, Env: map[string]string{asServer: kind}}
}

func remote(t *testing.T, name string, h http.Handler) *agent.Connection {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return &agent.Connection{Name: name, URL: s.URL}
}

func streamable(s *sdk.Server) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)
}

var alice = Caller{Principal: events.Principal{Kind: "bearer", ID: "alice"}}

// calls calls a tool as code of the author's does.
func calls(t *testing.T, p *Pool, connection, tool, args string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	raw, err := p.For(alice).CallTool(ctx, connection, tool, json.RawMessage(args))
	return string(raw), err
}

func must(t *testing.T, p *Pool, connection, tool, args string) string {
	t.Helper()
	out, err := calls(t, p, connection, tool, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// names are those of the tools that the model is shown.
func names(t *testing.T, p *Pool, live bool) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	p.Learn(ctx, live)
	var list []string
	for _, tool := range p.Known() {
		list = append(list, tool.Name)
	}
	return strings.Join(list, " ")
}

// until polls for what another program does.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// peek reads a request's body and leaves it.
func peek(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}
