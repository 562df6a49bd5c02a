package modeltest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A good model does the step; each of its funcs can be replaced by a wrong one.
type good struct {
	step    Step
	respond func(*model.Response) *model.Response
	refuse  func(*model.Error) error
	emit    func(emit func(model.Delta), d model.Delta)
	before  func(*model.Request)
	wait    func(context.Context) error
}

func (g *good) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	g.before(r)
	if err := ctx.Err(); err != nil {
		return nil, g.refuse(&model.Error{Message: "stopped", Code: events.FailModel, Err: err})
	}
	if g.step.Status != 0 {
		return nil, g.refuse(&model.Error{Message: "refused", Status: g.step.Status, Code: events.FailModel})
	}
	for _, d := range []model.Delta{{Text: g.step.Reasoning, Reasoning: true}, {Text: g.step.Text}} {
		if d.Text != "" {
			g.emit(emit, d)
		}
	}
	if g.step.Stall {
		return nil, g.refuse(&model.Error{Message: "stopped", Code: events.FailModel, Broken: true, Err: g.wait(ctx)})
	}
	if g.step.Break {
		return nil, g.refuse(&model.Error{Message: "broken", Code: events.FailModel, Broken: true})
	}
	resp := &model.Response{Text: g.step.Text, Reasoning: g.step.Reasoning, Calls: g.step.Calls, Usage: g.step.Usage, FinishReason: events.FinishStop}
	if len(g.step.Calls) > 0 {
		resp.FinishReason = events.FinishToolCalls
	}
	return g.respond(resp), nil
}

func newGood(s Step) *good {
	return &good{
		step:    s,
		respond: func(r *model.Response) *model.Response { return r },
		refuse:  func(e *model.Error) error { return e },
		emit:    func(emit func(model.Delta), d model.Delta) { emit(d) },
		before:  func(*model.Request) {},
		wait:    func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	}
}

func request() *model.Request {
	return &model.Request{Model: "m", Messages: []model.Message{{Role: model.RoleUser, Text: "go"}}}
}

func TestRun_AGoodModelPasses(t *testing.T) {
	t.Parallel()
	Run(t, func(_ testing.TB, s Step) (model.Model, *model.Request) { return newGood(s), request() })
}

func TestRun_AModelWithoutAnAbilityPasses(t *testing.T) {
	t.Parallel()
	Run(t, func(testing.TB, Step) (model.Model, *model.Request) { return nil, nil })
}

// A recorder notes a failure instead of failing the test.
type recorder struct {
	testing.TB
	failed atomic.Bool
}

func (r *recorder) Error(...any)          { r.failed.Store(true) }
func (r *recorder) Errorf(string, ...any) { r.failed.Store(true) }
func (r *recorder) Fatal(...any)          { r.failed.Store(true); runtime.Goexit() }
func (r *recorder) Fatalf(string, ...any) { r.failed.Store(true); runtime.Goexit() }

// Each wrong model is caught by the parts that are named.
func TestRun_WrongModelsFail(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]struct {
		spoil func(*good)
		by    []string
	}{
		"says other text than it streams": {func(g *good) { g.respond = func(r *model.Response) *model.Response { r.Text += "!"; return r } }, []string{"Text", "Reasoning", "Calls", "Concurrent", "History"}},
		"drops reasoning":                 {func(g *good) { g.respond = func(r *model.Response) *model.Response { r.Reasoning = ""; return r } }, []string{"Reasoning", "Concurrent"}},
		"has another reason": {func(g *good) {
			g.respond = func(r *model.Response) *model.Response { r.FinishReason = "end"; return r }
		}, []string{"Text", "Calls"}},
		"turns calls around": {func(g *good) {
			g.respond = func(r *model.Response) *model.Response {
				r.Calls = slices.Clone(r.Calls)
				slices.Reverse(r.Calls)
				return r
			}
		}, []string{"Calls"}},
		"forgets usage":           {func(g *good) { g.respond = func(r *model.Response) *model.Response { r.Usage = nil; return r } }, []string{"Usage"}},
		"gives nothing":           {func(g *good) { g.respond = func(*model.Response) *model.Response { return nil } }, []string{"RequestIsKept"}},
		"has errors of its own":   {func(g *good) { g.refuse = func(*model.Error) error { return errors.New("no") } }, []string{"Refused", "Broken", "Cancelled", "Stalled"}},
		"says nothing of a break": {func(g *good) { g.refuse = func(e *model.Error) error { e.Broken = false; return e } }, []string{"Broken", "Stalled"}},
		"has errors without code": {func(g *good) { g.refuse = func(e *model.Error) error { e.Code = ""; return e } }, []string{"Refused", "Broken", "Cancelled", "Stalled"}},
		"hides the context's end": {func(g *good) { g.refuse = func(e *model.Error) error { e.Err = nil; return e } }, []string{"Cancelled", "Stalled"}},
		"emits nothing":           {func(g *good) { g.emit = func(emit func(model.Delta), d model.Delta) { emit(model.Delta{}); emit(d) } }, []string{"Text", "Concurrent"}},
		"mixes up the kinds": {func(g *good) {
			g.emit = func(emit func(model.Delta), d model.Delta) { d.Reasoning = !d.Reasoning; emit(d) }
		}, []string{"Text", "Reasoning"}},
		"changes the request": {func(g *good) { g.before = func(r *model.Request) { r.Messages[0].Text = "changed" } }, []string{"RequestIsKept"}},
	} {
		for _, part := range wrong.by {
			r := &recorder{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				parts[part](r, func(_ testing.TB, s Step) (model.Model, *model.Request) {
					g := newGood(s)
					wrong.spoil(g)
					return g, request()
				})
			}()
			<-done
			if !r.failed.Load() {
				t.Errorf("%s: a model that %s passes", part, name)
			}
		}
	}
}
