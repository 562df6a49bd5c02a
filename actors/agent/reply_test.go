package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "with a schema alone the reply's JSON (bare or fenced) is parsed and validated"
func TestParseReply(t *testing.T) {
	t.Parallel()
	const fence = "```"
	for text, want := range map[string]string{
		` {"n": 1} `:                         `{"n":1}`,
		`12345678901234567890`:               `12345678901234567890`,
		`"text"`:                             `"text"`,
		fence + "json\n{\"n\": 1}\n" + fence: `{"n":1}`,
		"Here it is:\n\n" + fence + "JSON\n{\"n\": 1}\n" + fence + "\nThat is all.": `{"n":1}`,
		fence + "\n[1, 2]\n" + fence: `[1,2]`,
		fence + "json\n1\n" + fence + "\nno, wait:\n" + fence + "json\n2\n" + fence:                         `2`,
		fence + "json\n1\n" + fence + "\nand some code:\n" + fence + "\nls\n" + fence:                       `1`,
		fence + "sh\nls\n" + fence + "\n" + fence + "json\n3\n" + fence:                                     `3`,
		fence + "`json\n{\"text\": \"```\"}\n" + fence + "`":                                                "{\"text\":\"```\"}",
		fence + "JSON title=x\n{\n  \"a\": 1\n}\n" + fence:                                                  `{"a":1}`,
		fence + "json\n1\n" + fence + "\n" + fence + "ts\n2\n" + fence + "\n" + fence + "json\n{\n" + fence: `1`,
		"~~~~json\n" + fence + "\n1\n" + fence + "\n~~~~\n" + fence + "\n3\n" + fence:                       `3`,
		"- step\n\n  " + fence + "json\n  {\"a\": 1}\n  " + fence + "\n":                                    `{"a":1}`,
		fence + "json\n{\"a\":1}": `{"a":1}`,
		"Not " + fence + "{}" + fence + ":\n" + fence + "json {}" + fence + "\n~~~\n{\"a\":1}\n~~~": `{"a":1}`,
		"{\"a\":\"" + fence + "json\"}":                            "{\"a\":\"" + fence + "json\"}",
		"  " + fence + "json\r\n{\"n\": 1}\r\n  " + fence + "\r\n": `{"n":1}`,
	} {
		if got, err := agent.ParseReply(text); err != nil || string(got) != want {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                         "the reply is empty",
		"  \n":                     "the reply is empty",
		"three":                    "the reply is not JSON: invalid character 'h' in literal true (expecting 'r') at byte 2",
		`{"n": 1} and more`:        "the reply is not JSON: ",
		`{"n": 1`:                  "the reply is not JSON: unexpected end",
		fence + "json\n{\"n\":":    "the reply is not JSON: ",
		fence + "sh\nls\n" + fence: "the reply is not JSON: ",
		`{"n": NaN}`:               "the reply is not JSON: ",
		`{"a":1} {"b":2}`:          "the reply is not JSON: ",
		"So:\n" + fence + "json\n{a: 1}\n" + fence: "the reply is not JSON: invalid character 'a' looking for beginning of object key string at byte 2",
	} {
		if got, err := agent.ParseReply(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
}

type verdict struct {
	Verdict string `json:"verdict" jsonschema:"what you think"`
	Score   int    `json:"score,omitempty"`
}

func newResult(t *testing.T, o *agent.ResultOptions[verdict]) *agent.ResultRule {
	t.Helper()
	rule, err := agent.NewResult(o)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// A reply that fits is the result; one that does not goes back with the paths.
func TestNewResult_SchemaAlone(t *testing.T) {
	t.Parallel()
	rule := newResult(t, nil)
	if !strings.Contains(string(rule.Schema), `"verdict"`) || rule.MaxRepairs != 0 {
		t.Errorf("the rule is %+v", rule)
	}
	for text, want := range map[string]string{
		`{"verdict": "good"}`:                "",
		"no":                                 "the reply is not JSON: ",
		`{"score": "high"}`:                  "the reply does not fit the schema: ",
		`{"verdict":"a","verdict":"b"}`:      "the reply does not fit the schema: ",
		`{"verdict": "good", "score": 1e30}`: "the reply does not fit the schema: score: ",
	} {
		v, err := rule.Resolve(t.Context(), &agent.Reply{Text: text}, &agent.Call{})
		switch {
		case err != nil || v.Fail != "":
			t.Errorf("%s: %+v, %v", text, v, err)
		case want == "" && (string(v.Result) != `{"verdict":"good"}` || v.Retry != ""):
			t.Errorf("%s: %+v", text, v)
		case want != "" && (!strings.HasPrefix(v.Retry, want) || v.Result != nil || !strings.Contains(v.Advice, `"what you think"`)):
			t.Errorf("%s: %+v", text, v)
		}
	}
	v, _ := rule.Resolve(t.Context(), &agent.Reply{Text: `{"score": "high"}`}, &agent.Call{})
	if !strings.Contains(v.Retry, "verdict: is required") || !strings.Contains(v.Retry, "score: must be") {
		t.Errorf("the reason is %s", v.Retry)
	}
}

// "`resolve({text, turn}, ctx)` → `{result}` | `{retry: reason}` | `{fail: reason}`"
func TestNewResult_Resolve(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	rule := newResult(t, &agent.ResultOptions[verdict]{MaxRepairs: -1, Resolve: func(_ context.Context, v verdict, r *agent.Reply, c *agent.Call) (agent.Verdict, error) {
		switch v.Verdict {
		case "again":
			return agent.Verdict{Retry: r.Turn.Message + " is not answered"}, nil
		case "wrong":
			return agent.Verdict{Fail: "wrong"}, nil
		case "broken":
			return agent.Verdict{}, broken
		}
		return agent.Verdict{Result: json.RawMessage(`"` + c.TurnID + `"`)}, nil
	}})
	judge := func(text string) (agent.Verdict, error) {
		r := &agent.Reply{Text: text, Turn: agent.ReplyTurn{Message: "why?"}}
		return rule.Resolve(t.Context(), r, &agent.Call{TurnID: "turn_1"})
	}
	if v, err := judge(`{"verdict":"good"}`); err != nil || string(v.Result) != `"turn_1"` {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := judge(`{"verdict":"again"}`); err != nil || v.Retry != "why? is not answered" {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := judge(`{"verdict":"wrong"}`); err != nil || v.Fail != "wrong" {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := judge(`{"verdict":"broken"}`); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if v, err := judge(`{}`); err != nil || v.Retry == "" {
		t.Errorf("what does not fit reached the function: %+v, %v", v, err)
	}
	if rule.MaxRepairs != -1 {
		t.Errorf("repairs: %d", rule.MaxRepairs)
	}
}

func TestNewResult_BadSchema(t *testing.T) {
	t.Parallel()
	if _, err := agent.NewResult(&agent.ResultOptions[verdict]{Schema: json.RawMessage(`{"type":5}`)}); err == nil {
		t.Error("a bad schema was taken")
	}
	if _, err := agent.NewResult[func()](nil); err == nil {
		t.Error("a result that JSON cannot hold was taken")
	}
	rule, err := agent.NewResult(&agent.ResultOptions[any]{Schema: json.RawMessage(`{"enum":["` + strings.Repeat("x", 5000) + `"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := rule.Resolve(t.Context(), &agent.Reply{Text: "1"}, nil); v.Retry == "" || v.Advice != "Reply with JSON alone, or in one ```json block." {
		t.Errorf("a large schema: %d bytes, %.80s", len(v.Advice), v.Advice)
	}
}
