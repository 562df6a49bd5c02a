package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// errChanged is told where a tool is no longer what was approved.
var errChanged = errors.New("the definition of this tool has changed since the call was approved, so it did not run: call it again, and it is asked for again")

// check takes arguments that fit a tool's schema; nothing stands for none.
func (p *Pool) check(t *Tool, args json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if !isObject(args) {
		return nil, invalid("", "it is not an object")
	}
	if t.input == nil {
		return args, nil
	}
	found := t.input.Validate(args)
	if len(found) == 0 {
		return args, nil
	}
	e := &agent.InputError{}
	for _, is := range found {
		e.Issues = append(e.Issues, agent.Issue(is))
	}
	return nil, e
}

// Prepare checks the arguments of a call and says what holds for it.
func (p *Pool) Prepare(t *Tool, c *agent.Call, args json.RawMessage) (agent.Prepared, error) {
	args, err := p.check(t, args)
	if err == nil && t.NeedsApproval && c.ID != "" {
		err = p.pinCall(c.ID, t)
	}
	if err != nil {
		return agent.Prepared{}, err
	}
	return agent.Prepared{Input: args, Effect: t.Effect, NeedsApproval: t.NeedsApproval}, nil
}

// Run calls a tool for a session. What needs an approval runs only as it was when
// it was approved.
func (p *Pool) Run(ctx context.Context, t *Tool, c *agent.Call, args json.RawMessage) (agent.Result, error) {
	if t.NeedsApproval && c.ID != "" {
		if err := p.unchanged(ctx, t, c.ID); err != nil {
			return agent.Result{}, err
		}
	}
	raw, err := p.call(ctx, t, Caller{Principal: c.Session.Auth, Session: c.Session.ID, Turn: c.TurnID}, args)
	if err != nil {
		return agent.Result{}, err
	}
	return resultOf(raw), nil
}

func (p *Pool) unchanged(ctx context.Context, t *Tool, callID string) error {
	c, err := p.client(t.Connection)
	if err != nil {
		return err
	}
	all, err := c.newest(ctx)
	if err != nil {
		return err
	}
	for _, now := range all {
		if now.Remote != t.Remote {
			continue
		}
		same, err := p.takeCall(callID, now)
		if err == nil && !same {
			err = errChanged
		}
		return err
	}
	return errors.New("the server has this tool no longer")
}

func (p *Pool) call(ctx context.Context, t *Tool, who Caller, args json.RawMessage) ([]byte, error) {
	c, err := p.client(t.Connection)
	if err != nil {
		return nil, err
	}
	raw, err := c.use(ctx, func(ctx context.Context, l line) ([]byte, error) { return l.call(ctx, who, t.Remote, args) })
	if errors.Is(err, errDuring) {
		return nil, &Error{Connection: t.Connection, Reason: "it was lost during the call, so nobody knows whether the tool ran", cause: err}
	}
	return raw, err
}

// resultOf makes a tool's result of the protocol's: a failure is its text.
func resultOf(raw []byte) agent.Result {
	var r struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if json.Unmarshal(raw, &r) != nil || !r.IsError {
		return agent.Result{Output: raw}
	}
	var texts []string
	for _, part := range r.Content {
		if part.Type == "text" && part.Text != "" {
			texts = append(texts, part.Text)
		}
	}
	if len(texts) == 0 {
		texts = []string{"the tool failed and did not say why"}
	}
	return agent.Result{Output: encode(strings.Join(texts, "\n")), IsError: true, Code: events.CodeToolError}
}
