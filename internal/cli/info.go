package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

// described is one agent in info --json: what GET /v1/info gives, in one object.
type described struct {
	transport.AgentInfo
	Extensions  []any              `json:"extensions"`
	Diagnostics []agent.Diagnostic `json:"diagnostics"`
}

func (a *app) newInfo() *cobra.Command {
	f := &projectFlags{}
	var asJSON bool
	var model, slug string
	c := &cobra.Command{
		Use:     "info [dir]",
		Short:   "Show what was discovered in a project",
		Example: "  bdk info\n  bdk info --dir my-agent --json",
		Args:    takesFolder,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := f.log.open(a, "warn"); err != nil {
				return err
			}
			agents, err := a.inspect(c, f, args)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closeAgents(agents)) }()
			m := a.newModels(agents, f)
			list := []described{}
			for _, ag := range agents {
				if slug != "" && ag.Slug != slug {
					continue
				}
				list = append(list, described{
					transport.Describe(ag, m.name(ag, m.chosen(model))), []any{},
					append(append([]agent.Diagnostic{}, ag.Diagnostics...), actors.SandboxDiagnostics(ag)...),
				})
			}
			if len(list) == 0 {
				return usagef("there is no agent %q", slug)
			}
			if asJSON {
				return a.printJSON(map[string]any{"agents": list})
			}
			return a.describe(agents, list)
		},
	}
	f.add(c.Flags())
	c.Flags().StringVar(&model, "model", "", "model that the agents would have instead of their own")
	c.Flags().StringVar(&slug, "slug", "", "this agent alone")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// describe prints the agents for people.
func (a *app) describe(agents []*agent.Agent, list []described) error {
	at := map[string]*agent.Agent{}
	for _, ag := range agents {
		at[ag.Slug] = ag
	}
	var b strings.Builder
	for i, d := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s\n", d.Name)
		row := func(name, value string) { fmt.Fprintf(&b, "  %-13s %s\n", name, value) }
		if d.Name != d.Slug {
			row("slug", d.Slug)
		}
		if about := at[d.Slug].Description; about != "" {
			row("description", about)
		}
		row("folder", at[d.Slug].Dir)
		row("model", d.Model)
		row("instructions", plural(d.Instructions.Chars, "character"))
		row("tools", fmt.Sprint(len(d.Tools)))
		for _, t := range d.Tools {
			fmt.Fprintf(&b, "    %-22s %s\n", t.Name, toolNote(t))
		}
		if len(d.Subagents) > 0 {
			row("subagents", fmt.Sprint(len(d.Subagents)))
		}
		for _, s := range d.Subagents {
			fmt.Fprintf(&b, "    %-22s %s\n", s.Name, firstLine(s.Description))
		}
		for _, diag := range d.Diagnostics {
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(a.diagnosticLine(at[d.Slug], diag), "\n", "\n  "))
		}
	}
	return a.print("%s", a.shown(b.String()))
}

// toolNote is what matters of a tool at a glance.
func toolNote(t transport.ToolInfo) string {
	note := t.Effect
	switch t.NeedsApproval {
	case true:
		note += ", needs approval"
	case agent.ApprovalDynamic:
		note += ", may need approval"
	}
	return fmt.Sprintf("%-22s %s", note, firstLine(t.Description))
}

// firstLine is the beginning of a description.
func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if s := []rune(first); len(s) > 70 {
		return string(s[:70]) + "…"
	}
	return first
}
