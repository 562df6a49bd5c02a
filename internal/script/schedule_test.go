package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A clerk notes what a firing asks for.
type clerk struct {
	mu   sync.Mutex
	said []string
}

func (c *clerk) note(format string, a ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, fmt.Sprintf(format, a...))
}

func (c *clerk) firing() *agent.Firing {
	return &agent.Firing{
		ScheduledAt: time.Date(2027, 1, 2, 9, 0, 0, 0, time.UTC), AppAuth: events.Principal{Kind: "app", ID: "schedule:sweep"},
		Receive: func(_ context.Context, channel string, r agent.Receive) (agent.Sent, error) {
			c.note("receive %s %q %s %s", channel, r.Message, r.Auth.ID, r.Target)
			return agent.Sent{SessionID: "ses_1", ContinuationToken: "t", TurnID: "turn_1"}, nil
		},
		Wait: func(_ context.Context, s agent.Sent) (agent.Completion, error) {
			return agent.Completion{Status: "finished", Result: json.RawMessage(`"done ` + s.TurnID + `"`)}, nil
		},
		CallTool: func(_ context.Context, name string, input json.RawMessage) (agent.Result, error) {
			c.note("call %s %s", name, input)
			switch name {
			case "none":
				return agent.Result{}, errors.New("no tool is called \"none\"")
			case "bad":
				return agent.Result{Output: json.RawMessage(`"it broke"`), IsError: true}, nil
			}
			return agent.Result{Output: json.RawMessage(`{"items":[1]}`)}, nil
		},
	}
}

// fires runs a schedule of a project with two channels.
func fires(t *testing.T, body string) (*clerk, error) {
	t.Helper()
	channel := `import { defineChannel } from "@cursor/bdk/channels"; export default defineChannel({ routes: [] });`
	p := load(t, map[string]string{
		"channels/desk.ts": channel, "channels/slack.ts": channel,
		"schedules/sweep.ts": `import { defineSchedule } from "@cursor/bdk/schedules"; import desk from "../channels/desk.js"; import slack from "../channels/slack.js";
export default defineSchedule({ cron: "* * * * *", async run({ receive, callTool, waitUntil, appAuth, host, scheduledAt, log }) {
` + body + `
} });`,
	})
	c := &clerk{}
	return c, p.rt.CallSchedule(t.Context(), "schedules/sweep", &agent.Call{Agent: "Bot", Firing: c.firing()})
}

// "run({receive, callTool, waitUntil, appAuth, host, scheduledAt})": "receive(channel, {message, auth, target?})
// (the channel's definition or its id), callTool(name, input) → {isError, result}".
func TestSchedule_Run(t *testing.T) {
	t.Parallel()
	c, err := fires(t, `
  const found = await callTool("fetch_news", { limit: 8, image: undefined }), bad = await callTool("bad");
  const s = await receive(slack, { message: "new", auth: appAuth, target: { channelId: "c", threadTs: "1" } });
  await receive("desk", { message: "also" });
  await receive(desk, { message: "too", auth: undefined });
  const said = [found, bad, s.id, s.continuationToken, await s.waitForCompletion(), scheduledAt instanceof Date, scheduledAt.toISOString(), appAuth];
  await callTool("note", { said });
  let thrown = "";
  try { await callTool("none", {}); } catch (e) { thrown = e.message; }
  await callTool("note", { thrown });`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`call fetch_news {"limit":8}`, `call bad {}`, `receive slack "new" schedule:sweep {"channelId":"c","threadTs":"1"}`, `receive desk "also"  `, `receive desk "too"  `,
		`call note {"said":[{"isError":false,"result":{"items":[1]}},{"isError":true,"result":"it broke"},"ses_1","t",{"status":"finished","result":"done turn_1"},true,"2027-01-02T09:00:00.000Z",{"kind":"app","id":"schedule:sweep"}]}`,
		`call none {}`, `call note {"thrown":"no tool is called \"none\""}`,
	}
	for i := range want {
		if i >= len(c.said) || c.said[i] != want[i] {
			t.Errorf("%d: %q\nwant %q", i, c.said, want[i])
		}
	}
}

// What is given to waitUntil keeps the firing open, and its fault is the firing's.
func TestSchedule_WaitUntil(t *testing.T) {
	t.Parallel()
	c, err := fires(t, `
  waitUntil(new Promise((done) => setTimeout(done, 5)).then(() => { waitUntil(callTool("last", {})); }));
  waitUntil(Promise.reject(new Error("late fault")));
  waitUntil(callTool("first", {}));`)
	if err == nil || err.Error() != "late fault" {
		t.Error(err)
	}
	if got := strings.Join(c.said, ", "); got != "call first {}, call last {}" {
		t.Error(got)
	}
}

func TestSchedule_Faults(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`throw new Error("no news");`:                      "no news",
		`waitUntil(7);`:                                    "waitUntil needs a promise",
		`await receive({}, { message: "x" });`:             "receive needs a channel of this project",
		`await receive("desk", "x");`:                      "receive needs {message, auth?, target?}",
		`await receive("desk", { message: "x", to: 1 });`:  `receive has no option "to"`,
		`await receive("desk", { message: "x", auth: 1 })`: "auth of receive must be {kind, id",
		`await callTool("");`:                              "callTool needs the name of a tool",
		`await host.reminders.list();`:                     "ctx.host.reminders is not available",
	} {
		if _, err := fires(t, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestSchedule_ChannelID(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{"channels/a": "a", "extensions/ci/channels/a": "ci__a", "extensions/ci/over/channels/a": "ci__a", "tools/a": "tools/a"} {
		if got := channelID(module); got != want {
			t.Errorf("%s is %s, want %s", module, got, want)
		}
	}
}
