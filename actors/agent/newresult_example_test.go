package agent_test

import (
	"context"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// A rule that wants a verdict as JSON, and a reason with each refusal.
func ExampleNewResult() {
	type review struct {
		Approve bool   `json:"approve"`
		Reason  string `json:"reason,omitempty"`
	}
	rule, err := agent.NewResult(&agent.ResultOptions[review]{
		Resolve: func(_ context.Context, v review, r *agent.Reply, _ *agent.Call) (agent.Verdict, error) {
			if !v.Approve && v.Reason == "" {
				return agent.Verdict{Retry: "a refusal needs a reason"}, nil
			}
			return agent.Verdict{Result: []byte(fmt.Sprintf(`{"approve":%t}`, v.Approve))}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"```json\n{\"approve\": true}\n```", `{"approve": false}`} {
		v, _ := rule.Resolve(context.Background(), &agent.Reply{Text: text}, &agent.Call{})
		fmt.Printf("result %s, retry %q\n", v.Result, v.Retry)
	}
	// Output:
	// result {"approve":true}, retry ""
	// result , retry "a refusal needs a reason"
}
