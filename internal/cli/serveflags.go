package cli

import (
	"net"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/transport"
	"github.com/gobdk/bdk/transport/docs"
	"github.com/gobdk/bdk/transport/playground"
)

// modes are what --mode can be.
var modes = []string{transport.ModeMulti, transport.ModeSingle}

// servePort is the port that serve listens on where none is chosen.
const servePort = 3000

type serveFlags struct {
	project        projectFlags
	root           rootFlags
	host           string
	port           int
	publicURL      string
	mode           string
	dev            bool
	bearerToken    string
	allowAnonymous bool
	noPlayground   bool
	noDocs         bool
	model          string
	workers        int
	maxTurns       int
	corsOrigins    []string
	metrics        bool
	deltaWindow    time.Duration
	limits         []string
}

func (f *serveFlags) add(flags *pflag.FlagSet) {
	f.project.add(flags)
	f.root.add(flags)
	flags.StringVar(&f.host, "host", "127.0.0.1", "address to listen on")
	flags.IntVar(&f.port, "port", servePort, "port to listen on; 0 picks a free one")
	flags.StringVar(&f.publicURL, "public-url", "", "URL that people reach the host at, where that is not the address it listens on")
	flags.StringVar(&f.mode, "mode", transport.ModeMulti, "multi serves each agent at /<slug>, single the only one at /")
	flags.StringVar(&f.bearerToken, "bearer-token", "", "admit callers with this token, from anywhere")
	flags.BoolVar(&f.allowAnonymous, "allow-anonymous", false, "admit everybody; for trusted networks and demos")
	flags.BoolVar(&f.noPlayground, "no-playground", false, "leave out the playground and the index of agents")
	flags.BoolVar(&f.noDocs, "no-docs", false, "leave out the documentation site")
	flags.StringVar(&f.model, "model", "", "model of every agent instead of its own, such as scripted or openai/gpt-5")
	flags.IntVar(&f.workers, "script-workers", 1, "TypeScript VMs per agent")
	flags.IntVar(&f.maxTurns, "max-turns", 0, "turns that run at once, over all agents; 0 is no bound")
	flags.StringArrayVar(&f.corsOrigins, "cors-origin", nil, "origin whose pages may call the API, repeatable")
	flags.BoolVar(&f.metrics, "metrics", false, "serve measurements for Prometheus at /metrics")
	flags.DurationVar(&f.deltaWindow, "delta-window", 50*time.Millisecond, "how long pieces of text are gathered before they are recorded; 0 is not at all")
	flags.StringArrayVar(&f.limits, "limit", nil, "set a limit: name=value, repeatable")
}

// check opens the log and finds what cannot be.
func (f *serveFlags) check(a *app, flags *pflag.FlagSet) ([]setting, error) {
	if err := f.project.log.open(a, "info"); err != nil {
		return nil, err
	}
	if err := oneOf("mode", f.mode, modes...); err != nil {
		return nil, err
	}
	switch {
	case f.port < 0 || f.port > 65535:
		return nil, usagef("--port %d is no port: it is 0 to 65535", f.port)
	case f.workers < 1:
		return nil, usagef("--script-workers %d: there is at least one", f.workers)
	case f.maxTurns < 0:
		return nil, usagef("--max-turns %d: it is a number of turns, or 0 for no bound", f.maxTurns)
	case f.deltaWindow < 0:
		return nil, usagef("--delta-window %s: it is a time, or 0", f.deltaWindow)
	}
	f.publicURL = strings.TrimRight(f.publicURL, "/")
	if f.publicURL != "" {
		if err := actors.CheckPublicURL(f.publicURL); err != nil {
			return nil, usagef("--public-url: %w; it looks like https://agents.example.com", err)
		}
	}
	if err := f.refuseEmptyToken(a, flags); err != nil {
		return nil, err
	}
	if err := f.checkAccess(a); err != nil {
		return nil, err
	}
	return parseLimits(f.limits)
}

// refuseEmptyToken keeps a host from starting without the token that somebody
// meant it to have, as with --bearer-token "$TOKEN" where TOKEN is not set.
func (f *serveFlags) refuseEmptyToken(a *app, flags *pflag.FlagSet) error {
	const name = "bearer-token"
	switch {
	case f.bearerToken != "":
		return nil
	case flags.Changed(name):
		return usagef("--bearer-token is empty: give it a token, or leave it out to admit this machine alone")
	case a.isSet(variable(name)):
		return usagef("the variable %s is empty: give it a token, or unset it to admit this machine alone", variable(name))
	}
	return nil
}

// local says whether only this machine can reach the host.
func (f *serveFlags) local() bool {
	if ip := net.ParseIP(f.host); ip != nil {
		return ip.IsLoopback()
	}
	return f.host == "localhost"
}

// checkAccess looks at who would be let in.
func (f *serveFlags) checkAccess(a *app) error {
	local := f.local()
	a.redactor.Add(f.bearerToken)
	switch {
	case f.bearerToken != "" && f.allowAnonymous:
		return usagef("--bearer-token and --allow-anonymous exclude each other")
	case f.bearerToken != strings.TrimSpace(f.bearerToken):
		return usagef("--bearer-token begins or ends with a space")
	case f.bearerToken != "" && len(f.bearerToken) < agent.MinSecret && !local:
		return usagef("the bearer token has fewer than %d characters and %s can be reached by others: take a longer one, or --host 127.0.0.1", agent.MinSecret, f.host)
	case f.bearerToken == "" && !f.allowAnonymous && !local:
		a.logger.Warn().Str("host", f.host).Msg("only direct calls from this machine are admitted: others need --bearer-token")
	}
	return nil
}

// options are what the flags say to the host and to its edge.
func (f *serveFlags) options(m *models, prices model.Prices) (actors.Options, transport.Options) {
	core := actors.Options{
		Models: m, ModelID: m.chosen(f.model), Prices: prices,
		MaxRunningTurns: f.maxTurns, DeltaWindow: f.deltaWindow,
	}
	if f.deltaWindow == 0 {
		core.DeltaWindow = -1
	}
	edge := transport.Options{
		Mode: f.mode, BearerToken: f.bearerToken, AllowAnonymous: f.allowAnonymous,
		Dev: f.dev, NoIndex: f.noPlayground, CORSOrigins: f.corsOrigins, PublicURL: f.publicURL,
	}
	if !f.noPlayground {
		edge.Playground = playground.New()
	}
	if !f.noDocs {
		site := &docs.Options{}
		if !f.noPlayground {
			site.Home = "/"
		}
		edge.Docs = docs.New(site)
	}
	return core, edge
}
