package transport

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A policy admits a request and names its principal, or does not. It reads the
// request's line and headers alone: no policy sees the body, which is still unread.
type policy interface {
	// carries says whether the request has what the policy holds against its secrets,
	// so that a refusal is a wrong guess.
	carries(r *http.Request) bool
	admit(r *http.Request) (events.Principal, bool)
	// why says, without a letter of any secret, what keeps it from admitting a request
	// that it did not admit.
	why(r *http.Request) string
}

// chain is the policies in the order in which they are asked; the first that
// admits names the principal. It is safe for concurrent use.
type chain struct {
	policies []named
	// challenges are the values of WWW-Authenticate that its refusals have.
	challenges []string
	guesses    *guesses
	logger     zerolog.Logger
}

// A named policy is one with its kind.
type named struct {
	kind string
	policy
}

// An admission is who calls, and the kind of the policy that says so.
type admission struct {
	who events.Principal
	by  string
}

// admit gives the principal. Whatever was missing or wrong, the answer is the same.
// A peer whose secrets were wrong often waits before one is looked at.
func (c *chain) admit(r *http.Request) (admission, error) {
	peer := "" // until a secret is looked at
	for _, p := range c.policies {
		if peer == "" && p.carries(r) {
			peer = peerOf(r.RemoteAddr)
			if !c.guesses.wait(r.Context(), peer) {
				c.explain(r, "the peer sent too many wrong secrets, and too many of its requests wait already")
				return admission{}, errUnauthorized
			}
		}
		if who, ok := p.admit(r); ok {
			if p.carries(r) { // a policy that looks at no secret says nothing of the one that was sent
				c.guessed(peer, true)
			}
			return admission{who, p.kind}, nil
		}
	}
	c.guessed(peer, false)
	c.explain(r, "")
	return admission{}, errUnauthorized
}

// open says whether the request is admitted without a secret, as one from the host's own
// machine may be.
func (c *chain) open(r *http.Request) bool {
	return slices.ContainsFunc(c.policies, func(p named) bool {
		if p.carries(r) {
			return false
		}
		_, ok := p.admit(r)
		return ok
	})
}

// explain logs, for who looks for it, why nobody was admitted; the answer never says it.
func (c *chain) explain(r *http.Request, unheard string) {
	if c.logger.GetLevel() > zerolog.DebugLevel || zerolog.GlobalLevel() > zerolog.DebugLevel {
		return
	}
	say := func(policy, why string) {
		c.logger.Debug().Str("policy", policy).Str("method", r.Method).Str("path", r.URL.Path).Str("peer", r.RemoteAddr).Str("why", why).Msg("a policy did not admit a request")
	}
	switch {
	case unheard != "":
		say("all", unheard)
	case len(c.policies) == 0:
		say("none", "there is no policy that could admit anybody")
	}
	for _, p := range c.policies {
		if unheard == "" {
			say(p.kind, p.why(r))
		}
	}
}

func (c *chain) guessed(peer string, right bool) {
	if peer != "" {
		c.guesses.note(peer, right)
	}
}

// errUnauthorized is the one answer to whoever is not admitted.
var errUnauthorized = &problem{code: "unauthorized", message: "no policy of this host admits this request"}

// A policyMaker makes chains of policies. What they share is the record of wrong guesses.
type policyMaker struct {
	guesses *guesses
	logger  zerolog.Logger
	now     func() time.Time
}

func newPolicyMaker(logger zerolog.Logger) *policyMaker {
	return &policyMaker{guesses: newGuesses(), logger: logger, now: time.Now}
}

// commandLine gives the chain of the command line.
func (m *policyMaker) commandLine(o *Options) (*chain, error) {
	switch {
	case o.BearerToken != "":
		return m.chain([]agent.AuthPolicy{agent.BearerAuth(o.BearerToken)})
	case o.AllowAnonymous:
		return m.chain([]agent.AuthPolicy{agent.AllowAll()})
	}
	return m.chain([]agent.AuthPolicy{agent.LocalDevStrict()})
}

// chain makes one. Where a policy cannot be used there is none, since the rest may
// admit whom the author did not mean to.
func (m *policyMaker) chain(list []agent.AuthPolicy) (*chain, error) {
	c := &chain{guesses: m.guesses, logger: m.logger}
	for i := range list {
		p := &list[i]
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("policy %d: %w", i+1, err)
		}
		made, err := m.policy(p)
		if err != nil {
			return nil, fmt.Errorf("policy %d: %w", i+1, err)
		}
		c.policies = append(c.policies, named{p.Kind, made})
		if ch := challenges[p.Kind]; ch != "" && !slices.Contains(c.challenges, ch) {
			c.challenges = append(c.challenges, ch)
		}
	}
	return c, nil
}

// challenges say how to come back, where HTTP has a word for it.
var challenges = map[string]string{
	agent.AuthBearer: "Bearer", agent.AuthJWT: "Bearer", agent.AuthBasic: `Basic realm="bdk", charset="UTF-8"`,
}

func (m *policyMaker) policy(p *agent.AuthPolicy) (policy, error) {
	switch p.Kind {
	case agent.AuthLocalDevStrict:
		return localDevStrict{}, nil
	case agent.AuthAllowAll:
		return allowAll{}, nil
	case agent.AuthBearer:
		return newBearerAuth(p.Secrets), nil
	case agent.AuthAPIKey:
		return newAPIKeyAuth(p.Header, p.Secrets), nil
	case agent.AuthBasic:
		return newBasicAuth(p.Secrets), nil
	case agent.AuthJWT:
		return m.jwtAuth(p.JWT)
	}
	return judge{ask: p.Judge, logger: m.logger}, nil
}

// closed is the chain that admits nobody.
func (m *policyMaker) closed() *chain { return &chain{guesses: m.guesses, logger: m.logger} }
