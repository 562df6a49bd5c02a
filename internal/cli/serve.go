package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

func (a *app) newServe() *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "serve [dir]",
		Short: "Serve agents over HTTP",
		Long: "serve loads the project of a folder, or each project in it, and serves the agents over HTTP.\n" +
			"It prints one line per agent with its URL when it is ready to answer.\n\n" +
			"Without --bearer-token or --allow-anonymous only direct calls from this machine are admitted.\n\n" +
			"Limits for --limit, with their defaults:\n" + limitHelp() + "\n\n" + variablesHelp,
		Example: "  bdk serve\n" +
			"  bdk serve --dir agents --port 8080 --bearer-token \"$TOKEN\" --host 0.0.0.0\n" +
			"  bdk serve --mode single --limit body=4MiB --limit messages=10",
		Args: takesFolder,
		RunE: func(c *cobra.Command, args []string) error { return a.serve(c, f, args, false) },
	}
	f.add(c.Flags())
	c.Flags().BoolVar(&f.dev, "dev", false, "let local callers see and act on every session")
	return c
}

func (a *app) newDev() *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "dev [dir]",
		Short: "Serve agents while working on them",
		Long: "dev is serve --dev that loads a project again when its files change: code, instructions, .env.\n" +
			"A turn that runs ends on the old version, the next one begins on the new.\n" +
			"A project that no longer loads is served as it was, and its errors are shown; dev also starts with\n" +
			"what loads of a project with errors. Flags, and BDK_MODEL in .env, hold until the host ends.",
		Example: "  bdk dev\n  bdk dev --dir my-agent --port 0\n  bdk dev --dir agents --model scripted",
		Args:    takesFolder,
		RunE:    func(c *cobra.Command, args []string) error { return a.serve(c, f, args, true) },
	}
	f.add(c.Flags())
	f.dev = true
	return c
}

// variablesHelp says what the environment can do.
const variablesHelp = `Every flag can be given as a variable too: --state-root as BDK_STATE_ROOT.
Models take OPENAI_API_KEY and OPENAI_BASE_URL, or BDK_PROVIDER_<NAME>_URL and
BDK_PROVIDER_<NAME>_KEY for a provider of your own. NO_COLOR turns colour off.
Measurements are sent where OTEL_EXPORTER_OTLP_ENDPOINT says, and nowhere without it.`

// serve runs a host until a signal comes. With lenient a project with errors is
// served as far as it loaded, and loaded again when its files change.
func (a *app) serve(c *cobra.Command, f *serveFlags, args []string, lenient bool) error {
	ctx := c.Context()
	settings, err := f.check(a, c.Flags())
	if err != nil {
		return err
	}
	dir, err := f.project.directory(a, c, args)
	if err != nil {
		return err
	}
	root := f.root.directory(a, dir)
	load := f.project.options(a, cacheDir(root))
	load.Workers, load.Dev = f.workers, f.dev
	var again *reloader
	if lenient {
		again = a.newReloader(f, dir, root, settings)
	}
	agents, err := a.load(ctx, dir, load)
	if err != nil {
		return err
	}
	if err := a.admit(f, agents, lenient); err != nil {
		return errors.Join(err, closeAgents(agents))
	}
	s, listener, err := a.listen(ctx, f, root, agents, settings, again)
	if err != nil {
		return err
	}
	return a.answer(ctx, f, s, listener, again)
}

// admit says what is wrong with the projects and whether they can be served.
func (a *app) admit(f *serveFlags, agents []*agent.Agent, lenient bool) error {
	if f.mode == transport.ModeSingle && len(agents) > 1 {
		return usagef("--mode single serves one agent, and there are %d: name one project with --dir, or leave --mode out", len(agents))
	}
	if !f.local() {
		if err := refuseShort(agents, f.host); err != nil {
			return err
		}
	}
	peers := actors.CheckPeers(agents)
	if lenient {
		if peers != nil {
			a.logger.Warn().Err(peers).Msg("an agent is not reached")
		}
		a.sayDiagnostics(agents)
		return nil
	}
	if err := a.refuseErrors(agents); err != nil {
		return err
	}
	if peers != nil {
		return cannotStart("%w", peers)
	}
	return nil
}

