// Package transport is the edge: HTTP routes that turn requests into commands and
// stream the log back as NDJSON or server-sent events. It checks every request in
// one order, decides nothing about sessions, and holds no state but limits.
package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// host is what the edge asks of a host.
type host interface {
	Agents() []*agent.Agent
	Agent(slug string) *agent.Agent
	ModelName(a *agent.Agent) string
	FindTool(ctx context.Context, slug, name string) *agent.Tool
	ConnectionTools(ctx context.Context, slug string) ([]*agent.Tool, []actors.ConnectionError)
	CallableTools(slug string) []string
	Channel(slug, id string) *actors.ChannelPort
	Findings(slug string) []agent.Diagnostic
	Degraded() bool
	Draining() bool
	Admit() error
	Journal() *journal.Journal

	Session(ctx context.Context, id string) (actors.SessionInfo, error)
	Token(sessionID string, n int) string
	ReadToken(token string) (sessionID string, n int, ok bool)
	FollowUps(ctx context.Context, sessionID string) (int, error)
	StartSession(ctx context.Context, s actors.NewSession) (actors.Accepted, error)
	Interrupt(ctx context.Context, sessionID string, m actors.Message) (actors.Accepted, error)
	Stop(ctx context.Context, sessionID string) (actors.Stopped, error)
	Compact(ctx context.Context, sessionID string) (actors.Compacted, error)
	ForkAs(ctx context.Context, f actors.NewFork) (actors.Forked, error)
	State(ctx context.Context, sessionID string, index uint64) (actors.Replayed, error)
	Rename(ctx context.Context, sessionID, title string) (uint64, error)
	ResolveApproval(ctx context.Context, sessionID, callID string, d actors.Decision) (actors.Resolved, error)
	CallTool(ctx context.Context, c actors.ToolCall) (actors.ToolAnswer, error)
	FireSchedule(ctx context.Context, slug, id string, i *events.Idempotency) ([]string, error)
	ScheduleStatus(slug string, s *agent.Schedule) (actors.ScheduleStatus, []agent.Diagnostic)
	Reminders(ctx context.Context, slug string) ([]actors.ArmedReminder, error)
	FireReminder(ctx context.Context, slug, id string) (sessionID string, err error)
	Ask(ctx context.Context, a actors.Ask) (actors.AskReply, error)
	Check(ctx context.Context, c actors.Check) (actors.AskReply, error)
	BeginAuthorization(ctx context.Context, slug, connection, redirect string) (actors.Authorization, error)
	FinishAuthorization(ctx context.Context, query url.Values) (connection string, err error)
	Authorized(ctx context.Context, slug, connection string) (time.Time, error)
	AuthorizationFailed(slug, connection string) (time.Time, error)
	OpenContents(ctx context.Context, a *events.Artifact) (io.ReadSeekCloser, error)
}

var _ host = (*actors.Host)(nil)

// handler serves every route. Nothing in it changes after NewHandler but what
// has a lock of its own.
type handler struct {
	o       Options
	host    host
	views   *projections.Views
	journal *journal.Journal
	router  *router
	// chain is that of the command line.
	chain   *chain
	mounts  *mounts
	cors    *origins
	streams *streams
	writes  *writes
	mcp     mcpServers
	// renders has an element for each text that is read now.
	renders chan struct{}

	// heartbeat is how often a quiet event stream gets a comment line, patience
	// how long one write may wait for a client that does not read.
	heartbeat, patience time.Duration
}

// NewHandler gives the handler of a host's routes; use NewServer to serve it with
// the right bounds. The handler starts no goroutine of its own.
func NewHandler(o *Options) (http.Handler, error) {
	opts, err := o.complete()
	if err != nil {
		return nil, err
	}
	return newHandler(opts)
}

func newHandler(o Options) (*handler, error) {
	cors, err := newOrigins(o.CORSOrigins)
	if err != nil {
		return nil, err
	}
	h := &handler{
		o: o, host: o.Host, views: o.Views, journal: o.Host.Journal(),
		cors:      cors,
		streams:   newStreams(o.Limits.StreamsPerCaller),
		writes:    newWrites(),
		renders:   make(chan struct{}, rendersAtOnce),
		heartbeat: 15 * time.Second, patience: writeTimeout,
	}
	if o.Playground != nil && o.hides("docs") && h.host.Agent("docs") != nil {
		o.Logger.Warn().Msg("the agent docs has no playground, since /docs/playground is a page of the documentation: give the agent another slug, or leave Docs out")
	}
	if n := len(h.host.Agents()); o.Mode == ModeSingle && n != 1 {
		return nil, fmt.Errorf("transport: mode %q serves one agent, the host has %d", ModeSingle, n)
	}
	policies := newPolicyMaker(o.Logger)
	if h.chain, err = policies.commandLine(&o); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	h.mounts = newMounts(policies, h.chain)
	if err := h.mounts.check(h.host.Agents()); err != nil {
		return nil, err
	}
	h.router, err = newRouter(&o)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// soleAgent is the agent of single mode.
func (h *handler) soleAgent() *agent.Agent { return h.host.Agents()[0] }

var errNoHost = errors.New("transport: Host and Views are required")
