package script

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// sends runs a handler's body with sessions, and gives the response and what was sent.
func sends(t *testing.T, body string) (string, []string) {
	t.Helper()
	p := routes(t, `export default defineChannel({ routes: [POST("/", async (request, { send, getSession, principal }) => {
`+body+` })] });`)
	d := &desk{done: make(chan agent.Completion, 1)}
	d.done <- agent.Completion{Status: agent.CompletionFinished, Result: json.RawMessage(`{"n":1}`), Reply: "hidden"}
	r, err := p.route(0, Incoming{}, func(c *agent.Call) { c.Sessions = d })
	return text(t, r, err), d.said
}

// "send(text, {continuationToken?, title?, auth?, admission?, workspaceFiles?, mode?, deliveryId?}) → handle {id,
// continuationToken, waitForCompletion(): {status, result?, errorMessage?}}"
func TestSend_Options(t *testing.T) {
	t.Parallel()
	got, said := sends(t, `
  const files = { "a.txt": "é", "b.bin": new Uint8Array([0, 255]), "c.bin": { base64: "AQI=" } };
  const s = await send("hi", { continuationToken: "ticket:1", title: "T", auth: { kind: "k", id: "i", tenant: undefined }, admission: "coalesce", workspaceFiles: files, mode: "task", deliveryId: "d" });
  const plain = await send("plain", { continuationToken: undefined, title: undefined, auth: undefined, admission: undefined, workspaceFiles: undefined, mode: undefined, deliveryId: request.headers.get("x-none") });
  return Response.json([s.id, s.continuationToken, await s.waitForCompletion(), plain.continuationToken === undefined, (await getSession("ses_1")).continuationToken, await getSession("ses_2") === undefined]);`)
	if want := `200 ["ses_1","ticket:1",{"status":"finished","result":{"n":1}},true,"t",true]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for i, want := range []string{
		"hi {ContinuationToken:ticket:1 Title:T Auth:{Kind:k ID:i Issuer: Tenant:} Shared:false Admission:coalesce Files:[{Path:a.txt Content:[195 169]} {Path:b.bin Content:[0 255]} {Path:c.bin Content:[1 2]}] Mode:task DeliveryID:d State:[]}",
		"plain {ContinuationToken: Title: Auth:{Kind: ID: Issuer: Tenant:} Shared:false Admission: Files:[] Mode: DeliveryID: State:[]}",
	} {
		if i >= len(said) || said[i] != want {
			t.Errorf("sent %q, want %s", said, want)
		}
	}
}

func TestSend_RefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`send()`:                                                  "TypeError: send needs a message, a string with text in it",
		`send(" ")`:                                               "TypeError: send needs a message, a string with text in it",
		`send("x", "token")`:                                      "TypeError: the options of send are an object with continuationToken, title,",
		`send("x", { token: "t" })`:                               `TypeError: send has no option "token": its options are continuationToken,`,
		`send("x", { title: 1 })`:                                 "TypeError: title of send must be a string with text in it, not 1",
		`send("x", { mode: "talk" })`:                             `TypeError: mode of send must be "chat", "task", not "talk"`,
		`send("x", { admission: "now" })`:                         `TypeError: admission of send must be "queue", "interrupt", "coalesce", "reject", not "now"`,
		`send("x", { auth: { kind: "a" } })`:                      "TypeError: auth of send must be {kind, id, issuer?, tenant?} with texts in it: its id is missing",
		`send("x", { auth: { kind: "a", id: "b", x: 1 } })`:       `TypeError: auth of send must be {kind, id, issuer?, tenant?} with texts in it: it has "x", which is no part of it`,
		`send("x", { auth: { kind: "a", id: "b", tenant: {} } })`: "TypeError: auth of send must be {kind, id, issuer?, tenant?} with texts in it: its tenant is an object",
		`send("x", { auth: [] })`:                                 "TypeError: auth of send must be {kind, id, issuer?, tenant?} with texts in it: it is an array",
		`send("x", { title: "" })`:                                "TypeError: title of send must be a string with text in it, not empty",
		`send("x", { workspaceFiles: [] })`:                       "TypeError: workspaceFiles of send must be an object of paths, each with a text, bytes, or {base64}, not an array",
		`send("x", { workspaceFiles: { a: 1 } })`:                 `TypeError: workspaceFiles of send: "a" must be a text, bytes, or {base64}`,
		`send("x", { workspaceFiles: { a: { base64: "!" } } })`:   `TypeError: workspaceFiles of send: the base64 of "a" cannot be read`,
		`getSession(7)`:                                           "TypeError: getSession needs a session's id, a string",
		`send("x", { admission: "reject" })`:                      "Error: the session has an open turn (session_busy)",
	} {
		got, said := sends(t, `try { await `+call+`; return new Response("sent") } catch (e) { return new Response(e.name + ": " + e.message + (e.code ? " (" + e.code + ")" : "")) }`)
		if !strings.HasPrefix(got, "200 "+want) || len(said) > 0 {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
	p := routes(t, `export default defineChannel({ routes: [POST("/", async (_r, { send }) => { await send("x") })] });`)
	if _, err := p.route(0, Incoming{}); err == nil || err.Error() != "ctx.send is not available: this call belongs to no channel" {
		t.Error(err)
	}
}

// works runs what is given to waitUntil, and says when it has ended.
type works struct {
	ctx  context.Context
	ends chan struct{}
}

func (w *works) start(work func(context.Context)) {
	go func() {
		work(w.ctx)
		w.ends <- struct{}{}
	}()
}

// "waitUntil(promise)": the call's ctx stays usable after the answer, and what the promise is
// rejected with is logged.
func TestWaitUntil_GoesOnAfterTheAnswer(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/", async (_r, { send, waitUntil, host, log }) => {
  const s = await send("x");
  waitUntil(s.waitForCompletion().then(async (done) => { await host.kv.put("last", done.result); log.info("kept " + await host.kv.get("last")) }));
  waitUntil({ then(ok, no) { no(new Error("went wrong")) } });
  try { waitUntil(() => {}) } catch (e) { return new Response(e.message) }
})] });`)
	d, w, m := &desk{done: make(chan agent.Completion)}, &works{context.Background(), make(chan struct{}, 2)}, newMemory()
	r, err := p.route(0, Incoming{}, func(c *agent.Call) {
		c.Sessions, c.WaitUntil, c.KV, c.Log = d, w.start, memoryKV{m}, loggerTo(p.log)
	})
	if got := text(t, r, err); got != "200 waitUntil needs a promise" {
		t.Fatal(got)
	}
	<-w.ends
	d.done <- agent.Completion{Status: agent.CompletionFinished, Result: json.RawMessage(`"well"`)}
	<-w.ends
	if said := p.log.String(); !strings.Contains(said, "kept well") || !strings.Contains(said, "slots/web threw: went wrong") {
		t.Error(said)
	}
}

