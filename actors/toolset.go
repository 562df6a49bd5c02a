package actors

import (
	"path/filepath"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/memory"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/harness"
)

// A toolset is what a model may call: the project's tools, and those that the host
// itself gives it. Where both have one name it is the project's.
type toolset struct {
	own   []*agent.Tool
	task  *agent.Tool  // delegates to subagents; nil where there are none
	names []string     // of all, sorted
	model []model.Tool // as the model is told of them
	sub   []model.Tool // … and a model that works as a subagent: all but task
	// contained are the names of those that a dry run runs although they write.
	contained []string
}

// sourceHarness is the source of tools that the host itself gives to models.
const sourceHarness = harness.Source

// newToolset gathers the tools of an agent.
func (r *agentRuntime) newToolset() (s toolset, err error) {
	own, err := r.ownTools()
	if err != nil {
		return s, err
	}
	a := r.Agent
	for _, t := range own {
		if a.Tool(t.Name) != nil {
			continue
		}
		s.own = append(s.own, t)
		if t.Contained {
			s.contained = append(s.contained, t.Name)
		}
	}
	for _, t := range slices.Concat(a.Tools, s.own) {
		s.add(t)
	}
	s.sub = s.model[:len(s.model):len(s.model)]
	if s.task, err = newTask(a); err != nil {
		return s, err
	}
	if a.Tool(taskName) != nil {
		s.task = nil
	}
	if s.task != nil {
		s.own = append(s.own, s.task)
		s.add(s.task)
	}
	slices.Sort(s.names)
	return s, nil
}

func (s *toolset) add(t *agent.Tool) {
	s.names = append(s.names, t.Name)
	s.model = append(s.model, model.Tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
}

// ownTools are those that the host gives the agent's model, but for task.
func (r *agentRuntime) ownTools() (own []*agent.Tool, err error) {
	own = harness.New(r.harnessOptions())
	if r.Artifacts != nil && r.Artifacts.AgentTool {
		t, err := newTagTool(r.Artifacts)
		if err != nil {
			return nil, err
		}
		own = append(own, t)
	}
	if g := r.connections.Gateway(); g != nil {
		own = append(own, g)
	}
	return own, nil
}

// warnOfRoot says where programs of the agent could reach the host's own files.
func (r *agentRuntime) warnOfRoot() {
	dir := r.Local.Dir()
	if dir == "" {
		return
	}
	rel, err := filepath.Rel(dir, r.h.storage.root)
	if err == nil && filepath.IsLocal(rel) {
		r.h.o.Logger.Warn().Str("agent", r.Slug).Str("folder", dir).Str("stateRoot", r.h.storage.root).
			Msg("the state root lies in the folder that sessions work in, so that programs of their tools can write to it: choose another with --state-root")
	}
}

func (r *agentRuntime) harnessOptions() *harness.Options {
	return &harness.Options{
		Allow: r.Harness, Skills: r.Skills, UserFolder: r.Local.Dir() != "", Scratch: r.h.storage.scratch, Programs: r.programs(),
		PrincipalDir: memory.PrincipalDir,
	}
}

// programs says how programs run for the agent's sessions.
func (r *agentRuntime) programs() harness.Programs {
	return harness.Programs{Environ: r.h.o.Environ, Sandbox: r.Local.Sandbox, Owner: r.h.owner()}
}

// Tool finds a tool of the project, of those that the host itself gives to the model,
// or of a connection, as far as that is known.
func (r *agentRuntime) Tool(name string) *agent.Tool {
	if t := r.Agent.Tool(name); t != nil {
		return t
	}
	for _, t := range r.tools.own {
		if t.Name == name {
			return t
		}
	}
	if t := r.connections.Advertised(name); t != nil {
		return r.connections.AgentTool(t)
	}
	return r.connections.Authorizer(name)
}

// delegates says whether t is the tool that delegates to subagents.
func (r *agentRuntime) delegates(t *agent.Tool) bool { return t != nil && t == r.tools.task }

// callable are the names of the tools that can be called directly.
func (r *agentRuntime) callable() (names []string) {
	for _, t := range r.Tools {
		if t.Execution != agent.ExecutionAgent {
			names = append(names, t.Name)
		}
	}
	for _, t := range r.connections.Known() {
		names = append(names, t.Name)
	}
	return names
}

// inWorkspace says whether a tool works in the session's folder by itself.
func inWorkspace(t *agent.Tool) bool {
	return t.Source == harness.Source || t.Execution == agent.ExecutionAgent
}
