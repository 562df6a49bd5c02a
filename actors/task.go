package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
)

// taskName is the tool that delegates to a subagent.
const taskName = "task"

// taskInput is what the model gives to it.
type taskInput struct {
	Subagent string `json:"subagent"`
	Prompt   string `json:"prompt"`
}

// newTask makes the tool that delegates to the agent's subagents; nil when there are
// none.
func newTask(a *agent.Agent) (*agent.Tool, error) {
	if len(a.Subagents) == 0 {
		return nil, nil
	}
	description := "Delegates a part of the work to a subagent and gives back its reply. A subagent has the same tools and the same " +
		"workspace and sees nothing of this conversation: put all that it needs to know into the prompt, and say what it shall reply. " +
		"Several calls in one step run side by side. The subagents:"
	var names []string
	for _, s := range a.Subagents {
		names = append(names, s.Name)
		description += fmt.Sprintf("\n- %s: %s", s.Name, strings.TrimSpace(s.Description))
	}
	t, err := agent.NewTool(taskName, description, inTurnsOnly, &agent.ToolOptions[taskInput]{InputSchema: taskSchema(names)})
	if err != nil {
		return nil, fmt.Errorf("actors: agent %s: %w", a.Slug, err)
	}
	t.Source, t.Execution = sourceHarness, agent.ExecutionAgent
	return t, nil
}

// inTurnsOnly stands where a tool's function would be: the session does its work.
func inTurnsOnly(context.Context, taskInput, *agent.Call) (string, error) {
	return "", ErrAgentExecution
}

func taskSchema(names []string) json.RawMessage {
	type object = map[string]any
	b, err := json.Marshal(object{
		"type": "object",
		"properties": object{
			"subagent": object{"type": "string", "enum": names, "description": "the name of the subagent"},
			"prompt":   object{"type": "string", "minLength": 1, "description": "the whole task, with all that the subagent has to know"},
		},
		"required":             []string{"subagent", "prompt"},
		"additionalProperties": false,
	})
	if err != nil {
		panic(err) // maps of strings always encode
	}
	return b
}

// subagent finds one by its name; nil when there is none.
func (r *agentRuntime) subagent(name string) *agent.Subagent {
	for _, s := range r.Subagents {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// delegation reads the arguments of a task call, which fit its schema.
func delegation(args json.RawMessage) session.Delegation {
	var in taskInput
	if err := json.Unmarshal(args, &in); err != nil {
		panic(err) // two texts
	}
	return session.Delegation{Name: in.Subagent, Task: in.Prompt}
}

// delegate is the outcome of a task call that was recorded without its subagent's
// beginning: to whom it goes, or why it goes to nobody.
func (c *callChild) delegate(t *agent.Tool, f *session.RunTool) session.Input {
	_, failed := c.job.check(c.ctx, t, c.job.call(t, f.Call.CallID, f.TurnID, f.Call.Args))
	if failed != nil {
		return failed.outcome(f.Call.CallID)
	}
	return &session.Delegate{CallID: f.Call.CallID, Delegation: delegation(f.Call.Args)}
}
