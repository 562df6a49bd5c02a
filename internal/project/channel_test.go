package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// answer sends a request to a route and gives what it answers, or its issues.
func answer(t *testing.T, r *agent.Route, media, body, query string) string {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	q := &agent.Request{Method: r.Method, URL: "http://127.0.0.1/v1/channels/web" + r.Path + "?" + query, Header: http.Header{}, Body: []byte(body), Query: values}
	if media != "" {
		q.Header.Set("Content-Type", media)
	}
	res, err := r.Handle(context.Background(), &agent.Call{Request: q})
	var refused *agent.RequestError
	if errors.As(err, &refused) {
		issues, _ := json.Marshal(refused.Issues)
		return refused.Where + " " + string(issues)
	}
	if err != nil {
		return "! " + err.Error()
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const bodies = `
import { defineChannel, GET, POST, PUT } from "@cursor/bdk/channels";
const any = { "~standard": { version: 1, vendor: "mini", validate: (value) => ({ value }) } };
const show = async (request, { body, query }) => Response.json({ body, query, raw: await request.text() });
export default defineChannel({ routes: [
  POST("/none", show),
  POST("/any", { bodySchema: any, handler: show }),
  POST("/plain", { bodySchema: { type: "object", properties: { n: { type: "integer" }, on: { type: "boolean" }, list: { type: "array", items: { type: "number" } }, s: { type: "string" } }, required: ["n"] }, handler: show }),
  GET("/query", { querySchema: { type: "object", properties: { page: { type: ["integer", "null"], maximum: 9 }, tags: { type: "array" } }, additionalProperties: false }, handler: async (_r, { query }) => Response.json(query) }),
] });`

// "a schema that does not hold is 400 invalid_body / invalid_query with issues, and the handler is not called";
// S11: "Body parser chosen by declared type only"
func TestChannel_ReadsBodies(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/channels/web.ts": bodies})
	const js, form = "application/json; charset=utf-8", "application/x-www-form-urlencoded"
	for _, c := range []struct {
		route                    int
		media, body, query, want string
	}{
		{0, js, `{"a": 1}`, "x=1&x=2&y=", `{"body":{"a":1},"query":{"x":["1","2"],"y":""},"raw":"{\"a\": 1}"}`},
		{0, "application/a2a+json", `[1]`, "", `{"body":[1],"query":{},"raw":"[1]"}`},
		{0, js, `{"a":`, "", `{"query":{},"raw":"{\"a\":"}`}, // nothing judges it, and the handler has the request
		{0, js, ``, "", `{"query":{},"raw":""}`},
		{0, "", `{"a":1}`, "", `{"query":{},"raw":"{\"a\":1}"}`},
		{0, "application/octet-stream", `{"a":1}`, "", `{"query":{},"raw":"{\"a\":1}"}`},
		{0, form, `a=1&a=2&b=%C3%A9`, "", `{"body":{"a":["1","2"],"b":"é"},"query":{},"raw":"a=1&a=2&b=%C3%A9"}`},
		{0, "text/plain", `{"a":1}`, "", `{"body":"{\"a\":1}","query":{},"raw":"{\"a\":1}"}`},
		{1, js, `{"a":`, "", `body [{"path":"","message":"is not valid JSON: unexpected end of JSON input at byte 5"}]`},
		{1, js, `{"a":1,"a":2}`, "", `body [{"path":"","message":"names \"a\" twice"}]`},
		{1, js, "\"\xff\"", "", `body [{"path":"","message":"is not valid UTF-8"}]`},
		{1, form, `a=%zz`, "", `body [{"path":"","message":"is no form: invalid URL escape \"%zz\""}]`},
		{1, "application/xml", `<a/>`, "", `{"query":{},"raw":"<a/>"}`},
		{2, js, `{"n":12345678901234}`, "", `{"body":{"n":12345678901234},"query":{},"raw":"{\"n\":12345678901234}"}`},
		{2, js, `{}`, "", `body [{"path":"n","message":"is required"}]`},
		{2, js, `{"n":"1"}`, "", `body [{"path":"n","message":"must be an integer, not a string"}]`},
		{2, form, `n=-1&on=true&list=2&s=3`, "", `{"body":{"list":[2],"n":-1,"on":true,"s":"3"},"query":{},"raw":"n=-1&on=true&list=2&s=3"}`},
		{2, form, `n=x`, "", `body [{"path":"n","message":"must be an integer, not a string"}]`},
		{2, "", ``, "", `body [{"path":"","message":"is missing: send it as application/json"}]`},
		{2, "application/xml", `<a/>`, "", `body [{"path":"","message":"has the content type \"application/xml\", which is not read: send application/json"}]`},
		{2, "", `{"n":1}`, "", `body [{"path":"","message":"has no content type: send application/json"}]`},
		{2, js, "\uFEFF{\"n\":1}", "", `body [{"path":"","message":"begins with a byte order mark (BOM), which JSON has not: send it without"}]`},
		// "a whole number that does not survive the round trip is refused", as of a tool's input
		{0, js, `{"id":12345678901234567890}`, "", `{"query":{},"raw":"{\"id\":12345678901234567890}"}`},
		{0, js, `[1e999]`, "", `{"query":{},"raw":"[1e999]"}`},
		{1, js, `{"a":[12345678901234567890,1e999]}`, "", `body [{"path":"a[0]","message":"is a whole number that JavaScript would round to 12345678901234567000; send it as a string"},{"path":"a[1]","message":"is a number too large for JavaScript; send it as a string"}]`},
		{2, form, `n=9007199254740993`, "", `body [{"path":"n","message":"is a whole number that JavaScript would round to 9007199254740992; send it as a string"}]`},
		{3, "", ``, "page=9007199254740993", `query [{"path":"page","message":"is a whole number that JavaScript would round to 9007199254740992; send it as a string"}]`},
		{3, "", ``, "page=3&tags=a", `{"page":3,"tags":["a"]}`},
		{3, "", ``, "tags=a&tags=b", `{"tags":["a","b"]}`},
		{3, "", ``, "page=10", `query [{"path":"page","message":"must be at most 9"}]`},
		{3, "", ``, "other=1", `query [{"path":"other","message":"is not a known property"}]`},
	} {
		if got := answer(t, a.Channels[0].Routes[c.route], c.media, c.body, c.query); got != c.want {
			t.Errorf("%d %s %q ?%s:\n got %s\nwant %s", c.route, c.media, c.body, c.query, got, c.want)
		}
	}
}

// "Without one: … the fields of a form": of one that may have files, too, which are the
// raw request's.
func TestChannel_ReadsFormsWithFiles(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/channels/web.ts": `
import { defineChannel, POST } from "@cursor/bdk/channels";
export default defineChannel({ routes: [POST("/", async (request, { body }) => Response.json([body, await (await request.formData()).get("f").text()]))] });`})
	part := func(head, text string) string {
		return "--x\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + text + "\r\n"
	}
	form := part(`name="a"`, "1") + part(`name="a"`, "é") + part(`name="f"; filename="f.txt"`, "file") + part(`name="none"; filename=""`, "") + part(`name="b"`, "") + "--x--\r\n"
	r := a.Channels[0].Routes[0]
	if got := answer(t, r, "multipart/form-data; boundary=x", form, ""); got != `[{"a":["1","é"],"b":""},"file"]` {
		t.Error(got)
	}
	for what, form := range map[string]string{"cut off": part(`name="f"`, "1"), "no UTF-8": part(`name="f"`, "1") + part(`name="a"`, "\xff") + "--x--\r\n"} {
		if got := answer(t, r, "multipart/form-data; boundary=x", form, ""); strings.HasPrefix(got, "[{") {
			t.Error(what, got)
		}
	}
}

// A thread is a conversation that keeps what is written to it.
type thread struct{ state, token string }

func (c *thread) ContinuationToken() string { return c.token }
func (c *thread) State() json.RawMessage    { return json.RawMessage(c.state) }

func (c *thread) SetState(_ context.Context, state json.RawMessage) error {
	c.state = string(state)
	return nil
}

func (c *thread) SetContinuationToken(_ context.Context, token string) error {
	c.token = token
	return nil
}

// "events: {[type]: async (event, channel, ctx)} …, ctx: host, session, deliveryId"; "onStart"; "a function (request) => principal"
func TestChannel_RunsItsFunctions(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/channels/web.ts": `
import { defineChannel, POST } from "@cursor/bdk/channels";
let starts = 0;
export default defineChannel({
  auth: [(request) => request.headers.get("x-me") ? { kind: "me", id: request.headers.get("x-me") } : null],
  onStart({ host }) { host.otel.tag("starts", String(++starts)); },
  routes: [POST("/", (_request, { principal }) => Response.json([principal.id, starts]))],
  events: { "turn.completed": async (event, channel, ctx) => { await channel.setState({ last: event.data.result, by: ctx.deliveryId }); await channel.setContinuationToken(ctx.session.id); } },
});`})
	c, s, place := a.Channels[0], &tags{}, &thread{state: "null"}
	if err := c.OnStart(context.Background(), hookCall(s)); err != nil || fmt.Sprint(s.lines) != "[starts 1]" {
		t.Error(s.lines, err)
	}
	for header, want := range map[string]string{"": "<nil>", "ann": "&{me ann  }"} {
		q := &agent.Request{Method: "POST", URL: "http://a/", Header: http.Header{"X-Me": {header}}}
		if who, err := c.Auth[0].Judge(context.Background(), q); err != nil || fmt.Sprint(who) != want {
			t.Error(who, err)
		}
	}
	call := &agent.Call{Request: &agent.Request{Method: "POST", URL: "http://a/", Principal: events.Principal{Kind: "me", ID: "ann"}}}
	res, err := c.Routes[0].Handle(context.Background(), call)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(res.Body); string(text) != `["ann",1]` {
		t.Errorf("%s", text)
	}
	deliver := hookCall(s)
	deliver.Conversation, deliver.DeliveryID = place, "d_1"
	if err := c.On["turn.completed"](context.Background(), lineOf(`{"type":"turn.completed","data":{"result":"well"}}`), deliver); err != nil || *place != (thread{`{"last":"well","by":"d_1"}`, "s_1"}) {
		t.Errorf("%+v %v", place, err)
	}
}

// S26: what a policy is made of is in no finding and no error.
func TestAuth_FindingsShowNoSecret(t *testing.T) {
	t.Parallel()
	agents, _ := loadScript(t, t.TempDir(), readArchive(t, "testdata/auth_wrong.txtar"))
	for _, a := range agents {
		if said := fmt.Sprintf("%+v", a.Diagnostics); strings.Contains(said, "canary") {
			t.Error(said)
		}
		// "such a policy admits nobody": what is left of agent.ts's list is what is right in it.
		if len(a.Auth) != 1 || a.Auth[0].Kind != agent.AuthLocalDevStrict || len(a.Channels) != 0 {
			t.Errorf("%+v %d channels", a.Auth, len(a.Channels))
		}
	}
	a := loadFiles(t, map[string]string{"bot/agent.ts": `import { defineAgent } from "@cursor/bdk"; export default defineAgent({});`})
	if a.Auth != nil {
		t.Error("an agent without auth has policies")
	}
}
