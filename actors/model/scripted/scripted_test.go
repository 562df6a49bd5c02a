package scripted_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
)

// sample is the one of the command line's page.
const sample = `
- when: /review .*pull\/(\d+)/i      # substring, or /regex/flags
  steps:
    - say: Looking at it.
      call:
        - inspect_pr: { prUrl: "https://example.com/pull/$1" }
    - say: "Verdict: {{ index .results 0 \"verdict\" }}."
- when: ""
  steps: [{ say: "I heard: {{ .text }}" }]
`

func parse(t *testing.T, yaml string) *scripted.Model {
	t.Helper()
	s, err := scripted.Parse("bot/script.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return scripted.New(s)
}

func stream(t *testing.T, m *scripted.Model, messages ...model.Message) *model.Response {
	t.Helper()
	resp, err := m.Stream(t.Context(), &model.Request{Messages: messages}, func(model.Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func user(text string) model.Message { return model.Message{Role: model.RoleUser, Text: text} }

func assistant(calls ...string) model.Message {
	m := model.Message{Role: model.RoleAssistant}
	for _, id := range calls {
		m.Calls = append(m.Calls, model.Call{ID: id})
	}
	return m
}

func result(output string) model.Message {
	return model.Message{Role: model.RoleTool, Output: json.RawMessage(output)}
}

func TestModel_PlaysTheSample(t *testing.T) {
	t.Parallel()
	m := parse(t, sample)
	ask := user("Please REVIEW https://example.com/pull/42 now")
	first := stream(t, m, ask)
	if first.Text != "Looking at it." || first.FinishReason != events.FinishToolCalls ||
		len(first.Calls) != 1 || first.Calls[0] != (model.RequestedCall{Name: "inspect_pr", Args: `{"prUrl":"https://example.com/pull/42"}`}) {
		t.Errorf("first step: %+v", first)
	}
	second := stream(t, m, ask, assistant("c1"), result(`{"verdict":"ship it"}`))
	if second.Text != "Verdict: ship it." || second.FinishReason != events.FinishStop {
		t.Errorf("second step: %+v", second)
	}
	if got := stream(t, m, ask, assistant("c1"), result(`{}`), assistant(), user("thanks")); got.Text != "I heard: thanks" {
		t.Errorf("another text: %+v", got)
	}
}

// "where no rule matches, or without a file, it says `I heard: <text>`"
func TestModel_WithoutAMatchingRule(t *testing.T) {
	t.Parallel()
	for _, m := range []*scripted.Model{scripted.New(nil), parse(t, ""), parse(t, `[{when: never, steps: [{say: x}]}]`)} {
		if got := stream(t, m, user("привет")); got.Text != "I heard: привет" {
			t.Errorf("got %q", got.Text)
		}
	}
}

// "a text `/call <tool> {json}` calls that tool, and the next step says its output as JSON"
func TestModel_CallCommand(t *testing.T) {
	t.Parallel()
	m := parse(t, sample)
	first := stream(t, m, user(`/call add {"a": 1, "b": 2}`))
	if len(first.Calls) != 1 || first.Calls[0] != (model.RequestedCall{Name: "add", Args: `{"a": 1, "b": 2}`}) || first.FinishReason != events.FinishToolCalls {
		t.Errorf("got %+v", first)
	}
	if got := stream(t, m, user(`/call add {}`), assistant("c"), result(`{"sum":3}`)); got.Text != `{"sum":3}` {
		t.Errorf("got %q", got.Text)
	}
	two := stream(t, m, user("/call a\n/call b {\n \"x\": 1\n}"))
	if len(two.Calls) != 2 || two.Calls[0].Args != "{}" || two.Calls[1].Args != "{\n \"x\": 1\n}" {
		t.Errorf("got %+v", two.Calls)
	}
	if got := stream(t, m, user("/call a\n/call b"), assistant("1", "2"), result(`1`), result(`"failed"`)); got.Text != "1\n\"failed\"" {
		t.Errorf("several results are said in order, got %q", got.Text)
	}
}

// The step follows from the conversation alone, and no script leaves a turn without an end.
func TestModel_BehindTheLastStep(t *testing.T) {
	t.Parallel()
	m := parse(t, `[{when: go, steps: [{call: [{a: {}}]}]}]`)
	if got := stream(t, m, user("go"), assistant("1"), result(`{"n":1}`)); got.Text != `{"n":1}` || got.FinishReason != events.FinishStop {
		t.Errorf("got %+v", got)
	}
	if got := stream(t, m, user("go"), assistant("1"), result(`1`), assistant(), user("go")); len(got.Calls) != 1 {
		t.Errorf("a new message starts anew, got %+v", got)
	}
}

func TestModel_TemplatesSeeResults(t *testing.T) {
	t.Parallel()
	m := parse(t, `
- when: go
  steps:
    - call: [{a: null}, {b: }]
    - say: '{{ len .results }} {{ index .results 0 "big" }} {{ index .results 0 "n" }} {{ index .results 0 "f" }} {{ index .results 1 }} {{ json .results }} {{ if eq (index .results 0 "n") 7 }}seven{{ end }}'
`)
	first := stream(t, m, user("go"))
	if len(first.Calls) != 2 || first.Calls[0].Args != "{}" || first.Calls[1].Args != "{}" {
		t.Fatalf("got %+v", first.Calls)
	}
	got := stream(t, m, user("go"), assistant("1", "2"), result(`{"big":12345678901234567890,"n":7,"f":0.5}`), result(`"it failed"`))
	if want := `2 12345678901234567890 7 0.5 it failed [{"big":12345678901234567890,"f":0.5,"n":7},"it failed"] seven`; got.Text != want {
		t.Errorf("got  %s\nwant %s", got.Text, want)
	}
	_, err := m.Stream(t.Context(), &model.Request{Messages: []model.Message{user("go"), assistant("1"), result(`5`)}}, func(model.Delta) {})
	var e *model.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Message, "bot/script.yaml:5: say: ") || e.Code != events.FailModel {
		t.Errorf("a template that fails names its line: %v", err)
	}
}

// "$1 … from the regex are filled in strings at any depth"
func TestModel_ArgumentsAreFilled(t *testing.T) {
	t.Parallel()
	m := parse(t, `
- when: /pull (\d+) of (\w+)/
  steps:
    - call:
        - a: {all: $0, deep: [{who: "by $2, not $3, for $$1 or $12"}], "$1": kept, n: 1}
- when: pull
  steps: [{call: [{b: {price: $1}}]}]
- when: /say (.+)/
  steps: [{call: [{c: {text: $1}}]}]
`)
	if got := stream(t, m, user(`pull 42 of ann`)); got.Calls[0].Args != `{"all":"pull 42 of ann","deep":[{"who":"by ann, not $3, for $42 or 422"}],"$1":"kept","n":1}` {
		t.Errorf("got %s", got.Calls[0].Args)
	}
	if got := stream(t, m, user(`pull`)); got.Calls[0].Args != `{"price":"$1"}` {
		t.Errorf("a substring has no groups, got %s", got.Calls[0].Args)
	}
	if got := stream(t, m, user(`say "a", <b>`)); got.Calls[0].Args != `{"text":"\"a\", <b>"}` {
		t.Errorf("what is filled in is escaped, got %s", got.Calls[0].Args)
	}
}

// C91: "Strings stay strings by YAML 1.2 core"
func TestModel_ArgumentsAreYAML12(t *testing.T) {
	t.Parallel()
	m := parse(t, `
- when: ""
  steps:
    - call:
        - a:
            country: no
            ver: 1.10
            code: 0755
            hex: 0x1f
            t: 12:30
            d: 2026-01-02
            y: 1_000
            yes: Yes
            big: 9007199254740993
            neg: -007
            f: .5
            e: 1e3
            quoted: "12"
            single: 'true'
            tilde: ~
            block: |
              one "two"
              <three>
            list: [true, False, null, -0]
`)
	want := `{"country":"no","ver":1.10,"code":755,"hex":31,"t":"12:30","d":"2026-01-02","y":"1_000","yes":"Yes",` +
		`"big":9007199254740993,"neg":-7,"f":0.5,"e":1e3,"quoted":"12","single":"true","tilde":null,` +
		`"block":"one \"two\"\n<three>\n","list":[true,false,null,0]}`
	if got := stream(t, m, user("x")).Calls[0].Args; got != want || !json.Valid([]byte(got)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// "a token per four bytes, rounded up, of the newest user text and of its own text"
func TestModel_UsageWithoutOne(t *testing.T) {
	t.Parallel()
	got := stream(t, scripted.New(nil), user("an older and longer text"), assistant(), user("приве"))
	// 10 bytes; "I heard: приве" has 19
	if want := (events.Usage{InputTokens: 3, OutputTokens: 5}); got.Usage == nil || *got.Usage != want {
		t.Errorf("got %+v, want %+v", got.Usage, want)
	}
}

func TestModel_OutputLimit(t *testing.T) {
	t.Parallel()
	r := says("ёёё and more")
	r.MaxOutputTokens = 3
	resp, err := scripted.New(nil).Stream(t.Context(), r, func(model.Delta) {})
	if err != nil || resp.Text != "I heard: ё" || resp.FinishReason != events.FinishLength {
		t.Errorf("got %+v, %v", resp, err)
	}
}

func TestModel_Errors(t *testing.T) {
	t.Parallel()
	m := parse(t, `
- when: rate
  steps: [{error: {status: 429, message: slow down}}]
- when: half
  steps: [{say: half of it, error: {status: 500}}]
- when: silent
  steps: [{say: "{{ if false }}x{{ end }}"}]
`)
	for text, want := range map[string]model.Error{
		"rate":   {Status: 429, Message: "slow down", Code: events.FailModel},
		"half":   {Status: 500, Message: "the scripted model failed", Code: events.FailModel, Broken: true},
		"silent": {Message: "the scripted model said nothing", Code: events.FailModel},
	} {
		_, err := m.Stream(t.Context(), says(text), func(model.Delta) {})
		var e *model.Error
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%s: got %+v, want %+v", text, err, want)
		}
	}
}

func TestModel_DelayHonoursTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := parse(t, `[{when: "", steps: [{say: late, delayMs: 60000}]}]`)
		start := time.Now()
		if got := stream(t, m, user("x")); got.Text != "late" || time.Since(start) != time.Minute {
			t.Errorf("got %q after %v", got.Text, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start = time.Now()
		_, err := m.Stream(ctx, says("x"), func(model.Delta) { t.Error("spoke") })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

func TestModel_StreamsWordByWord(t *testing.T) {
	t.Parallel()
	var got []string
	m := parse(t, `[{when: "", steps: [{reasoning: a thought, say: " Looking  at\nit. "}]}]`)
	_, err := m.Stream(t.Context(), says("x"), func(d model.Delta) { got = append(got, d.Text) })
	if err != nil || strings.Join(got, "|") != "a |thought| |Looking  |at\n|it. " {
		t.Errorf("got %q, %v", got, err)
	}
}

// "it fails with context_overflow when the request exceeds it, counting a token per four bytes rounded up"
func TestModel_Window(t *testing.T) {
	t.Parallel()
	r := says(strings.Repeat("x", 396))
	r.System, r.Params = "four", map[string]any{model.ParamContext: "100"}
	if resp, err := scripted.New(nil).Stream(t.Context(), r, func(model.Delta) {}); err != nil || resp == nil {
		t.Errorf("100 tokens of 100: %v", err)
	}
	r.System = "fours"
	_, err := scripted.New(nil).Stream(t.Context(), r, func(model.Delta) {})
	var e *model.Error
	if !errors.As(err, &e) || e.Code != events.FailContextOverflow || e.Message != "the request has 101 tokens, and the context of the scripted model holds 100" {
		t.Errorf("101 tokens of 100: %v", err)
	}
	r.Params = nil
	if _, err := scripted.New(nil).Stream(t.Context(), r, func(model.Delta) {}); err != nil {
		t.Errorf("without a param: %v", err)
	}
	r.Messages[0].Text = strings.Repeat("x", 4*scripted.DefaultWindow)
	if _, err := scripted.New(nil).Stream(t.Context(), r, func(model.Delta) {}); !errors.As(err, &e) || e.Code != events.FailContextOverflow {
		t.Errorf("beyond the default: %v", err)
	}
}

// A request for a summary is no question to the script: what people said matches no
// rule, and a rule for /compact says the summary.
func TestModel_Summary(t *testing.T) {
	t.Parallel()
	r := says("user: please push it")
	r.Purpose = model.PurposeSummary
	const rules = `
- when: ""
  steps: [{ call: [{ push: {} }] }]
- when: push
  steps: [{ call: [{ push: {} }] }]
`
	for yaml, want := range map[string]string{
		rules: "I summed up what was said so far.",
		rules + "- when: /compact\n  steps: [{ say: Pushed it., call: [{ push: {} }] }]\n": "Pushed it.",
	} {
		resp, err := parse(t, yaml).Stream(t.Context(), r, func(model.Delta) {})
		if err != nil || resp.Text != want || len(resp.Calls) != 0 || resp.FinishReason != events.FinishStop || resp.Usage.InputTokens != 5 {
			t.Errorf("got %+v, %v, want %q", resp, err, want)
		}
	}
}

// "$1 … from the regex", in what a step says and thinks, too. What a user wrote is no template.
func TestModel_SaysGroups(t *testing.T) {
	t.Parallel()
	m := parse(t, `
- when: /^mend (.+)$/
  steps:
    - reasoning: Is $1 broken?
      say: 'Mended $1 for $5{{ if .text }}, {{ range .results }}$1{{ else }}as in "$0"{{ end }}{{ end }}.'
- when: costs
  steps: [{say: It costs $1.}]
`)
	got := stream(t, m, user("mend {{ .text }} and $1"))
	if want := `Mended {{ .text }} and $1 for $5, as in "mend {{ .text }} and $1".`; got.Text != want {
		t.Errorf("it says %q, want %q", got.Text, want)
	}
	if want := "Is {{ .text }} and $1 broken?"; got.Reasoning != want {
		t.Errorf("it thinks %q, want %q", got.Reasoning, want)
	}
	if got := stream(t, m, user("it costs")); got.Text != "It costs $1." {
		t.Errorf("it says %q", got.Text)
	}
}
