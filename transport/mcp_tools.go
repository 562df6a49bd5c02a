package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// addServerTools gives a server the tools of an agent that run without its model.
// The SDK lists them by name.
func (h *handler) addServerTools(s *mcp.Server, a *agent.Agent) {
	for _, t := range a.Tools {
		if !isServerTool(t) {
			continue
		}
		if err := addTool(s, t); err != nil {
			h.o.Logger.Warn().Str("agent", a.Slug).Str("tool", t.Name).Err(err).Msg("a tool is not offered over MCP")
		}
	}
}

// addTool adds one; the SDK panics at a schema that it cannot offer.
func addTool(s *mcp.Server, t *agent.Tool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	s.AddTool(&mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: ofObject(t.InputSchema), OutputSchema: outputSchema(t),
		Annotations: annotations(t),
	}, mcpTool(func(ctx context.Context, q *mcpRequest, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return q.callDirectly(ctx, t.Name, r.Params.Arguments, outputSchema(t) != nil)
	}).serve)
	return nil
}

// annotations say what a client may expect of a call. What is decided for each call
// is announced as the worst of it.
func annotations(t *agent.Tool) *mcp.ToolAnnotations {
	reads := t.Effect == agent.EffectRead
	destroys := !reads && !t.Contained
	return &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: reads, IdempotentHint: reads || t.Idempotent, DestructiveHint: &destroys}
}

// ofObject is an input schema as the protocol wants it: one that names the type
// object, which every input is.
func ofObject(schema json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if len(schema) == 0 || json.Unmarshal(schema, &members) != nil || members == nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	if string(members["type"]) == `"object"` {
		return schema
	}
	members["type"] = json.RawMessage(`"object"`)
	out, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return out
}

// outputSchema is that of a tool whose results are objects; nil for another, whose
// results are given as text alone.
func outputSchema(t *agent.Tool) any {
	var s struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(t.OutputSchema, &s) != nil || s.Type != "object" {
		return nil
	}
	return t.OutputSchema
}

// callByName is call_tool.
func callByName(ctx context.Context, q *mcpRequest, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	f, err := q.arguments(r, "name", "input")
	if err != nil {
		return nil, err
	}
	f.required("name")
	name, _ := f.identifier("name")
	input, ok := f.raw("input")
	if ok && input[0] != '{' {
		f.note("input", "must be an object")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return q.callDirectly(ctx, name, input, false)
}

// callDirectly runs a server tool for a model. Promised says that its result was
// announced with a schema, which it is to fit.
func (q *mcpRequest) callDirectly(ctx context.Context, name string, input json.RawMessage, promised bool) (*mcp.CallToolResult, error) {
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	q.about.note("", name)
	a, err := q.h.host.CallTool(ctx, actors.ToolCall{Agent: q.agent.Slug, Name: name, Input: input, Principal: q.principal, Model: true})
	var unknown *actors.UnknownToolError
	switch {
	case errors.Is(err, actors.ErrNeedsApproval):
		return nil, refuse("approval_required", "a person must approve this call, and a direct one asks nobody; say what you want with the tool ask of /v1/mcp, so that the agent calls "+name+" and a person decides")
	case errors.As(err, &unknown):
		return nil, &problem{code: "unknown_tool", message: "this agent has no tool of this name", available: toolNames(q.agent)}
	case err != nil:
		return nil, err
	}
	q.wrote(a.Position)
	if promised && a.Long != nil {
		return tooLong(&a), nil
	}
	return resultOf(a.Result, promised), nil
}

// resultOf is a tool's result in the protocol: what is a result of the protocol is
// given as such, text as it is, and an object as structure too.
func resultOf(r agent.Result, promised bool) *mcp.CallToolResult {
	if made := protocolResult(r.Output); made != nil && !r.IsError {
		if promised {
			made.StructuredContent = r.Output // which is what the schema speaks of
		}
		return made
	}
	out := &mcp.CallToolResult{IsError: r.IsError}
	text := string(r.Output)
	trimmed := bytes.TrimSpace(r.Output)
	switch {
	case len(trimmed) == 0:
		text = "null"
	case trimmed[0] == '"':
		text = messageOf(r.Output)
	case trimmed[0] == '{' && !r.IsError:
		out.StructuredContent = json.RawMessage(trimmed)
	}
	out.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	return out
}
