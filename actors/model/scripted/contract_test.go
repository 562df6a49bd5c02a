package scripted_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/modeltest"
	"github.com/gobdk/bdk/actors/model/scripted"
)

func TestModel_Contract(t *testing.T) {
	t.Parallel()
	modeltest.Run(t, func(t testing.TB, s modeltest.Step) (model.Model, *model.Request) {
		if s.Stall {
			return nil, nil // a script waits before a step, not inside
		}
		if len(s.Calls) > 0 {
			var lines []string
			for _, c := range s.Calls {
				lines = append(lines, "/call "+c.Name+" "+c.Args)
			}
			return scripted.New(nil), says(strings.Join(lines, "\n"))
		}
		step := map[string]any{"say": s.Text, "reasoning": s.Reasoning}
		if s.Usage != nil {
			step["usage"] = s.Usage
		}
		if s.Status != 0 || s.Break {
			step["error"] = map[string]any{"status": s.Status, "message": "as the script says"}
		}
		raw, err := json.Marshal([]any{map[string]any{"when": "", "steps": []any{step}}})
		if err != nil {
			t.Fatal(err)
		}
		script, err := scripted.Parse("script.yaml", raw)
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		return scripted.New(script), says("go")
	})
}

// says is a request with one user message.
func says(text string) *model.Request {
	return &model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: text}}}
}
