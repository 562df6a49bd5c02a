package script

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fetchServer answers what the tests of fetch ask. What is sent on released tells of
// a request whose client has gone.
func fetchServer(t *testing.T) (base string, released chan string) {
	t.Helper()
	released = make(chan string, 16)
	arrived := make(chan struct{}, 16)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/"); name {
		case "echo":
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Method", r.Method)
			w.Header().Set("X-Length", fmt.Sprint(r.ContentLength))
			fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("X-A"), r.Header.Get("Content-Type"), body)
		case "headers":
			fmt.Fprintf(w, "%s|%s|%s|%s", r.Host, r.Header.Get("Accept-Encoding"), r.Header.Get("Referer"), r.Header.Get("Accept"))
		case "stream":
			for i := range 3 {
				fmt.Fprintf(w, "chunk%d\n", i)
				w.(http.Flusher).Flush()
			}
		case "hang", "silent":
			if name == "hang" {
				w.(http.Flusher).Flush()
			} else {
				arrived <- struct{}{}
			}
			<-r.Context().Done()
			released <- name
		case "arrived": // answers when a request that waits is there
			select {
			case <-arrived:
			case <-r.Context().Done():
			}
		case "swallow":
			io.Copy(io.Discard, r.Body)
			released <- name
		case "gzip", "zlib", "flate", "br":
			packTo(w, name)
		case "bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.CopyN(z, zeros{}, 1<<20)
			z.Close()
		case "short":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "few")
		case "to-echo":
			http.Redirect(w, r, "/echo", http.StatusFound)
		case "again":
			http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
		case "round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "empty":
			w.WriteHeader(http.StatusNoContent)
		default:
			http.Error(w, "no", http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, released
}

