package transport

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/projections"
)

// Modes of Options.
const (
	ModeMulti  = "multi"  // each agent at /<slug>/v1
	ModeSingle = "single" // one agent at /v1
)

// Options are what a handler is made of. Host and Views are required.
type Options struct {
	Host  *actors.Host
	Views *projections.Views
	// Mode defaults to ModeMulti.
	Mode string
	// BearerToken replaces local trust by bearer auth when not empty, wherever that is
	// the default. One under agent.MinSecret characters admits nobody where others than
	// this machine reach the listener.
	BearerToken string
	// AllowAnonymous replaces local trust by access for everybody. It excludes BearerToken.
	AllowAnonymous bool
	// Dev makes the local principal an operator.
	Dev bool
	// PublicURL is where browsers reach the host, as actors.Options.PublicURL gives it;
	// empty: where the request came in that asks for a link.
	PublicURL string
	// Playground is the page of each agent, at /playground; nil gives none.
	Playground Playground
	// Docs serves the documentation at GET /docs and below: package transport/docs has
	// it; nil gives none.
	Docs http.Handler
	// NoIndex removes GET / and GET /v1/agents.
	NoIndex bool
	// CORSOrigins are the origins whose pages may read replies, such as
	// "https://app.example.com". None by default.
	CORSOrigins []string
	// Logs serve GET /v1/logs; nil gives none.
	Logs Logs
	// Metrics serves GET /metrics; nil gives none.
	Metrics http.Handler
	// Trace is told of each request by the pattern of its path, when that is known, and
	// of what came of it, when it has ended. Nil: nobody is.
	Trace func(r *http.Request, route string) (end func(Traced))
	// Findings gives what was found about an agent since it is served, such as why a
	// changed project did not load; GET /v1/info shows it. Nil: nothing was.
	Findings func(slug string) []agent.Diagnostic
	// Evals gives the eval runs of an agent, nil for one that has no evals: it has no
	// routes of them then. Nil: no agent has.
	Evals func(slug string) Evals
	// Version is what health says.
	Version string
	Limits  Limits
	Logger  zerolog.Logger
}

// Limits bound what a caller may send; zero fields take the defaults.
type Limits struct {
	// BodyBytes of a request body. Defaults to 1 MiB.
	BodyBytes int64
	// FilesBodyBytes of a body that carries workspaceFiles. Defaults to 10 MiB.
	FilesBodyBytes int64
	// HeaderBytes of a request's header block. Defaults to 32 KiB.
	HeaderBytes int
	// StreamsPerCaller that one principal may hold open. Defaults to 1,000; the
	// local principal may hold 10 times as many.
	StreamsPerCaller int
	// JSONDepth is how deep objects and arrays of a body may lie in each other. Defaults to 64.
	JSONDepth int
	// TitleLength of a session's title, in characters. Defaults to 200.
	TitleLength int
}

// complete gives a copy with every default in place, or says what is wrong with it.
func (o *Options) complete() (Options, error) {
	if o == nil || o.Host == nil || o.Views == nil {
		return Options{}, errNoHost
	}
	c := *o
	if c.Mode == "" {
		c.Mode = ModeMulti
	}
	c.Limits.ensureDefaults()
	return c, c.validate()
}

func (l *Limits) ensureDefaults() {
	if l.BodyBytes <= 0 {
		l.BodyBytes = 1 << 20
	}
	if l.FilesBodyBytes <= 0 {
		l.FilesBodyBytes = 10 << 20
	}
	if l.HeaderBytes <= 0 {
		l.HeaderBytes = 32 << 10
	}
	if l.StreamsPerCaller <= 0 {
		l.StreamsPerCaller = 1000
	}
	if l.JSONDepth <= 0 {
		l.JSONDepth = 64
	}
	if l.TitleLength <= 0 {
		l.TitleLength = 200
	}
}

func (o *Options) validate() error {
	var errs []error
	if o.Mode != ModeMulti && o.Mode != ModeSingle {
		errs = append(errs, fmt.Errorf("transport: unknown mode %q", o.Mode))
	}
	if o.BearerToken != "" && o.AllowAnonymous {
		errs = append(errs, errors.New("transport: BearerToken and AllowAnonymous exclude each other"))
	}
	if o.PublicURL != "" {
		errs = append(errs, actors.CheckPublicURL(o.PublicURL))
	}
	if n := len(o.BearerToken); n > 0 && n < agent.MinSecret {
		o.Logger.Warn().Int("length", n).Msgf("the bearer token is shorter than %d characters and can be guessed: it admits nobody where others than this machine reach the host", agent.MinSecret)
	}
	if o.AllowAnonymous {
		o.Logger.Warn().Msg("anonymous access is on: everybody who reaches this host may read and act on every session")
	}
	return errors.Join(errs...)
}
