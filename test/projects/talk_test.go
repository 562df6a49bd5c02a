package projects

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
)

// said is one message and the reply that the script gives to it in the end.
type said struct{ text, reply string }

// TestSamples_Talk plays the scripted models of the samples with their real tools.
func TestSamples_Talk(t *testing.T) {
	t.Parallel()
	for dir, talk := range map[string][]said{
		"pr-reviewer": {
			{"hello", "Hello! I look after the pull requests of acme/lighthouse. Ask me what is open, to review 7, to comment on 9, or to merge 7: I ask you before I merge."},
			{"What is open?", "3 open:\n#7 Dim the lamp at dawn (mira)\n#9 Replace the rotation motor's driver (jonas)\n#12 Fog horn: first sketch (mira, draft)"},
			{"Please review 7.", "#7 \"Dim the lamp at dawn\" by mira changes 68 lines in 2 files; 2 of 2 checks green.\nVerdict: good to merge."},
			{"review https://github.com/acme/lighthouse/pull/9", "#9 \"Replace the rotation motor's driver\" by jonas changes 807 lines in 3 files; 1 of 2 checks green.\nVerdict: not yet, not green: test."},
			{"review https://github.com/a/b/issues/1", "I cannot review that. Not a pull request URL: https://github.com/a/b/issues/1"},
			{"comment on 9: please split it", "Done; #9 has 1 comment now."},
			{"merge 7", "Merged #7 with squash."},
			{"merge #7 again", "#7 was merged before."},
			{"merge 9", "Not merged. Pull request 9 cannot be merged: not green: test"},
			{"what is open now?", "2 open:\n#9 Replace the rotation motor's driver (jonas)\n#12 Fog horn: first sketch (mira, draft)"},
			{"???", "I heard: ??? — try \"what is open?\" or \"review 7\"."},
		},
		"daily-ru": {
			{"Привет!", "Здравствуйте! Я помню, что вам нравится, и собираю день. Скажите «запомни: еда — без молока» или «план на день»."},
			{"Что ты помнишь?", "Пока ничего. Скажите, например: «запомни: сон — до полуночи»."},
			{"Запомни: Еда — без молока", "Записано: «еда». Спросите «что ты помнишь?», чтобы проверить."},
			{"запомни: еда — можно сыр", "Записано: «еда». Раньше было: «без молока». Спросите «что ты помнишь?», чтобы проверить."},
			{"Что ты помнишь?", "Вот что я помню:\n· еда — можно сыр"},
			{"забудь сон", "Ничего не стёрто: О теме «сон» ничего не записано"},
			{"Забудь всё!", "Забыто: «еда»."},
			{"составь план на день", "09:30–10:00 Завтрак\n10:15–11:45 Ёлка: украсить\n12:00–13:00 Прогулка 🌲\nСвободны с 13:00. Начните с завтрака."},
		},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			a := load(t, dir)
			script, err := scripted.Load(filepath.Join(dir, "bot", "script.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			kv := newMemory()
			for _, s := range talk {
				if got := reply(t, a, scripted.New(script), kv, s.text); got != s.reply {
					t.Errorf("%q is answered with\n%s\nwant\n%s", s.text, got, s.reply)
				}
			}
		})
	}
}

// reply asks the model and runs its calls until it makes none. Everybody agrees
// to what asks.
func reply(t *testing.T, a *agent.Agent, m model.Model, kv agent.KV, text string) string {
	t.Helper()
	messages := []model.Message{{Role: model.RoleUser, Text: text}}
	for range 5 {
		r, err := m.Stream(context.Background(), &model.Request{Messages: messages}, func(model.Delta) {})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(r.Calls) == 0 {
			return r.Text
		}
		step := model.Message{Role: model.RoleAssistant, Text: r.Text}
		var results []model.Message
		for _, c := range r.Calls {
			step.Calls = append(step.Calls, model.Call{ID: c.Name, Name: c.Name, Args: json.RawMessage(c.Args)})
			output, isError := run(t, a, kv, c)
			results = append(results, model.Message{Role: model.RoleTool, CallID: c.Name, ToolName: c.Name, Output: output, IsError: isError})
		}
		messages = append(append(messages, step), results...)
	}
	t.Fatalf("%q is never answered", text)
	return ""
}

func run(t *testing.T, a *agent.Agent, kv agent.KV, c model.RequestedCall) (output json.RawMessage, isError bool) {
	t.Helper()
	tool := a.Tool(c.Name)
	if tool == nil {
		t.Fatalf("the script calls %s, which is no tool", c.Name)
	}
	call := known{tool: c.Name, args: c.Args}.call(a, kv)
	if _, err := tool.Prepare(context.Background(), call); err != nil {
		t.Fatalf("the script calls %s with %s: %v", c.Name, c.Args, err)
	}
	r, err := tool.Execute(context.Background(), call)
	if err != nil {
		text, _ := json.Marshal(err.Error())
		return text, true
	}
	return r.Output, r.IsError
}
