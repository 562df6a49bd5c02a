package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A job is what the children of a session need to know of it. It is immutable.
type job struct {
	h     *Host
	agent *agentRuntime
	info  *SessionInfo
	start *events.SessionStarted
	title string
	// unbound marks a direct call without a session; dir is the folder that a write of it gets.
	unbound bool
	dir     string
}

func (a *sessionActor) job() job {
	return job{h: a.h, agent: a.agent, info: a.info, start: a.start, title: a.core.Title}
}

// jobOf is the job of one call, whose agent is held until the call has ended. What
// belongs to no turn is of the newest agent, which prepared it.
func (a *sessionActor) jobOf(turn string) job {
	j := a.job()
	if turn == "" {
		j.agent = a.h.agents.take(j.agent.Slug)
	} else {
		j.agent.hold()
	}
	return j
}

// call describes one call to its tool.
func (j *job) call(t *agent.Tool, id, turn string, args json.RawMessage) *agent.Call {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	now := j.h.now
	if asOf := j.start.AsOf; asOf != nil {
		now = func() time.Time { return *asOf }
	}
	return &agent.Call{
		ID: id, Tool: t.Name, TurnID: turn, Args: args, Agent: j.agent.Name, Now: now,
		Session: agent.Session{
			ID: j.info.ID, ChannelID: j.info.ChannelID, Mode: j.info.Mode, Purpose: j.info.Purpose,
			DryRun: j.info.DryRun, Title: j.title, Auth: j.info.Owner,
		},
		Channel:   agent.Channel{ID: j.info.ChannelID, ContinuationToken: j.start.ContinuationToken},
		Workspace: j.workspace,
		KV:        j.agent.kv, Files: j.agent.files, StateRoot: j.h.storage.root,
		Log: j.h.o.Logger.With().Str("agent", j.agent.Slug).Str("session", j.info.ID).Str("call", id).Str("tool", t.Name).Logger(),
	}
}

func (j *job) workspace() (string, error) {
	switch {
	case j.dir != "":
		return j.dir, nil
	case j.unbound:
		return "", fmt.Errorf("%w: a read call outside of a session has none", ErrWorkspace)
	}
	return j.h.storage.workspace(j)
}

// A failure is why a call has an error result.
type failure struct {
	code, message string
	input         *agent.InputError // what does not fit, where that is why
}

func (f *failure) outcome(callID string) *session.ToolDone {
	return &session.ToolDone{CallID: callID, Output: jsonString(f.message), IsError: true, Code: f.code}
}

func jsonString(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return b
}

// check parses a call's arguments and finds what holds for it, then holds its
// instants against the session's asOf.
func (j *job) check(ctx context.Context, t *agent.Tool, c *agent.Call) (agent.Prepared, *failure) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit(t))
	defer cancel()
	got, err := t.Prepare(ctx, c)
	var bad *agent.InputError
	switch {
	case errors.As(err, &bad):
		return got, &failure{code: events.CodeInvalidInput, message: bad.Error(), input: bad}
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return got, overtime(t)
	case err != nil:
		return got, &failure{code: events.CodeToolError, message: err.Error()}
	}
	if asOf := j.start.AsOf; asOf != nil {
		if msg := checkInstants(t.TimeArguments, got.Input, *asOf); msg != "" {
			return got, &failure{code: events.CodeAsOf, message: msg}
		}
	}
	return got, nil
}

// run executes a call, or answers for it, within the tool's time limit.
func (j *job) run(ctx context.Context, t *agent.Tool, c *agent.Call, stub bool) *session.ToolDone {
	ctx, cancel := context.WithTimeout(ctx, timeLimit(t))
	defer cancel()
	if stub {
		return j.stub(ctx, t, c)
	}
	res, err := t.Execute(ctx, c)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return overtime(t).outcome(c.ID)
	case err != nil:
		return j.failed(ctx, c.ID, err)
	}
	return j.finished(ctx, c.ID, res)
}

func overtime(t *agent.Tool) *failure {
	return &failure{code: events.CodeTimeout, message: fmt.Sprintf("the tool took longer than its limit of %s", timeLimit(t))}
}

func timeLimit(t *agent.Tool) time.Duration {
	if t.Timeout > 0 {
		return t.Timeout
	}
	return agent.DefaultTimeout
}

func (j *job) stub(ctx context.Context, t *agent.Tool, c *agent.Call) *session.ToolDone {
	out := json.RawMessage(`{"stubbed":true}`)
	if t.DryRun != nil {
		var err error
		if out, err = t.DryRun(ctx, c); err != nil {
			return j.failed(ctx, c.ID, err)
		}
	}
	done := j.finished(ctx, c.ID, agent.Result{Output: out})
	done.Stubbed = true
	return done
}

func (j *job) failed(ctx context.Context, callID string, err error) *session.ToolDone {
	code := events.CodeToolError
	var bad *agent.InputError
	if errors.As(err, &bad) {
		code = events.CodeInvalidInput
	}
	return j.finished(ctx, callID, agent.Result{Output: jsonString(err.Error()), IsError: true, Code: code})
}
