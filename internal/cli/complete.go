package cli

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/transport"
)

// completeBound is how long a shell waits for what it completes.
const completeBound = 5 * time.Second

// flagValues are the values of the flags that have a few. A test holds them
// against what the flags take.
var flagValues = map[string][]string{
	"mode":       modes,
	"status":     statuses,
	"purpose":    purposes,
	"log-level":  logLevels,
	"log-format": logFormats,
	"template":   templateNames,
}

// completeFlags makes a shell know the values of a command's flags, and of those beneath.
func (a *app) completeFlags(c *cobra.Command) {
	for name, values := range flagValues {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, name := range []string{"dir", "state-root"} {
		if c.Flags().Lookup(name) != nil {
			_ = c.MarkFlagDirname(name)
		}
	}
	for _, sub := range c.Commands() {
		a.completeFlags(sub)
	}
}

// completeTools gives the names of the tools that call can run. Without an
// answer in time, or with several agents to choose from, there are none.
func (a *app) completeTools(c *cobra.Command, f *seatFlags, args []string) []string {
	if len(args) > 0 || a.fromEnv(c.Flags()) != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.Context(), completeBound)
	defer cancel()
	clients, served, err := a.served(ctx, f)
	switch {
	case err != nil:
		return nil
	case served:
		return hostTools(ctx, clients)
	}
	return a.projectTools(ctx, f)
}

// hostTools are those of the only agent.
func hostTools(ctx context.Context, clients []*client.Client) []string {
	one, err := client.One(clients)
	if err != nil {
		return nil
	}
	data, err := one.Info(ctx)
	var info struct{ Agent transport.AgentInfo }
	if err != nil || json.Unmarshal(data, &info) != nil {
		return nil
	}
	return callable(info.Agent.Tools)
}

// projectTools are those of a project that nobody serves.
func (a *app) projectTools(ctx context.Context, f *seatFlags) []string {
	o := f.project.options(a, "")
	o.CheckOnly = true
	agents, err := a.load(ctx, a.path(f.project.dir), o)
	if err != nil {
		return nil
	}
	defer func() { _ = closeAgents(agents) }()
	for _, ag := range agents {
		if ag.Slug == f.host.slug || f.host.slug == "" && len(agents) == 1 {
			return callable(transport.Describe(ag, "").Tools)
		}
	}
	return nil
}

// callable leaves out the tools that run inside a turn only.
func callable(tools []transport.ToolInfo) []string {
	var names []string
	for _, t := range tools {
		if t.Execution == agent.ExecutionServer {
			names = append(names, t.Name)
		}
	}
	return names
}
