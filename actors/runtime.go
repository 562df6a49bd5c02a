package actors

import (
	"cmp"
	"context"
	"strconv"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
	"github.com/gobdk/bdk/internal/store"
)

// An agentRuntime is an agent as a host runs it: with its storage, its log, and
// what every turn needs, made once.
type agentRuntime struct {
	*agent.Agent
	h    *Host
	uses atomic.Int64 // of its lineup, sessions and calls; at 0 it may be closed
	// live ends when the agent is replaced, or the host ends.
	live   context.Context
	expire context.CancelFunc

	tools  toolset
	params map[string]any
	base   int64 // of the context, in tokens: what all sessions are told
	kv     agent.KV
	files  agent.Files
	log    *agentLog
	hooks  *hookTable
	// connections are the agent's own, closed until they are used.
	connections *mcp.Pool
}

// newAgentRuntime makes the runtime of an agent. What the host keeps of a slug has
// one owner at a time, so it is taken over from the runtime before; nil: there is none.
func (h *Host) newAgentRuntime(a *agent.Agent, before *agentRuntime) (r *agentRuntime, err error) {
	r = &agentRuntime{Agent: a, h: h, hooks: newHookTable(a.Hooks)}
	r.uses.Store(1)
	r.live, r.expire = context.WithCancel(h.life)
	if err := r.keep(before); err != nil {
		return nil, err
	}
	r.connections = r.newConnections()
	r.warnOfRoot()
	if r.tools, err = r.newToolset(); err != nil {
		return nil, err
	}
	if len(a.Subagents) > 0 && r.tools.task == nil {
		h.o.Logger.Warn().Str("agent", a.Slug).Msgf("a tool of the project is called %s: it takes the place of the one that delegates, and no subagent can be reached", taskName)
	}
	if len(a.Model.Params) > 0 {
		r.params = map[string]any{}
		for _, p := range a.Model.Params {
			r.params[p.ID] = p.Value
		}
	}
	r.base = r.baseTokens()
	return r, nil
}

// keep opens what the host keeps of the agent's slug, or takes it over.
func (r *agentRuntime) keep(before *agentRuntime) (err error) {
	if before != nil {
		r.kv, r.files, r.log = before.kv, before.files, before.log
		return nil
	}
	r.kv = store.NewKV(r.h.journal.Space("kv/"+r.Slug), r.h.o.Clock)
	r.files = r.h.storage.filesOf(r.Slug)
	r.log, err = openAgentLog(r.h, r)
	return err
}

// resolve finds the model of the next step: the session's own, where it has one, else
// the host's setting, else the agent's.
func (r *agentRuntime) resolve(own string) (model.Resolved, error) {
	return r.h.o.Models.Resolve(model.Ref{ID: r.modelID(own), ProjectDir: r.Dir})
}

func (r *agentRuntime) modelID(own string) string { return cmp.Or(own, r.h.o.ModelID, r.Model.ID) }

// resolve finds the model of the session's next step.
func (j *job) resolve() (model.Resolved, error) { return j.agent.resolve(j.start.Model) }

// modelName is what the log says: the full name where the model can be had, else what was asked for.
func (r *agentRuntime) modelName() string {
	if found, err := r.resolve(""); err == nil {
		return found.Name
	}
	return r.modelID("")
}

// picoUSD turns dollars into the unit of sums, 1e-12 dollars.
func picoUSD(usd float64) int64 { return int64(usd * 1e12) }

// config is what the agent and the host allow a session.
func (r *agentRuntime) config(start *events.SessionStarted) session.Config {
	found, err := r.resolve(start.Model)
	if err != nil { // the turn fails with it; the log says what was asked for
		found.Name = r.modelID(start.Model)
	}
	cfg := session.Config{
		Model: found.Name, MaxSteps: r.Limits.MaxSteps, MaxQueue: r.h.o.MaxQueuedMessages, MaxFailures: r.h.o.MaxFailures,
		MaxTurnCost: picoUSD(r.Limits.MaxTurnUSD), MaxSessionCost: picoUSD(r.Limits.MaxSessionUSD), MaxSessionTokens: r.Limits.MaxSessionTokens,
		ApprovalTimeout: r.Approvals.Timeout, NoApprover: !r.canApprove(start.ChannelID), FreePlaces: r.h.places.unbounded.Load(),
		CompactAt: r.compactAt(&found), BaseTokens: r.base, Judged: r.Result != nil, MaxRepairs: r.maxRepairs(),
		Contained: r.tools.contained, Stubbed: start.Stubs,
	}
	if start.WorkspaceDir != "" {
		cfg.Contained = nil // what they write stays there
	}
	if p := r.h.o.Prices; p != nil {
		cfg.Price = func(name string, u events.Usage) (int64, bool) { return p.Price(name, u) }
	}
	return cfg
}

// children numbers child actors over all hosts of the process.
var children atomic.Uint64

func (h *Host) childName() string { return strconv.FormatUint(children.Add(1), 36) }

func (h *Host) logFault(sessionID, fault string) {
	h.o.Logger.Error().Str("session", sessionID).Str("fault", fault).Msg("a panic in a session was contained")
}
