package actors

import (
	"path/filepath"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/harness"
)

// equip gives the agent its tools: its own, and those of the harness that it does not
// replace by one of the same name.
func (r *agentRuntime) equip() {
	r.warnOfRoot()
	for _, t := range r.Tools {
		r.names = append(r.names, t.Name)
	}
	own := slices.Clone(r.names)
	slices.Sort(r.names)
	r.tools = slices.Clone(r.Tools)
	for _, t := range harness.New(r.harnessOptions()) {
		if slices.Contains(own, t.Name) {
			continue
		}
		r.tools = append(r.tools, t)
		if t.Contained {
			r.contained = append(r.contained, t.Name)
		}
	}
	for _, t := range r.tools {
		r.offered = append(r.offered, t.Name)
		r.modelTools = append(r.modelTools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema})
	}
	slices.Sort(r.offered)
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
	}
}

// programs says how programs run for the agent's sessions.
func (r *agentRuntime) programs() harness.Programs {
	return harness.Programs{Environ: r.h.o.Environ, Sandbox: r.Local.Sandbox, Owner: r.h.owner()}
}

// tool gives a tool that the model may call, the harness's among them; nil when there
// is none.
func (r *agentRuntime) tool(name string) *agent.Tool {
	for _, t := range r.tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// inWorkspace says whether a tool works in the session's folder by itself.
func inWorkspace(t *agent.Tool) bool {
	return t.Source == harness.Source || t.Execution == agent.ExecutionAgent
}
