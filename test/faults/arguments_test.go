package faults_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobdk/bdk/events"
)

// "Arguments are parsed strictly: empty text means {}; anything that is not an
// object, or does not fit, gives an error result with the path and the reason
// (preview of 1 KiB at most); the tool does not run and the turn goes on."
func TestArguments_WhatModelsSend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, args string
		code       string // empty: it runs
		says       string
	}{
		"cut short":            {"find", `{"query": "a"`, events.CodeInvalidInput, "not JSON: unexpected end of JSON input at byte 13"},
		"single quotes":        {"find", `{'query':1}`, events.CodeInvalidInput, "not JSON: invalid character"},
		"a trailing comma":     {"find", `{"query":"a",}`, events.CodeInvalidInput, "not JSON"},
		"null":                 {"find", `null`, events.CodeInvalidInput, "not a JSON object"},
		"a number":             {"find", `5`, events.CodeInvalidInput, "not a JSON object"},
		"a string":             {"find", `"x"`, events.CodeInvalidInput, "not a JSON object"},
		"an array":             {"find", `[]`, events.CodeInvalidInput, "not a JSON object"},
		"huge garbage":         {"find", strings.Repeat("x", 2<<20), events.CodeInvalidInput, "(2097152 bytes in all)"},
		"nothing, needed":      {"find", ``, events.CodeInvalidInput, "query"},
		"nothing, not needed":  {"ping", ``, "", "pong"},
		"blanks, not needed":   {"ping", `" "`, events.CodeInvalidInput, "not a JSON object"},
		"a wrong type":         {"find", `{"query":5}`, events.CodeInvalidInput, "query: must be a string, not a number"},
		"a property too many":  {"find", `{"query":"a","limit":1}`, events.CodeInvalidInput, "limit"},
		"what fits":            {"find", `{"query":"мир 🙂"}`, "", `{"found":"мир 🙂"}`},
		"an unknown tool":      {"fnd", `{}`, events.CodeUnknownTool, "did you mean find?"},
		"a prototype's name":   {"__proto__", `{}`, events.CodeUnknownTool, "no tool is called"},
		"a constructor's name": {"constructor", `{}`, events.CodeUnknownTool, "no tool is called"},
		"a very long name":     {strings.Repeat("n", 300), `{}`, events.CodeUnknownTool, "no tool is called"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, call(c.tool, c.args)+end)
			log := h.say("go")
			results := of[*events.ActionResult](log)
			if len(results) != 1 {
				t.Fatalf("%d results", len(results))
			}
			r := results[0]
			if r.Code != c.code || r.IsError != (c.code != "") || !strings.Contains(text(r.Output), c.says) || len(r.Output) > 2<<10 {
				t.Errorf("got %s %.500s", r.Code, r.Output)
			}
			if len(of[*events.TurnCompleted](log)) != 1 {
				t.Error("the turn did not go on")
			}
			if asked := of[*events.ActionsRequested](log); c.says == "not JSON" && asked[0].Calls[0].Args != nil {
				t.Errorf("the log has args %s", asked[0].Calls[0].Args)
			}
			h.secondAsked(r)
		})
	}
}

// Arguments of two calls glued into one: "Two calls, or one clear protocol error;
// never a stored blob" (C53).
func TestArguments_TwoObjectsGlued(t *testing.T) {
	t.Parallel()
	h := open(t, call("find", `{"query":"a"}{"query":"b"}`)+end)
	log := h.say("go") // the answer is refused whole, and asked for again
	if len(of[*events.TurnCompleted](log)) != 1 || len(of[*events.ActionsRequested](log)) != 0 || len(h.model.Requests()) != 2 {
		t.Errorf("%d requests: %+v", len(h.model.Requests()), of[*events.TurnFailed](log))
	}
}

