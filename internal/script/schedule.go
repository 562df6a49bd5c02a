package script

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// CallSchedule calls the run of a schedule for Call.Firing, and returns when that and
// all that it gave to waitUntil has ended. What it throws is *Error.
func (r *Runtime) CallSchedule(ctx context.Context, module string, c *agent.Call) error {
	about, err := json.Marshal(struct {
		ScheduledAt int64            `json:"scheduledAt"`
		AppAuth     events.Principal `json:"appAuth"`
	}{c.Firing.ScheduledAt.UnixMilli(), c.Firing.AppAuth})
	if err != nil {
		return err
	}
	_, err = r.run(ctx, c, "fire", module, string(about))
	return err
}

// firingOps are what a schedule's run asks for.
func firingOps(o *ops) {
	o.async("firing.receive", firingWork(func(ctx context.Context, f *agent.Firing, a args) (any, error) {
		channel := a.text(0)
		if a.flag(1) {
			channel = channelID(channel)
		}
		in := agent.Receive{Message: a.text(2)}
		if err := a.into(3, &in.Auth); err != nil {
			return nil, err // schedule.js checks it
		}
		if target := a.text(4); target != "" {
			in.Target = json.RawMessage(target)
		}
		sent, err := f.Receive(ctx, channel, in)
		if err != nil {
			return nil, err
		}
		return asJSON(sent)
	}))
	o.async("firing.wait", firingWork(func(ctx context.Context, f *agent.Firing, a args) (any, error) {
		var sent agent.Sent
		if err := a.into(0, &sent); err != nil {
			return nil, err
		}
		done, err := f.Wait(ctx, sent)
		if err != nil {
			return nil, err
		}
		return asJSON(done)
	}))
	o.async("firing.tool", firingWork(func(ctx context.Context, f *agent.Firing, a args) (any, error) {
		res, err := f.CallTool(ctx, a.text(0), json.RawMessage(a.text(1)))
		if err != nil {
			return nil, err
		}
		return asJSON(struct {
			IsError bool            `json:"isError"`
			Result  json.RawMessage `json:"result"`
		}{res.IsError, res.Output})
	}))
}

func firingWork(f func(ctx context.Context, f *agent.Firing, a args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Firing == nil {
			return nil, errors.New("this belongs to the run of a schedule alone")
		}
		return func(ctx context.Context) (any, error) { return f(ctx, c.call.Firing, a[1:]) }, nil
	}
}

// channelModule is the id of the module of a channel, of the project or of a mount.
var channelModule = regexp.MustCompile(`^(?:extensions/([^/]+)/(?:over/)?)?channels/([^/]+)$`)

// channelID gives the channel that a module exports; the module's id where it exports none.
func channelID(module string) string {
	m := channelModule.FindStringSubmatch(module)
	switch {
	case m == nil:
		return module
	case m[1] != "":
		return m[1] + "__" + m[2]
	}
	return m[2]
}
