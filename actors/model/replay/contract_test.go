package replay_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/modeltest"
	"github.com/gobdk/bdk/events"
)

func TestModel_Contract(t *testing.T) {
	t.Parallel()
	modeltest.Run(t, func(t testing.TB, s modeltest.Step) (model.Model, *model.Request) {
		bad := func(c model.RequestedCall) bool { // as no log keeps them
			var kept bytes.Buffer
			return json.Compact(&kept, []byte(c.Args)) != nil || kept.String() != c.Args
		}
		if s.Stall || s.Break || s.Status != 0 || slices.ContainsFunc(s.Calls, bad) {
			return nil, nil // only what was finished is recorded, and failures without their status
		}
		rec := newTale(t).ask("go")
		if s.Reasoning != "" {
			rec.add(&events.ReasoningCompleted{Text: s.Reasoning})
		}
		if len(s.Calls) == 0 {
			rec.say("", s.Text, events.FinishStop, s.Usage).done()
		} else {
			var calls []events.Call
			for _, c := range s.Calls {
				calls = append(calls, call(c.Name, c.Args))
			}
			rec.call("", calls...)
		}
		live := newTale(t).ask("go")
		return rec.of(live), &model.Request{SessionID: "ses_x", TurnID: live.turn, Step: 1, Attempt: 1, Messages: []model.Message{{Role: model.RoleUser, Text: "go"}}}
	})
}
