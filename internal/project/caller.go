package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/schema"
	"github.com/gobdk/bdk/internal/script"
)

// A caller runs the functions of one tool.
type caller struct {
	runtime *script.Runtime
	module  string
	// input and output check plain JSON Schemas; nil where the runtime checks, or
	// nothing is to be checked.
	input, output *schema.Schema
	// effect and approval are those of the tool when they are the same for each call.
	effect   string
	approval string
	// apart runs the tool in a process of its own; nil: it runs in the VM.
	apart *apart
}

// bind gives a tool its functions.
func (c *caller) bind(t *agent.Tool, dryRun bool) {
	c.effect, c.approval = t.Effect, t.NeedsApproval
	t.Prepare = c.prepare
	t.Execute = c.execute
	if dryRun {
		t.DryRun = c.dryRun
	}
}

// prepare checks the input and asks what holds for it. Where the schema is plain
// and nothing depends on the input, no TypeScript runs.
func (c *caller) prepare(ctx context.Context, call *agent.Call) (agent.Prepared, error) {
	if c.input != nil {
		args := call.Args
		if len(bytes.TrimSpace(args)) == 0 {
			args = json.RawMessage("{}")
		}
		if err := script.CheckNumbers(args); err != nil {
			return agent.Prepared{}, err
		}
		if found := c.input.Validate(args); len(found) > 0 {
			return agent.Prepared{}, inputError(found)
		}
		if c.effect != agent.EffectDynamic && c.approval != agent.ApprovalDynamic {
			return agent.Prepared{Input: args, Effect: c.effect, NeedsApproval: c.approval == agent.ApprovalAlways}, nil
		}
	}
	raw, err := c.runtime.CallTool(ctx, c.module, script.OpPrepare, call)
	if err != nil {
		return agent.Prepared{}, err
	}
	var p struct {
		Input         json.RawMessage `json:"input"`
		Effect        string          `json:"effect"`
		NeedsApproval bool            `json:"needsApproval"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return agent.Prepared{}, fmt.Errorf("preparing %s: %w", c.module, err)
	}
	return agent.Prepared{Input: p.Input, Effect: p.Effect, NeedsApproval: p.NeedsApproval}, nil
}

// execute runs the tool. What it throws is the error, as it comes.
func (c *caller) execute(ctx context.Context, call *agent.Call) (agent.Result, error) {
	if c.apart != nil {
		return c.executeApart(ctx, call)
	}
	raw, err := c.runtime.CallTool(ctx, c.module, script.OpExecute, call)
	var thrown *script.Error
	if errors.As(err, &thrown) && thrown.Code == script.CodeInvalidOutput {
		return failed(thrown.Message, events.CodeInvalidOutput), nil
	}
	if err != nil {
		return agent.Result{}, err
	}
	return c.result(raw), nil
}

// result makes a result of what the tool returned.
func (c *caller) result(raw json.RawMessage) agent.Result {
	if script.IsErrorResult(raw) {
		return failed(envelopeText(raw), events.CodeToolError)
	}
	if value, ok := structured(raw); ok {
		return c.checkOutput(raw, value)
	}
	return c.checkOutput(raw, raw)
}

// checkOutput holds the value of a result against the output schema.
func (c *caller) checkOutput(output, value json.RawMessage) agent.Result {
	if c.output == nil {
		return agent.Result{Output: output}
	}
	if value == nil {
		return failed("the result has no structuredContent, which the tool's outputSchema asks for", events.CodeInvalidOutput)
	}
	if found := c.output.Validate(value); len(found) > 0 {
		return failed("the tool's result does not fit its output schema: "+issueText(found), events.CodeInvalidOutput)
	}
	return agent.Result{Output: output}
}

func (c *caller) dryRun(ctx context.Context, call *agent.Call) (json.RawMessage, error) {
	return c.runtime.CallTool(ctx, c.module, script.OpDryRun, call)
}

// failed is an error result with its message.
func failed(message, code string) agent.Result {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		panic(fmt.Sprintf("a string is always JSON: %v", err))
	}
	return agent.Result{Output: bytes.TrimSpace(b.Bytes()), IsError: true, Code: code}
}

func inputError(found []schema.Issue) *agent.InputError {
	e := &agent.InputError{Issues: make([]agent.Issue, len(found))}
	for i, is := range found {
		e.Issues[i] = agent.Issue(is)
	}
	return e
}

// issueText lists issues in one line.
func issueText(found []schema.Issue) string {
	parts := make([]string, len(found))
	for i, is := range found {
		parts[i] = strings.TrimPrefix(is.Path+": "+is.Message, ": ")
	}
	return strings.Join(parts, "; ")
}
