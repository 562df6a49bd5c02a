package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// Tools of /v1/mcp.
const (
	askName   = "ask"
	checkName = "check"
	callName  = "call_tool"
)

const (
	// defaultAskWait and maxAskWait are seconds. Many clients give up on an answer after
	// 60, and would not learn the session's id: where nobody says how long to wait, the
	// answer comes askMargin before that.
	defaultAskWait = 60
	askMargin      = 5
	maxAskWait     = 600
)

var (
	waitSchema = fmt.Sprintf(`"waitSeconds":{"type":"number","minimum":0,"maximum":%d,"default":%d,"description":"How long to wait for the turn to end. Where it is left out the answer comes a little earlier, before clients give up."}`, maxAskWait, defaultAskWait)
	askSchema  = json.RawMessage(`{"type":"object","properties":{` +
		`"message":{"type":"string","minLength":1,"description":"What to say to the agent."},` +
		`"sessionId":{"type":"string","description":"A session of yours to go on with. Without it a new one begins."},` +
		`"title":{"type":"string","description":"A title for a new session."},` + waitSchema +
		`},"required":["message"],"additionalProperties":false}`)
	checkSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"sessionId":{"type":"string","description":"A session of yours."},` + waitSchema +
		`},"required":["sessionId"],"additionalProperties":false}`)
	askReplySchema = json.RawMessage(`{"type":"object","properties":{` +
		`"status":{"type":"string","enum":["finished","running","parked","failed","cancelled"],"description":"running: check again. parked: a person must decide on a tool call."},` +
		`"sessionId":{"type":"string"},` +
		`"continuationToken":{"type":"string","description":"For a follow-up over HTTP."},` +
		`"reply":{"type":"string","description":"What the agent said, once it has finished."},` +
		`"errorMessage":{"type":"string","description":"Why there is no reply."}` +
		`},"required":["status","sessionId","continuationToken"],"additionalProperties":false}`)
	callSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"name":{"type":"string","description":"A tool of the agent."},` +
		`"input":{"type":"object","description":"Its input.","default":{}}` +
		`},"required":["name"],"additionalProperties":false}`)
)

// addChatTools gives a server what /v1/mcp offers.
func addChatTools(s *mcp.Server, a *agent.Agent) {
	s.AddTool(&mcp.Tool{
		Name: askName, Title: "Ask " + nameOf(a), InputSchema: askSchema, OutputSchema: askReplySchema,
		Description: about("Sends a message to the agent and waits for its reply. On a session that is busy the message waits its turn.", a.Description),
	}, mcpTool(ask).serve)
	s.AddTool(&mcp.Tool{
		Name: checkName, Title: "Check on " + nameOf(a), InputSchema: checkSchema, OutputSchema: askReplySchema,
		Description: "Says how far the newest turn of a session has come, and waits for its end.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
	}, mcpTool(check).serve)
	if names := toolNames(a); len(names) > 0 {
		s.AddTool(&mcp.Tool{
			Name: callName, Title: "Call a tool of " + nameOf(a), InputSchema: callSchema,
			Description: "Calls a tool of the agent without its model. The tools, with their schemas, are listed at /v1/mcp/tools: " + listed(names) + ".",
		}, mcpTool(callByName).serve)
	}
}

// about joins what a tool does with what its agent is.
func about(does, description string) string {
	if description == "" {
		return does
	}
	return does + " The agent: " + description
}

// listed names some tools.
func listed(names []string) string {
	const most = 50
	text := ""
	for i, n := range names {
		switch {
		case i == most:
			return text + ", …"
		case i > 0:
			text += ", "
		}
		text += n
	}
	return text
}

// arguments reads those of a call, which may have the given keys and no other. A null
// is what models write where they leave something out.
func (q *mcpRequest) arguments(r *mcp.CallToolRequest, keys ...string) (*form, error) {
	f, err := q.newForm(r.Params.Arguments, keys...)
	if err != nil {
		return nil, err
	}
	f.members = slices.DeleteFunc(f.members, func(m member) bool { return string(m.value) == "null" })
	return f, nil
}

// ask sends a message and waits for the reply.
func ask(ctx context.Context, q *mcpRequest, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	f, err := q.arguments(r, "message", "sessionId", "title", "waitSeconds")
	if err != nil {
		return nil, err
	}
	a := actors.Ask{Agent: q.agent.Slug, Principal: q.principal, Operator: q.operator}
	a.Message, a.Title, a.Wait = f.message(), f.title(), f.wait()
	a.SessionID, _ = f.identifier("sessionId")
	if _, ok := f.raw("sessionId"); ok && a.SessionID == "" {
		f.note("sessionId", "must not be empty; leave it out for a new session")
	}
	if _, ok := f.raw("title"); ok && a.SessionID != "" {
		f.note("title", "is for a new session; leave it out, or sessionId")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	p := q.newProgress(r)
	defer p.stop()
	a.Accepted = func(sent actors.Accepted) {
		q.wrote(sent.Position)
		q.about.note(sent.SessionID, "")
		p.start(ctx, sent.SessionID, sent.TurnID, sent.Index)
	}
	reply, err := q.h.host.Ask(ctx, a)
	if err != nil {
		return nil, err
	}
	p.drain(ctx)
	return structured(reply)
}

// check says how far a session's newest turn has come.
func check(ctx context.Context, q *mcpRequest, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	f, err := q.arguments(r, "sessionId", "waitSeconds")
	if err != nil {
		return nil, err
	}
	f.required("sessionId")
	id, _ := f.identifier("sessionId")
	wait := f.wait()
	if err := f.err(); err != nil {
		return nil, err
	}
	if _, err := q.owned(id); err != nil {
		return nil, err
	}
	q.about.note(id, "")
	p := q.newProgress(r)
	defer p.stop()
	head, err := q.h.journal.Head(id)
	if err != nil {
		return nil, err
	}
	p.start(ctx, id, "", head)
	reply, err := q.h.host.Check(ctx, actors.Check{Agent: q.agent.Slug, SessionID: id, Principal: q.principal, Operator: q.operator, Wait: wait})
	if err != nil {
		return nil, err
	}
	p.drain(ctx)
	return structured(reply)
}

// wait reads waitSeconds.
func (f *form) wait() time.Duration {
	v, ok := f.raw("waitSeconds")
	if !ok {
		return (defaultAskWait - askMargin) * time.Second
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || n < 0 || n > maxAskWait {
		f.note("waitSeconds", fmt.Sprintf("must be a number from 0 to %d", maxAskWait))
		return 0
	}
	return time.Duration(n * float64(time.Second))
}
