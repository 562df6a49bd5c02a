package script

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A desk is Sessions that keep what they are asked.
type desk struct {
	mu   sync.Mutex
	said []string
	done chan agent.Completion
}

func (d *desk) note(format string, a ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, fmt.Sprintf(format, a...))
}

func (d *desk) Send(_ context.Context, text string, o agent.SendOptions) (agent.Sent, error) {
	if o.Admission == agent.AdmissionReject {
		return agent.Sent{}, agent.ErrBusy
	}
	d.note("%s %+v", text, o)
	return agent.Sent{SessionID: "ses_1", ContinuationToken: o.ContinuationToken, TurnID: "turn_1"}, nil
}

func (d *desk) Find(_ context.Context, id string) (agent.Sent, bool, error) {
	return agent.Sent{SessionID: id, ContinuationToken: "t"}, id == "ses_1", nil
}

func (d *desk) Wait(ctx context.Context, s agent.Sent) (agent.Completion, error) {
	select {
	case c := <-d.done:
		return c, nil
	case <-ctx.Done():
		return agent.Completion{}, ctx.Err()
	}
}

// routes loads a channel with the routes and gives what calls one of them.
func routes(t *testing.T, source string) *project {
	t.Helper()
	return load(t, map[string]string{"slots/web.ts": `import { defineChannel, GET, POST, PUT } from "@cursor/bdk/channels"; ` + source})
}

func (p *project) route(index int, in Incoming, change ...func(*agent.Call)) (*agent.Response, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	p.t.Cleanup(cancel)
	c := &agent.Call{Agent: "Bot", Request: &agent.Request{Method: "POST", URL: "http://127.0.0.1:3000/v1/channels/web/x?a=1", Header: http.Header{}, Principal: events.Principal{Kind: "local", ID: "local"}}}
	for _, f := range change {
		f(c)
	}
	if in.Query == nil {
		in.Query = json.RawMessage(`{}`)
	}
	return p.rt.CallRoute(ctx, "slots/web", index, in, c)
}

// text reads a response as "status body".
func text(t *testing.T, r *agent.Response, err error) string {
	t.Helper()
	if err != nil {
		return "! " + err.Error()
	}
	if r.Body == nil {
		return fmt.Sprint(r.Status)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Sprintf("%d %s ! %v", r.Status, body, err)
	}
	return fmt.Sprintf("%d %s", r.Status, body)
}

