package hosted_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/eval"
)

// A judge is one request of its own, to the model of its configuration, which the model of
// the run does not replace.
func TestJudge(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{Model: "other"})
	for _, config := range []string{
		`{"model":"grader","effort":"low","temperature":0}`,
		`{"model":{"id":"grader","params":[{"id":"effort","value":"high"},{"id":"temperature","value":0}]},"effort":"low"}`,
	} {
		got, err := s.Judge(t.Context(), "grade this", json.RawMessage(config))
		if err != nil || got.Text != `{"score": 1}` || got.Model != "x/grader" || got.Usage.InputTokens != 30 || got.Usage.OutputTokens != 7 || number(got.CostUSD) != "0.000037" {
			t.Errorf("got %+v, %v", got, err)
		}
		r := h.asked[len(h.asked)-1]
		if r.Model != "grader" || r.Purpose != model.PurposeJudge || len(r.Tools) > 0 || r.System != "" || len(r.Messages) != 1 || r.Messages[0].Text != "grade this" || r.MaxOutputTokens != 4096 || r.Params["effort"] != "low" || r.Params["temperature"] != 0.0 {
			t.Errorf("asked was %+v", r)
		}
	}
	if all, err := s.Events(); err != nil || len(all) > 0 {
		t.Errorf("it is part of the session: %s, %v", all, err)
	}
}

// "A judge that fails is an error and never a pass."
func TestJudge_Fails(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	for config, want := range map[string]string{
		``:                                  `no model is set for the judge: write judge: { model: "<id>" }`,
		`{}`:                                `no model is set for the judge`,
		`{"model":" "}`:                     `no model is set for the judge`,
		`{"model":null,"effort":"low"}`:     `no model is set for the judge`,
		`"grader"`:                          `the configuration of the judge is not an object of settings`,
		`{"model":5}`:                       `the judge's model is 5; it must be an id, or {id, params: [{id, value}]}`,
		`{"model":"grader","effort":[1]}`:   `the judge's setting "effort" must be a text, a number, true or false`,
		`{"model":"grader","context":"x"}`:  `the judge's model "grader": model param "context" must be a number of tokens`,
		`{"model":"grader","wings":2}`:      `the judge's model "grader": it has no setting wings`,
		`{"model":"missing"}`:               `the judge's model "missing": there is no such model`,
		`{"model":"keyless"}`:               `the judge's model "keyless": no key is set; set it, or use judge: { model: "scripted" }, which needs no key`,
		`{"model":"breaking"}`:              `the judge x/breaking: the stream broke`,
		`{"model":"endless"}`:               `the judge x/endless: its reply was cut off at 4096 tokens`,
		`{"model":"shy"}`:                   `the judge x/shy: the provider's content filter stopped its reply`,
		`{"model":"silent"}`:                `the judge x/silent: its reply is empty`,
		`{"model":{"params":[]}}`:           `no model is set for the judge`,
		`{"model":{"id":"x","params":"y"}}`: `the judge's model is {"id":"x","params":"y"}; it must be`,
	} {
		if _, err := s.Judge(t.Context(), "grade", json.RawMessage(config)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", config, err, want)
		}
	}
	if _, err := s.Judge(t.Context(), "down", json.RawMessage(`{"model":"grader"}`)); err == nil || !strings.Contains(err.Error(), "the model is down (status 500)") {
		t.Errorf("got %v", err)
	}
	over := errors.New("the time is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	if _, err := s.Judge(ctx, "grade", json.RawMessage(`{"model":"grader"}`)); !errors.Is(err, over) {
		t.Errorf("got %v", err)
	}
	if got := s.Spent(); got.JudgeCalls != 3 || got.JudgeUsage.OutputTokens != 5 || got.JudgeCostUSD != nil || got.CostUSD != nil {
		t.Errorf("spent was %+v", got) // what was answered, and could not be used; of two the usage is not known
	}
}

// A stream that breaks is tried again.
func TestJudge_StreamBreaks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	if got, err := h.open(t, eval.OpenOptions{}).Judge(t.Context(), "grade", json.RawMessage(`{"model":"shaky"}`)); err != nil || got.Text != `{"score": 1}` {
		t.Errorf("got %+v, %v", got, err)
	}
}

// "Spent is what the session's models and its judges used": it agrees with the turns' own
// sums, subagents included.
func TestSpent(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.open(t, eval.OpenOptions{})
	send(t, s, "twice")
	send(t, s, "crew")
	own := s.Spent()
	usage, usd := billed(t, s)
	if own.Usage != usage || number(own.CostUSD) != usd || own.Steps != 6 || own.JudgeCalls != 0 || number(own.JudgeCostUSD) != "0.000000" {
		t.Errorf("spent was %+v %s, the log has %+v %s", own, number(own.CostUSD), usage, usd)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := s.Judge(t.Context(), "grade", json.RawMessage(`{"model":"grader"}`)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	with := s.Spent()
	usage.InputTokens += 120
	usage.OutputTokens += 28
	if with.JudgeCalls != 4 || with.JudgeUsage.OutputTokens != 28 || number(with.JudgeCostUSD) != "0.000148" || with.Usage != usage || with.Steps != 6 {
		t.Errorf("spent was %+v", with)
	}
	unknown := h.open(t, eval.OpenOptions{Model: "priceless"})
	send(t, unknown, "gated")
	if got := unknown.Spent(); got.CostUSD != nil || number(got.JudgeCostUSD) != "0.000000" || got.Steps != 1 || got.Usage.Total() == 0 {
		t.Errorf("spent was %+v", got)
	}
}
