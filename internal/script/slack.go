package script

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

// noSlack is what ctx.host.slack says where it is not set up.
const noSlack = "ctx.host.slack is not available: set SLACK_BOT_TOKEN in the environment or in .env"

// slackOps serve ctx.host.slack.
func slackOps(o *ops) {
	o.sync("slack.ready", func(v *vm, a args) (any, error) {
		_, err := v.slackOf(a)
		return nil, err
	})
	o.async("slack.call", func(v *vm, a args) (work, error) {
		p, err := v.slackOf(a)
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

func (v *vm) slackOf(a args) (agent.Platform, error) {
	c, err := v.callOf(a)
	if err != nil {
		return nil, err
	}
	if c.call.Slack == nil {
		return nil, errors.New(noSlack)
	}
	return c.call.Slack, nil
}
