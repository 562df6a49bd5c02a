package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// A call is one request on its way through the checks. It lives on the request's goroutine.
type call struct {
	h *handler
	w http.ResponseWriter
	r *http.Request

	route *route
	vars  map[string]string
	// agent is nil on a route of the host.
	agent *agent.Agent
	// mounted and port are the channel's, on one of its routes; port is open until the end.
	mounted *mountedRoute
	port    *actors.ChannelPort
	// principal is zero on a public route.
	principal events.Principal
	// operator says that the principal may act on everybody's sessions.
	operator bool
	// session is what {sessionId} names, called what {toolName} names, artifact what
	// {artifactId} names.
	session  actors.SessionInfo
	called   *agent.Tool
	artifact *events.Artifact
	// evals are those of the agent, on a route of them, and run what {runId} names.
	evals Evals
	run   *eval.Run
	// about is what Options.Trace is told of.
	about traced
	// params are the query parameters, nil when there are none.
	params url.Values

	// bodyRead says that the whole body was taken from the connection.
	bodyRead bool
	// sent says that a status was written.
	sent bool
}

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{h: h, w: w, r: r}
	defer c.trace()()
	defer c.recover()
	defer c.closePort()
	if err := c.serve(); err != nil {
		c.fail(err)
	}
	c.leave()
}

// serve makes the checks in the order of the contract: the route, the page that
// sent it, the principal, what the path names, whether the host takes work. The
// route then checks the body, and the host the rest.
func (c *call) serve() error {
	if err := c.find(); err != nil {
		return err
	}
	if c.h.cors.set(c.w, c.r); c.preflight() {
		return nil
	}
	if c.route == nil {
		return c.methodNotAllowed()
	}
	if c.route.changes() && c.h.cors.foreign(c.r) {
		return refuse("cross_origin", "a page of another origin may not change anything here")
	}
	if c.route.access != public {
		if err := c.admit(); err != nil {
			return err
		}
		if err := c.lookup(); err != nil {
			return err
		}
	}
	if err := c.takesWork(); err != nil {
		return err
	}
	if c.route.access != public && c.route.access != byChannel {
		if err := c.checkQuery(); err != nil {
			return err
		}
	}
	return c.route.serve(c)
}

// takesWork refuses changes while the host drains, and new work while the disk is
// nearly full: reads go on in both.
func (c *call) takesWork() error {
	switch {
	case c.route.work:
		return c.h.host.Admit()
	case c.route.changes() && c.h.host.Draining():
		return actors.ErrDraining
	}
	return nil
}

var errNotFound = refuse("not_found", "there is nothing at this path")

// find matches the path and the method, and the agent that the path names.
func (c *call) find() error {
	e, vars := c.h.router.find(c.r)
	if e == nil {
		return errNotFound
	}
	c.vars = vars
	if slug, ok := vars["agent"]; ok {
		if c.agent = c.h.host.Agent(slug); c.agent == nil {
			return refuse("unknown_agent", "no agent has this name")
		}
	} else if c.h.o.Mode == ModeSingle {
		c.agent = c.h.soleAgent()
	}
	if e == c.h.router.channels {
		return c.findChannel()
	}
	if e.evals {
		if c.evals = c.findEvals(); c.evals == nil {
			return errNotFound
		}
	}
	c.take(e.route(c.r.Method), e.allow)
	return nil
}

// take goes on with the route of the method; nil: the path has other methods.
func (c *call) take(r *route, allow string) {
	if c.route = r; r == nil {
		c.w.Header().Set("Allow", allow)
	}
}

func (c *call) methodNotAllowed() error {
	return refuse("method_not_allowed", fmt.Sprintf("this path takes %s", c.w.Header().Get("Allow")))
}

// admit asks the route's chain who calls.
func (c *call) admit() error {
	a, err := c.chain().admit(c.r)
	if err != nil && c.reloaded() { // a function of the agent that went cannot judge any more
		a, err = c.chain().admit(c.r)
	}
	if err != nil {
		return err
	}
	c.principal, c.operator = a.who, c.h.operator(a.by)
	return nil
}

// chain is that of the route's access.
func (c *call) chain() *chain {
	switch {
	case c.route.access == byChannel:
		return c.mounted.channel.chain
	case c.route.access == byAgent && c.agent.Auth != nil:
		return c.h.mounts.agent(c.agent).chain
	}
	return c.h.chain
}

// reloaded says whether the agent was replaced meanwhile, and goes on with the new one.
func (c *call) reloaded() bool {
	if c.route.access != byAgent {
		return false
	}
	newer := c.h.host.Agent(c.agent.Slug)
	if newer == nil || newer == c.agent {
		return false
	}
	c.agent = newer
	return true
}

// operator says whether whom a policy admitted may see and act on everything. It is
// the policy that counts: a function may name a principal that looks the same.
func (h *handler) operator(by string) bool {
	return h.o.Dev && by == agent.AuthLocalDevStrict || h.o.AllowAnonymous && by == agent.AuthAllowAll
}

// lookup loads what the path names, and checks that the caller may.
func (c *call) lookup() error {
	if id, ok := c.vars["sessionId"]; ok {
		s, err := c.owned(id)
		if err != nil {
			return err
		}
		c.session = s
	}
	if id, ok := c.vars["artifactId"]; ok {
		a, err := c.ownedArtifact(id)
		if err != nil {
			return err
		}
		c.artifact = a
	}
	if id, ok := c.vars["runId"]; ok {
		run, err := c.evals.Run(id)
		if err != nil {
			return err
		}
		c.run = run
	}
	if name, ok := c.vars["toolName"]; ok {
		if c.called = c.h.host.FindTool(c.r.Context(), c.agent.Slug, name); c.called == nil {
			return &actors.UnknownToolError{Name: name, Available: c.h.host.CallableTools(c.agent.Slug)}
		}
	}
	return nil
}

// owned gives a session of this agent when the caller may act on it.
func (c *call) owned(id string) (actors.SessionInfo, error) {
	if !events.IsSessionID(id) {
		return actors.SessionInfo{}, actors.ErrUnknownSession
	}
	s, err := c.h.host.Session(c.r.Context(), id)
	if err != nil {
		return s, err
	}
	if s.Agent != c.agent.Slug {
		return s, actors.ErrUnknownSession
	}
	if s.Owner != c.principal && !c.operator {
		return s, refuse("forbidden", "this session belongs to another principal")
	}
	return s, nil
}

// recover turns a panic into a 500, or cuts the connection where a reply had begun.
func (c *call) recover() {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	c.h.o.Logger.Error().Str("stack", string(debug.Stack())).Msgf("panic while serving %s: %v", c.r.URL.Path, v)
	c.fail(fmt.Errorf("panic: %v", v))
}

// abort cuts the connection, so that a client cannot take a broken reply for a whole one.
func abort() { panic(http.ErrAbortHandler) }