// "what the promise is rejected with is logged": also what has no place in the project.
func TestWaitUntil_EveryRejectionIsLogged(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`Promise.reject("plain text")`:                        "waitUntil was rejected: plain text",
		`Promise.reject(undefined)`:                           "waitUntil was rejected: undefined was thrown",
		`Promise.reject(null)`:                                "waitUntil was rejected: null",
		`fetch("http://127.0.0.1:1/")`:                        "slots/web gave to waitUntil was rejected: ",
		`send("x", { admission: "reject" })`:                  "gave to waitUntil was rejected: the session has an open turn",
		`Promise.reject({ issues: [], name: "ZodError" })`:    "invalid value",
		`{ then(ok, no) { no(new Error("with a place")) } }`:  "slots/web threw: with a place",
		`Promise.reject(Object.assign({}, { message: "m" }))`: "waitUntil was rejected: m",
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			module := `import { defineChannel, POST } from "@cursor/bdk/channels";
export default defineChannel({ async onStart({ waitUntil }) { if (!given.includes("send")) waitUntil(make()) }, routes: [POST("/", (_r, { waitUntil, send }) => { waitUntil(make(send)); return new Response("ok"); })] });
const given = ` + strconv.Quote(given) + `, make = (send) => (` + given + `);`
			p := load(t, map[string]string{"slots/web.ts": module})
			w := &works{context.Background(), make(chan struct{}, 2)}
			if _, err := p.route(0, Incoming{}, func(c *agent.Call) { c.Sessions, c.WaitUntil = &desk{}, w.start }); err != nil {
				t.Fatal(err)
			}
			<-w.ends
			if n := strings.Count(p.log.String(), want); n != 1 {
				t.Errorf("of the route it is logged %d times: %s", n, p.log.String())
			}
			if strings.HasPrefix(given, "send") {
				return
			}
			if err := p.rt.StartChannel(t.Context(), "slots/web", &agent.Call{WaitUntil: w.start}); err != nil {
				t.Fatal(err)
			}
			<-w.ends
			if n := strings.Count(p.log.String(), want); n != 2 {
				t.Errorf("after onStart it is logged %d times: %s", n, p.log.String())
			}
		})
	}
}

// "The work's ctx ends with the host": and with it what the call may do.
func TestWaitUntil_EndsWithTheHost(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/", async (_r, { send, waitUntil, log }) => {
  const s = await send("x");
  waitUntil(s.waitForCompletion().catch((e) => console.log("ended: " + e.name)));
  return new Response("ok");
})] });`)
	ctx, stop := context.WithCancel(context.Background())
	w := &works{ctx, make(chan struct{}, 1)}
	r, err := p.route(0, Incoming{}, func(c *agent.Call) { c.Sessions, c.WaitUntil = &desk{}, w.start })
	if got := text(t, r, err); got != "200 ok" {
		t.Fatal(got)
	}
	stop()
	<-w.ends
	eventually(t, func() bool { return strings.Contains(p.log.String(), "ended: AbortError") })
	// A host that stops with works that never end closes its VMs.
	if err := p.rt.Close(); err != nil {
		t.Error(err)
	}
}

// Work that the host never began does not keep a runtime from closing, also where its
// VM was replaced meanwhile.
func TestWaitUntil_WorkThatNeverBeganHoldsNothing(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"slots/web.ts": `import { defineChannel, POST } from "@cursor/bdk/channels";
export default defineChannel({ routes: [POST("/", (_r, { waitUntil }) => { waitUntil(new Promise(() => {})); return new Response("ok") })] });`,
		"tools/spin.ts": `export default { execute() { for (;;); } }`,
		"tools/fine.ts": `export default { execute: () => 1 }`,
	}, func(o *Options) { o.Slice = 500 * time.Millisecond })
	r, err := p.route(0, Incoming{}, func(c *agent.Call) { c.WaitUntil = func(func(context.Context)) {} })
	if got := text(t, r, err); got != "200 ok" {
		t.Fatal(got)
	}
	for range maxStrikes {
		if _, err := p.call(OpExecute, "spin", `{}`); err == nil {
			t.Fatal("it came back")
		}
	}
	p.want("fine", `{}`, `1`) // in a fresh VM
	p.rt.mu.Lock()
	retired := len(p.rt.retired)
	p.rt.mu.Unlock()
	if retired != 1 {
		t.Fatal("the VM was not replaced, or has gone")
	}
	if err := p.rt.Close(); err != nil {
		t.Error(err)
	}
}