func packTo(w http.ResponseWriter, name string) {
	coding := map[string]string{"gzip": "gzip", "zlib": "deflate", "flate": "deflate", "br": "br"}[name]
	w.Header().Set("Content-Encoding", coding)
	var z io.WriteCloser
	switch name {
	case "gzip":
		z = gzip.NewWriter(w)
	case "zlib":
		z = zlib.NewWriter(w)
	case "flate":
		z, _ = flate.NewWriter(w, 6)
	default:
		_, _ = io.WriteString(w, "packed")
		return
	}
	_, _ = io.WriteString(z, "unpacked")
	z.Close()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// "fetch honours the signal, gives streams, has a default time limit of 60 s, and its body a cap."
func TestFetch_WhatItGivesAndRefuses(t *testing.T) {
	t.Parallel()
	base, _ := fetchServer(t)
	const fails = `const fails = async (f: () => any) => { try { await f(); return "went well" } catch (e: any) { return [e.name, e.message.replace(/\d+\.\d+\.\d+\.\d+:\d+/g, "HOST"), e.cause?.code] } };`
	for name, c := range map[string]struct{ body, want string }{
		"a response": {`const r = await fetch(BASE + "/echo", { method: "POST", headers: { "x-a": "1" }, body: JSON.stringify({ a: "é" }) });
			return [r.ok, r.status, r.statusText, r.type, r.url === BASE + "/echo", r.headers.get("x-method"), r.bodyUsed, await r.text(), r.bodyUsed, (await fetch(BASE + "/none")).status]`,
			`[true,200,"OK","basic",true,"POST",false,"1|text/plain;charset=UTF-8|{\"a\":\"é\"}",true,404]`},
		"every kind of body": {`const send = async (body: any, more = {}) => { const r = await fetch(BASE + "/echo", { method: "PUT", body, ...more } as any); return [r.headers.get("x-length"), (await r.text()).replace(/boundary=.*?\|/, "boundary|").replace(/------bdk\w+/g, "--B")] };
			const form = new FormData(); form.append("f", new File(["hi"], "a.txt", { type: "text/plain" })); form.append("n", "1");
			async function* parts() { yield new TextEncoder().encode("st"); yield new Uint8Array([114]) }
			return [await send("text"), await send(new Uint8Array([104, 105])), await send(new Uint8Array([1, 104, 105]).subarray(1).buffer.slice(1)), await send(new DataView(new Uint8Array([104]).buffer)), await send(new Blob(["b"], { type: "a/b" })), await send(new URLSearchParams({ a: "b c" })),
				await send(form), await send(ReadableStream.from(parts()), { duplex: "half" }), await send(parts(), { duplex: "half" }), await send(null)]`,
			`[["4","|text/plain;charset=UTF-8|text"],["2","||hi"],["2","||hi"],["1","||h"],["1","|a/b|b"],["5","|application/x-www-form-urlencoded;charset=UTF-8|a=b+c"],` +
				`["270","|multipart/form-data; boundary|--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--B--\r\n"],["-1","||str"],["-1","||str"],["0","||"]]`},
		"streams": {`const r = await fetch(new Request(BASE + "/stream")); let text = ""; for await (const chunk of r.body!.pipeThrough(new TextDecoderStream())) text += chunk;
			const reader = (await fetch(BASE + "/stream")).body!.getReader(); const first = await reader.read(); await reader.cancel(); const clone = await fetch(BASE + "/stream"); const two = clone.clone();
			return [text, new TextDecoder().decode(first.value).startsWith("chunk0"), (await reader.read()).done, (await clone.text()) === (await two.text()), (await fetch(BASE + "/empty")).body, (await fetch(BASE + "/echo", { method: "HEAD" })).body]`,
			`["chunk0\nchunk1\nchunk2\n",true,true,true,null,null]`},
		"redirects": {`const r = await fetch(BASE + "/to-echo", { method: "POST", body: "x" }); const again = await fetch(BASE + "/again", { method: "POST", body: "x" }); const manual = await fetch(BASE + "/to-echo", { redirect: "manual" });
			return [r.redirected, r.url.endsWith("/echo"), r.headers.get("x-method"), again.headers.get("x-method"), await again.text(), manual.status, manual.headers.get("location"), manual.redirected, await fails(() => fetch(BASE + "/to-echo", { redirect: "error" })), await fails(() => fetch(BASE + "/round")),
				await fails(() => fetch(BASE + "/again", { method: "POST", body: ReadableStream.from([new Uint8Array(1)]), duplex: "half" } as any))]`,
			`[true,true,"GET","POST","|text/plain;charset=UTF-8|x",302,"/echo",false,["TypeError","fetch failed: unexpected redirect",null],["TypeError","fetch failed: redirect count exceeded",null],["TypeError","fetch failed: a body that is a stream cannot be sent again after a redirect",null]]`},
		"what is packed": {`const get = async (path: string, headers = {}) => (await fetch(BASE + path, { headers })).text();
			return [await get("/gzip"), await get("/zlib"), await get("/flate"), await get("/gzip", { "accept-encoding": "br, gzip" }), (await get("/headers", { "accept-encoding": "br" })).split("|")[1], (await get("/headers")).split("|").slice(1), (await get("/headers", { host: "other" })).split("|")[0], await fails(() => get("/br"))]`,
			`["unpacked","unpacked","unpacked","unpacked","identity",["gzip, deflate","","*/*"],"other",["TypeError","fetch failed: the response is packed as br, which is not one of gzip, deflate",null]]`},
		"failures": {`return [await fails(() => fetch("http://127.0.0.1:1/")), await fails(() => fetch("http://no-such-host.invalid/")).then((e) => [e[0], e[2]]), await fails(() => fetch("ftp://x/")), await fails(() => fetch("nope")), await fails(async () => (await fetch(BASE + "/short")).text()),
				await fails(() => fetch(BASE, { method: "POST", body: ReadableStream.from((async function* () { throw new RangeError("mine") })()), duplex: "half" } as any)), await fails(() => fetch(BASE, { method: "POST", body: ReadableStream.from(["text"]), duplex: "half" } as any)), await (await fetch("data:text/plain;base64,aMOp")).text(), await (await fetch("data:,a%20b")).text()]`,
			`[["TypeError","fetch failed: dial tcp HOST: connect: connection refused","ECONNREFUSED"],["TypeError","ENOTFOUND"],["TypeError","fetch failed: ftp: is not supported",null],["TypeError","Failed to parse URL from nope","ERR_INVALID_URL"],["TypeError","terminated: the response ended early",null],["RangeError","mine",null],["TypeError","the chunks of a body's stream must be Uint8Arrays",null],"hé","a b"]`},
		"headers of an answer are fixed": {`const r = await fetch(BASE + "/echo"); return await fails(() => r.headers.set("a", "b"))`, `["TypeError","these headers are immutable",null]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := evaluate(t, fmt.Sprintf("const BASE = %q; %s", base, fails)+c.body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// A signal ends a fetch before it starts, while headers are awaited, while a body
// comes, and while one is sent; the other side sees it go.
func TestFetch_TheSignalEndsItAtAnyTime(t *testing.T) {
	t.Parallel()
	base, released := fetchServer(t)
	got := evaluate(t, fmt.Sprintf("const BASE = %q;", base)+`
		const reason = async (p: Promise<any>) => { try { await p; return "went well" } catch (e: any) { return e?.name ?? e } };
		const before = await reason(fetch(BASE + "/echo", { signal: AbortSignal.abort("early") }));
		const c1 = new AbortController(); const headers = reason(fetch(BASE + "/silent", { signal: c1.signal })); await fetch(BASE + "/arrived"); c1.abort("headers");
		const c2 = new AbortController(); const r = await fetch(BASE + "/hang", { signal: c2.signal }); const body = reason(r.text()); c2.abort();
		const c3 = new AbortController(); let pulled = 0, cancelled: any;
		const endless = new ReadableStream({ pull(c) { if (++pulled === 3) c3.abort("sending"); c.enqueue(new Uint8Array(10)); return new Promise((r) => setTimeout(r, 1)) }, cancel(r) { cancelled = r } });
		const sending = await reason(fetch(BASE + "/swallow", { method: "POST", body: endless, duplex: "half", signal: c3.signal } as any));
		return [before, await headers, await body, sending, await reason(fetch(BASE + "/arrived", { signal: AbortSignal.any([AbortSignal.timeout(1)]) }))]`)
	if want := `["early","headers","AbortError","sending","TimeoutError"]`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	seen := map[string]int{}
	for range 3 {
		select {
		case name := <-released:
			seen[name]++
		case <-time.After(20 * time.Second):
			t.Fatalf("the server still waits; it saw %v", seen)
		}
	}
	if seen["hang"] != 1 || seen["silent"] != 1 || seen["swallow"] != 1 {
		t.Errorf("the server saw %v", seen)
	}
}

// "has a default time limit of 60 s, and its body a cap", unpacked bytes count.
func TestFetch_HasLimits(t *testing.T) {
	t.Parallel()
	base, released := fetchServer(t)
	p := load(t, map[string]string{"tools/x.ts": `export default { async execute({ path }: any) { return await (await fetch(process.env.BASE + path)).text() } }`}, func(o *Options) {
		o.FetchTimeout, o.FetchBody = 50*time.Millisecond, 1000
		o.Env = map[string]string{"BASE": base}
	})
	const late = "fetch took longer than 50ms; give it a signal to wait longer"
	for path, want := range map[string]string{"/silent": late, "/hang": late} {
		if _, err := p.call(OpExecute, "x", `{"path":"`+path+`"}`); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	p = load(t, map[string]string{"tools/x.ts": `export default { execute: async () => (await fetch(process.env.BASE + "/bomb")).text() }`}, func(o *Options) {
		o.FetchBody = 1000
		o.Env = map[string]string{"BASE": base}
	})
	if _, err := p.call(OpExecute, "x", "{}"); err == nil || err.Error() != "the response is larger than 1000 bytes" {
		t.Error(err)
	}
	p = load(t, map[string]string{"tools/x.ts": `let r: Response; export default { async execute({ read }: any) { if (read) return await r.text(); r = await fetch(process.env.BASE + "/hang"); } }`}, func(o *Options) {
		o.FetchTimeout = 50 * time.Millisecond
		o.Env = map[string]string{"BASE": base}
	})
	p.want("x", "{}", "null")
	if name := <-released; name != "silent" && name != "hang" {
		t.Errorf("%q was let go", name)
	}
	if _, err := p.call(OpExecute, "x", `{"read":true}`); err == nil || err.Error() != late {
		t.Errorf("a body that nobody read in time: %v", err)
	}
	if o := (&Options{}).EnsureDefaults(); o.FetchTimeout != 60*time.Second || o.FetchBody != 100<<20 {
		t.Errorf("the defaults are %v and %d", o.FetchTimeout, o.FetchBody)
	}
}
