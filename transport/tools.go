package transport

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

type toolRow struct {
	Name   string `json:"name"`
	Title  string `json:"title,omitempty"`
	Source string `json:"source"`
}

type toolsReply struct {
	OK    bool      `json:"ok"`
	Tools []toolRow `json:"tools"`
	// ConnectionErrors says which connections could not tell their tools.
	ConnectionErrors []actors.ConnectionError `json:"connectionErrors,omitempty"`
}

// tools lists what can be called directly, the tools of connections as they are now. A session or a token binds the list:
// it is checked as a call would check it.
func (c *call) tools() error {
	q := c.query()
	id, hasID := q.text("session")
	token, hasToken := q.text("continuationToken")
	if hasID && hasToken {
		q.note("continuationToken", "excludes session; give one of them")
	}
	if err := q.err(); err != nil {
		return err
	}
	if err := c.bind(id, hasID, token, hasToken); err != nil {
		return err
	}
	reply := toolsReply{OK: true, Tools: []toolRow{}}
	reached, faults := c.h.host.ConnectionTools(c.r.Context(), c.agent.Slug)
	for _, t := range slices.Concat(c.agent.Tools, reached) {
		if isServerTool(t) {
			reply.Tools = append(reply.Tools, toolRow{Name: t.Name, Title: t.Title, Source: t.Source})
		}
	}
	reply.ConnectionErrors = faults
	return c.reply(http.StatusOK, reply)
}

func isServerTool(t *agent.Tool) bool { return t.Execution != agent.ExecutionAgent }

// toolNames lists what can be called directly of the project itself.
func toolNames(a *agent.Agent) []string {
	names := []string{}
	for _, t := range a.Tools {
		if isServerTool(t) {
			names = append(names, t.Name)
		}
	}
	return names
}

type toolReply struct {
	OK   bool     `json:"ok"`
	Tool ToolInfo `json:"tool"`
}

// tool describes one tool.
func (c *call) tool() error {
	return c.reply(http.StatusOK, toolReply{OK: true, Tool: DescribeTool(c.called)})
}

// named gives the caller's session that an id or a token names, empty when there is
// neither, and the number in the token.
func (c *call) named(id string, hasID bool, token string, hasToken bool) (session string, n *int, err error) {
	switch {
	case hasToken:
		var number int
		var ok bool
		if id, number, ok = c.h.host.ReadToken(token); !ok {
			return "", nil, actors.ErrStaleToken
		}
		n = &number
	case !hasID:
		return "", nil, nil
	}
	s, err := c.owned(id)
	return s.ID, n, err
}

// bind is named for a route that changes nothing: a token must be the newest.
func (c *call) bind(id string, hasID bool, token string, hasToken bool) error {
	session, n, err := c.named(id, hasID, token, hasToken)
	if err != nil || n == nil {
		return err
	}
	newest, err := c.followUps(session)
	if err == nil && newest != *n {
		err = actors.ErrStaleToken
	}
	return err
}

type callReply struct {
	OK         bool            `json:"ok"`
	ToolName   string          `json:"toolName"`
	CallID     string          `json:"callId"`
	IsError    bool            `json:"isError"`
	Result     json.RawMessage `json:"result,omitempty"`
	Message    string          `json:"message,omitempty"`
	Code       string          `json:"code,omitempty"`
	Stubbed    bool            `json:"stubbed,omitempty"`
	DurationMs int64           `json:"durationMs"`
}

// callTool runs a tool without a model. What goes wrong inside the tool is no
// error of the request.
func (c *call) callTool() error {
	in, err := c.newToolCall()
	if err != nil {
		return err
	}
	c.about.note(in.SessionID, "")
	a, err := c.h.host.CallTool(c.r.Context(), in)
	if err != nil {
		return err
	}
	c.wrote(a.Position)
	reply := callReply{OK: true, ToolName: in.Name, CallID: a.CallID, IsError: a.Result.IsError, Code: a.Result.Code,
		Stubbed: a.Stubbed, DurationMs: a.Duration.Milliseconds()}
	if a.Result.IsError {
		reply.Message = messageOf(a.Result.Output)
	} else {
		reply.Result = a.Result.Output
	}
	return c.reply(http.StatusOK, reply)
}

// newToolCall reads the body of a direct call. The input stays as it was sent.
func (c *call) newToolCall() (actors.ToolCall, error) {
	in := actors.ToolCall{Agent: c.agent.Slug, Name: c.called.Name, Principal: c.principal, Input: json.RawMessage("{}")}
	f, body, err := c.readForm("input", "sessionId", "continuationToken")
	if err != nil {
		return in, err
	}
	id, hasID := f.identifier("sessionId")
	token, hasToken := f.identifier("continuationToken")
	if err := f.err(); err != nil {
		return in, err
	}
	if hasID && hasToken {
		return in, badCall("continuationToken", "excludes sessionId; give one of them")
	}
	if input, ok := f.raw("input"); ok {
		if input[0] != '{' {
			return in, badCall("input", "must be an object")
		}
		in.Input = input
	}
	if in.Idempotency, err = c.idempotency(body); err != nil {
		return in, err
	}
	in.SessionID, in.FollowUp, err = c.named(id, hasID, token, hasToken)
	return in, err
}

// badCall refuses a direct call for what is wrong beside the tool's own schema.
func badCall(path, message string) error {
	var f faultList
	f.note(path, message)
	return f.problem("invalid_input")
}

// messageOf reads the message of an error result, which is a JSON string.
func messageOf(output json.RawMessage) string {
	var s string
	if json.Unmarshal(output, &s) != nil {
		return string(output)
	}
	return s
}
