package cli

import (
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// S26: "Redact by key name and by value (all configured secrets, bearer, …)": those of
// authored policies, too.
func TestHide_SecretsOfPolicies(t *testing.T) {
	t.Parallel()
	a := testApp(t)
	ag := &agent.Agent{Slug: "bot", Dir: t.TempDir(), Auth: []agent.AuthPolicy{agent.LocalDevStrict(), agent.BearerAuth("canary-one")},
		Channels: []*agent.Channel{{ID: "web", Secrets: []string{"canary-five"}, Auth: []agent.AuthPolicy{
			agent.BasicAuth(map[string]string{"ann": "canary-two"}), agent.APIKeyHeader("x", map[string]string{"canary-three": "ci"}),
			agent.JWTAuth(agent.JWTRules{Keys: []string{"canary-four"}, Issuer: "i", Audience: "a"}),
		}}},
		Connections: []*agent.Connection{{Name: "x", Secrets: []string{"canary-six"}, OAuth: &agent.OAuth{ClientSecret: "canary-seven"}}}}
	a.newModels([]*agent.Agent{ag}, &projectFlags{})
	for _, name := range []string{"one", "two", "three", "four", "five", "six", "seven"} {
		if got := a.redactor.Text("it was canary-" + name + "."); got != "it was [redacted]." {
			t.Error(got)
		}
	}
	if got := a.redactor.Text("ann of ci"); got != "ann of ci" {
		t.Error(got)
	}
}
