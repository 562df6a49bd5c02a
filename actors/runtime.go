package actors

import (
	"strconv"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/store"
)

// An agentRuntime is an agent as a host runs it: with its storage, its log, and
// what every turn needs, made once.
type agentRuntime struct {
	*agent.Agent
	h          *Host
	names      []string      // of its own tools
	tools      []*agent.Tool // those that the model may call
	offered    []string      // … their names
	contained  []string      // … those that a dry run runs although they write
	modelTools []model.Tool
	params     map[string]any
	kv         agent.KV
	files      agent.Files
	log        *agentLog
}

func (h *Host) newAgentRuntime(a *agent.Agent) (*agentRuntime, error) {
	r := &agentRuntime{Agent: a, h: h, kv: store.NewKV(h.journal.Space("kv/"+a.Slug), h.o.Clock)}
	r.files = h.storage.filesOf(a.Slug)
	r.equip()
	if len(a.Model.Params) > 0 {
		r.params = map[string]any{}
		for _, p := range a.Model.Params {
			r.params[p.ID] = p.Value
		}
	}
	var err error
	r.log, err = openAgentLog(h, r)
	return r, err
}

// resolve finds the model of the next step: the host's own setting, else the agent's.
func (r *agentRuntime) resolve() (model.Resolved, error) {
	return r.h.o.Models.Resolve(model.Ref{ID: r.modelID(), ProjectDir: r.Dir})
}

func (r *agentRuntime) modelID() string {
	if r.h.o.ModelID != "" {
		return r.h.o.ModelID
	}
	return r.Model.ID
}

// modelName is what the log says: the full name where the model can be had, else what was asked for.
func (r *agentRuntime) modelName() string {
	if found, err := r.resolve(); err == nil {
		return found.Name
	}
	return r.modelID()
}

// picoUSD turns dollars into the unit of sums, 1e-12 dollars.
func picoUSD(usd float64) int64 { return int64(usd * 1e12) }

// config is what the agent and the host allow a session.
func (r *agentRuntime) config(start *events.SessionStarted) session.Config {
	cfg := session.Config{
		Model: r.modelName(), MaxSteps: r.Limits.MaxSteps, MaxQueue: r.h.o.MaxQueuedMessages,
		MaxTurnCost: picoUSD(r.Limits.MaxTurnUSD), MaxSessionCost: picoUSD(r.Limits.MaxSessionUSD), MaxSessionTokens: r.Limits.MaxSessionTokens,
		ApprovalTimeout: r.Approvals.Timeout, NoApprover: !canApprove(start.ChannelID), FreePlaces: r.h.places.unbounded,
		Contained: r.contained,
	}
	if p := r.h.o.Prices; p != nil {
		cfg.Price = func(name string, u events.Usage) (int64, bool) { return p.Price(name, u) }
	}
	return cfg
}

// canApprove says whether somebody can answer on a channel: the built-in ones.
func canApprove(channelID string) bool {
	switch channelID {
	case "http", "mcp", "cli", "eval":
		return true
	}
	return false
}

// children numbers child actors over all hosts of the process.
var children atomic.Uint64

func (h *Host) childName() string { return strconv.FormatUint(children.Add(1), 36) }

func (h *Host) logFault(sessionID, fault string) {
	h.o.Logger.Error().Str("session", sessionID).Str("fault", fault).Msg("a panic in a session was contained")
}
