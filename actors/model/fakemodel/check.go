package fakemodel

import (
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"
)

var functionName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// known are the fields that a request may have.
var known = map[string]bool{
	"model": true, "messages": true, "stream": true, "stream_options": true, "tools": true, "tool_choice": true,
	"temperature": true, "top_p": true, "max_tokens": true, "max_completion_tokens": true, "reasoning_effort": true,
	"frequency_penalty": true, "presence_penalty": true, "seed": true, "stop": true, "parallel_tool_calls": true,
	"service_tier": true, "verbosity": true, "user": true, "n": true, "prompt_cache_key": true,
}

type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Messages []message         `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
}

type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Check gives what a strict provider refuses in the body of a request.
func Check(body []byte) []string {
	if !utf8.Valid(body) {
		return []string{"the body is not valid UTF-8"}
	}
	var fields map[string]json.RawMessage
	var r request
	if err := json.Unmarshal(body, &fields); err != nil {
		return []string{"the body is no JSON object: " + err.Error()}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return []string{"the body has a field of a wrong type: " + err.Error()}
	}
	var c checker
	for name := range fields {
		c.want(known[name], "unrecognized request argument: %s", name)
	}
	c.want(r.Model != "", "the model is missing")
	c.want(r.Stream, "stream is not true")
	c.want(len(r.Messages) > 0, "there are no messages")
	c.messages(r.Messages)
	c.tools(r.Tools)
	return c.faults
}

type checker struct{ faults []string }

func (c *checker) want(ok bool, format string, a ...any) {
	if !ok {
		c.faults = append(c.faults, fmt.Sprintf(format, a...))
	}
}

// messages: each call has its result right after, and nothing else has one.
func (c *checker) messages(list []message) {
	var open map[string]bool // calls of the newest assistant message that wait for a result
	for i, m := range list {
		if m.Role != "tool" {
			c.want(len(open) == 0, "messages[%d]: calls of the assistant message before have no result", i)
			open = nil
		}
		switch m.Role {
		case "system", "developer":
			c.want(i == 0, "messages[%d]: a %s message is not the first", i, m.Role)
			c.want(m.Content != nil, "messages[%d]: content is missing", i)
		case "user":
			c.want(m.Content != nil, "messages[%d]: content is missing", i)
		case "assistant":
			c.want(m.Content != nil || len(m.ToolCalls) > 0, "messages[%d]: an assistant message has neither content nor calls", i)
			open = c.calls(i, m.ToolCalls)
		case "tool":
			c.want(open[m.ToolCallID], "messages[%d]: the result %q answers no open call", i, m.ToolCallID)
			c.want(m.Content != nil, "messages[%d]: content is missing", i)
			delete(open, m.ToolCallID)
		default:
			c.want(false, "messages[%d]: unknown role %q", i, m.Role)
		}
	}
	c.want(len(open) == 0, "the calls of the last assistant message have no result")
}

func (c *checker) calls(i int, calls []toolCall) map[string]bool {
	open := map[string]bool{}
	for _, call := range calls {
		c.want(call.ID != "" && len(call.ID) <= 40, "messages[%d]: the id %q of a call is empty or too long", i, call.ID)
		c.want(!open[call.ID], "messages[%d]: two calls have the id %q", i, call.ID)
		c.want(call.Type == "function", "messages[%d]: the type of a call is not function", i)
		c.want(functionName.MatchString(call.Function.Name), "messages[%d]: the name %.100q of a call is not allowed", i, call.Function.Name)
		var args map[string]json.RawMessage
		c.want(json.Unmarshal([]byte(call.Function.Arguments), &args) == nil && args != nil,
			"messages[%d]: the arguments of %s are no JSON object", i, call.Function.Name)
		open[call.ID] = true
	}
	return open
}

func (c *checker) tools(list []json.RawMessage) {
	seen := map[string]bool{}
	for i, raw := range list {
		var t struct {
			Type     string `json:"type"`
			Function struct {
				Name       string `json:"name"`
				Parameters struct {
					Type       string                      `json:"type"`
					Properties *map[string]json.RawMessage `json:"properties"`
				} `json:"parameters"`
			} `json:"function"`
		}
		if err := json.Unmarshal(raw, &t); err != nil {
			c.want(false, "tools[%d]: %v", i, err)
			continue
		}
		f := t.Function
		c.want(t.Type == "function", "tools[%d]: the type is not function", i)
		c.want(functionName.MatchString(f.Name), "tools[%d]: the name %q is not allowed", i, f.Name)
		c.want(!seen[f.Name], "tools[%d]: the name %q is taken", i, f.Name)
		c.want(f.Parameters.Type == "object", "tools[%d]: the parameters are no object schema", i)
		c.want(f.Parameters.Properties != nil, "tools[%d]: the object schema has no properties", i)
		seen[f.Name] = true
	}
}
