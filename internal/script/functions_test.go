package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// "`ctx.channel` | `{ id, continuationToken }`. The token is `null` when the session can't take follow-ups"
func TestContext_AChannelWithoutATokenHasNull(t *testing.T) {
	t.Parallel()
	out, err := tool(t, `return [ctx.channel, ctx.toolCallId === undefined]`, func(c *agent.Call) { c.Channel.ContinuationToken, c.ID = "", "" })
	if want := `[{"id":"http","continuationToken":null},true]`; err != nil || out != want {
		t.Errorf("%s %v", out, err)
	}
}

const hookModule = `
const seen: any[] = [];
const writes = (f: () => void) => { try { f(); return "written" } catch (e: any) { return e.name } };
export default { events: {
  "turn.completed"(event: any, ctx: any) { seen.push(event); ctx.host.otel.tag("first", ctx.session.id + " " + this["*"].name) },
  async "*"(event: any, ctx: any) {
    await null;
    ctx.host.otel.tag(event.type, [
      writes(() => { event.type = "x" }), writes(() => { event.data.usage.inputTokens = 0 }), writes(() => { event.data.list.push(1) }),
      writes(() => { delete event.data.list[0].deep }), writes(() => { event.more = 1 }), event === seen.at(-1), event.data.usage?.inputTokens,
    ].join(" "));
  },
  throws() { throw new Error("the pager is down") },
} };`

func hookCall(s *sink) *agent.Call {
	return &agent.Call{Session: agent.Session{ID: "s1"}, Telemetry: s}
}

// "the event is deep-frozen (writing to it throws)"; "Later subscribers see the same object."
func TestHook_SeesAFrozenEvent(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/hook.ts": hookModule})
	line := json.RawMessage(`{"type":"turn.completed","index":3,"data":{"usage":{"inputTokens":9007199254740991},"list":[{"deep":[1]}]}}`)
	s := &sink{}
	for _, key := range []string{"turn.completed", "*"} {
		if err := p.rt.CallHook(context.Background(), "slots/hook", key, line, hookCall(s)); err != nil {
			t.Fatal(err)
		}
	}
	other := json.RawMessage(`{"type":"turn.failed","data":{"usage":{},"list":[{"deep":[1]}]}}`)
	if err := p.rt.CallHook(context.Background(), "slots/hook", "*", other, hookCall(s)); err != nil {
		t.Fatal(err)
	}
	want := `tag first s1 *
tag turn.completed TypeError TypeError TypeError TypeError TypeError true 9007199254740991
tag turn.failed TypeError TypeError TypeError TypeError TypeError false `
	if got := strings.Join(s.lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHook_WhatItThrowsHasItsPlaceInTheLog(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/hook.ts": hookModule})
	err := p.rt.CallHook(context.Background(), "slots/hook", "throws", json.RawMessage(`{}`), hookCall(&sink{}))
	if err == nil || err.Error() != "the pager is down" {
		t.Error(err)
	}
	if text := p.log.String(); !strings.Contains(text, `{"level":"warn","module":"slots/hook","place":"slots/hook.ts:13:24","message":"slots/hook threw: the pager is down"}`) {
		t.Errorf("the log has\n%s", text)
	}
	if err := p.rt.CallHook(context.Background(), "slots/hook", "turn.failed", json.RawMessage(`{}`), hookCall(&sink{})); err == nil || err.Error() != "the hook has no handler for turn.failed" {
		t.Error(err)
	}
}

// A hook that never comes back is bounded by its context, and holds nobody's tools.
func TestHook_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"slots/hook.ts": `export default { events: { async "*"(_: any, ctx: any) { await new Promise((_, no) => ctx.signal.addEventListener("abort", () => no(ctx.signal.reason))) } } }`,
		"tools/x.ts":    `export default { execute: () => "fine" }`,
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.rt.CallHook(ctx, "slots/hook", "*", json.RawMessage(`{}`), hookCall(&sink{})) }()
	p.want("x", "{}", `"fine"`)
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the hook goes on")
	}
}

const schemas = `
const positive = { "~standard": { vendor: "mini", validate: async (v: any) => v?.n > 0 ? { value: { n: v.n, twice: 2 * v.n } } : { issues: [{ message: "must be above 0", path: ["n"] }] } } };
export default { schema: Object.assign(positive, { toJSONSchema: () => ({}) }), kinds: { "a.b": { schema: positive } } };`

func TestParseValue_GivesWhatTheSchemaMakes(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/result.ts": schemas})
	for _, c := range []struct {
		path  []string
		value string
		want  string
	}{
		{[]string{"schema"}, `{"n":2}`, `{"n":2,"twice":4}`},
		{[]string{"kinds", "a.b", "schema"}, `{"n":3}`, `{"n":3,"twice":6}`},
		{[]string{"schema"}, `{"n":0}`, `invalid input: n: must be above 0`},
		{[]string{"schema"}, `{"n":12345678901234567891}`, `invalid input: n: is a whole number that JavaScript would round to 12345678901234567000; send it as a string`},
		{[]string{"none", "at", "all"}, `{"n":0}`, `{"n":0}`},
	} {
		out, err := p.rt.ParseValue(context.Background(), "slots/result", c.path, json.RawMessage(c.value), &agent.Call{})
		got := string(out)
		if err != nil {
			got = err.Error()
			var input *agent.InputError
			if !errors.As(err, &input) {
				t.Errorf("%s: the error is a %T", c.value, err)
			}
		}
		if got != c.want {
			t.Errorf("%v %s:\n got %s\nwant %s", c.path, c.value, got, c.want)
		}
	}
}
