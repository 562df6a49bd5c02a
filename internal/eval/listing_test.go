package eval

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// "GET /v1/dev/evals: List discovered cases and eval config".
func TestSuite_List(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "a", "b")
	s.Cases[1].Timeout, s.Cases[1].Tags, s.Cases[1].Replay = time.Second, []string{"smoke"}, "ses_x"
	s.Config.Judge = json.RawMessage(`{"model":"gpt","apiKey":"secret"}`)
	s.Config.Reporters = []Reporter{{Kind: ReporterCustom}}
	s.Broken = []Broken{{"bad", "no export"}}
	l := s.List("x", nil)
	if l.Agent != "x" || len(l.Cases) != 2 || len(l.Broken) != 1 || l.Config.TimeoutMs != 180_000 || l.Config.MaxPlaygroundRuns != 20 ||
		l.Config.JudgeModel != "gpt" || l.Cases[0].TimeoutMs != 180_000 || l.Cases[1].TimeoutMs != 1000 || l.Cases[1].Replay != "ses_x" {
		t.Errorf("%+v, %+v", l, l.Config)
	}
	if text := encoded(t, l); strings.Contains(text, "null") || strings.Contains(text, "secret") {
		t.Errorf("JSON %s", text)
	}
	if l := s.List("x", &Selection{Tags: []string{"smoke"}}); len(l.Cases) != 1 || l.Cases[0].ID != "b" {
		t.Errorf("%+v", l)
	}
	s.Config, s.Diagnostics = nil, []agent.Diagnostic{{Rule: "r"}}
	if l := s.List("x", nil); l.Config != nil || len(l.Diagnostics) != 1 || l.Cases[0].TimeoutMs != 180_000 {
		t.Errorf("%+v", l)
	}
}

func TestSuite_Near(t *testing.T) {
	t.Parallel()
	s := suiteOf(says, "builds/api", "builds/web/1", "readiness")
	s.Cases[1].Iterations = 3
	for id, want := range map[string]string{
		"readyness": "readiness", "build": "builds builds/api builds/web", "web": "builds/web", "builds/app": "builds/api builds", "zzz": "", "": "",
	} {
		if got := strings.Join(s.Near(id), " "); got != want {
			t.Errorf("near %q: %q, want %q", id, got, want)
		}
	}
}
