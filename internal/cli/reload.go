package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/transport"
)

// A reloader loads the projects of a host anew when their files change.
type reloader struct {
	app      *app
	flags    *serveFlags
	dir      string
	cache    string
	settings []setting
	watcher  *watcher
	models   liveModels
	stack    *stack

	mu sync.Mutex
	// findings are those of projects that did not load again, by their slugs.
	findings map[string][]agent.Diagnostic
}

// newReloader watches from now on, before the projects are loaded, so that no change is missed.
func (a *app) newReloader(f *serveFlags, dir, root string, settings []setting) *reloader {
	var files []string
	for _, file := range f.project.envFiles {
		files = append(files, a.path(file))
	}
	return &reloader{
		app: a, flags: f, dir: dir, cache: cacheDir(root), settings: settings,
		watcher: newWatcher(dir, root, files), findings: map[string][]agent.Diagnostic{},
	}
}

// liveModels are the models of the projects as they were loaded last.
type liveModels struct{ newest atomic.Pointer[models] }

var _ model.Resolver = (*liveModels)(nil)

// Resolve finds a model with the keys of the project that asks.
func (l *liveModels) Resolve(ref model.Ref) (model.Resolved, error) {
	return l.newest.Load().Resolve(ref)
}

// attach makes a host that is about to start ask for what the reloader has.
func (r *reloader) attach(core *actors.Options, edge *transport.Options) {
	if m, ok := core.Models.(*models); ok {
		r.models.newest.Store(m)
		core.Models = &r.models
	}
	edge.Findings = r.findingsOf
}

func (r *reloader) findingsOf(slug string) []agent.Diagnostic {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.findings[slug])
}

func (r *reloader) keepFindings(slug string, found []agent.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(found) == 0 {
		delete(r.findings, slug)
		return
	}
	r.findings[slug] = found
}

// start begins to reload, and gives what ends that and waits. A nil reloader does nothing.
func (r *reloader) start(ctx context.Context, s *stack) (stop func()) {
	if r == nil {
		return func() {}
	}
	r.stack = s
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); r.run(ctx) }()
	return func() { cancel(); <-done }
}

// run reloads until ctx ends.
func (r *reloader) run(ctx context.Context) {
	for changed := r.watcher.next(ctx); len(changed) > 0; changed = r.watcher.next(ctx) {
		if err := r.reload(ctx, changed); err != nil && ctx.Err() == nil {
			r.app.logger.Error().Err(err).Strs("changed", r.names(changed)).Msg("not reloaded: what was loaded before goes on")
		}
	}
}

// A reload is one round: the agents that the host will have, and those that are new.
type reload struct {
	began   time.Time
	changed []string
	places  []project.Place
	agents  []*agent.Agent
	fresh   []*agent.Agent
}

// reload loads the projects that the changed files belong to and hands them to the host.
func (r *reloader) reload(ctx context.Context, changed []string) error {
	n := &reload{began: time.Now(), changed: changed}
	options, environ, err := r.options()
	if err != nil {
		return err
	}
	if n.places, err = project.Find(r.dir); err != nil {
		return err
	}
	if r.flags.mode == transport.ModeSingle && len(n.places) > 1 {
		return fmt.Errorf("--mode single serves one agent, and there are %d projects now", len(n.places))
	}
	for _, p := range n.places {
		if err := r.place(ctx, n, p, options); err != nil {
			return errors.Join(err, closeAgents(n.fresh))
		}
	}
	if len(n.fresh) == 0 && len(n.agents) == len(r.stack.agents) {
		return nil
	}
	for _, set := range r.settings {
		set.limit.set(&tunable{&actors.Options{}, &transport.Options{}, n.fresh}, set.value)
	}
	r.models.newest.Store(r.app.newModelsFrom(n.agents, &r.flags.project, environ))
	if err := r.stack.host.Reload(ctx, n.agents); err != nil {
		return errors.Join(err, closeAgents(n.fresh))
	}
	before := r.stack.agents
	r.stack.agents = n.agents
	return r.tell(n, before)
}

// options are those of the first load, with the environment files as they are now.
func (r *reloader) options() (o *project.Options, environ []string, err error) {
	if environ, err = r.app.environNow(r.flags.project.envFiles); err != nil {
		return nil, nil, err
	}
	o = r.flags.project.options(r.app, r.cache)
	o.Env, o.Workers, o.Dev = environ, r.flags.workers, r.flags.dev
	return o, environ, nil
}

