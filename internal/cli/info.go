package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

// described is one agent in info --json: what GET /v1/info gives, in one object.
type described struct {
	transport.AgentInfo
	Extensions  []agent.Mount      `json:"extensions"`
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
			m.diagnose(model)
			list := []described{}
			for _, ag := range agents {
				if slug != "" && ag.Slug != slug {
					continue
				}
				list = append(list, described{
					transport.Describe(ag, m.name(ag, m.chosen(model))), transport.DescribeMounts(ag),
					append(append([]agent.Diagnostic{}, ag.Diagnostics...), actors.SandboxDiagnostics(ag)...),
				})
			}
			if len(list) == 0 {
				return noAgent(slug, agents)
			}
			if dir, err := f.directory(a, c, args); err == nil {
				a.addRunning(c.Context(), dir, list)
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
		s := &sheet{out: &b}
		s.agent(d, at[d.Slug])
		for _, diag := range d.Diagnostics {
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(a.diagnosticLine(at[d.Slug], diag), "\n", "\n  "))
		}
	}
	return a.print("%s", a.shown(b.String()))
}

// A sheet is the description of one agent, a row for each thing.
type sheet struct{ out *strings.Builder }

// row leaves out what is empty.
func (s *sheet) row(name, value string) {
	if value != "" {
		fmt.Fprintf(s.out, "  %-13s %s\n", name, value)
	}
}

// item is a line beneath a row.
func (s *sheet) item(name, note string) {
	fmt.Fprintf(s.out, "    %s\n", strings.TrimRight(fmt.Sprintf("%-22s %s", name, note), " "))
}

// count is a row for things that follow one by one; none is no row.
func (s *sheet) count(name string, n int) {
	if n > 0 {
		s.row(name, fmt.Sprint(n))
	}
}

func (s *sheet) agent(d described, ag *agent.Agent) {
	fmt.Fprintf(s.out, "%s\n", d.Name)
	if d.Name != d.Slug {
		s.row("slug", d.Slug)
	}
	s.row("description", ag.Description)
	s.row("folder", ag.Dir)
	s.row("model", d.Model)
	s.row("instructions", instructionsNote(d.Instructions))
	s.row("sandbox", actors.SandboxStatus(ag))
	s.row("tools", fmt.Sprint(len(d.Tools)))
	for _, t := range d.Tools {
		s.item(t.Name, toolNote(t))
	}
	s.count("skills", len(d.Skills))
	for _, k := range d.Skills {
		s.item(k.Name, firstLine(k.Description))
	}
	s.count("subagents", len(d.Subagents))
	for _, k := range d.Subagents {
		s.item(k.Name, firstLine(k.Description))
	}
	s.connections(d.Connections)
	s.count("hooks", len(d.Hooks))
	for _, h := range d.Hooks {
		s.item(h.Name, "on "+strings.Join(h.Events, ", "))
	}
	s.count("artifacts", len(d.Artifacts))
	for _, k := range d.Artifacts {
		s.item(k.Kind, firstLine(k.Description))
	}
	for _, c := range d.Channels {
		s.channel(c)
	}
	s.count("schedules", len(d.Schedules))
	for _, k := range d.Schedules {
		s.item(k.ID, scheduleNote(k))
	}
	for _, m := range d.Extensions {
		s.mount(m)
	}
	if len(d.Extra) > 0 {
		s.row("accepted", strings.Join(slices.Sorted(maps.Keys(d.Extra)), ", ")+"; they do nothing here")
	}
}

// channel is a row with the routes beneath it; those of the built-in channel are in the docs.
func (s *sheet) channel(c transport.ChannelInfo) {
	note := fmt.Sprintf("%s, %s", c.ID, plural(len(c.Routes), "route"))
	if c.Description != "" {
		note += ": " + firstLine(c.Description)
	}
	s.row("channel", note)
	if c.ID == "http" {
		return
	}
	for _, r := range c.Routes {
		s.item(r.Method+" /v1/channels/"+c.ID+strings.TrimSuffix(r.Path, "/"), firstLine(r.Description))
	}
}

func instructionsNote(i transport.InstructionsInfo) string {
	if i.Dynamic {
		return "made for each session"
	}
	return plural(i.Chars, "character")
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
