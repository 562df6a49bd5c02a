package actors

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
)

// A ToolCall is a call of a tool by a person: no model turn, no approval gate.
type ToolCall struct {
	// Model says that a model calls, and no person: a call that needs approval is
	// ErrNeedsApproval, and the end of the caller's context ends the tool.
	Model bool
	// Agent is the slug.
	Agent string
	Name  string
	// Input is a JSON object; empty means {}.
	Input json.RawMessage
	// SessionID binds the call to a session; empty: to none.
	SessionID string
	// FollowUp is the n of the HTTP token that named the session; nil: none did.
	FollowUp    *int
	Principal   events.Principal
	Idempotency *events.Idempotency

	admitted bool // it is part of work that was: it goes on while the host drains
}

// A ToolAnswer is the outcome of a direct call.
type ToolAnswer struct {
	CallID   string
	Result   agent.Result
	Stubbed  bool
	Duration time.Duration
	Position uint64
	// Long says where the whole of an output is that Result has the ends of; nil where
	// it has all.
	Long *LongOutput
}

// CallTool runs a server tool and returns its result when that is on disk. Input
// that does not fit is an *agent.InputError and nothing is recorded; a tool's own
// failure is a result.
func (h *Host) CallTool(ctx context.Context, c ToolCall) (ToolAnswer, error) {
	if _, err := callable(ctx, h.agents.of(c.Agent), c.Name); err != nil {
		return ToolAnswer{}, err
	}
	if err := h.Admit(); err != nil && !c.admitted {
		return ToolAnswer{}, err
	}
	if len(c.Input) > 0 && !json.Valid(c.Input) {
		return ToolAnswer{}, &agent.InputError{Issues: []agent.Issue{{Message: "it is not JSON"}}}
	}
	return once(ctx, h, c.Idempotency,
		func(ctx context.Context) (ToolAnswer, error) { return h.callTool(ctx, &c) },
		func(e *events.Event) (ToolAnswer, error) { return h.answeredAgain(ctx, e) })
}

// callable finds a tool that may be called directly.
func callable(ctx context.Context, r *agentRuntime, name string) (*agent.Tool, error) {
	if r == nil {
		return nil, ErrUnknownAgent
	}
	t := r.find(ctx, name)
	switch {
	case t == nil:
		return nil, &UnknownToolError{Name: name, Available: r.callable()}
	case t.Execution == agent.ExecutionAgent, t.Source == sourceHarness, t.Source == mcp.SourceGateway:
		return nil, ErrAgentExecution
	}
	return t, nil
}

func (h *Host) callTool(ctx context.Context, c *ToolCall) (ToolAnswer, error) {
	r := h.agents.take(c.Agent)
	if r != nil {
		defer r.release()
	}
	t, err := callable(ctx, r, c.Name)
	if err != nil {
		return ToolAnswer{}, err
	}
	callID := h.newID("tool_" + t.Name + "_")
	j, err := h.directJob(r, c, callID)
	if err != nil {
		return ToolAnswer{}, err
	}
	d := &direct{h: h, job: j, tool: t, args: c.Input}
	got, failed := j.check(ctx, t, j.call(t, callID, "", c.Input))
	switch {
	case ctx.Err() != nil:
		return ToolAnswer{}, ctx.Err()
	case failed != nil && failed.input != nil:
		return ToolAnswer{}, failed.input
	case c.Model && got.NeedsApproval:
		return ToolAnswer{}, ErrNeedsApproval
	}
	d.failed = failed
	d.call = events.Call{CallID: callID, ToolName: t.Name, Args: c.Input, Effect: got.Effect, Idempotent: t.Idempotent && got.Effect == agent.EffectWrite}
	if c.SessionID != "" {
		return d.bound(ctx, c)
	}
	return d.unbound(ctx, c)
}

// directJob describes who calls: the session, or nobody's.
func (h *Host) directJob(r *agentRuntime, c *ToolCall, callID string) (*job, error) {
	if c.SessionID == "" {
		start := &events.SessionStarted{Agent: r.Slug, ChannelID: "tools", Mode: events.ModeTask, Purpose: events.PurposeLive, Principal: c.Principal}
		return &job{h: h, agent: r, info: infoOf(callID, start), start: start, unbound: true}, nil
	}
	start, err := h.startedOf(c.SessionID)
	if err != nil {
		return nil, refusal(err)
	}
	if start.Agent != r.Slug {
		return nil, ErrUnknownSession
	}
	info, err := h.numbered(c.SessionID, start)
	return &job{h: h, agent: r, info: info, start: start, title: start.Title}, err
}

// A direct is one direct call that is under way.
type direct struct {
	h      *Host
	job    *job
	tool   *agent.Tool
	args   json.RawMessage
	call   events.Call
	failed *failure // known before it runs
}

