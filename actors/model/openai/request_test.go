package openai_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/openai"
	"github.com/gobdk/bdk/events"
)

// sent gives the body that a request becomes, checked as a strict provider does.
func sent(t *testing.T, o *openai.Options, r *model.Request) string {
	t.Helper()
	s, err := fakemodel.New(good, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.HTTPClient = &http.Client{Transport: s.Transport()}
	if o.BaseURL == "" {
		o.BaseURL = "http://fake/v1"
	}
	if _, err := openai.New(o).Stream(t.Context(), r, func(model.Delta) {}); err != nil {
		t.Fatalf("%v: %v", err, s.Faults())
	}
	return string(s.Requests()[0].Body)
}

func TestRequest_Conversation(t *testing.T) {
	t.Parallel()
	r := says("go\xff on")
	r.System = "Be brief."
	r.Tools = []model.Tool{
		{Name: "f", Description: "d", Schema: json.RawMessage(`{"type":"object","properties":{"b":{"minimum":9007199254740993},"a":{}}}`)},
		{Name: "g", Schema: json.RawMessage(` {"type":"object"} `)},
		{Name: "h", Schema: json.RawMessage(`{}`)},
	}
	r.Messages = append(r.Messages,
		model.Message{Role: model.RoleAssistant, Text: "Doing.", Calls: []model.Call{
			{ID: "call_1", Name: "f", Args: json.RawMessage(`{"n":9007199254740993}`)}, {ID: "call_2", Name: "foo bar/баz"}, {ID: "call_3", Name: strings.Repeat("x", 300)}, {ID: "call_4"}}},
		model.Message{Role: model.RoleTool, CallID: "call_1", Output: json.RawMessage(`{"ok":true}`)},
		model.Message{Role: model.RoleTool, CallID: "call_2", Output: json.RawMessage(`"no such tool"`), IsError: true},
		model.Message{Role: model.RoleTool, CallID: "call_3", Output: json.RawMessage(`"plain <text>"`)},
		model.Message{Role: model.RoleTool, CallID: "call_4", Output: json.RawMessage(`null`)},
		model.Message{Role: model.RoleUser, Text: "and?"})
	got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(sent(t, &openai.Options{}, r))
	for _, want := range []string{
		`{"content":"Be brief.","role":"system"}`,
		`"content":"go` + "\uFFFD" + ` on"`,
		`"arguments":"{\"n\":9007199254740993}","name":"f"`,
		`"arguments":"{}","name":"foo_bar___z"`,
		`"name":"` + strings.Repeat("x", 64) + `"`,
		`"content":"{\"ok\":true}"`,
		`"content":"Error: no such tool"`,
		`"content":"plain <text>"`,
		`"content":"null"`,
		`{"name":"f","description":"d","parameters":{"type":"object","properties":{"b":{"minimum":9007199254740993},"a":{}}}}`,
		`{"name":"g","parameters":{"type":"object","properties":{}}}`,
		`{"name":"h","parameters":{"type":"object","properties":{}}}`,
		`"stream_options":{"include_usage":true}`,
		`"stream":true`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// "`params: [{id, value}]`: `effort`, `temperature`, `max_tokens`, `top_p`, `fast`, …"
func TestRequest_Params(t *testing.T) {
	t.Parallel()
	params := map[string]any{"effort": "high", "temperature": "0.5", "max_tokens": 100, "top_p": json.Number("0.9"),
		"fast": "true", "seed": float64(7), "stop": []any{"a", "b"}, "parallel_tool_calls": false, "verbosity": "low", "nonsense": 1}
	r := says("x")
	r.Params = params
	got := sent(t, &openai.Options{}, r)
	for _, want := range []string{`"reasoning_effort":"high"`, `"temperature":0.5`, `"max_tokens":100`, `"top_p":0.9`,
		`"service_tier":"priority"`, `"seed":7`, `"stop":["a","b"]`, `"parallel_tool_calls":false`, `"verbosity":"low"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if u := openai.UnknownParams(params); len(u) != 1 || u[0] != "nonsense" {
		t.Errorf("unknown: %v", u)
	}
	for id, value := range map[string]any{"temperature": "hot", "max_tokens": 1.5, "effort": 3, "fast": "yes", "stop": 5, "parallel_tool_calls": 1} {
		bad := says("x")
		bad.Params = map[string]any{id: value}
		_, err := openai.New(nil).Stream(t.Context(), bad, nil)
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, `model param "`+id+`" must be`) || e.Code != events.FailModel || openai.CheckParams(bad.Params) == nil {
			t.Errorf("%s: got %v", id, err)
		}
	}
}

func TestRequest_OutputLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url          string
		limit, param int
		want         string
	}{
		{"", 50, 0, `"max_tokens":50`},
		{"", 50, 20, `"max_tokens":20`},
		{"", 50, 80, `"max_tokens":50`},
		{openai.DefaultBaseURL, 50, 0, `"max_completion_tokens":50`},
		{openai.DefaultBaseURL, 0, 20, `"max_completion_tokens":20`},
	} {
		r := says("x")
		r.MaxOutputTokens = tt.limit
		if tt.param > 0 {
			r.Params = map[string]any{"max_tokens": tt.param}
		}
		if got := sent(t, &openai.Options{BaseURL: tt.url}, r); !strings.Contains(got, tt.want) || strings.Count(got, "tokens\"") != 1 {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestRequest_KeyAndNoKey(t *testing.T) {
	// The environment of the process is never read.
	t.Setenv("OPENAI_API_KEY", "from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/elsewhere")
	for key, want := range map[string]string{"": "", "k": "Bearer k"} {
		s, url := fakemodel.Run(t, good)
		if _, err := openai.New(&openai.Options{BaseURL: url, APIKey: key}).Stream(t.Context(), says("x"), func(model.Delta) {}); err != nil {
			t.Fatal(err)
		}
		if got := s.Requests()[0].Header.Get("Authorization"); got != want {
			t.Errorf("key %q: sent %q", key, got)
		}
	}
}
