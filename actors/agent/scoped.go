package agent

import (
	"context"
	"encoding/json"
	"slices"
)

// tool is a copy whose functions get calls of the scope.
func (s *scope) tool(v *Tool) *Tool {
	t := *v
	if v.Prepare != nil {
		t.Prepare = func(ctx context.Context, c *Call) (Prepared, error) { return v.Prepare(ctx, s.call(c)) }
	}
	if v.Execute != nil {
		t.Execute = func(ctx context.Context, c *Call) (Result, error) { return v.Execute(ctx, s.call(c)) }
	}
	if v.DryRun != nil {
		t.DryRun = func(ctx context.Context, c *Call) (json.RawMessage, error) { return v.DryRun(ctx, s.call(c)) }
	}
	return &t
}

func (s *scope) hook(v *Hook) *Hook {
	h := *v
	h.On = make(map[string]HookFunc, len(v.On))
	for key, f := range v.On {
		h.On[key] = func(ctx context.Context, e *HookEvent, c *Call) error { return f(ctx, e, s.call(c)) }
	}
	return &h
}

func (s *scope) channel(v *Channel) *Channel {
	c := *v
	c.Routes = make([]*Route, len(v.Routes))
	for i, old := range v.Routes {
		r := *old
		if old.Handle != nil {
			r.Handle = func(ctx context.Context, c *Call) (*Response, error) { return old.Handle(ctx, s.call(c)) }
		}
		c.Routes[i] = &r
	}
	if v.On != nil {
		c.On = make(map[string]DeliverFunc, len(v.On))
	}
	for key, f := range v.On {
		c.On[key] = func(ctx context.Context, e *HookEvent, c *Call) error { return f(ctx, e, s.call(c)) }
	}
	if v.OnStart != nil {
		c.OnStart = func(ctx context.Context, c *Call) error { return v.OnStart(ctx, s.call(c)) }
	}
	c.Auth = slices.Clone(v.Auth)
	return &c
}

func (s *scope) schedule(v *Schedule) *Schedule {
	c := *v
	if v.Run != nil {
		c.Run = func(ctx context.Context, c *Call) error { return v.Run(ctx, s.call(c)) }
	}
	return &c
}

func (s *scope) instructions(f instructionsFunc) instructionsFunc {
	return func(ctx context.Context, c *Call) (string, error) { return f(ctx, s.call(c)) }
}
