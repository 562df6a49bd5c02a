package agent

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/events"
)

// A scope lets the code of an extension use its own short names: it does not know
// the namespace that it is mounted under.
type scope struct {
	ns string
	// names are the short names of each slot whose things code can name.
	names map[string]map[string]bool
}

// named are the slots whose things code can name.
var named = []string{SlotArtifacts, SlotChannels, SlotTools, SlotConnections, SlotHostConnections}

func (m *mounting) scope() *scope {
	s := &scope{ns: m.from.Namespace, names: map[string]map[string]bool{}}
	for _, slot := range named {
		s.names[slot] = map[string]bool{}
	}
	for _, b := range m.brought {
		if names := s.names[b.slot]; names != nil && b.overlay != OverlayRemoved {
			names[b.name] = true
		}
	}
	return s
}

// full is the name that a short one stands for; others stay as they are.
func (s *scope) full(name string, slots ...string) string {
	for _, slot := range slots {
		if s.names[slot][name] {
			return s.ns + "__" + name
		}
	}
	return name
}

// call is a call as the extension's code gets it.
func (s *scope) call(c *Call) *Call {
	if c == nil {
		return nil
	}
	own := *c
	if c.Artifacts != nil {
		own.Artifacts = scopedArtifacts{c.Artifacts, s}
	}
	if c.MCP != nil {
		own.MCP = scopedMCP{c.MCP, s}
	}
	if c.Firing != nil {
		own.Firing = s.firing(*c.Firing)
	}
	return &own
}

func (s *scope) firing(f Firing) *Firing {
	receive, callTool := f.Receive, f.CallTool
	if receive != nil {
		f.Receive = func(ctx context.Context, channel string, r Receive) (Sent, error) {
			return receive(ctx, s.full(channel, SlotChannels), r)
		}
	}
	if callTool != nil {
		f.CallTool = func(ctx context.Context, name string, input json.RawMessage) (Result, error) {
			return callTool(ctx, s.full(name, SlotTools), input)
		}
	}
	return &f
}

// scopedArtifacts take the short names of kinds.
type scopedArtifacts struct {
	Artifacts
	scope *scope
}

// Tag records an artifact of the extension's own kind, or of another.
func (a scopedArtifacts) Tag(ctx context.Context, t TagArtifact) (events.Artifact, error) {
	t.Kind = a.scope.full(t.Kind, SlotArtifacts)
	return a.Artifacts.Tag(ctx, t)
}

// List gives the artifacts of the extension's own kind, or of another.
func (a scopedArtifacts) List(ctx context.Context, o ListArtifacts) ([]events.Artifact, error) {
	o.Kind = a.scope.full(o.Kind, SlotArtifacts)
	return a.Artifacts.List(ctx, o)
}

// scopedMCP takes the short names of connections.
type scopedMCP struct {
	MCP
	scope *scope
}

func (m scopedMCP) full(name string) string {
	return m.scope.full(name, SlotConnections, SlotHostConnections)
}

// ListTools lists the tools of the extension's own connection, or of another.
func (m scopedMCP) ListTools(ctx context.Context, connection string) (json.RawMessage, error) {
	return m.MCP.ListTools(ctx, m.full(connection))
}

// CallTool calls a tool of the extension's own connection, or of another.
func (m scopedMCP) CallTool(ctx context.Context, connection, tool string, args json.RawMessage) (json.RawMessage, error) {
	return m.MCP.CallTool(ctx, m.full(connection), tool, args)
}

// ReadResource reads from the extension's own connection, or from another.
func (m scopedMCP) ReadResource(ctx context.Context, connection, uri string) (json.RawMessage, error) {
	return m.MCP.ReadResource(ctx, m.full(connection), uri)
}
