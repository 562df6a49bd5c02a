package mcp

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// Rules of the findings about connections.
const (
	RuleName        = "connection/tool-name"
	RuleDefinition  = "connection/tool-definition"
	RuleChanged     = "connection/tool-changed"
	RuleSchema      = "connection/tool-schema"
	RuleUnreachable = "connection/unreachable"
	RuleUnknownTool = "connection/unknown-tool"
)

// A finding belongs to a connection, of which the next listing makes new ones.
type finding struct {
	connection string
	agent.Diagnostic
}

// findings are what is wrong with connections now.
type findings struct {
	mu  sync.Mutex
	all []finding
}

func warning(connection, rule, message, fix string) finding {
	return finding{connection, agent.Diagnostic{Rule: rule, Severity: agent.SeverityWarning, Message: message, Fix: fix}}
}

// replace puts the findings of a listing in the place of those before; what was
// seen to change stays known.
func (f *findings) replace(connection string, found []finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = slices.DeleteFunc(f.all, func(x finding) bool { return x.connection == connection && x.Rule != RuleChanged })
	for _, x := range found {
		if !slices.Contains(f.all, x) {
			f.all = append(f.all, x)
		}
	}
}

// list gives all, in an order that does not depend on when they were found.
func (f *findings) list() []agent.Diagnostic {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]agent.Diagnostic, len(f.all))
	for i, x := range f.all {
		out[i] = x.Diagnostic
	}
	slices.SortFunc(out, func(a, b agent.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return out
}
