package actors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// RuleCircle warns of agents whose connections lead back to themselves.
const RuleCircle = "connection/circle"

// PeerCircles says which connections of an agent lead back to it, through the others
// or at once.
func PeerCircles(slug string, agents []*agent.Agent) (found []agent.Diagnostic) {
	peers := map[string][]string{}
	for _, a := range agents {
		for _, c := range a.Connections {
			if c.Agent != "" {
				peers[a.Slug] = append(peers[a.Slug], c.Agent)
			}
		}
	}
	for _, a := range agents {
		for _, c := range a.Connections {
			if a.Slug != slug || c.Agent == "" {
				continue
			}
			if way := wayTo(peers, slug, []string{slug, c.Agent}); way != nil {
				found = append(found, agent.Diagnostic{
					Rule: RuleCircle, Severity: agent.SeverityWarning,
					Message: fmt.Sprintf("the connection %s leads back to the agent that asks: %s", c.Name, strings.Join(way, " → ")),
					Fix:     fmt.Sprintf("leave one of these connections out, or see to it that an agent that is asked does not ask on: an ask that came through %d agents is refused", maxAskers),
				})
			}
		}
	}
	return found
}

// wayTo goes on from the end of a way to an agent; nil where none leads there.
func wayTo(peers map[string][]string, to string, way []string) []string {
	seen, ways := map[string]bool{}, [][]string{way}
	for len(ways) > 0 {
		way, ways = ways[0], ways[1:]
		last := way[len(way)-1]
		if last == to {
			return way
		}
		if seen[last] {
			continue
		}
		seen[last] = true
		for _, next := range peers[last] {
			ways = append(ways, append(slices.Clip(way), next))
		}
	}
	return nil
}

// circles are those of an agent that its own diagnostics do not name.
func (h *Host) circles(a *agent.Agent) []agent.Diagnostic {
	return slices.DeleteFunc(PeerCircles(a.Slug, h.Agents()), func(d agent.Diagnostic) bool { return slices.Contains(a.Diagnostics, d) })
}

// warnOfCircles logs those of all agents.
func (h *Host) warnOfCircles() {
	for _, a := range h.Agents() {
		for _, d := range h.circles(a) {
			h.o.Logger.Warn().Str("agent", a.Slug).Msg(d.Message)
		}
	}
}
