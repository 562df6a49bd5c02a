package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/test/npm"
	"github.com/gobdk/bdk/transport"
)

// patience bounds what a test waits for.
const patience = time.Minute

// serve runs a host with the agent "tester" until the test ends, and gives the URL
// under which its routes stand.
func serve(t *testing.T) string {
	t.Helper()
	j, err := journal.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	views, err := projections.Start(t.Context(), &projections.Options{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	a := &agent.Agent{Slug: "tester", Name: "Tester", Description: "Is tested.", Tools: tools(t)}
	host, err := actors.Start(t.Context(), &actors.Options{Journal: j, Views: views, Agents: []*agent.Agent{a}, Models: offline{}, MinFreeBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := transport.NewHandler(&transport.Options{Host: host, Views: views, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := transport.NewServer(handler, nil)
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := server.Close()
		<-served
		if err := errors.Join(err, host.Close(ctx), views.Close(ctx), j.Close()); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/tester"
}

type offline struct{}

func (offline) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: scripted.New(nil), Name: "scripted"}, nil
}

// tools are what the conformance suite asks of a server that has tools, and one whose
// input and output have schemas.
func tools(t *testing.T) []*agent.Tool {
	t.Helper()
	type args = map[string]any
	type sum struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type total struct {
		Total int `json:"total"`
	}
	schema := json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
		`"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
		`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`)
	return append(rich(t), []*agent.Tool{
		newTool(t, "add", func(_ context.Context, in sum, _ *agent.Call) (total, error) { return total{in.A + in.B}, nil }, nil),
		newTool(t, "erase", func(context.Context, args, *agent.Call) (string, error) { return "erased", nil },
			&agent.ToolOptions[args]{Effect: agent.EffectWrite, NeedsApproval: true}),
		newTool(t, "json_schema_2020_12_tool", func(_ context.Context, in args, _ *agent.Call) (args, error) { return in, nil }, &agent.ToolOptions[args]{InputSchema: schema}),
		newTool(t, "test_error_handling", func(context.Context, args, *agent.Call) (string, error) {
			return "", errors.New("This tool intentionally returns an error for testing")
		}, nil),
		newTool(t, "test_simple_text", func(context.Context, args, *agent.Call) (string, error) {
			return "This is a simple text response for testing.", nil
		}, nil),
	}...)
}

// rich are tools whose results are those of the protocol itself.
func rich(t *testing.T) (list []*agent.Tool) {
	const (
		image    = `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}`
		audio    = `{"type":"audio","mimeType":"audio/wav","data":"UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAA"}`
		resource = `{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain","text":"This is an embedded resource content."}}`
		mixed    = `{"type":"text","text":"Multiple content types test:"},` + image + `,{"type":"resource","resource":{"uri":"test://mixed-content-resource","mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}`
	)
	for name, content := range map[string]string{
		"test_image_content": image, "test_audio_content": audio, "test_embedded_resource": resource, "test_multiple_content_types": mixed,
	} {
		list = append(list, newTool(t, name, func(context.Context, map[string]any, *agent.Call) (json.RawMessage, error) {
			return json.RawMessage(`{"content":[` + content + `]}`), nil
		}, nil))
	}
	return list
}

func newTool[In, Out any](t *testing.T, name string, fn func(context.Context, In, *agent.Call) (Out, error), o *agent.ToolOptions[In]) *agent.Tool {
	t.Helper()
	tool, err := agent.NewTool(name, "Does "+name+".", fn, o)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// node runs a script of this folder and gives what it said; ok is false where it failed.
func node(t *testing.T, args ...string) (said string, ok bool) {
	t.Helper()
	npm.Install(t, ".")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "node", args...).CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// The official TypeScript SDK asks, checks and calls tools on both routes; the script
// says what it expects.
func TestServer_TypeScriptSDK(t *testing.T) {
	t.Parallel()
	if said, ok := node(t, "client.mjs", serve(t)); !ok || !strings.HasSuffix(said, "all is well\n") {
		t.Error(said)
	}
}

// The official Go SDK speaks the newest revision.
func TestServer_GoSDK(t *testing.T) {
	t.Parallel()
	base := serve(t)
	var said []string
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *sdk.ProgressNotificationClientRequest) {
			said = append(said, n.Params.Message)
		},
	})
	for _, route := range []string{"/v1/mcp", "/v1/mcp/tools"} {
		s, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: base + route}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := s.InitializeResult().ProtocolVersion; v != "2026-07-28" {
			t.Errorf("it speaks %s", v)
		}
		call := &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"message": `/call add {"a":1,"b":2}`}}
		if route == "/v1/mcp/tools" {
			call = &sdk.CallToolParams{Name: "add", Arguments: map[string]any{"a": 1, "b": 2}}
		}
		call.SetProgressToken("p")
		res, err := s.CallTool(t.Context(), call)
		if err != nil || res.IsError {
			t.Fatalf("%+v, %v", res, err)
		}
		if out, err := json.Marshal(res.StructuredContent); err != nil || !strings.Contains(string(out), "total") {
			t.Errorf("%s: %s, %v", call.Name, out, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(said) == 0 || said[len(said)-1] != "step 2" {
		t.Errorf("the progress of ask: %q", said)
	}
}
