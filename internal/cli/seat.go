package cli

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/transport"
)

// graceful is how long running turns get when a host ends.
const graceful = 10 * time.Second

// seatFlags say which agent is driven and where.
type seatFlags struct {
	project projectFlags
	root    rootFlags
	host    hostFlags
	model   string
}

func (f *seatFlags) add(flags *pflag.FlagSet) {
	f.project.add(flags)
	f.root.add(flags)
	f.host.add(flags)
}

// addModel is for the commands that run turns.
func (f *seatFlags) addModel(flags *pflag.FlagSet) {
	flags.StringVar(&f.model, "model", "", "model instead of the agent's own, such as scripted or openai/gpt-5")
}

// A seat is where one agent is driven: through a host that runs elsewhere, or
// on a host in this process that nobody else can reach.
type seat struct {
	*client.Client
	// own is nil through a host that runs elsewhere.
	own   *stack
	agent *agent.Agent
}

// close ends the host of this process, if there is one.
func (s *seat) close(ctx context.Context) error {
	if s.own == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceful)
	defer cancel()
	return s.own.close(ctx)
}

// openSeat finds the host that serves the state root, or starts one in this
// process. With lenient a project with errors is taken as far as it loaded.
func (a *app) openSeat(ctx context.Context, f *seatFlags, flags *pflag.FlagSet, lenient bool) (*seat, error) {
	clients, served, err := a.served(ctx, f)
	if err != nil {
		return nil, err
	}
	if !served {
		return a.ownSeat(ctx, f, lenient)
	}
	if flags.Changed("model") {
		return nil, usagef("--model is for a host that this command starts, and one is running already: start that one with --model")
	}
	c, err := client.One(clients)
	if err != nil {
		return nil, err
	}
	return &seat{Client: c}, nil
}

// served finds the agents of the host that --url names, or that holds the state
// root; served is false when nobody holds it.
func (a *app) served(ctx context.Context, f *seatFlags) (clients []*client.Client, served bool, err error) {
	o := &client.Options{Token: f.host.token}
	if f.host.token != "" {
		a.redactor.Add(f.host.token)
	}
	if f.host.url != "" {
		defer a.progress("asking the host at " + f.host.url)()
		clients, err = client.Discover(ctx, f.host.url, f.host.slug, o)
		return clients, true, a.dialled(err)
	}
	dir := a.path(f.project.dir)
	root := f.root.directory(a, dir)
	owner, held, err := journal.ReadOwner(root)
	if err != nil {
		return nil, false, cannotStart("reading who holds the state root: %w", err)
	}
	if !held {
		return nil, false, nil
	}
	if owner.URL == "" {
		return nil, false, &journal.LockedError{Dir: root, Owner: owner}
	}
	slug := f.host.slug
	if places, err := project.Find(dir); slug == "" && err == nil && len(places) == 1 {
		slug = places[0].Slug
	}
	defer a.progress("asking the host at " + owner.URL)()
	clients, err = client.Discover(ctx, owner.URL, slug, o)
	return clients, true, a.dialled(err)
}

// dialled makes of a host that does not answer something that could not start.
func (a *app) dialled(err error) error {
	var unreachable *client.UnreachableError
	if errors.As(err, &unreachable) {
		return cannotStart("%w: is the host running there?", err)
	}
	return err
}

// ownSeat starts a host in this process, reachable from here alone.
func (a *app) ownSeat(ctx context.Context, f *seatFlags, lenient bool) (*seat, error) {
	var ag *agent.Agent
	s, err := a.ownStack(ctx, f, func(agents []*agent.Agent) (err error) {
		ag, err = a.choose(agents, f.host.slug, lenient)
		return err
	})
	if err != nil {
		return nil, err
	}
	base := "http://127.0.0.1/" + url.PathEscape(ag.Slug)
	c := client.New(base, &client.Options{Transport: client.InProcess(s.handler)})
	return &seat{Client: c, own: s, agent: ag}, nil
}

// ownStack loads the projects, lets check look at them, and starts a host over
// the state root.
func (a *app) ownStack(ctx context.Context, f *seatFlags, check func([]*agent.Agent) error) (*stack, error) {
	dir, err := f.project.directory(a, nil, nil)
	if err != nil {
		return nil, err
	}
	root := f.root.directory(a, dir)
	return a.stackOver(ctx, &ownHost{project: &f.project, model: f.model, dir: dir, root: root, cache: cacheDir(root)}, check)
}

// An ownHost says what a host of this process alone stands on.
type ownHost struct {
	project *projectFlags
	model   string
	// dir is the folder of the project or projects, root the state root, and cache keeps
	// what loading made; empty: nothing does.
	dir, root, cache string
}

// stackOver does what ownStack does with everything named.
func (a *app) stackOver(ctx context.Context, o *ownHost, check func([]*agent.Agent) error) (*stack, error) {
	load := o.project.options(a, o.cache)
	load.Dev = true // only this process reaches it
	agents, err := a.load(ctx, o.dir, load)
	if err != nil {
		return nil, err
	}
	if err := check(agents); err != nil {
		return nil, errors.Join(err, closeAgents(agents))
	}
	core, err := a.coreOptions(o.model, agents, o.project)
	if err != nil {
		return nil, errors.Join(err, closeAgents(agents))
	}
	j, err := a.openJournal(o.root)
	if err != nil {
		return nil, errors.Join(err, closeAgents(agents))
	}
	back := newLanding()
	core.PublicURL, core.NoChannels = back.url, true // this command serves nobody
	s, err := a.start(ctx, agents, j, core, transport.Options{Mode: transport.ModeMulti, Dev: true}, false)
	if err == nil {
		s.core = core
		back.attach(s)
	}
	return s, err
}

// choose finds the agent that is meant, and says what is wrong with it.
func (a *app) choose(agents []*agent.Agent, slug string, lenient bool) (*agent.Agent, error) {
	var slugs []string
	for _, ag := range agents {
		if ag.Slug != slug && (slug != "" || len(agents) > 1) {
			slugs = append(slugs, ag.Slug)
			continue
		}
		if lenient {
			a.sayDiagnostics([]*agent.Agent{ag})
			return ag, nil
		}
		return ag, a.refuseErrors([]*agent.Agent{ag})
	}
	if slug == "" {
		return nil, usagef("there are several agents: choose one with --slug: %s", strings.Join(slugs, ", "))
	}
	return nil, noAgent(slug, agents)
}

// noAgent says that there is no agent of a name, and which there are.
func noAgent(slug string, agents []*agent.Agent) error {
	slugs := make([]string, len(agents))
	for i, ag := range agents {
		slugs[i] = ag.Slug
	}
	return usagef("there is no agent %q: there is %s", slug, strings.Join(slugs, ", "))
}

// coreOptions are those that do not depend on how a host is reached.
func (a *app) coreOptions(model string, agents []*agent.Agent, f *projectFlags) (actors.Options, error) {
	m := a.newModels(agents, f)
	chosen := m.chosen(model)
	if m.offline(chosen) && a.terminal(a.Stderr) {
		a.say("%s", offlineNotice)
	}
	prices, err := m.prices()
	return actors.Options{Models: m, ModelID: chosen, Prices: prices}, err
}

// cacheDir keeps what loading made, for the next time.
func cacheDir(root string) string { return filepath.Join(root, "cache") }
