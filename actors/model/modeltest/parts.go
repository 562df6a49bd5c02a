package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// "Deltas joined give Text and Reasoning."
func text(t testing.TB, prepare Prepare) {
	for _, want := range append(slices.Clone(texts), strings.Repeat("many words ", 2000)) {
		m, r := prepare(t, Step{Text: want})
		if m == nil {
			return
		}
		got := ask(t, m, r)
		if got.err != nil {
			t.Fatalf("saying %.40q: %v", want, got.err)
		}
		got.checkJoined(t)
		if got.resp.Text != want || got.resp.FinishReason != events.FinishStop || len(got.resp.Calls) != 0 {
			t.Errorf("got %.60q (%s, %d calls), want %.60q", got.resp.Text, got.resp.FinishReason, len(got.resp.Calls), want)
		}
	}
}

func reasoning(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Reasoning: "First I think.\nThen I say.", Text: "Said."})
	if m == nil {
		return
	}
	got := ask(t, m, r)
	if got.err != nil {
		t.Fatal(got.err)
	}
	got.checkJoined(t)
	if got.resp.Reasoning != "First I think.\nThen I say." || got.resp.Text != "Said." {
		t.Errorf("got reasoning %q and text %q", got.resp.Reasoning, got.resp.Text)
	}
	if len(got.deltas) == 0 || !got.deltas[0].Reasoning {
		t.Errorf("the first delta is no reasoning: %+v", got.deltas)
	}
}

// Calls come in their order, with the arguments as they were sent.
func calls(t testing.TB, prepare Prepare) {
	for _, want := range [][]model.RequestedCall{
		{{Name: "ping", Args: "{}"}},
		{{Name: "a", Args: `{"n":9007199254740993, "s":"é \u00e9 👋"}`}, {Name: "b", Args: `{"x":[1,2]}`}, {Name: "a", Args: `{"n":2}`}},
		{{Name: "cut", Args: `{"path": "a`}},
	} {
		m, r := prepare(t, Step{Calls: want})
		if m == nil {
			return
		}
		got := ask(t, m, r)
		if got.err != nil {
			t.Fatalf("calling %v: %v", want, got.err)
		}
		got.checkJoined(t)
		if !slices.Equal(got.resp.Calls, want) || got.resp.FinishReason != events.FinishToolCalls {
			t.Errorf("got %v (%s), want %v", got.resp.Calls, got.resp.FinishReason, want)
		}
	}
}

func usage(t testing.TB, prepare Prepare) {
	want := events.Usage{InputTokens: 100, CacheReadTokens: 900, OutputTokens: 50, ReasoningTokens: 20}
	m, r := prepare(t, Step{Text: "Counted.", Usage: &want})
	if m == nil {
		return
	}
	got := ask(t, m, r)
	if got.err != nil || got.resp.Usage == nil || *got.resp.Usage != want {
		t.Errorf("got %+v, want usage %+v", got, want)
	}
}

// "An Error is a step that failed": nothing was emitted, Status and Code say why.
func refused(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Status: 400})
	if m == nil {
		return
	}
	got := ask(t, m, r)
	e := got.modelError(t)
	if e.Status != 400 || e.Broken || len(got.deltas) != 0 {
		t.Errorf("got %+v after %d deltas, want status 400 before output", e, len(got.deltas))
	}
}

// "an error after output is an *Error with Broken set"
func broken(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "half of a", Break: true})
	if m == nil {
		return
	}
	got := ask(t, m, r)
	if e := got.modelError(t); !e.Broken || len(got.deltas) == 0 {
		t.Errorf("got %+v after %d deltas, want Broken after output", e, len(got.deltas))
	}
}

// "Stream returns soon after ctx ends."
func cancelled(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "never asked for"})
	if m == nil {
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := askWith(ctx, t, m, r, nil)
	got.modelError(t)
	if !errors.Is(got.err, context.Canceled) || len(got.deltas) != 0 {
		t.Errorf("got %v after %d deltas, want context.Canceled before output", got.err, len(got.deltas))
	}
}

func stalled(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "and then", Stall: true})
	if m == nil {
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	start := time.Now()
	got := askWith(ctx, t, m, r, cancel)
	if e := got.modelError(t); !errors.Is(got.err, context.Canceled) || !e.Broken {
		t.Errorf("got %v (broken: %t), want context.Canceled after output", got.err, e.Broken)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("Stream returned %v after the context ended", took)
	}
}

// history asks behind a conversation that holds whatever a log can hold.
func history(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "And so on."})
	if m == nil {
		return
	}
	r.System = "You are terse. Вы кратки."
	r.Messages = append([]model.Message{
		{Role: model.RoleUser, Text: "look 👀"},
		{Role: model.RoleAssistant, Text: "Looking.", Calls: []model.Call{
			{ID: "call_1", Name: "a", Args: json.RawMessage(`{"n":9007199254740993}`)},
			{ID: "call_2", Name: "b", Args: json.RawMessage(`{}`)},
		}, Provider: &events.Provider{Name: "someone-else", Model: "m", Blocks: []json.RawMessage{json.RawMessage(`{"signature":"x"}`)}}},
		{Role: model.RoleTool, CallID: "call_1", ToolName: "a", Output: json.RawMessage(`{"ok":"да"}`)},
		{Role: model.RoleTool, CallID: "call_2", ToolName: "b", Output: json.RawMessage(`"it failed"`), IsError: true},
		{Role: model.RoleAssistant, Text: "Seen."},
		{Role: model.RoleUser, Text: ""},
		{Role: model.RoleAssistant, Calls: []model.Call{{ID: "call_3", Name: "a", Args: json.RawMessage(`{}`)}}},
		{Role: model.RoleTool, CallID: "call_3", ToolName: "a", Output: json.RawMessage(`null`)},
		{Role: model.RoleAssistant, Text: ""},
	}, r.Messages...)
	if got := ask(t, m, r); got.err != nil || got.resp.Text != "And so on." {
		t.Errorf("got %+v", got)
	}
}

// "It is safe for concurrent use."
func concurrent(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "The same for everyone.", Reasoning: "hm"})
	if m == nil {
		return
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			got := ask(t, m, r)
			if got.err != nil || got.resp.Text != "The same for everyone." {
				t.Errorf("got %+v", got)
				return
			}
			got.checkJoined(t)
		})
	}
	wg.Wait()
}

func requestIsKept(t testing.TB, prepare Prepare) {
	m, r := prepare(t, Step{Text: "x"})
	if m == nil {
		return
	}
	r.Tools = []model.Tool{{Name: "a", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}}
	before := snapshot(t, r)
	if got := ask(t, m, r); got.err != nil {
		t.Error(got.err)
	}
	if after := snapshot(t, r); !reflect.DeepEqual(before, after) {
		t.Errorf("the request was changed:\n%s\n%s", before, after)
	}
}

func snapshot(t testing.TB, r *model.Request) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
