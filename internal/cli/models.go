package cli

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/providers"
	"github.com/gobdk/bdk/internal/plainfile"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/internal/redact"
)

// models finds models with the keys that each project has: those of the
// process's environment, and beneath them those of the project's own files.
type models struct {
	app     *app
	environ []string // of the process
	agents  []*agent.Agent
	// byDir has a resolver for each project's folder.
	byDir map[string]*providers.Resolver
	// own has the environment files of each project, by its folder.
	own map[string][]string
	// other is for what has no folder.
	other *providers.Resolver
}

var _ model.Resolver = (*models)(nil)

// newModels makes the resolvers of these agents.
func (a *app) newModels(agents []*agent.Agent, f *projectFlags) *models {
	return a.newModelsFrom(agents, f, a.Environ)
}

// newModelsFrom does so with another environment than the process began with.
func (a *app) newModelsFrom(agents []*agent.Agent, f *projectFlags, environ []string) *models {
	m := &models{app: a, environ: environ, agents: agents, byDir: map[string]*providers.Resolver{}, own: map[string][]string{}}
	m.other = m.resolver(nil)
	for _, ag := range agents {
		a.hide(ag)
		if len(f.envFiles) == 0 {
			m.own[ag.Dir] = projectEnv(ag.Dir)
			a.redactor.Add(redact.SecretsOf(m.own[ag.Dir])...)
		}
		m.byDir[ag.Dir] = m.resolver(m.own[ag.Dir])
	}
	return m
}

func (m *models) resolver(own []string) *providers.Resolver {
	return providers.New(&providers.Options{Lookup: lookup(m.environ, own), Sessions: m.app.recordings.lines, Logger: m.app.logger})
}

// projectEnv reads the environment files that a project has; loading it has
// reported what is wrong with them.
func projectEnv(dir string) []string {
	var pairs []string
	for _, name := range []string{".env", ".env.local"} {
		more, err := project.ReadEnv(filepath.Join(dir, name))
		if err == nil {
			pairs = append(pairs, more...)
		}
	}
	return pairs
}

// Resolve finds a model with the keys of the project that asks.
func (m *models) Resolve(ref model.Ref) (model.Resolved, error) {
	if r, ok := m.byDir[ref.ProjectDir]; ok {
		return r.Resolve(ref)
	}
	return m.other.Resolve(ref)
}

// chosen is the model that replaces every agent's: the flag's, or BDK_MODEL of
// the only project's own environment. Empty: none does.
func (m *models) chosen(flag string) string {
	if flag != "" || len(m.agents) != 1 {
		return flag
	}
	value, _ := lookupIn(m.own[m.agents[0].Dir], "BDK_MODEL")
	return value
}

// ref is what a turn of the agent asks for.
func ref(ag *agent.Agent, chosen string) model.Ref {
	id := ag.Model.ID
	if chosen != "" {
		id = chosen
	}
	return model.Ref{ID: id, ProjectDir: ag.Dir}
}

// name is what a turn of the agent would use, also when it cannot be used yet.
func (m *models) name(ag *agent.Agent, chosen string) string {
	r := ref(ag, chosen)
	if resolved, err := m.Resolve(r); err == nil {
		return resolved.Name
	}
	return r.ID
}

// prices gives the list prices, and over them those of a single project's own
// file; of several, each file says what it says for all.
func (m *models) prices() (model.Prices, error) {
	table := model.ListPrices()
	for _, ag := range m.agents {
		with, err := withPricesOf(table, ag)
		if err != nil {
			return nil, cannotStart("the prices of %s in %s: %w", ag.Slug, model.PricesFile, err)
		}
		table = with
	}
	return table, nil
}

// withPricesOf gives a table with what the project of an agent says over it.
func withPricesOf(table *model.PriceTable, ag *agent.Agent) (*model.PriceTable, error) {
	data, err := plainfile.Read(filepath.Join(ag.Dir, model.PricesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return table, nil
	}
	if err != nil {
		return nil, err
	}
	return table.With(data)
}