// "Handler ctx: body, query, params (parsed), principal, send, getSession, waitUntil, host, artifacts, log";
// "the raw bytes stay readable (request.arrayBuffer())"
func TestRoute_SeesTheRequest(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/x/:id", { async handler(request, ctx) {
  const { body, query, params, principal, agent } = ctx;
  const raw = new Uint8Array(await request.clone().arrayBuffer());
  return Response.json([request instanceof Request, request.method, new URL(request.url).search, request.headers.get("X-Two"), request.headers.get("host"), raw.length, await request.text(), body, query, params, principal, agent.name, Object.keys(ctx).join(" ")]);
} })] });`)
	r, err := p.route(0, Incoming{Body: json.RawMessage(`{"é":1}`), Query: json.RawMessage(`{"a":"1"}`)}, func(c *agent.Call) {
		c.Request.Body, c.Request.Params = []byte(`{ "é": 1 }`), map[string]string{"id": "7"}
		c.Request.Header = http.Header{"X-Two": {"a", "\xe9"}}
	})
	want := `200 [true,"POST","?a=1","a, é","127.0.0.1:3000",11,"{ \"é\": 1 }",{"é":1},{"a":"1"},{"id":"7"},{"kind":"local","id":"local"},"Bot","body query params principal deliveryId send getSession waitUntil host artifacts log agent now signal stateRoot"]`
	if got := text(t, r, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// A Host that no URL can have is no fault of the handler.
	r, err = p.route(0, Incoming{}, func(c *agent.Call) { c.Request.URL = "http://1.2.3.999/v1/x?a=2" })
	if got := text(t, r, err); !strings.HasPrefix(got, `200 [true,"POST","?a=2"`) {
		t.Error(got)
	}
}

// "a schema that does not hold is 400 invalid_body / invalid_query with issues, and the handler is not called"
func TestRoute_SchemasParse(t *testing.T) {
	t.Parallel()
	source := `import { z } from "zod"; import { defineChannel, POST } from "@cursor/bdk/channels";
export default defineChannel({ routes: [
  POST("/", { bodySchema: z.object({ n: z.coerce.number().max(5), d: z.string().default("d") }), querySchema: z.object({ page: z.coerce.number().int().default(1) }), handler: (_r, { body, query }) => Response.json({ body, query }) }),
  POST("/any", { bodySchema: z.unknown(), handler: (_r, { body }) => Response.json([typeof body, body]) }),
  POST("/later", { bodySchema: z.string().refine(async (s) => s !== "no", "is no"), handler: (_r, { body }) => Response.json(body) }),
] });`
	for _, version := range []string{"zod3", "zod4"} {
		p := load(t, map[string]string{"slots/web.ts": source}, withPackages(t, version))
		for _, c := range []struct {
			index             int
			body, query, want string
		}{
			{0, `{"n":"2"}`, `{"page":"3"}`, `200 {"body":{"n":2,"d":"d"},"query":{"page":3}}`},
			{0, `{"n":2}`, `{}`, `200 {"body":{"n":2,"d":"d"},"query":{"page":1}}`},
			{0, `{"n":9}`, `{}`, `! invalid body: n: `},
			{0, `{"n":9}`, `{"page":"x"}`, `! invalid query: page: `},
			{0, ``, `{}`, `! invalid body: `},
			{1, `{"a":[1]}`, `{}`, `200 ["object",{"a":[1]}]`},
			{1, ``, `{}`, `200 ["undefined",null]`},
			{2, `"yes"`, `{}`, `200 "yes"`},
			{2, `"no"`, `{}`, `! invalid body: is no`},
		} {
			r, err := p.route(c.index, Incoming{Body: json.RawMessage(c.body), Query: json.RawMessage(c.query)})
			if got := text(t, r, err); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s %s: %s, want %s", version, c.body, c.query, got, c.want)
			}
			var refused *agent.RequestError
			if strings.HasPrefix(c.want, "!") && (!errors.As(err, &refused) || len(refused.Issues) == 0) {
				t.Errorf("%s: %T %v", version, err, err)
			}
		}
	}
}

// "handler(request: Request, ctx) => Response | Promise<Response>"
func TestRoute_Answers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`new Response("é")`: `200 é`,
		`new Response(new Uint8Array([104, 105]), { status: 201 })`: `201 hi`,
		`new Response(null, { status: 204 })`:                       `204`,
		`new Response()`:                                            `200`,
		`new Response(new Blob(["b"]))`:                             `200 b`,
		`new Response(new URLSearchParams({ a: "1" }))`:             `200 a=1`,
		`Response.redirect("http://a.example/", 303)`:               `303`,
		`new Response(ReadableStream.from([new Uint8Array([97]), new Uint8Array(0), new Uint8Array([98])]))`: `200 ab`,
		`new Response(new ReadableStream({ start(c) { c.close() } }))`:                                       `200 `,
		`({ ok: true })`:        `! the handler answered with another object, and not with a Response`,
		`undefined`:             `! the handler answered with undefined, and not with a Response`,
		`"x"`:                   `! the handler answered with a string, and not with a Response`,
		`Response.error()`:      `! the handler answered with Response.error()`,
		`Promise.reject("bad")`: `! bad`,
		`null.x`:                `! cannot read property 'x' of null`,
		`(() => { const r = new Response("x"); r.text(); return r })()`:                      `! Body is unusable: Body has already been read`,
		`new Response(ReadableStream.from(["text"]))`:                                        `200  ! the chunks of a body's stream must be Uint8Arrays`,
		`new Response(ReadableStream.from((async function* () { throw new Error("q") })()))`: `200  ! q`,
	} {
		p := routes(t, `export default defineChannel({ routes: [POST("/", { handler: () => `+body+` })] });`)
		r, err := p.route(0, Incoming{})
		if got := text(t, r, err); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
		var thrown *Error
		if strings.HasPrefix(want, "!") && !errors.As(err, &thrown) {
			t.Errorf("%s: %T", body, err)
		}
	}
	p := routes(t, `export default defineChannel({ routes: [POST("/", () => {
  const headers = new Headers({ "x-a": "é", "transfer-encoding": "chunked" });
  headers.append("set-cookie", "a=1"); headers.append("set-cookie", "b=2");
  return new Response("x", { headers });
})] });`)
	r, err := p.route(0, Incoming{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", r.Header); got != `map["Content-Type":["text/plain;charset=UTF-8"] "Set-Cookie":["a=1" "b=2"] "X-A":["\xe9"]]` {
		t.Error(got)
	}
}

const ticking = `export default defineChannel({ routes: [POST("/", () => {
  let n = 0;
  return new Response(new ReadableStream({
    pull(c) { c.enqueue(new TextEncoder().encode("tick " + n++ + "\n")); console.log("pulled " + n) },
    cancel(reason) { console.log("cancelled: " + reason.message) },
  }, { highWaterMark: 0 }));
})] });`