// place takes one project into the round: as it was, where none of its files
// changed or it no longer loads, else anew.
func (r *reloader) place(ctx context.Context, n *reload, p project.Place, o *project.Options) error {
	old := agentOf(r.stack.agents, p.Slug)
	if old != nil && old.Dir == p.Dir && !n.touches(p) {
		n.agents = append(n.agents, old)
		return nil
	}
	loaded, err := project.Load(ctx, p.Dir, o)
	if err != nil {
		return err
	}
	next := loaded[0]
	errs, _ := counts(loaded)
	if errs > 0 && old != nil && !hasErrors(old) {
		n.agents = append(n.agents, old)
		r.refuse(next, n)
		return closeAgents(loaded)
	}
	r.keepFindings(p.Slug, nil)
	if old == nil || !slices.Equal(old.Diagnostics, next.Diagnostics) {
		r.app.sayDiagnostics(loaded)
	}
	n.agents, n.fresh = append(n.agents, next), append(n.fresh, next)
	return nil
}

// touches says whether a project has to be loaded again: a file of its own changed,
// or one that several may share.
func (n *reload) touches(p project.Place) bool {
	return slices.ContainsFunc(n.changed, func(file string) bool {
		return within(file, p.Dir) || !slices.ContainsFunc(n.places, func(o project.Place) bool { return within(file, o.Dir) })
	})
}

func within(file, dir string) bool {
	return strings.HasPrefix(file, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// refuse keeps what was loaded before and says why.
func (r *reloader) refuse(next *agent.Agent, n *reload) {
	r.app.sayDiagnostics([]*agent.Agent{next})
	errs, _ := counts([]*agent.Agent{next})
	kept := agent.Diagnostic{
		Rule: "dev/kept", Severity: agent.SeverityWarning,
		Message: "the project no longer loads: what was loaded before is served", Fix: "mend the errors; what is saved is loaded at once",
	}
	r.keepFindings(next.Slug, append([]agent.Diagnostic{kept}, next.Diagnostics...))
	r.app.logger.Error().Str("agent", next.Slug).Strs("changed", r.names(n.changed)).Str("took", took(n.began)).
		Msgf("not reloaded, the project has %s: what was loaded before goes on", plural(errs, "error"))
}

// tell says what came of a round, a line for each agent.
func (r *reloader) tell(n *reload, before []*agent.Agent) error {
	names := r.names(n.changed)
	for _, ag := range n.fresh {
		message := "reloaded"
		if agentOf(before, ag.Slug) == nil {
			message = "added"
			if err := r.app.print("%s %s\n", ag.Slug, r.stack.urlOf(r.flags.mode, ag)); err != nil {
				return err
			}
		}
		r.app.logger.Info().Str("agent", ag.Slug).Strs("changed", names).Str("took", took(n.began)).Int("tools", len(ag.Tools)).Msg(message)
	}
	for _, ag := range before {
		if agentOf(n.agents, ag.Slug) == nil {
			r.app.logger.Warn().Str("agent", ag.Slug).Msg("removed: it starts no new sessions, and those that it has go on until the host ends")
		}
	}
	return nil
}

func hasErrors(ag *agent.Agent) bool {
	errs, _ := counts([]*agent.Agent{ag})
	return errs > 0
}

func took(began time.Time) string { return time.Since(began).Round(time.Millisecond).String() }

// maxNames is how many changed files a line names.
const maxNames = 5

// names are the changed files as seen from the folder that is served.
func (r *reloader) names(changed []string) []string {
	var names []string
	for _, file := range changed[:min(len(changed), maxNames)] {
		if rel, err := filepath.Rel(r.dir, file); err == nil && filepath.IsLocal(rel) {
			file = rel
		}
		names = append(names, filepath.ToSlash(file))
	}
	if more := len(changed) - maxNames; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return names
}

// agentOf finds an agent by its slug; nil when there is none.
func agentOf(agents []*agent.Agent, slug string) *agent.Agent {
	for _, ag := range agents {
		if ag.Slug == slug {
			return ag
		}
	}
	return nil
}
