package actors_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// A handler fails by what it says. A session that is busy is an answer, and a caller
// that went away is nobody's fault.
func TestPort_WhatIsAFailure(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "desk"})
	if err := h.visit("desk", caller, func(context.Context, *agent.Call) error { return agent.ErrBusy }); !errors.Is(err, agent.ErrBusy) || errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("a busy session gives %v", err)
	}
	var fault *actors.PanicError
	if err := h.visit("desk", caller, func(context.Context, *agent.Call) error { panic("no luck") }); !errors.Is(err, actors.ErrHandlerFailed) || !errors.As(err, &fault) || !strings.Contains(string(fault.Stack), "port_test.go") {
		t.Errorf("a panic gives %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	p := h.host.Channel("tester", "desk")
	defer p.Close()
	route := &agent.Route{Method: "POST", Path: "/", Handle: func(ctx context.Context, _ *agent.Call) (*agent.Response, error) {
		leave()
		<-ctx.Done()
		return nil, errors.New("cut off")
	}}
	if _, err := p.Handle(ctx, route, &agent.Request{Method: "POST", URL: "http://x/"}); !errors.Is(err, context.Canceled) || errors.Is(err, actors.ErrHandlerFailed) {
		t.Errorf("a caller that went away gives %v", err)
	}
}

// What cannot be served is refused when the host starts, and by a reload.
func TestChannels_RefusedAtTheStart(t *testing.T) {
	t.Parallel()
	answer := func(context.Context, *agent.Call) (*agent.Response, error) { return nil, nil }
	for want, a := range map[string]*agent.Agent{
		`channel "d": route GET "/x/*"`:         {Channels: []*agent.Channel{{ID: "d", Routes: []*agent.Route{{Method: "GET", Path: "/x/*", Handle: answer}}}}},
		"the handler is missing":                {Channels: []*agent.Channel{{ID: "d", Routes: []*agent.Route{{Method: "GET", Path: "/"}}}}},
		`channel "c": auth: policy 2`:           {Channels: []*agent.Channel{{ID: "c", Auth: []agent.AuthPolicy{agent.AllowAll(), {Kind: "magic"}}}}},
		"agent x: auth: policy 2: bearerAuth":   {Auth: []agent.AuthPolicy{agent.AllowAll(), agent.BearerAuth("")}},
		`channel "mcp": the host has a channel`: {Channels: []*agent.Channel{{ID: "mcp"}}},
	} {
		a.Slug = "x"
		o := &actors.Options{Agents: []*agent.Agent{a}}
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
