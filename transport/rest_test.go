package transport

import (
	"fmt"
	"strings"
	"testing"
)

// restStories have a line per event: turn, type, data, and whether the session rests after it.
var restStories = map[string]string{
	"a plain turn": `
			-  session.started {} busy
			t1 message.received {} busy
			t1 turn.started {} busy
			t1 step.started {"step":1} busy
			t1 message.completed {"text":"\"parentCallId\""} busy
			t1 step.completed {} busy
			t1 turn.completed {} busy
			-  session.waiting {} rest
			-  session.updated {} rest
			-  actions.requested {"calls":[{"callId":"tool_x_1"}]} rest
			-  action.result {"callId":"tool_x_1"} rest
			t2 message.received {} busy`,
	"two calls, one gated": `
			t1 turn.started {} busy
			t1 step.started {} busy
			t1 step.completed {} busy
			t1 actions.requested {"calls":[{"callId":"a"},{"callId":"b"}]} busy
			t1 input.requested {"callId":"a"} busy
			t1 action.result {"callId":"b"} rest
			t1 input.resolved {"callId":"a","decision":"approve"} busy
			t1 action.result {"callId":"a"} busy
			t1 step.started {} busy`,
	"a message waits while another turn is parked": `
			t1 turn.started {} busy
			t1 actions.requested {"calls":[{"callId":"a"}]} busy
			t1 input.requested {"callId":"a"} rest
			t2 message.received {} rest
			t2 turn.failed {} rest
			t1 input.resolved {"callId":"a","decision":"cancelled"} busy
			t1 action.result {"callId":"a"} busy
			t1 turn.failed {} busy
			-  session.waiting {} rest`,
	"a subagent parks": `
			t1 turn.started {} busy
			t1 actions.requested {"calls":[{"callId":"task"}]} busy
			t1 subagent.called {"callId":"task"} busy
			t1 step.started {"parentCallId":"task"} busy
			t1 step.completed {"parentCallId":"task"} busy
			t1 actions.requested {"parentCallId":"task","calls":[{"callId":"a"}]} busy
			t1 input.requested {"parentCallId":"task","callId":"a"} rest
			t1 input.resolved {"parentCallId":"task","callId":"a"} busy
			t1 action.result {"parentCallId":"task","callId":"a"} busy
			t1 step.started {"parentCallId":"task"} busy
			t1 step.completed {"parentCallId":"task"} busy
			t1 subagent.completed {"callId":"task"} busy
			t1 action.result {"callId":"task"} busy`,
	"calls wait for connections": `
			t1 turn.started {} busy
			t1 actions.requested {"calls":[{"callId":"a"},{"callId":"b"},{"callId":"c"},{"callId":"d"}]} busy
			t1 authorization.requested {"callId":"a","connection":"door"} busy
			t1 authorization.requested {"callId":"b","connection":"door"} busy
			t1 input.requested {"callId":"c"} busy
			t1 authorization.requested {"callId":"d","connection":"yard"} rest
			t1 authorization.completed {"connection":"other","outcome":"granted"} rest
			t1 authorization.completed {"connection":"door","outcome":"granted"} busy
			t1 action.result {"callId":"a"} busy
			t1 authorization.requested {"callId":"b","connection":"door"} rest
			t1 authorization.completed {"connection":"door","outcome":"expired"} busy
			t1 action.result {"callId":"b"} rest`,
	"a resumed turn keeps its parked call": `
			t1 turn.started {} busy
			t1 actions.requested {"calls":[{"callId":"a"},{"callId":"b"}]} busy
			t1 input.requested {"callId":"a"} busy
			t1 turn.resumed {"attempt":1} busy
			t1 action.result {"callId":"b"} rest`,
	"a task": `
			t1 turn.started {} busy
			t1 turn.completed {} busy
			-  session.completed {} rest
			-  session.updated {} rest`,
	"lines that nobody knows": `
			t1 turn.started {} busy
			t1 future.event {"calls":1} busy
			t1 action.result [] busy`,
}

func TestRest_Stories(t *testing.T) {
	t.Parallel()
	for name, story := range restStories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r rest
			for i, row := range strings.Split(strings.TrimSpace(story), "\n") {
				f := strings.Fields(row)
				line, want := lineOf(i, f[0], f[1], strings.Join(f[2:len(f)-1], " ")), f[len(f)-1] == "rest"
				if r.apply([]byte(line)); r.reached() != want {
					t.Errorf("after %s: rests %v", strings.TrimSpace(row), r.reached())
				}
			}
		})
	}
}

func lineOf(i int, turn, eventType, data string) string {
	id := ""
	if turn != "-" {
		id = fmt.Sprintf(`"turnId":%q,`, turn)
	}
	return fmt.Sprintf(`{"type":%q,"index":%d,"sessionId":"ses_1",%s"at":"2026-03-01T09:00:00.000Z","data":%s}`, eventType, i, id, data)
}
