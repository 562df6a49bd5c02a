package agent_test

import (
	"context"
	"fmt"
	"os"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Policies are asked in order, and the first that admits wins.
func ExampleAuthPolicy() {
	internal := agent.AuthFunc(func(_ context.Context, r *agent.Request) (*events.Principal, error) {
		team := r.Header.Get("X-Team")
		if team == "" {
			return nil, nil // the next policy is asked
		}
		return &events.Principal{Kind: "team", ID: team}, nil
	})
	list := []agent.AuthPolicy{
		internal,
		agent.BearerTokens(map[string]string{"a-long-random-secret": "deploys"}),
		agent.APIKeyHeader("X-Api-Key", map[string]string{"another-long-secret": "monitor"}),
		agent.JWTAuth(agent.JWTRules{JWKSURL: "https://id.example/jwks.json", Issuer: "https://id.example/", Audience: "desk"}),
		agent.LocalDevStrict(),
		agent.BearerAuth(os.Getenv("A_TOKEN_THAT_NOBODY_SET")),
	}
	for i := range list {
		fmt.Println(list[i].Kind, "is wrong:", list[i].Check())
	}
	// Output:
	// function is wrong: <nil>
	// bearer is wrong: <nil>
	// apiKeyHeader is wrong: <nil>
	// jwt is wrong: <nil>
	// localDevStrict is wrong: <nil>
	// bearer is wrong: bearerAuth: a secret is empty, as when a variable is not set
}
