package transport

import "net/http"

// access says who may use a route.
type access string

const (
	// public routes hold no data of anybody: they need no principal.
	public access = "public"
	// byAgent routes use the agent's own chain of policies, or else that of the command line.
	byAgent access = "agent"
	// byHost routes always use the chain of the command line.
	byHost access = "host"
	// byChannel routes are those of an agent's channel, and use its chain, or else that
	// of the command line.
	byChannel access = "channel"
)

// A route is one method on one path. What else is checked follows from it: a
// {sessionId} must be a session of this agent that belongs to the caller, an
// {artifactId} such an artifact, a {toolName} one of its tools, a {runId} one of its
// eval runs, and a method other than GET changes state, so it
// is refused to pages of other origins and while the host drains.
type route struct {
	method string
	path   string
	access access
	// query are the parameters that it takes; any other is refused.
	query []string
	// work marks what makes new work: it is refused while the disk is nearly full.
	work bool
	// evals marks what is there for agents with evals alone.
	evals bool
	serve func(*call) error
	about string
}

// hostRoutes stand at the root of the host in both modes.
func hostRoutes() []route {
	return []route{
		{method: "GET", path: "/v1/health", access: public, serve: (*call).health, about: "Says whether the host lives"},
		{method: "GET", path: "/", access: public, serve: (*call).index, about: "Lists the agents for people"},
		{method: "GET", path: "/v1/agents", access: public, serve: (*call).agents, about: "Lists the agents"},
		{method: "GET", path: callbackPath, access: public, serve: (*call).callback, about: "Takes what a person comes back with from an authorization server"},
		{method: "GET", path: "/metrics", access: byHost, serve: (*call).metrics, about: "Gives measurements for Prometheus"},
	}
}

// agentRoutes stand under /<slug> in multi mode and at the root in single mode.
// The router tries paths in this order, so the busiest come first.
func agentRoutes() []route {
	return []route{
		{method: "POST", path: "/v1/session", access: byAgent, work: true, serve: (*call).start, about: "Starts a session with its first message"},
		{method: "GET", path: "/v1/session/{sessionId}/stream", access: byAgent, query: []string{"startIndex", "follow", "limit", "until"},
			serve: (*call).stream, about: "Replays a session's events from an index and follows them"},
		{method: "POST", path: "/v1/session/{sessionId}", access: byAgent, work: true, serve: (*call).followUp, about: "Sends a follow-up, which interrupts a running turn"},
		{method: "GET", path: "/v1/session/{sessionId}", access: byAgent, serve: (*call).show, about: "Shows a session and its continuation token"},
		{method: "PATCH", path: "/v1/session/{sessionId}", access: byAgent, serve: (*call).rename, about: "Changes a session's title"},
		{method: "GET", path: "/v1/session/{sessionId}/events", access: byAgent, query: []string{"format"}, serve: (*call).events, about: "Gives the events recorded so far"},
		{method: "POST", path: "/v1/session/{sessionId}/stop", access: byAgent, serve: (*call).stop, about: "Ends the running turn"},
		{method: "POST", path: "/v1/session/{sessionId}/compact", access: byAgent, work: true, serve: (*call).compact, about: "Sums up the context of an idle session"},
		{method: "POST", path: "/v1/session/{sessionId}/fork", access: byAgent, work: true, serve: (*call).fork, about: "Opens a session with the history of this one"},
		{method: "GET", path: "/v1/session/{sessionId}/state", access: byAgent, query: []string{"index"}, serve: (*call).state, about: "Shows the session as it was at an index"},
		{method: "GET", path: "/v1/session/{sessionId}/cost", access: byAgent, serve: (*call).cost, about: "Gives tokens and money per turn"},
		{method: "GET", path: "/v1/session/{sessionId}/approvals", access: byAgent, serve: (*call).approvals, about: "Lists the tool calls that wait for a decision"},
		{method: "POST", path: "/v1/session/{sessionId}/approvals/{callId}", access: byAgent, serve: (*call).decide, about: "Approves or denies a tool call"},
		{method: "GET", path: "/v1/sessions", access: byAgent, query: []string{"limit", "cursor", "q", "purpose", "status", "schedule"}, serve: (*call).sessions, about: "Lists the caller's sessions"},
		{method: "GET", path: "/v1/tools", access: byAgent, query: []string{"session", "continuationToken"}, serve: (*call).tools, about: "Lists the tools that can be called directly"},
		{method: "GET", path: "/v1/tools/{toolName}", access: byAgent, serve: (*call).tool, about: "Describes a tool"},
		{method: "POST", path: "/v1/tools/{toolName}", access: byAgent, work: true, serve: (*call).callTool, about: "Calls a tool without a model"},
		{method: "GET", path: "/v1/artifacts", access: byAgent, query: []string{"kind", "sessionId", "limit"}, serve: (*call).artifacts, about: "Lists the caller's artifacts"},
		{method: "GET", path: "/v1/artifacts/{artifactId}", access: byAgent, serve: (*call).showArtifact, about: "Shows an artifact's record"},
		{method: "GET", path: "/v1/artifacts/{artifactId}/content", access: byAgent, serve: (*call).content, about: "Downloads an artifact's contents"},
		{method: "POST", path: "/v1/mcp", access: byAgent, serve: (*call).mcp, about: "Speaks the Model Context Protocol: asks the agent"},
		{method: "POST", path: "/v1/mcp/tools", access: byHost, serve: (*call).mcpTools, about: "Speaks the Model Context Protocol: the tools alone"},
		{method: "POST", path: "/v1/mcp/oauth/{connectionName}", access: byHost, serve: (*call).beginAuthorization, about: "Gives the link at which a person authorizes a connection"},
		{method: "GET", path: "/v1/mcp/oauth/{connectionName}", access: byHost, serve: (*call).showAuthorization, about: "Says whether a connection is authorized"},
		{method: "POST", path: "/v1/render", access: byAgent, serve: (*call).render, about: "Reads Markdown into a tree of elements that are safe to show"},
		{method: "GET", path: "/v1/info", access: byAgent, serve: (*call).info, about: "Describes the agent"},
		{method: "GET", path: "/v1/health", access: public, serve: (*call).health, about: "Says whether the agent lives"},
		{method: "GET", path: "/v1/logs", access: byHost, query: []string{"after"}, serve: (*call).logs, about: "Gives recent lines of the server's log"},
	}
}

// indexRoutes are what Options.NoIndex removes.
var indexRoutes = map[string]bool{"/": true, "/v1/agents": true}

// changes says whether the route changes state.
func (r *route) changes() bool { return r.method != http.MethodGet }
