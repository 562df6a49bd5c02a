package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

type findInput struct {
	Query string `json:"query"`
	Since string `json:"since,omitempty"`
	Extra any    `json:"extra,omitempty"`
	Limit int8   `json:"limit,omitempty"`
}

func find(context.Context, findInput, *agent.Call) (any, error) { return "found <1> & more", nil }

func newFind(t *testing.T, o *agent.ToolOptions[findInput]) *agent.Tool {
	t.Helper()
	tool, err := agent.NewTool("find", "Finds things.", find, o)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func TestNewTool_DefaultsOfTheContract(t *testing.T) {
	t.Parallel()
	// `"server"` (default) · `"read"` (default) · `timeoutMs` default 120,000
	tool := newFind(t, nil)
	if tool.Execution != "server" || tool.Effect != "read" || tool.NeedsApproval != "false" ||
		tool.Timeout != agent.DefaultTimeout || tool.Source != "project" || tool.OutputSchema != nil || tool.DryRun != nil {
		t.Errorf("got %+v", tool)
	}
	p, err := tool.Prepare(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"x"}`)})
	if err != nil || p.Effect != events.EffectRead || p.NeedsApproval || string(p.Input) != `{"query":"x"}` {
		t.Errorf("got %+v, %v", p, err)
	}
	r, err := tool.Execute(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"x"}`)})
	if err != nil || string(r.Output) != `"found <1> & more"` {
		t.Errorf("got %s, %v", r.Output, err)
	}
}

// "Arguments are parsed strictly: empty text means {}; anything that … does not
// fit, gives an error result with the path and the reason"
func TestNewTool_ArgumentsAreParsedStrictly(t *testing.T) {
	t.Parallel()
	tool := newFind(t, nil)
	for args, want := range map[string]string{
		``:                            "query: is required",
		` `:                           "query: is required",
		`null`:                        "must be an object, not null",
		`[]`:                          "must be an object, not an array",
		`{"query":"a"`:                "is not valid JSON",
		`{"query":"a","QUERY":"b"}`:   "QUERY: is not a known property",
		`{"query":"a","query":"b"}`:   `names "query" twice`,
		`{"query":5}`:                 "query: must be a string, not a number",
		`{"query":"a","limit":1000}`:  "limit: must be at most 127",
		`{"query":"a","limit":1.0e0}`: "limit: number 1.0e0 does not fit int8",
	} {
		_, err := tool.Prepare(t.Context(), &agent.Call{Args: json.RawMessage(args)})
		var invalid *agent.InputError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
		if _, err := tool.Execute(t.Context(), &agent.Call{Args: json.RawMessage(args)}); !errors.As(err, &invalid) {
			t.Errorf("%s: Execute ran: %v", args, err)
		}
	}
	nothing, err := agent.NewTool("ping", "Pings.", func(context.Context, struct{}, *agent.Call) (string, error) { return "pong", nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := nothing.Execute(t.Context(), &agent.Call{}); err != nil || string(r.Output) != `"pong"` {
		t.Errorf("a tool without input: %s, %v", r.Output, err)
	}
}

// "Big integers keep their digits; NaN and Infinity become an error result"
func TestNewTool_Numbers(t *testing.T) {
	t.Parallel()
	echo, err := agent.NewTool("echo", "Echoes.", func(_ context.Context, in findInput, _ *agent.Call) (any, error) { return in.Extra, nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := echo.Execute(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"","extra":{"n":9007199254740993,"e":1e400}}`)})
	if err != nil || string(r.Output) != `{"e":1e400,"n":9007199254740993}` {
		t.Errorf("got %s, %v", r.Output, err)
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		bad, err := agent.NewTool("bad", "Divides.", func(context.Context, struct{}, *agent.Call) (map[string]float64, error) {
			return map[string]float64{"n": f}, nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := bad.Execute(t.Context(), &agent.Call{}); err == nil || !strings.Contains(err.Error(), "JSON cannot say") {
			t.Errorf("%v: got %s, %v", f, r.Output, err)
		}
	}
}

// "asked with the parsed input of each call; … one that throws counts as write" and
// "one that throws counts as true"
func TestNewTool_FunctionsThatDecide(t *testing.T) {
	t.Parallel()
	tool := newFind(t, &agent.ToolOptions[findInput]{
		EffectOf: func(in findInput) string {
			if in.Query == "panic" {
				panic("no")
			}
			return in.Query
		},
		NeedsApprovalOf: func(_ context.Context, in findInput, _ *agent.Call) bool {
			if in.Query == "panic" {
				panic("no")
			}
			return in.Query == "write"
		},
		DryRun: func(_ context.Context, in findInput, _ *agent.Call) (any, error) { return in, nil },
	})
	if tool.Effect != agent.EffectDynamic || tool.NeedsApproval != agent.ApprovalDynamic {
		t.Errorf("got %s, %s", tool.Effect, tool.NeedsApproval)
	}
	for query, want := range map[string]agent.Prepared{
		"read":  {Effect: "read"},
		"write": {Effect: "write", NeedsApproval: true},
		"other": {Effect: "write"},
		"panic": {Effect: "write", NeedsApproval: true},
	} {
		got, err := tool.Prepare(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"` + query + `"}`)})
		if err != nil || got.Effect != want.Effect || got.NeedsApproval != want.NeedsApproval {
			t.Errorf("%s: got %+v, %v", query, got, err)
		}
	}
	out, err := tool.DryRun(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"q"}`)})
	if err != nil || string(out) != `{"query":"q"}` {
		t.Errorf("dry run: %s, %v", out, err)
	}
}

// "a result that does not fit is an error result"
func TestNewTool_OutputSchema(t *testing.T) {
	t.Parallel()
	tool := newFind(t, &agent.ToolOptions[findInput]{OutputSchema: json.RawMessage(`{"type":"object"}`)})
	r, err := tool.Execute(t.Context(), &agent.Call{Args: json.RawMessage(`{"query":"x"}`)})
	if err != nil || !r.IsError || r.Code != events.CodeInvalidOutput || !strings.Contains(string(r.Output), "must be an object, not a string") {
		t.Errorf("got %+v (%s), %v", r, r.Output, err)
	}
}

func TestNewTool_FaultsAreSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, err := agent.NewTool("a__b", "", find, &agent.ToolOptions[findInput]{Effect: "delete", Timeout: -1, TimeArguments: []string{"when"}})
	for _, want := range []string{`tool "a__b"`, "two underscores", "must be read or write", "negative", `time argument "when"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for given, want := range map[string]string{"{": `tool "find": input: the schema that was given is not JSON`, `{"type":"string"}`: `the schema that was given describes no object`} {
		if _, err := agent.NewTool("find", "d", find, &agent.ToolOptions[findInput]{InputSchema: json.RawMessage(given)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the schema %s gives %v", given, err)
		}
	}
	if _, err := agent.NewTool("n", "d", func(context.Context, int, *agent.Call) (int, error) { return 0, nil }, nil); err == nil {
		t.Error("a tool took a number as its input")
	}
	free, err := agent.NewTool("free", "d", func(_ context.Context, in map[string]any, _ *agent.Call) (any, error) { return in, nil }, nil)
	if err != nil || !strings.Contains(string(free.InputSchema), `"type":"object"`) {
		t.Errorf("a map as input: %v", err)
	}
	if _, err := agent.NewTool("find", "d", find, &agent.ToolOptions[findInput]{TimeArguments: []string{"since", "extra.at"}}); err != nil {
		t.Error(err)
	}
}
