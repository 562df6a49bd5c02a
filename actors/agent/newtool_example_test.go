package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// A tool that writes, asks a person when much is at stake, and answers for itself in a dry run.
func ExampleNewTool() {
	type refund struct {
		Order string `json:"order" jsonschema:"the order's number"`
		Cents int64  `json:"cents"`
	}
	type receipt struct {
		ID string `json:"id"`
	}
	tool, err := agent.NewTool("refund", "Pays an order back.",
		func(ctx context.Context, in refund, c *agent.Call) (receipt, error) {
			return receipt{ID: "rf-" + in.Order}, nil
		},
		&agent.ToolOptions[refund]{
			Effect:          agent.EffectWrite,
			NeedsApprovalOf: func(_ context.Context, in refund, _ *agent.Call) bool { return in.Cents > 10_000 },
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	call := &agent.Call{Args: json.RawMessage(`{"order":"17","cents":50000}`)}
	prepared, _ := tool.Prepare(ctx, call)
	result, _ := tool.Execute(ctx, call)
	_, wrong := tool.Prepare(ctx, &agent.Call{Args: json.RawMessage(`{"cents":"many"}`)})
	fmt.Println(prepared.Effect, prepared.NeedsApproval)
	fmt.Println(string(result.Output))
	fmt.Println(wrong)
	// Output:
	// write true
	// {"id":"rf-17"}
	// invalid input: cents: must be an integer, not a string; order: is required
}
