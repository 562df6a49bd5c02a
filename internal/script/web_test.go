package script

import "testing"

func TestWeb_Globals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"URL": {`const u = new URL("../b?x=1#h", "https://us%65r:p@Example.COM:443/a/c/d"); const p = u.searchParams; p.append("y", "a b&c"); p.set("x", "é"); u.hash = "";
			const bad = []; for (const s of ["nope", "http://", "http://a b/", "https://exa%mple"]) { try { new URL(s); bad.push(s) } catch (e: any) { if (!(e instanceof TypeError) || !e.message.startsWith("Invalid URL")) bad.push(e.message) } }
			return [u.href, u.origin, u.port, u.username, new URL("//x.y/z", "http://a").href, new URL("http://ex.com/a/./b/../c").pathname, new URL("https://münchen.de").host, bad, URL.canParse("x:y")]`,
			`["https://us%65r:p@example.com/a/b?x=%C3%A9&y=a+b%26c","https://example.com","","us%65r","http://x.y/z","/a/c","xn--mnchen-3ya.de",[],true]`},
		"URL oddities": {`return ["http://192.168.257", "file:///C:/a/../b", "mailto:a@b", "http://[::1]:80/", "data:text/plain,hi", "http://a/%7Efoo/../%zz", "HTTP://a:8080\\b"].map((s) => new URL(s).href)`,
			`["http://192.168.1.1/","file:///C:/b","mailto:a@b","http://[::1]/","data:text/plain,hi","http://a/%zz","http://a:8080/b"]`},
		"text": {`const d = new TextDecoder(); const b = new TextEncoder().encode("héé😀"); return [[...b].length, d.decode(b), d.decode(new Uint8Array([0xff, 65])), new TextDecoder("latin1").decode(new Uint8Array([233])), btoa("a\xff"), atob("YQ==")]`,
			`[9,"héé😀","�A","é","Yf8=","a"]`},
		"abort": {`const c = new AbortController(); const got: string[] = []; c.signal.addEventListener("abort", () => got.push("once"), { once: true }); const any = AbortSignal.any([c.signal]);
			c.abort(); c.abort(); const t = AbortSignal.timeout(1); await new Promise((r) => t.addEventListener("abort", r));
			return [got, any.aborted, (c.signal.reason as any).name, (t.reason as any).name]`, `[["once"],true,"AbortError","TimeoutError"]`},
		"clone": {`const a: any = { d: new Date(0), m: new Map([[1, { x: 1 }]]), s: new Set([1]), n: [1, , 3], r: /x/g }; a.self = a; const b = structuredClone(a); let e = ""; try { structuredClone(() => 1) } catch (x: any) { e = x.name }
			return [b.self === b, b.d.getTime(), b.m.get(1).x, [...b.s], b.r.flags, e]`, `[true,0,1,[1],"g","DataCloneError"]`},
		"crypto": {`const h = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("abc"))).toString("hex"); const k = await crypto.subtle.importKey("raw", new TextEncoder().encode("k"), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
			const s = await crypto.subtle.sign("HMAC", k, new TextEncoder().encode("d")); return [h.slice(0, 8), Buffer.from(s).toString("base64"), await crypto.subtle.verify("HMAC", k, s, new TextEncoder().encode("d")), crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(3)).length]`,
			`["ba7816bf","5+ohw7y2Ok2jrXhQMWjTa9ygvmIjgupgoQj61OSWZnk=",true,36,3]`},
		"intl": {`const f = new Intl.DateTimeFormat("en-US", { timeZone: "Asia/Tokyo", hourCycle: "h23", hour: "2-digit", minute: "2-digit", weekday: "short", year: "numeric", month: "2-digit", day: "2-digit" });
			const parts = Object.fromEntries(f.formatToParts(new Date("2026-03-01T15:04:00Z")).map((p) => [p.type, p.value]));
			return [parts.weekday, parts.hour, parts.minute, parts.day, new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(1234.5), (1234567.8).toLocaleString(), ["b", "A", "ä", "z"].sort((x, y) => x.localeCompare(y)), "a10".localeCompare("a9", undefined, { numeric: true }), "Pão".normalize("NFD").replace(/\p{M}/gu, ""), new Intl.PluralRules("ru").select(3)]`,
			`["Mon","00","04","02","$1,234.50","1,234,567.8",["A","ä","b","z"],1,"Pao","few"]`},
		"response": {`const r = Response.json({ a: 1 }, { status: 201 }); const c = r.clone(); const form = new FormData(); form.append("f", new Blob(["xy"], { type: "text/plain" }), "a.txt"); form.append("n", "1");
			const back = await new Response(form).formData(); const q = new Request("http://x/", { method: "post", body: new URLSearchParams({ a: "b c" }) });
			return [r.status, r.headers.get("content-type"), await r.json(), await c.text(), r.bodyUsed, (back.get("f") as any).name, await (back.get("f") as any).text(), back.get("n"), q.method, await q.text(), q.headers.get("Content-Type")]`,
			`[201,"application/json",{"a":1},"{\"a\":1}",true,"a.txt","xy","1","POST","a=b+c","application/x-www-form-urlencoded;charset=UTF-8"]`},
		"streams": {`const s = new ReadableStream({ start(c) { c.enqueue("a"); c.enqueue("b"); c.close() } }); const out: string[] = []; for await (const x of s.pipeThrough(new TransformStream({ transform(x: string, c) { c.enqueue(x + "!") } }))) out.push(x); return out`, `["a!","b!"]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := evaluate(t, c.body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