// A body streams as it is read: nothing is made before that, and whoever closes it ends it.
func TestRoute_StreamsWithBackPressure(t *testing.T) {
	t.Parallel()
	p := routes(t, ticking)
	r, err := p.route(0, Incoming{})
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	for i := range 2 {
		if n, err := r.Body.Read(buf); err != nil || string(buf[:n]) != fmt.Sprintf("tick %d\n", i) {
			t.Fatalf("%q %v", buf[:n], err)
		}
	}
	if err := r.Body.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.Body.Read(buf); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	eventually(t, func() bool { return strings.Contains(p.log.String(), "cancelled: the caller has gone") })
	if said := p.log.String(); strings.Contains(said, "pulled 3") {
		t.Errorf("more was made than read:\n%s", said)
	}
}

// The end of the request's context, and that of the VM, end the body.
func TestRoute_AStreamEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	p := routes(t, ticking)
	ctx, gone := context.WithCancel(context.Background())
	c := &agent.Call{Request: &agent.Request{Method: "POST", URL: "http://a/"}}
	r, err := p.rt.CallRoute(ctx, "slots/web", 0, Incoming{Query: json.RawMessage(`{}`)}, c)
	if err != nil {
		t.Fatal(err)
	}
	gone()
	eventually(t, func() bool { return strings.Contains(p.log.String(), "cancelled: the caller has gone") })
	if _, err := io.ReadAll(r.Body); err == nil {
		t.Error("the body goes on")
	}
	if r, err = p.route(0, Incoming{}); err != nil {
		t.Fatal(err)
	}
	if err := p.rt.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r.Body); err == nil {
		t.Error("the body goes on")
	}
}

// A caller that goes while the handler waits aborts request.signal and ctx.signal, and is
// not waited for.
func TestRoute_TellsTheHandlerThatItsCallerHasGone(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/", (request, { signal, log }) => new Promise((_, no) => {
  request.signal.addEventListener("abort", () => console.log("request: " + request.signal.reason.name));
  signal.addEventListener("abort", () => no(signal.reason));
  console.log("waits");
}))] });`)
	ctx, gone := context.WithCancel(context.Background())
	go func() {
		eventually(t, func() bool { return strings.Contains(p.log.String(), "waits") })
		gone()
	}()
	_, err := p.rt.CallRoute(ctx, "slots/web", 0, Incoming{Query: json.RawMessage(`{}`)}, &agent.Call{Request: &agent.Request{Method: "POST", URL: "http://a/"}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(p.log.String(), "request: AbortError") {
		t.Error(err, p.log)
	}
}

// A handler that never yields is interrupted, and other requests are answered.
func TestRoute_IsInterrupted(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/web.ts": `export default { routes: [{ handler() { for (;;); } }, { handler: () => new Response("fine") },
  { handler: () => new Response(new ReadableStream({ async pull() { for (;;); } }, { highWaterMark: 0 })) },
  { handler: () => new Response(new ReadableStream({ async pull() { await null; for (;;); } }, { highWaterMark: 0 })) }] };`}, func(o *Options) { o.Slice = 300 * time.Millisecond })
	_, err := p.route(0, Incoming{})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeInterrupted {
		t.Error(err)
	}
	r, err := p.route(1, Incoming{})
	if got := text(t, r, err); got != "200 fine" {
		t.Error(got)
	}
	for _, index := range []int{2, 3} {
		if r, err = p.route(index, Incoming{}); err != nil {
			t.Fatal(err)
		}
		read := make(chan error, 1)
		go func() { _, err := r.Body.Read(make([]byte, 10)); read <- err }()
		select {
		case err := <-read:
			if !errors.As(err, &e) || e.Code != CodeInterrupted {
				t.Errorf("the stream of route %d gives %v", index, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("the stream of route %d goes on", index)
		}
	}
}

// What fetch unpacked is passed on without the headers of its packing.
func TestRoute_PassesAFetchedResponseOn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("X-From", "there")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.Repeat("far ", 100))
		z.Close()
	}))
	t.Cleanup(server.Close)
	p := routes(t, `export default defineChannel({ routes: [POST("/", () => fetch("`+server.URL+`"))] });`)
	r, err := p.route(0, Incoming{})
	if got := text(t, r, err); got != "200 "+strings.Repeat("far ", 100) || r.Header.Get("Content-Encoding") != "" || r.Header.Get("Content-Length") != "" || r.Header.Get("X-From") != "there" {
		t.Errorf("%s %v", got, r)
	}
}

// What a handler throws is in the log once: whoever serves it logs it, with the request's
// id. Where nobody waits for the answer, it is said here.
func TestRoute_FailuresAreLoggedOnce(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/", () => { throw new Error("oh no") })] });`)
	_, err := p.route(0, Incoming{})
	var thrown *Error
	if !errors.As(err, &thrown) || thrown.Place() == "" || strings.Contains(p.log.String(), "oh no") {
		t.Error(err, p.log.String())
	}
	_, err = p.route(0, Incoming{}, func(c *agent.Call) { c.DeliveryID = "d" })
	if err == nil || strings.Count(p.log.String(), "slots/web threw: oh no") != 1 {
		t.Error(err, p.log.String())
	}
}
