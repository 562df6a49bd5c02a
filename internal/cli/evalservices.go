package cli

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/eval/hosted"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/transport"
)

// evalServices run the evals of a host's agents, each on the host itself. It is safe for
// concurrent use.
type evalServices struct {
	app  *app
	load func(ctx context.Context, p project.Place) (*eval.Suite, error)
	// dir has a folder of runs for each agent.
	dir string
	// core and host are what cases run on.
	core actors.Options
	host *actors.Host

	mu     sync.Mutex
	bySlug map[string]*eval.Service
	closed bool
}

// newEvalServices gives those of a host that is about to start. core is what it starts with.
func (a *app) newEvalServices(f *serveFlags, root string, core actors.Options) *evalServices {
	s := &evalServices{app: a, dir: filepath.Join(root, "evals"), core: core, bySlug: map[string]*eval.Service{}}
	s.load = func(ctx context.Context, p project.Place) (*eval.Suite, error) {
		o := f.project.options(a, cacheDir(root))
		if f.dev { // the agents take in what changes, too
			environ, err := a.environNow(f.project.envFiles)
			if err != nil {
				return nil, err
			}
			o.Env = environ
		}
		return project.LoadEvals(ctx, p, o)
	}
	return s
}

// attach gives them the host, before anybody asks.
func (s *evalServices) attach(h *actors.Host) { s.host = h }

// of gives the evals of an agent; nil when there is no folder evals/ in its project now.
func (s *evalServices) of(slug string) transport.Evals {
	ag := s.host.Agent(slug)
	if ag == nil || !project.HasEvals(project.Place{Dir: ag.Dir}) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bySlug[slug] == nil {
		s.bySlug[slug] = s.open(slug)
	}
	return s.bySlug[slug]
}

// open makes the service of an agent; the lock is held.
func (s *evalServices) open(slug string) *eval.Service {
	service := eval.NewService(&eval.ServiceOptions{
		Agent: slug, Store: eval.OpenStore(filepath.Join(s.dir, slug)), Logger: s.app.logger.With().Str("agent", slug).Logger(),
		Load:         func(ctx context.Context) (*eval.Suite, error) { return s.suite(ctx, slug) },
		FileReporter: func(r eval.Reporter) (eval.Observer, error) { return s.fileReporter(slug, r) },
		Redact:       s.app.redactedJSON,
		Target:       func(by events.Principal) (eval.Target, error) { return s.target(slug, by) },
	})
	if s.closed {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = service.Close(ended) // nothing runs
	}
	return service
}

// suite loads the evals of an agent as they are now.
func (s *evalServices) suite(ctx context.Context, slug string) (*eval.Suite, error) {
	ag := s.host.Agent(slug)
	if ag == nil {
		return nil, actors.ErrUnknownAgent
	}
	return s.load(ctx, project.Place{Dir: ag.Dir, Slug: slug})
}

// fileReporter writes into the project's folder, as the evals ask for.
func (s *evalServices) fileReporter(slug string, r eval.Reporter) (eval.Observer, error) {
	ag := s.host.Agent(slug)
	if ag == nil {
		return nil, actors.ErrUnknownAgent
	}
	return eval.FileReporters(ag.Dir, &eval.JUnitOptions{Redact: s.app.redactor.Text})(r)
}

// target runs cases as sessions of the host, owned by whoever started the run.
func (s *evalServices) target(slug string, by events.Principal) (eval.Target, error) {
	return hosted.New(s.host, slug, &hosted.Options{Models: s.core.Models, Prices: s.core.Prices, Principal: by})
}

// close cancels what runs and waits until that is recorded, or ctx ends. Nil services
// have nothing to end.
func (s *evalServices) close(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	open := slices.Collect(maps.Values(s.bySlug))
	s.mu.Unlock()
	var errs []error
	for _, service := range open {
		errs = append(errs, service.Close(ctx))
	}
	return errors.Join(errs...)
}
