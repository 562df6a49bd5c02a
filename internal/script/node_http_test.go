package script

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// httpServer answers what the tests of node:http and of fetch ask.
func httpServer(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/echo":
			body, _ := io.ReadAll(r.Body)
			w.Header().Add("Set-Cookie", "a=1")
			w.Header().Add("Set-Cookie", "b=2")
			w.Header().Set("X-Got", strings.Join(r.Header.Values("X-Many"), "|"))
			fmt.Fprintf(w, "%s %s %s %d %s", r.Method, r.URL.RawQuery, r.Header.Get("Authorization"), r.ContentLength, body)
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprintf(z, "packed for %s", r.Header.Get("Accept-Encoding"))
			z.Close()
		case "/redirect":
			http.Redirect(w, r, "/echo", http.StatusFound)
		case "/hang":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/silent":
			<-r.Context().Done()
		case "/slow":
			for i := range 3 {
				fmt.Fprintf(w, "part%d;", i)
				w.(http.Flusher).Flush()
			}
		default:
			http.Error(w, "no", http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// "http(s) through fetch": the client side of node:http.
func TestNode_HTTPClient(t *testing.T) {
	t.Parallel()
	server := httpServer(t)
	for name, c := range map[string]struct{ body, want string }{
		"get and a body": {`const send = (options: any, body?: string) => new Promise<any>((resolve, reject) => {
				const q = http.request(BASE + "/echo?x=1", options, (r) => { let s = ""; r.setEncoding("utf8"); r.on("data", (c) => s += c); r.on("end", () => resolve([r.statusCode, s, r.headers["set-cookie"], r.headers["x-got"], r.complete, r.httpVersion])); });
				q.on("error", reject); q.end(body); });
			return [await send({ auth: "u:p", headers: { "X-Many": ["a", "b"] } }), (await send({ method: "POST" }, "héllo"))[1]]`,
			`[[200,"GET x=1 Basic dTpw 0 ",["a=1","b=2"],"a|b",true,"1.1"],"POST x=1  6 héllo"]`},
		"a redirect is not followed, and nothing is unpacked": {`const get = (path: string, o = {}) => new Promise<any>((resolve) => http.get(new URL(BASE + path), o, async (r) => { const parts = []; for await (const c of r) parts.push(c); resolve([r.statusCode, r.headers.location, Buffer.concat(parts)]) }));
			const [status, location] = await get("/redirect"); const packed = await get("/packed", { headers: { "accept-encoding": "gzip" } });
			return [status, location, gunzipSync(packed[2]).toString(), (await get("/slow"))[2].toString()]`,
			`[302,"/echo","packed for gzip","part0;part1;part2;"]`},
		"errors": {`const fails = (f: () => any) => new Promise<any>((resolve) => { try { const q = f(); q.on("error", (e: any) => resolve([e.code, e.name])); q.end?.(); } catch (e: any) { resolve([e.code, e.message]) } });
			const c = new AbortController(); const aborted = fails(() => http.get(BASE + "/silent", { signal: c.signal })); setTimeout(() => c.abort(), 5);
			return [await fails(() => http.get("http://127.0.0.1:1/")), await aborted, await fails(() => { const q = http.get(BASE + "/silent"); q.setTimeout(5, () => q.destroy()); return q }),
				await fails(() => http.get("https://x/")), await fails(() => https.get("https://x/", { rejectUnauthorized: false })), await fails(() => http.createServer()), await fails(() => http.get(BASE + "/", { headers: { "a b": "1" } }))]`,
			`[["ECONNREFUSED","Error"],["ABORT_ERR","AbortError"],["ECONNRESET","Error"],["ERR_INVALID_PROTOCOL","Protocol \"https:\" not supported. Expected \"http:\""],["ERR_INVALID_ARG_VALUE","the option rejectUnauthorized is not part of this runtime: certificates are always checked"],["ERR_METHOD_NOT_IMPLEMENTED","node:http has no createServer in this runtime: answer requests with a channel's routes"],["ERR_INVALID_HTTP_TOKEN","Header name must be a valid HTTP token [\"a b\"]"]]`},
		"an answer can be left in the middle": {`return await new Promise((resolve) => http.get(BASE + "/hang", (r) => { r.on("close", () => resolve(["closed", r.aborted])); r.destroy(); }))`, `["closed",true]`},
		"what is written piece by piece, piped": {`const q = http.request({ method: "PUT", hostname: "127.0.0.1", port: PORT, path: "/echo", agent: new http.Agent({ keepAlive: true }) });
			const answer = once(q, "response"); Readable.from(["a", "b", "c"]).pipe(q); const [r] = await answer; return [await text(r), q.getHeader("x"), q.path, q.method, http.STATUS_CODES[404]]`,
			`["PUT   3 abc",null,"/echo","PUT","Not Found"]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			imports := `import http from "node:http"; import https from "https"; import { gunzipSync } from "node:zlib"; import { once } from "node:events"; import { Readable } from "node:stream"; import { text } from "node:stream/consumers";` + "\n"
			body := fmt.Sprintf("const BASE = %q, PORT = %q;", server.URL, server.URL[strings.LastIndex(server.URL, ":")+1:]) + c.body
			if got := evaluate(t, imports+body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
