package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/mcp"
)

// Waits for connections that do not tell their tools.
const (
	// stepPatience is how long a model step waits: once for each server that is slow.
	stepPatience = 10 * time.Second
	// listPatience is how long somebody waits who asks for the list.
	listPatience = 5 * time.Second
)

// newConnections makes the clients of an agent's connections. They open when they are used.
func (r *agentRuntime) newConnections() *mcp.Pool {
	var taken []string
	for _, t := range r.Tools {
		taken = append(taken, t.Name)
	}
	return mcp.New(&mcp.Options{
		Agent: r.Slug, Dir: r.Dir, Connections: r.Connections, Taken: taken, Environ: r.h.o.Environ, Pins: &spacePins{r.h.journal.Space("mcp/" + r.Slug)},
		Peers: hostPeers{r.h}, Authorize: r.authorize, Clock: r.h.o.Clock, Logger: r.h.o.Logger,
	})
}

// learn asks connections for their tools, and waits for a while at most.
func (r *agentRuntime) learn(ctx context.Context, live bool, patience time.Duration) {
	if len(r.Connections) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r.connections.Learn(ctx, live)
}

// advertised are the tools that connections show to models, as far as they are known.
func (r *agentRuntime) advertised() (list []*agent.Tool) {
	for _, t := range r.connections.Known() {
		list = append(list, r.connections.AgentTool(t))
	}
	return list
}

// shown adds the tools of connections to what a model is told.
func (r *agentRuntime) shown(ctx context.Context, tools []model.Tool) []model.Tool {
	if len(r.Connections) == 0 {
		return tools
	}
	r.learn(ctx, false, stepPatience)
	tools = slices.Clip(tools)
	for _, t := range r.connections.Known() {
		tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
	}
	for _, t := range r.connections.Authorizers() {
		tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
	}
	return tools
}

// find is Tool that asks connections for what they have where the name may be theirs.
func (r *agentRuntime) find(ctx context.Context, name string) *agent.Tool {
	t := r.Tool(name)
	if t == nil {
		r.learn(ctx, false, stepPatience)
		t = r.Tool(name)
	}
	return t
}

// names are those of all tools that a model can call, as far as they are known.
func (r *agentRuntime) names() []string {
	names := slices.Clone(r.tools.names)
	for _, t := range r.connections.Known() {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// missing says why no tool has a name: its connection cannot be used, or there is none.
func (r *agentRuntime) missing(name string, names []string) string {
	for _, f := range r.connections.Faults() {
		if strings.HasPrefix(name, f.Connection+"__") {
			return f.Message
		}
	}
	return unknownTool(name, names)
}

// waitsForPeer says whether a call does nothing but wait for another agent.
func (r *agentRuntime) waitsForPeer(tool string, args json.RawMessage) bool {
	return len(r.Connections) > 0 && r.connections.IsPeer(r.Tool(tool), args)
}

// A ConnectionError says why the tools of a connection are not known.
type ConnectionError struct {
	Connection string `json:"connection"`
	Message    string `json:"message"`
}

// ConnectionTools asks the connections of an agent for their tools now: those that
// they show to models, and why others are not known.
func (h *Host) ConnectionTools(ctx context.Context, slug string) (tools []*agent.Tool, faults []ConnectionError) {
	r := h.agents.take(slug)
	if r == nil {
		return nil, nil
	}
	defer r.release()
	r.learn(ctx, true, listPatience)
	for _, f := range r.connections.Faults() {
		faults = append(faults, ConnectionError(f))
	}
	return r.advertised(), faults
}

// FindTool gives a tool of an agent: one of the project, one that the host itself
// gives to the model and that runs in turns alone, or one that a connection shows,
// which is asked where the name is not known. Nil when there is none.
func (h *Host) FindTool(ctx context.Context, slug, name string) *agent.Tool {
	r := h.agents.take(slug)
	if r == nil {
		return nil
	}
	defer r.release()
	return r.find(ctx, name)
}

// CallableTools are the names of the tools that can be called directly, as far as
// they are known.
func (h *Host) CallableTools(slug string) []string {
	if r := h.agents.of(slug); r != nil {
		return append([]string{}, r.callable()...)
	}
	return []string{}
}

// connectionFindings are what is wrong with the connections of an agent, as far as
// it is known.
func (h *Host) connectionFindings(slug string) []agent.Diagnostic {
	if r := h.agents.of(slug); r != nil {
		return append(h.circles(r.Agent), r.connections.Findings()...)
	}
	return nil
}

// CheckPeers refuses agents with connections to agents that are not among them.
func CheckPeers(agents []*agent.Agent) error {
	var faults []error
	served := map[string]bool{}
	for _, a := range agents {
		if a != nil {
			served[a.Slug] = true
		}
	}
	for _, a := range agents {
		if a == nil {
			continue
		}
		for _, c := range a.Connections {
			if c != nil && c.Agent != "" && !served[c.Agent] {
				faults = append(faults, fmt.Errorf("agent %s: its connection %s leads to the agent %q, which is not served here: serve the folder that has both, or mend the slug", a.Slug, c.Name, c.Agent))
			}
		}
	}
	return errors.Join(faults...)
}

// spacePins keep the definitions of tools in the journal's store.
type spacePins struct{ space *journal.Space }

// Get is mcp.Pins'.
func (p *spacePins) Get(key string) (string, bool, error) {
	value, ok, err := p.space.Get([]byte(key))
	return string(value), ok, err
}

// Put is mcp.Pins'.
func (p *spacePins) Put(key, value string) error {
	b := p.space.NewBatch()
	b.Set([]byte(key), []byte(value))
	return b.Commit(true)
}

// Delete is mcp.Pins'.
func (p *spacePins) Delete(key string) error {
	b := p.space.NewBatch()
	b.Delete([]byte(key))
	return b.Commit(true)
}
