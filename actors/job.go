package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/mcp"
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
	// hook is the one that the job is for; empty for everything else.
	hook string
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
	return j.callIn("", t, id, turn, args)
}

// callIn is call for one that is part of a subagent's work, whose call is parent.
func (j *job) callIn(parent string, t *agent.Tool, id, turn string, args json.RawMessage) *agent.Call {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	c := j.callFor(turn)
	c.ID, c.Tool, c.Args, c.ParentCallID = id, t.Name, args, parent
	c.Artifacts = j.artifacts(turn, id, parent, "")
	c.Reminders = j.remindersOf(turn, id, parent)
	c.Log = c.Log.With().Str("call", id).Str("tool", t.Name).Logger()
	return c
}

// hookCall describes what a hook may use. What it tags is known to be its own.
func (j *job) hookCall(hook, turn string) *agent.Call {
	own := *j
	own.hook = hook
	c := own.callFor(turn)
	c.Log = c.Log.With().Str("hook", hook).Logger()
	return c
}

// callFor describes what a function of the author's may use, whatever calls it.
func (j *job) callFor(turn string) *agent.Call {
	now := j.h.now
	if asOf := j.start.AsOf; asOf != nil {
		now = func() time.Time { return *asOf }
	}
	c := &agent.Call{
		TurnID: turn, Agent: j.agent.Name, Now: now,
		Session: agent.Session{
			ID: j.info.ID, ChannelID: j.info.ChannelID, Mode: j.info.Mode, Purpose: j.info.Purpose,
			DryRun: j.info.DryRun, Title: j.title, Auth: j.info.Owner,
		},
		Channel:   agent.ChannelRef{ID: j.info.ChannelID, ContinuationToken: j.token()},
		Workspace: j.workspace, UserFolder: j.userDir() != "",
		KV: j.agent.kv, Files: j.agent.files, StateRoot: j.h.storage.root,
		GitHub: j.agent.GitHub, Slack: j.agent.Slack,
		Artifacts: j.artifacts(turn, "", "", j.hook), Reminders: j.remindersOf(turn, "", ""),
		Log: j.h.o.Logger.With().Str("agent", j.agent.Slug).Str("session", j.info.ID).Logger(),
	}
	if !j.unbound {
		c.History = j.history
	}
	if turn != "" {
		c.RunScript = j.runScript
	}
	c.MCP = j.agent.connections.For(mcp.Caller{Principal: j.info.Owner, Session: j.info.ID, Turn: turn})
	c.Telemetry = j.h.o.Telemetry.For(j.agent.Slug, c.Session)
	return c
}

// token names the conversation to whoever wants to go on with it: the channel's own
// where there is one, else the newest HTTP token; empty where no follow-up is taken.
func (j *job) token() string {
	n := int64(-1)
	if j.info.followUps != nil {
		n = j.info.followUps.Load()
	}
	switch {
	case n < 0:
		return ""
	case j.channelToken() != "":
		return j.channelToken()
	}
	return j.h.tokens.mint(j.info.ID, int(n))
}

// channelToken is the channel's own name for the conversation; empty where it has none.
func (j *job) channelToken() string {
	if j.info.place != nil {
		if at := j.info.place.Load(); at != nil && at.token != "" {
			return at.token
		}
	}
	return j.start.ContinuationToken
}

// history reads the session's log from an index to its end.
func (j *job) history(from uint64) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for {
			lines, err := j.h.journal.ReadSome(j.info.ID, from, math.MaxUint64)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(lines) == 0 {
				return
			}
			for i := range lines {
				if e, err := events.Decode(lines[i].Data); !yield(e, err) || err != nil {
					return
				}
			}
			from += uint64(len(lines))
		}
	}
}

// A failure is why a call has an error result.
type failure struct {
	code, message string
	input         *agent.InputError // what does not fit, where that is why
	lacks         *agent.Connection // what somebody must authorize, where that is why
}

func (f *failure) outcome(callID string) *session.ToolDone {
	return &session.ToolDone{CallID: callID, Output: jsonString(f.message), IsError: true, Code: f.code}
}

// jsonString keeps <, > and & as they are: models read it.
func jsonString(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
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
		return got, &failure{code: events.CodeToolError, message: err.Error(), lacks: j.agent.lacks(t, err)}
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
	done, _ := j.try(ctx, t, c, stub)
	return done
}

// try is run that says which connection somebody must authorize before the call can
// begin; nil: it has begun.
func (j *job) try(ctx context.Context, t *agent.Tool, c *agent.Call, stub bool) (*session.ToolDone, *agent.Connection) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit(t))
	defer cancel()
	switch {
	case j.stubbed(t.Name):
		return j.runStub(ctx, t, c), nil
	case stub:
		return j.stub(ctx, t, c), nil
	}
	if inWorkspace(t) {
		leave, err := j.h.benches.enter(ctx, j.h.o.Clock, j.info.ID, c.TurnID)
		if err != nil {
			return j.failed(ctx, c.ID, err), nil
		}
		defer leave()
	}
	res, err := t.Execute(ctx, c)
	return j.ended(ctx, t, c, res, err)
}

// ended is what try gives of a call that was executed.
func (j *job) ended(ctx context.Context, t *agent.Tool, c *agent.Call, res agent.Result, err error) (*session.ToolDone, *agent.Connection) {
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return overtime(t).outcome(c.ID), nil
	case err != nil:
		return j.failed(ctx, c.ID, err), j.agent.lacks(t, err)
	}
	return j.finished(ctx, c.ID, res), nil
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
