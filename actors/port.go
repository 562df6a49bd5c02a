package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/gobdk/bdk/actors/agent"
)

// ErrHandlerFailed says that the code of a channel failed. What it failed with is in
// the error, for a log alone.
var ErrHandlerFailed = errors.New("actors: a channel's handler failed")

// A ChannelPort is the way in to one channel of an agent, for whoever serves its
// routes. It holds the agent as it was, over a Reload, until Close. It is safe for
// concurrent use.
type ChannelPort struct {
	h     *Host
	agent *agentRuntime
	def   *agent.Channel
}

// Channel gives the port of a channel, the caller's to close; nil when the agent has
// none of that id.
func (h *Host) Channel(slug, id string) *ChannelPort {
	r := h.agents.take(slug)
	if r == nil {
		return nil
	}
	if def := r.channel(id); def != nil {
		return &ChannelPort{h: h, agent: r, def: def}
	}
	r.release()
	return nil
}

// Definition is the channel with its routes and policies. It is read-only.
func (p *ChannelPort) Definition() *agent.Channel { return p.def }

// Close lets go of the agent, after the body of the last response was read. Call it once.
func (p *ChannelPort) Close() { p.agent.release() }

// Handle answers a request to a route of Definition, whose policies have admitted it:
// Request.Principal, Params and Query are set, and nothing of the body was parsed. It
// asks Route.Verify first; where the route acknowledges it records the request and
// answers 202, with no body, when that is on disk, and the handler runs later.
//
// Errors are: an *agent.RequestError (400), agent.ErrUnauthorized (401), agent.ErrBusy
// (409), ErrDraining (503), ErrNoSpace (507), ErrTooManyMessages (429: too many requests
// wait for their handlers), ErrHandlerFailed (500: to be logged by the caller, with the
// stack where it is a PanicError), that of ctx. A body of the response is an io.Closer:
// the caller's to close, before the port.
func (p *ChannelPort) Handle(ctx context.Context, route *agent.Route, r *agent.Request) (*agent.Response, error) {
	if err := p.h.enter(); err != nil {
		return nil, err
	}
	defer p.h.effects.Done()
	p.h.hooking.Add(1)
	defer p.h.hooking.Add(-1)
	handling, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(p.h.life, cancel)
	defer stop()
	res, err := p.handle(handling, route, r)
	if err != nil || res == nil || res.Body == nil {
		cancel()
		if err != nil && p.h.life.Err() != nil { // the host's end cut it off
			return nil, ErrDraining
		}
		return res, failed(ctx, err)
	}
	res.Body = &body{Reader: res.Body, cancel: cancel}
	return res, nil
}

// handle looks at the request, then records it or has it answered.
func (p *ChannelPort) handle(ctx context.Context, route *agent.Route, r *agent.Request) (*agent.Response, error) {
	if route.Verify != nil {
		res, err := guarded(func() (*agent.Response, error) { return route.Verify(ctx, r) })
		if res != nil || err != nil {
			return res, err
		}
	}
	if p.acknowledges(route) {
		res, err := p.acknowledge(ctx, route, r)
		if errors.Is(err, ErrDraining) || errors.Is(err, ErrNoSpace) || errors.Is(err, ErrTooManyMessages) {
			return nil, &refused{err}
		}
		return res, err
	}
	return p.answer(ctx, p.h.o.RouteTimeout, &visit{route: route, request: r, sessions: p.sessions(r.Principal).forWork()})
}

// A body is that of a response; closing it ends the handler's ctx.
type body struct {
	io.Reader
	cancel context.CancelFunc
}

// Close closes what the handler gave, where that can be.
func (b *body) Close() error {
	defer b.cancel()
	if c, ok := b.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// A refused request is one that the host does not take now.
type refused struct{ error }

// Unwrap gives the reason.
func (r *refused) Unwrap() error { return r.error }

// failed tells what a caller may know of an error from the rest. A handler that was
// cut off, because its caller went away, has not failed.
func failed(ctx context.Context, err error) error {
	var bad *agent.RequestError
	var ours *refused
	switch {
	case errors.As(err, &ours):
		return ours.error
	case err == nil, errors.As(err, &bad), errors.Is(err, agent.ErrUnauthorized), errors.Is(err, agent.ErrBusy):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrHandlerFailed, err)
}

// guarded makes an error of a panic in an author's code.
func guarded[T any](f func() (T, error)) (out T, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &PanicError{Fault: fault, Stack: debug.Stack()}
		}
	}()
	return f()
}

// A PanicError is what an author's code panicked with.
type PanicError struct {
	Fault any
	Stack []byte
}

// Error says what; the stack is for the log alone.
func (e *PanicError) Error() string { return fmt.Sprintf("it panicked: %v", e.Fault) }
