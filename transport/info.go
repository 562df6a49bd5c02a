package transport

import (
	"net/http"
	"slices"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

type infoReply struct {
	OK          bool               `json:"ok"`
	Agent       AgentInfo          `json:"agent"`
	Extensions  []agent.Mount      `json:"extensions"`
	Diagnostics []agent.Diagnostic `json:"diagnostics"`
}

// info describes the agent, and what was found wrong with it.
func (c *call) info() error {
	reply := infoReply{OK: true, Agent: Describe(c.agent, c.h.host.ModelName(c.agent)), Extensions: DescribeMounts(c.agent),
		Diagnostics: append(append([]agent.Diagnostic{}, c.agent.Diagnostics...), actors.SandboxDiagnostics(c.agent)...)}
	reply.Diagnostics = append(reply.Diagnostics, c.scheduleTimes(&reply.Agent)...)
	newer := c.h.host.Findings(c.agent.Slug)
	if more := c.h.o.Findings; more != nil {
		newer = append(newer, more(c.agent.Slug)...)
	}
	for _, d := range newer {
		if !slices.Contains(reply.Diagnostics, d) { // what did not change is said once
			reply.Diagnostics = append(reply.Diagnostics, d)
		}
	}
	for _, s := range c.h.views.Status() {
		if s.Error != "" {
			reply.Diagnostics = append(reply.Diagnostics, agent.Diagnostic{Rule: "projection/stopped", Severity: agent.SeverityError,
				Message: "projection " + s.Name + " stopped: " + s.Error, Fix: "mend its Apply, then raise its Version"})
		}
	}
	return c.reply(http.StatusOK, reply)
}
