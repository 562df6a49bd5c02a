package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// A schedule that opens a session with a prompt, and one that runs a function: it
// calls a tool without a model, and tells a channel of what it found.
func ExampleSchedule() {
	daily := &agent.Schedule{ID: "daily", Cron: "0 9 * * 1-5", TimeZone: "Europe/Berlin", Markdown: "Report on the builds of the night."}
	sweep := &agent.Schedule{ID: "sweep", Cron: "*/15 * * * *", CatchUp: true, Run: func(ctx context.Context, c *agent.Call) error {
		found, err := c.Firing.CallTool(ctx, "failed_jobs", nil)
		if err != nil || string(found.Output) == "[]" {
			return err
		}
		_, err = c.Firing.Receive(ctx, "desk", agent.Receive{Message: "Look at " + string(found.Output), Target: json.RawMessage(`{"continuationToken":"builds"}`)})
		return err
	}}
	late := &agent.Schedule{ID: "late", Cron: "0 25 * * *", TimeZone: "Europe/Berlin", Overlap: "queue", Markdown: "Never."}
	for _, s := range []*agent.Schedule{daily, sweep, late} {
		fmt.Println(s.ID, "is wrong:", s.Check())
	}
	// Output:
	// daily is wrong: <nil>
	// sweep is wrong: <nil>
	// late is wrong: schedule "late": "25" cannot be the hour (0 to 23): end of range (25) above maximum (23): 25
	// schedule "late": overlap is "queue"; it is skip or allow
}
