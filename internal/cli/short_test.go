package cli

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "A bearer secret under 16 characters is a start-up warning, and refused on a bind that
// is not loopback": an authored one, too, and in a channel.
func TestServe_RefusesShortSecretsToOthers(t *testing.T) {
	t.Parallel()
	short, long := []agent.AuthPolicy{agent.LocalDevStrict(), agent.BearerAuth("fifteen-letters")}, []agent.AuthPolicy{agent.BearerAuth("sixteen-letters!")}
	a := newApp(newBench(t).Process, func(error) {})
	for name, tc := range map[string]struct {
		host string
		ag   agent.Agent
		want string
	}{
		"agent":      {"0.0.0.0", agent.Agent{Slug: "bot", Auth: short}, "the auth of bot has a secret"},
		"channel":    {"192.0.2.1", agent.Agent{Slug: "bot", Auth: long, Channels: []*agent.Channel{{ID: "desk", Auth: short}}}, "the auth of channel desk of bot has a secret"},
		"long":       {"0.0.0.0", agent.Agent{Slug: "bot", Auth: long}, ""},
		"here":       {"127.0.0.1", agent.Agent{Slug: "bot", Auth: short}, ""},
		"here by v6": {"::1", agent.Agent{Slug: "bot", Auth: short}, ""},
		"localhost":  {"localhost", agent.Agent{Slug: "bot", Auth: short}, ""},
	} {
		for _, lenient := range []bool{false, true} {
			err := a.admit(&serveFlags{host: tc.host}, []*agent.Agent{&tc.ag}, lenient)
			if (err != nil) != (tc.want != "") || err != nil && (!strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "fifteen-")) {
				t.Errorf("%s: %v, want %q", name, err, tc.want)
			}
		}
	}
}
