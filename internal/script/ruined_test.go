package script

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// ruinedChannel is a project with what a channel and a schedule call.
var ruinedChannel = map[string]string{
	"tools/ruin.ts": ruin,
	"slots/web.ts": `
const stringify = JSON.stringify, P = Promise;
export default {
  auth: [() => null],
  events: { "turn.completed": async (event, channel, ctx) => {
    ctx.host.otel.tag("saw", stringify([event.data.result, channel.state, ctx.session.id, ctx.deliveryId]));
    ctx.waitUntil(new P((done) => setTimeout(done, 1)));
    channel.setState({ n: 2 });
    await channel.setContinuationToken("u");
  } },
  onPullRequest: async (ctx, pr) => ({ message: pr.title + ctx.event, auth: { kind: "k", id: "i" } }),
};`,
	"channels/desk.ts": `export default { routes: [] };`,
	"schedules/sweep.ts": `
import desk from "../channels/desk.js";
const P = Promise;
export default { run: async ({ receive, callTool, waitUntil, scheduledAt, host, log }) => {
  const s = await receive(desk, { message: "new", auth: { kind: "k", id: "i" }, target: { a: [1] } });
  waitUntil(callTool("last", { done: (await s.waitForCompletion()).result }));
  await callTool("first", { at: scheduledAt.getTime() });
} };`,
}

// "calls, ctx, … go on": deliveries and firings too; whoever is judged there is not let in.
func TestChannel_WorksInARuinedVM(t *testing.T) {
	t.Parallel()
	p := load(t, ruinedChannel)
	p.want("ruin", "{}", `"ruined"`)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	c, s, ended := &thread{state: json.RawMessage(`{"n":1}`), token: "t"}, &sink{}, make(chan struct{})
	err := p.rt.CallDelivery(ctx, "slots/web", "turn.completed", json.RawMessage(`{"type":"turn.completed","data":{"result":"well"}}`),
		&agent.Call{Agent: "Bot", Session: agent.Session{ID: "s1"}, Conversation: c, DeliveryID: "d_1", Telemetry: s, WaitUntil: func(work func(context.Context)) {
			go func() { defer close(ended); work(context.Background()) }()
		}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-ctx.Done():
		t.Error("what waitUntil was given goes on")
	}
	if got := strings.Join(append(s.lines, c.wrote...), "\n"); got != `tag saw ["well",{"n":1},"s1","d_1"]`+"\nstate {\"n\":2}\ntoken u" {
		t.Errorf("the delivery: %s", got)
	}
	raw, err := p.rt.CallWake(ctx, "slots/web", "onPullRequest", json.RawMessage(`{"ctx":{"event":"!"},"subject":{"title":"T"}}`), &agent.Call{})
	if err != nil || string(raw) != `{"message":"T!","auth":{"kind":"k","id":"i"}}` {
		t.Errorf("the wake: %s %v", raw, err)
	}
	if who, _ := p.rt.Judge(ctx, "slots/web", 0, &agent.Request{Method: "GET", URL: "http://a/"}); who != nil { // a Request may not be had there
		t.Errorf("a policy that admits nobody names %v", who)
	}
	k := &clerk{}
	if err := p.rt.CallSchedule(ctx, "schedules/sweep", &agent.Call{Agent: "Bot", Firing: k.firing()}); err != nil {
		t.Error(err)
	}
	slices.Sort(k.said) // the calls go side by side
	if got := strings.Join(k.said, "\n"); got != "call first {\"at\":1798880400000}\ncall last {\"done\":\"done turn_1\"}\nreceive desk \"new\" i {\"a\":[1]}" {
		t.Errorf("the firing: %s", got)
	}
}