// bound runs the call through its session, which records it.
func (d *direct) bound(ctx context.Context, c *ToolCall) (ToolAnswer, error) {
	if d.call.Effect == agent.EffectWrite {
		if _, err := d.job.workspace(); err != nil {
			return ToolAnswer{}, err
		}
	}
	in := &session.DirectCall{Call: d.call, FollowUp: c.FollowUp, Idempotency: c.Idempotency}
	if d.failed != nil {
		in.Code, in.Message = d.failed.code, d.failed.message
	}
	r, err := d.h.ask(ctx, &command{id: c.SessionID, inputs: []session.Input{in}, result: d.call.CallID})
	if err != nil {
		return ToolAnswer{}, err
	}
	return d.answer(agent.Result{Output: r.result.Output, IsError: r.result.IsError, Code: r.result.Code}, r.result.Stubbed, r.took, r.position), nil
}

// unbound records the call in the agent's log, then runs it in a folder of its own.
// Once it is recorded, so is how it ended, whoever still waits for it; a person's
// call goes on to its end.
func (d *direct) unbound(ctx context.Context, c *ToolCall) (ToolAnswer, error) {
	if c.admitted {
		d.h.effects.Add(1) // the caller is counted
	} else if err := d.h.enter(); err != nil {
		return ToolAnswer{}, err
	}
	defer d.h.effects.Done()
	d.h.busy.Add(1)
	defer d.h.busy.Add(-1)
	caller := ctx
	ctx = context.WithoutCancel(ctx)
	if d.call.Effect == agent.EffectWrite {
		dir, remove, err := d.h.storage.temporary(d.job, d.call.CallID)
		if err != nil {
			return ToolAnswer{}, err
		}
		defer remove()
		d.job.dir = dir
	}
	called := &events.ToolCalled{CallID: d.call.CallID, ToolName: d.call.ToolName, Args: c.Input, Effect: d.call.Effect, Idempotent: d.call.Idempotent, Principal: c.Principal, Idempotency: c.Idempotency}
	began, err := d.job.agent.log.begin(ctx, called)
	if err != nil {
		return ToolAnswer{}, refusal(err)
	}
	done := d.runFor(c, caller)
	if d.h.life.Err() != nil { // cut off: the next start closes it
		return ToolAnswer{}, ErrDraining
	}
	out := &events.ToolResult{CallID: d.call.CallID, ToolName: d.call.ToolName, Output: done.Output, IsError: done.IsError, Code: done.Code}
	ended, err := d.job.agent.log.end(ctx, out)
	if err != nil {
		return ToolAnswer{}, refusal(err)
	}
	return d.answer(agent.Result{Output: done.Output, IsError: done.IsError, Code: done.Code}, false, ended.when.Sub(began.when), ended.at.Position), nil
}

// runFor runs the call; a model's ends with its context, as a turn's call does.
func (d *direct) runFor(c *ToolCall, caller context.Context) *session.ToolDone {
	if !c.Model {
		return d.run(context.WithoutCancel(caller))
	}
	done := d.run(caller)
	if done.IsError && caller.Err() != nil {
		lost := &failure{code: events.CodeCancelled, message: "the caller ended the call"}
		if d.call.Effect == agent.EffectWrite {
			lost = &failure{code: events.CodeOutcomeUnknown, message: "the caller ended the call while it ran: what it did until then is not known"}
		}
		return lost.outcome(d.call.CallID)
	}
	return done
}

// run executes the call on a goroutine that a tool which never ends can keep.
func (d *direct) run(ctx context.Context) *session.ToolDone {
	if d.failed != nil {
		return d.failed.outcome(d.call.CallID)
	}
	out := make(chan *session.ToolDone, 1)
	d.h.effects.Add(1)
	d.job.agent.hold() // as long as it runs, which may be longer than it is waited for
	d.h.spawnEffect(func() {
		defer d.job.agent.release()
		c, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(d.h.life, cancel)
		defer stop()
		out <- d.job.run(c, d.tool, d.job.call(d.tool, d.call.CallID, "", d.args), false)
	}, func(any) {
		out <- (&failure{code: events.CodeToolError, message: "a fault in the tool ended the call"}).outcome(d.call.CallID)
	})
	over := time.NewTimer(timeLimit(d.tool) + overdueGrace)
	defer over.Stop()
	select {
	case done := <-out:
		return done
	case <-over.C:
		return (&failure{code: events.CodeTimeout, message: "the tool did not end at its time limit, nor after it was cancelled"}).outcome(d.call.CallID)
	}
}

func (d *direct) answer(res agent.Result, stubbed bool, took time.Duration, position uint64) ToolAnswer {
	return ToolAnswer{CallID: d.call.CallID, Result: res, Stubbed: stubbed, Duration: took, Position: position, Long: longOf(d.call.CallID, res)}
}
