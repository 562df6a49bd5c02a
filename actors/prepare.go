package actors

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/near"
)

// prepareAll decides all that comes before the run of each call, side by side:
// parse, asOf, effect, approval. The calls keep their order.
func (c *turnChild) prepareAll(calls []model.RequestedCall) []session.Prepared {
	out := make([]session.Prepared, len(calls))
	if len(calls) == 1 {
		out[0] = c.prepare(calls[0])
		return out
	}
	var all sync.WaitGroup
	faults := make([]any, len(calls))
	for i := range calls {
		all.Go(func() {
			defer func() { faults[i] = recover() }()
			out[i] = c.prepare(calls[i])
		})
	}
	all.Wait()
	for _, fault := range faults {
		if fault != nil {
			panic(fault) // for the step's own guard
		}
	}
	return out
}

func (c *turnChild) prepare(rc model.RequestedCall) session.Prepared {
	p := session.Prepared{
		Call:      events.Call{CallID: c.h.newID(events.CallPrefix), ToolName: rc.Name, ParentCallID: c.parent},
		RequestID: c.h.newID(events.RequestPrefix),
	}
	args, err := parseArgs(rc.Args)
	if err == nil {
		p.Call.Args = args
	}
	began := c.h.now()
	t, missing := c.tool(rc.Name)
	switch {
	case t == nil:
		c.absent(&p, missing, err == nil, began)
	case err != nil:
		p.Code, p.Message = events.CodeInvalidInput, err.Error()
	default:
		c.check(t, &p)
	}
	return p
}

// check asks the tool what holds for this call.
func (c *turnChild) check(t *agent.Tool, p *session.Prepared) {
	began := c.h.now()
	call := c.job.callIn(c.parent, t, p.Call.CallID, c.id, p.Call.Args)
	got, failed := c.job.check(c.ctx, t, call)
	if failed != nil && c.askFirst(p, failed.lacks, began) {
		return
	}
	if failed != nil {
		p.Code, p.Message = failed.code, failed.message
		return
	}
	p.Call.Effect, p.Call.Idempotent, p.NeedsApproval = got.Effect, t.Idempotent && got.Effect == agent.EffectWrite, got.NeedsApproval
	if c.job.agent.delegates(t) {
		d := delegation(p.Call.Args)
		p.Delegation = &d
	}
}

// previewBytes is how much of bad arguments an error shows.
const previewBytes = 1 << 10

// parseArgs takes what a model sent as arguments: empty text means {}; anything
// that is no JSON object is an error that says where.
func parseArgs(text string) (json.RawMessage, error) {
	if strings.TrimSpace(text) == "" {
		return json.RawMessage("{}"), nil
	}
	raw := json.RawMessage(text)
	var probe map[string]json.RawMessage
	err := json.Unmarshal(raw, &probe)
	if err == nil && probe != nil {
		return raw, nil
	}
	reason := "they are not a JSON object"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		reason = fmt.Sprintf("they are not JSON: %v at byte %d", syntax, syntax.Offset)
	}
	return nil, fmt.Errorf("the arguments cannot be used: %s. Sent was: %s", reason, preview(text))
}

// preview cuts a text on a character.
func preview(text string) string {
	if len(text) <= previewBytes {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return fmt.Sprintf("%s… (%d bytes in all)", cutEnd(text, previewBytes), len(text))
}

// unknownTool is the message for a name that none of the tools has, with those that come near.
func unknownTool(name string, names []string) string {
	msg := fmt.Sprintf("no tool is called %q", preview(name))
	if meant := near.Names(name, names); len(meant) > 0 {
		return msg + "; did you mean " + strings.Join(meant, " or ") + "?"
	}
	if len(names) == 0 {
		return msg + "; there are no tools"
	}
	return msg + "; there are: " + strings.Join(names, ", ")
}
