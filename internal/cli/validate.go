package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/agent"
)

// checked is what validate --json prints of one agent.
type checked struct {
	Slug        string             `json:"slug"`
	Dir         string             `json:"dir"`
	Diagnostics []agent.Diagnostic `json:"diagnostics"`
}

func (a *app) newValidate() *cobra.Command {
	f := &projectFlags{}
	var asJSON, types bool
	var model string
	c := &cobra.Command{
		Use:   "validate [dir]",
		Short: "Check a project and say how to mend it",
		Long: "validate loads the project and its evals, and prints every finding with its file, line, column, rule and mend.\n" +
			"It runs nothing of the project but the loading of its modules, and opens nothing.\n" +
			"It exits with 1 when there are errors.\n\n" +
			"With --types it writes type declarations of @cursor/bdk into types/bdk of the project, and an entry\n" +
			"under paths into its tsconfig.json, so that an editor and tsc check it without the npm package.",
		Example: "  bdk validate\n  bdk validate --dir my-agent --json\n  bdk validate --types && npx tsc --noEmit",
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
			if types {
				if err := a.writeTypes(agents); err != nil {
					return err
				}
			}
			a.newModels(agents, f).diagnose(model)
			o := f.options(a, "")
			o.CheckOnly = true
			if err := a.evalFindings(c.Context(), agents, o); err != nil {
				return err
			}
			if asJSON {
				return a.checkedJSON(agents)
			}
			return a.checkedText(agents)
		},
	}
	f.add(c.Flags())
	c.Flags().StringVar(&model, "model", "", "model that the agents would have instead of their own")
	c.Flags().BoolVar(&types, "types", false, "write type declarations for editors and tsc")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// inspect loads the projects to look at them.
func (a *app) inspect(c *cobra.Command, f *projectFlags, args []string) ([]*agent.Agent, error) {
	dir, err := f.directory(a, c, args)
	if err != nil {
		return nil, err
	}
	o := f.options(a, "")
	o.CheckOnly = true
	return a.load(c.Context(), dir, o)
}

func (a *app) checkedText(agents []*agent.Agent) error {
	for _, ag := range agents {
		for _, d := range ag.Diagnostics {
			if err := a.print("%s\n", a.shown(a.diagnosticLine(ag, d))); err != nil {
				return err
			}
		}
	}
	errs, warnings := counts(agents)
	a.say("%s: %s, %s", plural(len(agents), "agent"), plural(errs, "error"), plural(warnings, "warning"))
	return verdict(errs)
}

func (a *app) checkedJSON(agents []*agent.Agent) error {
	out := struct {
		OK     bool      `json:"ok"`
		Agents []checked `json:"agents"`
	}{Agents: []checked{}}
	for _, ag := range agents {
		out.Agents = append(out.Agents, checked{ag.Slug, ag.Dir, append([]agent.Diagnostic{}, ag.Diagnostics...)})
	}
	errs, _ := counts(agents)
	out.OK = errs == 0
	if err := a.printJSON(out); err != nil {
		return err
	}
	return verdict(errs)
}

// verdict is how validate ends.
func verdict(errs int) error {
	if errs > 0 {
		return quiet(ExitFailed)
	}
	return nil
}
