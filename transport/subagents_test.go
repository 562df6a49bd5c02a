package transport

import (
	"encoding/json"
	"strings"
	"testing"
)

// delegated starts a session whose subagent has the prompt.
func (c *client) delegated(prompt string) (base, token string) {
	c.t.Helper()
	args, err := json.Marshal(map[string]string{"subagent": "helper", "prompt": prompt})
	if err != nil {
		c.t.Fatal(err)
	}
	id, token := c.started("/call task " + string(args))
	return "/bot/v1/session/" + id, token
}

// "approvals inside park the turn like any other": they are listed with parentCallId,
// the streams end there, and a decision reaches them.
func TestSubagents_Approvals(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	base, _ := c.delegated(`/call merge {"n":1}`)
	body := c.do("GET", base+"/stream?startIndex=0&until=idle", "").body
	if lines := strings.Split(strings.TrimSpace(body), "\n"); !strings.Contains(lines[len(lines)-1], `"type":"input.requested"`) {
		t.Fatalf("the stream ends with %s", lines[len(lines)-1])
	}
	var list struct {
		Approvals []struct{ CallID, ToolName, ParentCallID string }
	}
	if err := json.Unmarshal([]byte(c.do("GET", base+"/approvals", "").body), &list); err != nil || len(list.Approvals) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	a := list.Approvals[0]
	if a.ToolName != "merge" || !strings.Contains(body, `"type":"subagent.called"`) || !strings.Contains(body, `"callId":"`+a.ParentCallID+`","name":"helper"`) {
		t.Errorf("%+v in\n%s", a, body)
	}
	if row := c.do("GET", base, "").body; !strings.Contains(row, `"status":"parked"`) {
		t.Errorf("the session is %s", row)
	}
	if got := c.do("POST", base+"/approvals/"+a.CallID, `{"decision":"approve"}`); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	body = c.do("GET", base+"/stream?startIndex=13&until=idle", "").body
	if !strings.Contains(body, `"type":"session.waiting"`) || !strings.Contains(body, `"toolName":"merge","output":{"n":1}`) {
		t.Errorf("the log is\n%s", body)
	}
	if got := c.do("GET", base+"/approvals", "").body; !strings.Contains(got, `"approvals":[]`) {
		t.Errorf("still pending: %s", got)
	}
}

// "HTTP follow-up on a session with an open turn … interrupts", a subagent inside too.
func TestSubagents_FollowUpInterrupts(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	base, token := c.delegated(`/call merge {}`)
	c.do("GET", base+"/stream?startIndex=0&until=idle", "")
	body, err := json.Marshal(map[string]string{"continuationToken": token, "message": "hello"})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.do("POST", base, string(body)); got.status != 202 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	log := c.do("GET", base+"/stream?startIndex=13&until=idle", "").body
	var order []string
	for line := range strings.Lines(log) {
		for _, typ := range []string{"input.resolved", "action.result", "subagent.completed", "turn.failed"} {
			if strings.HasPrefix(line, `{"type":"`+typ+`"`) {
				order = append(order, typ)
			}
		}
	}
	if got := strings.Join(order, " "); got != "input.resolved action.result subagent.completed action.result turn.failed" {
		t.Errorf("closed by %s in\n%s", got, log)
	}
}

// `400 agent_execution`: "the tool runs in a turn only".
func TestSubagents_TaskIsForTurns(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	if got := c.do("POST", "/bot/v1/tools/task", `{"input":{"subagent":"helper","prompt":"x"}}`); got.status != 400 || !strings.Contains(got.body, `"agent_execution"`) {
		t.Errorf("called: %d %s", got.status, got.body)
	}
	if got := c.do("GET", "/bot/v1/tools/task", "").body; !strings.Contains(got, `"execution":"agent"`) || !strings.Contains(got, `"source":"harness"`) {
		t.Errorf("described: %s", got)
	}
	if got := c.do("GET", "/bot/v1/tools", "").body; strings.Contains(got, `"task"`) {
		t.Errorf("listed: %s", got)
	}
	if got := c.do("POST", "/other/v1/tools/task", `{}`); got.status != 404 {
		t.Errorf("of an agent without subagents: %d %s", got.status, got.body)
	}
	if got := c.do("GET", "/bot/v1/info", "").body; !strings.Contains(got, `"subagents":[{"name":"helper","description":"Helps.","instructions":{"chars":`) {
		t.Errorf("info: %s", got)
	}
}
