package agent_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// An extension is mounted under a namespace; an overlay takes one of its tools away.
func ExampleAgent_Mount() {
	tool := func(name string) *agent.Tool {
		t, err := agent.NewTool(name, "Does "+name+".", func(context.Context, struct{}, *agent.Call) (string, error) { return name, nil }, nil)
		if err != nil {
			panic(err)
		}
		return t
	}
	builds := &agent.Extension{
		Namespace:    "ci",
		Instructions: "Name the job that failed first.",
		Tools:        []*agent.Tool{tool("failed_jobs"), tool("retry_job")},
	}
	a := &agent.Agent{Slug: "desk", Instructions: "You help at the desk."}
	if err := a.Mount(builds, agent.Overlay{Slot: agent.SlotTools, Name: "retry_job"}); err != nil {
		fmt.Println(err)
	}
	for _, c := range a.Mounts[0].Contributions {
		fmt.Println(strings.TrimSpace(c.Slot + " " + c.Name + " " + c.Overlay))
	}
	err := (&agent.Agent{}).Mount(builds, agent.Overlay{Slot: agent.SlotTools, Name: "retry"})
	fmt.Println(err)
	// Output:
	// instructions ci
	// tools ci__failed_jobs
	// tools ci__retry_job removed
	// mounting an overlay of ci: tools/retry: the extension brings no such thing; of tools it brings retry_job, failed_jobs
}