// listen takes the state root and the port, and starts the host. What it was
// given is closed when that fails. again may be nil.
func (a *app) listen(ctx context.Context, f *serveFlags, root string, agents []*agent.Agent, settings []setting, again *reloader) (*stack, net.Listener, error) {
	core, edge, err := a.hostOptions(f, agents, settings)
	if err != nil {
		return nil, nil, errors.Join(err, closeAgents(agents))
	}
	if again != nil {
		again.attach(&core, &edge)
	}
	evals := a.newEvalServices(f, root, core)
	edge.Evals = evals.of
	j, err := a.openJournal(root)
	if err != nil {
		return nil, nil, errors.Join(err, closeAgents(agents))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(f.host, strconv.Itoa(f.port)))
	if err != nil {
		return nil, nil, errors.Join(a.noPort(f, err), j.Close(), closeAgents(agents))
	}
	public := cmp.Or(f.publicURL, baseURL(f.host, listener.Addr()))
	core.PublicURL = func(context.Context) (string, error) { return public, nil }
	s, err := a.start(ctx, agents, j, core, edge, f.metrics)
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	s.evals = evals
	evals.attach(s.host)
	return s, listener, nil
}

// hostOptions are what the flags and the projects say, and logs what is doubtful in it.
func (a *app) hostOptions(f *serveFlags, agents []*agent.Agent, settings []setting) (actors.Options, transport.Options, error) {
	m := a.newModels(agents, &f.project)
	prices, err := m.prices()
	core, edge := f.options(m, prices)
	for _, set := range settings {
		set.limit.set(&tunable{&core, &edge, agents}, set.value)
	}
	for _, line := range m.notices(core.ModelID) {
		a.logger.Warn().Msg(line)
	}
	if m.offline(core.ModelID) {
		a.logger.Info().Msg(offlineNotice)
	}
	return core, edge, err
}

func (a *app) noPort(f *serveFlags, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return cannotStart("port %d of %s is in use: choose another with --port, or --port 0 for any that is free", f.port, f.host)
	case errors.Is(err, syscall.EACCES):
		return cannotStart("port %d of %s is not for this user: choose one above 1023 with --port", f.port, f.host)
	}
	return cannotStart("listening on %s, port %d: %w", f.host, f.port, err)
}

// answer serves until the context ends, then shuts down in order: no more reloads,
// no new work, running turns, streams, views, journal. again may be nil.
func (a *app) answer(ctx context.Context, f *serveFlags, s *stack, listener net.Listener, again *reloader) error {
	server := transport.NewServer(s.handler, &s.edge)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	s.base = baseURL(f.host, listener.Addr())
	err := s.journal.SetURL(s.base)
	if err == nil {
		err = a.ready(f, s)
	}
	stop := again.start(ctx, s)
	if err == nil {
		select {
		case err = <-served:
			served <- err
		case <-s.journal.Failed():
			err = fmt.Errorf("the disk refused a write, so nothing more can be recorded: mend it and start again: %w", s.journal.Err())
		case <-ctx.Done():
		}
	}
	stop()
	errs := []error{err, a.shutdown(ctx, s, server)}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		errs = append(errs, fmt.Errorf("serving: %w", err))
	}
	return errors.Join(errs...)
}

// shutdown ends everything and waits for it, eval runs and then running turns for ten
// seconds at most.
func (a *app) shutdown(ctx context.Context, s *stack, server *http.Server) error {
	err := s.closeEvals(ctx) // while the host still takes what their cases do
	s.host.Drain()
	a.logger.Info().Msg("stopping: running turns get 10 s, a second signal ends at once")
	ctx = context.WithoutCancel(ctx)
	turns, cancel := context.WithTimeout(ctx, graceful)
	defer cancel()
	errs := []error{err, s.host.Close(turns)}
	streams, cancel := context.WithTimeout(ctx, graceful)
	defer cancel()
	errs = append(errs, transport.Shutdown(streams, server, s.handler), s.closeBelow(ctx))
	return errors.Join(errs...)
}

// baseURL is where the host can be reached from this machine.
func baseURL(host string, addr net.Addr) string {
	_, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// ready prints one line per agent, all at once.
func (a *app) ready(f *serveFlags, s *stack) error {
	var lines strings.Builder
	for _, ag := range s.agents {
		at := s.urlOf(f.mode, ag)
		fmt.Fprintf(&lines, "%s %s\n", ag.Slug, at)
		a.logger.Info().Str("agent", ag.Slug).Str("url", at).Str("model", s.host.ModelName(ag)).Int("tools", len(ag.Tools)).Msg("serving")
	}
	return a.print("%s", lines.String())
}
