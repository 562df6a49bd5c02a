package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A thread is a conversation in memory.
type thread struct {
	mu    sync.Mutex
	state json.RawMessage
	token string
	wrote []string
}

func (c *thread) ContinuationToken() string { return c.token }
func (c *thread) State() json.RawMessage    { return c.state }

func (c *thread) SetState(_ context.Context, state json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote = append(c.wrote, "state "+string(state))
	return nil
}

func (c *thread) SetContinuationToken(_ context.Context, token string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token == "taken" {
		return errors.New("another session has the token")
	}
	c.wrote = append(c.wrote, "token "+token)
	return nil
}

// deliver gives an event to a handler's body, and what was written and told.
func deliver(t *testing.T, body string) (*thread, []string, error) {
	t.Helper()
	p := routes(t, `export default defineChannel({ events: { async "turn.completed"(event: any, channel: any, ctx: any) {
`+body+` } } });`)
	c, s := &thread{state: json.RawMessage(`{"n":1}`), token: "t"}, &sink{}
	err := p.rt.CallDelivery(context.Background(), "slots/web", "turn.completed", json.RawMessage(`{"type":"turn.completed","data":{"result":"well"}}`),
		&agent.Call{Agent: "Bot", Session: agent.Session{ID: "s1"}, Conversation: c, DeliveryID: "d_1", Telemetry: s})
	return c, s.lines, err
}

// "channel: state (JSON, kept in the log), setState(value), setContinuationToken(token), continuationToken; ctx: host,
// session, deliveryId"
func TestDelivery_HasTheChannelsPlace(t *testing.T) {
	t.Parallel()
	c, told, err := deliver(t, `
  ctx.host.otel.tag("saw", JSON.stringify([event.data.result, Object.isFrozen(event.data), channel.state, channel.continuationToken, ctx.session.id, ctx.deliveryId, ctx.agent.name]));
  await channel.setState({ n: channel.state.n + 1 });
  channel.setState({ n: channel.state.n + 1 });
  await channel.setContinuationToken("u");
  ctx.host.otel.tag("then", JSON.stringify([channel.state, channel.continuationToken]));
  channel.setContinuationToken("v");
  channel.setState(undefined);`)
	if err != nil {
		t.Fatal(err)
	}
	want := `tag saw ["well",true,{"n":1},"t","s1","d_1","Bot"]` + "\n" + `tag then [{"n":3},"u"]`
	if got := strings.Join(told, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// In the order in which they were made, also those that were not awaited.
	if got := strings.Join(c.wrote, ", "); got != `state {"n":2}, state {"n":3}, token u, token v, state null` {
		t.Error(got)
	}
}

// "A handler that throws is retried": the error comes back with its message.
func TestDelivery_Faults(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`throw new Error("the pager is down")`:        "the pager is down",
		`await channel.setContinuationToken("taken")`: "another session has the token",
		`channel.setContinuationToken(7)`:             "setContinuationToken needs a string with text in it",
		`channel.setState({ n: NaN })`:                "the state holds NaN at n, which JSON cannot express",
		`event.data.result = 1`:                       "'result' is read-only",
		`channel.state = 1`:                           "no setter for property",
	} {
		if _, _, err := deliver(t, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", body, err, want)
		}
	}
	if c, _, err := deliver(t, `try { await channel.setContinuationToken("taken") } catch { await channel.setContinuationToken("free") }`); err != nil || len(c.wrote) != 1 {
		t.Error(c.wrote, err)
	}
}

func TestStart_HasTheHost(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ async onStart({ host, log, send }) { await host.kv.put("a", 1); log.info("up " + (await send("x")).id); if (await host.kv.get("b")) throw new Error("no"); } });`)
	m := newMemory()
	c := &agent.Call{KV: memoryKV{m}, Log: loggerTo(p.log), Sessions: &desk{}}
	if err := p.rt.StartChannel(context.Background(), "slots/web", c); err != nil || !strings.Contains(p.log.String(), "up ses_1") {
		t.Error(err, p.log)
	}
	m.kv["b"] = agent.KVEntry{Value: json.RawMessage(`1`)}
	if err := p.rt.StartChannel(context.Background(), "slots/web", c); err == nil || err.Error() != "no" {
		t.Error(err)
	}
}

// "a function (request) => principal | null"
func TestJudge_AsksTheFunction(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ auth: [
  (request) => request.headers.get("x-me") === "1" ? { kind: "me", id: "1", tenant: "t" } : null,
  async () => {}, async () => true, () => ({ kind: "a", id: " " }), () => ({ kind: "a", id: "b", admin: true }), () => { throw new Error("no table") },
] });`)
	q := &agent.Request{Method: "GET", URL: "http://a/", Header: map[string][]string{"X-Me": {"1"}}}
	who, err := p.rt.Judge(context.Background(), "slots/web", 0, q)
	if want := (events.Principal{Kind: "me", ID: "1", Tenant: "t"}); err != nil || who == nil || *who != want {
		t.Error(who, err)
	}
	const wrong = "a policy gives null, or a principal {kind, id, issuer?, tenant?} with texts in it"
	for i, want := range []string{"", "", wrong + ": it is true", wrong + `: its id is " "`, wrong + `: it has "admin", which is no part of it`, "no table"} {
		who, err := p.rt.Judge(context.Background(), "slots/web", i, &agent.Request{Method: "GET", URL: "http://a/"})
		if who != nil || (err == nil) != (want == "") || (err != nil && err.Error() != want) {
			t.Errorf("%d: %v %v", i, who, err)
		}
	}
}

// S26: secrets of policies are in no description of a definition; Policies alone has them.
func TestPolicies_AreNotInTheSpec(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/web.ts": `import { allowAll, apiKeyHeader, basicAuth, bearerAuth, defineChannel, jwtAuth, localDevStrict } from "@cursor/bdk/channels";
export default defineChannel({ auth: [localDevStrict(), bearerAuth("canary-1"), bearerAuth({ "canary-2": "portal" }), jwtAuth({ keys: ["canary-3"] }),
  basicAuth("u", "canary-4"), apiKeyHeader({ header: "x", keys: ["canary-5"] }), bearerAuth(process.env.NONE), () => null, { policy: "bearer" }, allowAll()] });`})
	if spec := string(p.loaded("slots/web").Spec); strings.Contains(spec, "canary") || !strings.Contains(spec, `{"policy":"bearer"}`) {
		t.Error(spec)
	}
	list, err := p.rt.Policies(context.Background(), "slots/web")
	raw, _ := json.Marshal(list)
	want := `[{"kind":"localDevStrict","args":[]},{"kind":"bearer","args":["canary-1"]},{"kind":"bearer","args":[{"canary-2":"portal"}]},{"kind":"jwt","args":[{"keys":["canary-3"]}]},` +
		`{"kind":"basic","args":["u","canary-4"]},{"kind":"apiKeyHeader","args":[{"header":"x","keys":["canary-5"]}]},{"kind":"bearer","args":[null]},{"kind":"function","args":null},{"kind":"","args":null},{"kind":"allowAll","args":[]}]`
	if err != nil || string(raw) != want {
		t.Errorf("%v\n got %s\nwant %s", err, raw, want)
	}
}
