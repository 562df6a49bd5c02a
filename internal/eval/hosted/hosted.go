// Package hosted runs the cases of evals on a host: each case is a session of an agent,
// recorded as any other, with channel and purpose "eval".
package hosted

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// Options of a Target. Models is required.
type Options struct {
	// Models finds the models of judges.
	Models model.Resolver
	// Prices gives costs; nil: every price is unknown. It is to be the host's.
	Prices model.Prices
	// Principal owns the sessions. Defaults to {local, eval}.
	Principal events.Principal
}

// A Target runs sessions of one agent on a host, which stays the caller's. It is safe for
// concurrent use.
type Target struct {
	host *actors.Host
	slug string
	o    Options
	// start is the host's StartSession.
	start func(ctx context.Context, n actors.NewSession) (actors.Accepted, error)
}

var _ eval.Target = (*Target)(nil)

// New gives the target for the agent of a slug.
func New(host *actors.Host, slug string, o *Options) (*Target, error) {
	if host == nil || o == nil || o.Models == nil {
		return nil, errors.New("hosted: a host and Options.Models are required")
	}
	if host.Agent(slug) == nil {
		return nil, actors.ErrUnknownAgent
	}
	t := &Target{host: host, slug: slug, o: *o, start: host.StartSession}
	if t.o.Principal == (events.Principal{}) {
		t.o.Principal = events.Principal{Kind: "local", ID: "eval"}
	}
	return t, nil
}

// Open is eval.Target's. Its session does nothing before its first message.
func (t *Target) Open(o eval.OpenOptions) eval.Session { return &session{t: t, o: o} }