// secondAsked holds what the model is told: valid text, its call and the result
// right after. That a strict provider takes it is held by the provider itself.
func (h *house) secondAsked(r *events.ActionResult) {
	h.t.Helper()
	asked := h.model.Requests()
	if len(asked) != 2 || !utf8.Valid(asked[1].Body) || !strings.Contains(string(asked[1].Body), r.CallID) {
		h.t.Errorf("the model was asked %d times: %.300s", len(asked), asked[len(asked)-1].Body)
	}
}

// "callId is ours, unique in the session, whatever the provider sent" (C49)
func TestArguments_CallIDsAreOurs(t *testing.T) {
	t.Parallel()
	two := "call 0 call_1 ping {}\ncall 1 call_1 ping {}\nfinish tool_calls\ndone\n---\n"
	h := open(t, two+call("ping", "{}")+end)
	seen := map[string]bool{}
	for _, a := range of[*events.ActionsRequested](h.say("go")) {
		for _, c := range a.Calls {
			if seen[c.CallID] || c.CallID == "call_1" || !strings.HasPrefix(c.CallID, events.CallPrefix) {
				t.Errorf("the id %q", c.CallID)
			}
			seen[c.CallID] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d calls", len(seen))
	}
}

// "The same failing call five times in a row: turn.failed repeated_failure." A call
// that is another one in between begins the count anew.
func TestArguments_LoopGuard(t *testing.T) {
	t.Parallel()
	h := open(t, call("fail", "{}")) // again and again
	log := h.say("go")
	failed := of[*events.TurnFailed](log)
	if len(failed) != 1 || failed[0].Code != events.FailRepeated || len(of[*events.ActionResult](log)) != 5 {
		t.Errorf("%d results, then %+v", len(of[*events.ActionResult](log)), failed)
	}
	other := strings.Repeat(call("fail", "{}"), 4) + call("ping", "{}") + strings.Repeat(call("fail", "{}"), 4) + end
	log = open(t, other).say("go")
	if len(of[*events.TurnCompleted](log)) != 1 {
		t.Errorf("the turn failed: %+v", of[*events.TurnFailed](log))
	}
}

// "Big integers keep their digits; NaN and Infinity become an error result; text is
// cut on a character, never inside." And of an MCP-shaped result: it is one.
func TestResults_WhatToolsGive(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		code string
		says string
	}{
		"nan":        {events.CodeToolError, "NaN"},
		"infinity":   {events.CodeToolError, "Infinity"},
		"zero":       {"", `{"n":0}`},
		"big":        {"", `{"n":9007199254740993}`},
		"nanText":    {"", `{"n":"NaN"}`},
		"surrogate":  {"", "cut \ufffd"},
		"emoji":      {"", `"truncated":true`},
		"nothing":    {"", "null"},
		"mcp":        {"", `"structuredContent":{"n":1}`},
		"mcpError":   {events.CodeToolError, "the server said no"},
		"throws":     {events.CodeToolError, "this is what went wrong"},
		"throwsText": {events.CodeToolError, "a string was thrown"},
		"rejects":    {events.CodeToolError, "later it went wrong"},
		"marker":     {"", `"type":"turn.completed"`},
		"newline":    {"", "one\n{\"type\":\"turn.completed\"}\u2028two"},
		"cycle":      {events.CodeToolError, ""},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			h := open(t, call("echo", `{"kind":"`+kind+`"}`)+end)
			log := h.say("go")
			r := of[*events.ActionResult](log)[0]
			if r.Code != c.code || !strings.Contains(text(r.Output), c.says) || !utf8.Valid(r.Output) || !json.Valid(r.Output) {
				t.Errorf("got %s %.300s", r.Code, r.Output)
			}
			if strings.Contains(text(r.Output), ".ts:") || strings.Contains(text(r.Output), "    at ") {
				t.Errorf("the result has a stack: %s", r.Output)
			}
			if done := of[*events.TurnCompleted](log); len(done) != 1 || text(done[0].Result) != "Done." {
				t.Errorf("the turn ended with %+v", done)
			}
			h.secondAsked(r)
		})
	}
}
