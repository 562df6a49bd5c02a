package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// noGitHub is what ctx.host.github says where it is not set up.
const noGitHub = "ctx.host.github is not available: set GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, in the environment or in .env"

// CallWake asks a handler of a channel of a pack, by the name of its option, what to
// make of an event: event is {"ctx": …, "subject": …}, ctx what the pack adds to the
// handler's. It gives what the handler returned, null for nothing.
func (r *Runtime) CallWake(ctx context.Context, module, handler string, event json.RawMessage, c *agent.Call) (json.RawMessage, error) {
	out, k, _, err := r.runLasting(ctx, c, "wake:"+handler, module, string(event))
	if err == nil {
		k.lasting.release()
	}
	return out, err
}

// githubOps serve ctx.host.github.
func githubOps(o *ops) {
	platformOps(o, "github", noGitHub, func(c *agent.Call) agent.Platform { return c.GitHub })
}

// platformOps serve a platform's API: of gives it, nil where it is not set up, which
// unset says.
func platformOps(o *ops, name, unset string, of func(*agent.Call) agent.Platform) {
	bound := func(v *vm, a args) (agent.Platform, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if p := of(c.call); p != nil {
			return p, nil
		}
		return nil, errors.New(unset)
	}
	o.sync(name+".ready", func(v *vm, a args) (any, error) {
		_, err := bound(v, a)
		return nil, err
	})
	o.async(name+".call", func(v *vm, a args) (work, error) {
		p, err := bound(v, a)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			out, err := p.Call(ctx, a.text(1), json.RawMessage(a.text(2)))
			if err != nil {
				return nil, platformError(err)
			}
			return string(out), nil
		}, nil
	})
}

// platformError gives an answer that is no success the status by which code tells them
// apart.
func platformError(err error) error {
	var answered interface{ HTTPStatus() int }
	if !errors.As(err, &answered) {
		return err
	}
	out := &hostError{Name: "HttpError", Message: fmt.Sprint(err), Status: answered.HTTPStatus()}
	var tells interface{ AnswerData() json.RawMessage }
	if errors.As(err, &tells) {
		out.Data = tells.AnswerData()
	}
	return out
}
