// Expressions over the globals, and in web.json what Node says of them; record.mjs records it.
const te = new TextEncoder(), td = new TextDecoder();
const err = async (f) => {
  try {
    return ["ok", await f()];
  } catch (e) {
    return [e?.name, e?.message, e?.code, e instanceof Error, e instanceof TypeError];
  }
};
const errName = async (f) => {
  try {
    return ["ok", await f()];
  } catch (e) {
    return [e?.name, e?.code];
  }
};
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const items = {
  // globals
  types: () => ["console", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "fetch", "Request", "Response", "Headers", "FormData", "Blob", "File", "URL", "URLSearchParams", "AbortController", "AbortSignal", "TextEncoder", "TextDecoder", "structuredClone", "crypto", "Crypto", "CryptoKey", "SubtleCrypto", "btoa", "atob", "queueMicrotask", "performance", "Performance", "Buffer", "process", "ReadableStream", "WritableStream", "TransformStream", "TextDecoderStream", "TextEncoderStream", "Event", "EventTarget", "DOMException", "Intl", "CustomEvent", "ReadableStreamDefaultReader", "WritableStreamDefaultWriter", "ByteLengthQueuingStrategy", "CountQueuingStrategy", "CompressionStream", "DecompressionStream", "global", "globalThis", "MessageChannel", "escape", "unescape", "PerformanceEntry"].map((n) => n + ":" + typeof globalThis[n]),
  tags: () => [new Headers(), new Request("http://a"), new Response(), new Blob([]), new FormData(), new AbortController(), new AbortController().signal, new Event("x"), new EventTarget(), new ReadableStream(), new WritableStream(), new TransformStream(), new URL("http://a"), new URLSearchParams(), te, td, crypto, crypto.subtle, process, new DOMException("x")].map((x) => Object.prototype.toString.call(x)),
  consoleMethods: () => ["log", "info", "debug", "warn", "error", "trace", "dir", "dirxml", "table", "assert", "count", "countReset", "group", "groupCollapsed", "groupEnd", "time", "timeLog", "timeEnd"].filter((n) => typeof console[n] !== "function"),
  timers1: async () => {
    const got = [];
    await new Promise((r) => {
      setTimeout((a, b) => got.push(a + b), 1, 1, 2);
      const i = setInterval(() => {
        got.push("i");
        if (got.length > 3) {
          clearInterval(i);
          r();
        }
      }, 2);
      const t = setTimeout(() => got.push("never"), 1);
      clearTimeout(t);
      setImmediate((x) => got.push(x), "imm");
    });
    return got.includes(3) && got.includes("imm") && !got.includes("never");
  },
  timerOrder: async () => {
    const got = [];
    setTimeout(() => got.push("t0"), 0);
    queueMicrotask(() => got.push("m"));
    Promise.resolve().then(() => got.push("p"));
    got.push("s");
    await sleep(5);
    return got;
  },
  timerObj: () => {
    const t = setTimeout(() => {
    }, 1e3);
    const r = [typeof t.ref, typeof t.unref(), t.hasRef(), typeof +t];
    clearTimeout(+t);
    return r;
  },
  clearByNumber: async () => {
    let n = 0;
    const t = setTimeout(() => n++, 1);
    clearTimeout(t[Symbol.toPrimitive]());
    await sleep(5);
    return n;
  },
  // events
  event1: () => {
    const t = new EventTarget();
    const got = [];
    const h = { handleEvent(e2) {
      got.push(e2.type, this === h, e2.target === t, e2.currentTarget === t);
    } };
    t.addEventListener("a", h);
    t.addEventListener("a", h);
    t.addEventListener("a", (e2) => {
      got.push("2");
      e2.stopImmediatePropagation();
    });
    t.addEventListener("a", () => got.push("never"));
    const e = new Event("a", { cancelable: true });
    const r = t.dispatchEvent(e);
    return [got, r, e.defaultPrevented, e.bubbles, e.cancelable, e.composed, e.eventPhase, e.isTrusted, e.target === t, e.currentTarget];
  },
  event2: () => {
    const t = new EventTarget();
    let n = 0;
    const c = new AbortController();
    t.addEventListener("a", () => n++, { signal: c.signal });
    t.addEventListener("a", () => n += 10, { once: true });
    t.dispatchEvent(new Event("a"));
    t.dispatchEvent(new Event("a"));
    c.abort();
    t.dispatchEvent(new Event("a"));
    const e = new CustomEvent("x", { detail: 5 });
    return [n, e.detail, e instanceof Event];
  },
  event3: async () => [await errName(() => new EventTarget().dispatchEvent({})), await errName(() => new Event())],
  domex: () => {
    const e = new DOMException("m", "AbortError");
    return [e.name, e.message, e.code, e instanceof Error, e instanceof DOMException, DOMException.ABORT_ERR, e.ABORT_ERR, String(e), Object.keys(e), new DOMException().name, new DOMException("x", { name: "DataCloneError", cause: 1 }).cause, typeof e.stack];
  },
  abort1: async () => {
    const c = new AbortController();
    const got = [];
    c.signal.onabort = (e) => got.push("on", e.type);
    c.signal.addEventListener("abort", () => got.push("l"));
    c.abort("why");
    return [got, c.signal.aborted, c.signal.reason, await err(() => c.signal.throwIfAborted()).catch(() => 0), AbortSignal.abort().reason.name, AbortSignal.abort(3).reason, AbortSignal.abort().aborted];
  },
  abort2: async () => {
    const s = AbortSignal.timeout(1);
    await sleep(10);
    const a = AbortSignal.any([AbortSignal.abort(1), s]);
    const c = new AbortController();
    const b = AbortSignal.any([c.signal, new AbortController().signal]);
    c.abort("x");
    return [s.aborted, s.reason.name, s.reason.message, s.reason.code, a.reason, b.aborted, b.reason, c.signal.reason, (() => {
      const d = new AbortController();
      d.abort();
      return [d.signal.reason.name, d.signal.reason.message, d.signal.reason.code];
    })()];
  },
  abort3: async () => [await errName(() => new AbortSignal()), await errName(() => AbortSignal.timeout(-1)), await errName(() => AbortSignal.any(1))],
  // text
  text1: () => [[...te.encode("h\uD83Dé😀")], te.encodeInto("aé", new Uint8Array(2)), td.decode(new Uint8Array([239, 187, 191, 65])), td.encoding, td.fatal, td.ignoreBOM, new TextDecoder("utf-16le").decode(new Uint8Array([65, 0, 61, 216])), new TextDecoder("latin1").encoding],
  text2: async () => [await err(() => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))), (await err(() => new TextDecoder("nope")))[0], (() => {
    const d = new TextDecoder();
    return d.decode(new Uint8Array([240, 159]), { stream: true }) + d.decode(new Uint8Array([152, 128]), { stream: true }) + d.decode();
  })(), td.decode(), td.decode(new ArrayBuffer(1)), td.decode(new DataView(new Uint8Array([66]).buffer))],
  text3: () => {
    const d = new TextDecoder();
    return [d.decode(new Uint8Array([226, 130]), { stream: true }), d.decode(), new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([239, 187, 191, 65])).length, td.decode(new Uint8Array([240, 128, 65, 192, 225, 128]))];
  },
  b64: async () => [btoa("aÿ"), atob(" YQ =="), await errName(() => btoa("é€")), await errName(() => atob("a")), btoa(""), atob("YWI"), await errName(() => atob("YW=I")), btoa(null), await errName(() => atob("*"))],
  clone1: async () => {
    class A {
      x = 1;
      get y() {
        return 2;
      }
    }
    const o = { d: /* @__PURE__ */ new Date(5), r: /a/gi, m: /* @__PURE__ */ new Map([[{}, 1]]), s: /* @__PURE__ */ new Set(["a"]), u8: new Uint8Array([1, 2]), e: new RangeError("x", { cause: 1 }), n: null, u: void 0, big: 5n, nan: NaN, sparse: [1, , 3], a: new A(), nested: { b: Buffer.from("z") }, bool: new Boolean(false), blob: 0 };
    o.self = o;
    const c = structuredClone(o);
    return [c !== o, c.self === c, c.d.getTime(), String(c.r), c.m.size, c.s.has("a"), [...c.u8], c.e instanceof RangeError, c.e.message, c.e.cause, "u" in c, c.big === 5n, c.sparse.length, 1 in c.sparse, c.a.constructor === Object, c.a, c.nested.b instanceof Uint8Array, Buffer.isBuffer(c.nested.b), [...c.nested.b]];
  },
  clone2: async () => [await errName(() => structuredClone(() => 1)), await errName(() => structuredClone(/* @__PURE__ */ Symbol())), await errName(() => structuredClone(/* @__PURE__ */ new WeakMap())), await errName(() => structuredClone(Promise.resolve())), await errName(() => structuredClone()), structuredClone("\uD83D") === "\uD83D", (() => {
    const b = new ArrayBuffer(4);
    const c = structuredClone(b, { transfer: [b] });
    return [b.byteLength, c.byteLength];
  })(), (() => {
    const x = {};
    const c = structuredClone([x, x]);
    return c[0] === c[1];
  })(), (() => {
    const b = new ArrayBuffer(4);
    const c = structuredClone([new Uint8Array(b), new Uint8Array(b)]);
    return c[0].buffer === c[1].buffer;
  })()],
  crypto1: async () => {
    const hex = (b) => Buffer.from(b).toString("hex");
    const k = await crypto.subtle.importKey("raw", te.encode("key"), { name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]);
    const sig = await crypto.subtle.sign("HMAC", k, te.encode("data"));
    const out = [hex(await crypto.subtle.digest("SHA-1", te.encode("a"))), hex(await crypto.subtle.digest({ name: "sha-512" }, te.encode("a"))).slice(0, 16), hex(sig), await crypto.subtle.verify({ name: "HMAC" }, k, sig, te.encode("data")), await crypto.subtle.verify("HMAC", k, sig, te.encode("datb")), await crypto.subtle.exportKey("jwk", k), hex(await crypto.subtle.exportKey("raw", k)), k.type, k.extractable, k.usages, k.algorithm];
    return out;
  },
  crypto2: async () => [crypto.randomUUID().length, crypto.getRandomValues(new Uint32Array(2)).length, await errName(() => crypto.getRandomValues(new Uint8Array(65537))), await errName(() => crypto.getRandomValues(new Float32Array(1))), await errName(() => crypto.subtle.digest("MD5", te.encode("a"))), await errName(async () => {
    const k = await crypto.subtle.importKey("raw", te.encode("k"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return crypto.subtle.verify("HMAC", k, new Uint8Array(1), new Uint8Array(1));
  }), await errName(() => crypto.subtle.importKey("raw", new Uint8Array(0), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])), await errName(() => crypto.subtle.importKey("raw", new Uint8Array(1), { name: "HMAC", hash: "SHA-256" }, false, [])), await errName(() => crypto.subtle.importKey("raw", new Uint8Array(1), { name: "HMAC" }, false, ["sign"]))],
  crypto3: async () => {
    const k = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-384" }, true, ["sign", "verify"]);
    return [k.algorithm, (await crypto.subtle.exportKey("raw", k)).byteLength, (await crypto.subtle.exportKey("jwk", k)).alg, (await crypto.subtle.importKey("jwk", await crypto.subtle.exportKey("jwk", k), { name: "HMAC", hash: "SHA-384" }, false, ["verify"])).usages];
  },
  perf: () => [typeof performance.now(), performance.now() < 1e9, performance.timeOrigin > 1e12, typeof performance.mark, performance.now() !== Math.round(performance.now())],
  process1: () => [typeof process.env, process.env.NOPE_X, typeof process.cwd(), /^v\d+/.test(process.version), typeof process.versions.node, Array.isArray(process.argv), process.exitCode, process.hrtime().length, typeof process.hrtime.bigint(), process.hrtime(process.hrtime()).length, typeof process.pid, typeof process.uptime(), process.on("exit", () => {
  }) === process, process.once("x", () => {
  }) === process, typeof process.memoryUsage().rss, typeof process.arch, process.title !== void 0, process.release.name, typeof process.execPath, typeof process.stdout.write, typeof process.emitWarning, typeof process.getuid()],
  process2: () => {
    process.env.FOO = 1;
    process.exitCode = 3;
    const r = [process.env.FOO, "FOO" in process.env, Object.keys(process.env).includes("FOO"), process.exitCode];
    delete process.env.FOO;
    process.exitCode = void 0;
    return [...r, process.env.FOO, typeof process.memoryUsage.rss];
  },
  nextTick: async () => {
    const got = [];
    await new Promise((r) => process.nextTick((a, b) => {
      got.push(a, b);
      r();
    }, 1, 2));
    return got;
  },
  // url
  url1: () => {
    const u = new URL("https://u:p@ex.com:8080/a/b?x=1&y=2#h");
    u.searchParams.append("z", "ü");
    u.port = "443";
    u.pathname = "/é";
    u.hash = "";
    return [u.href, u.origin, u.host, [...u.searchParams], u.searchParams.size, String(u), JSON.stringify({ u }), URL.canParse("x"), u.searchParams.has("x", "1")];
  },
  url2: async () => [await errName(() => new URL("nope")), await errName(() => new URL("/a", "nope")), new URLSearchParams([["a", "1"], ["a", "2"]]).getAll("a"), new URLSearchParams("?a=%zz&b=+").toString(), new URLSearchParams({ q: "a b&c" }).toString(), (() => {
    const p = new URLSearchParams("b=1&a=2");
    p.sort();
    return p.toString();
  })(), URL.parse === void 0],
  urlsp: async () => {
    const p = new URLSearchParams("a=1&b=2&a=3");
    p.delete("a", "1");
    const it = p.entries();
    return [p.toString(), [...p.keys()], [...p.values()], [...it].length, (await errName(() => new URLSearchParams([["a"]])))[0], p.get("zz")];
  },
  // web: headers etc
  headers1: async () => {
    const h = new Headers([["B", "2"], ["a", "1"], ["a", "3"], ["Set-Cookie", "x=1"], ["set-cookie", "y=2"]]);
    h.append("B", " z ");
    return [[...h], h.get("A"), h.get("set-cookie"), h.getSetCookie(), h.has("b"), await errName(() => new Headers({ "a b": "1" })), await errName(() => h.set("a", "x\ny")), await errName(() => h.set("a", "é€")), new Headers({ a: void 0 }).get("a"), [...new Headers(h).keys()]];
  },
  request1: async () => {
    const r = new Request("http://a/x#y", { method: "post", body: "hi", headers: { a: "1" }, redirect: "manual" });
    const c = r.clone();
    const d = new Request(c, { method: "PUT" });
    return [r.url, r.method, r.redirect, r.headers.get("content-type"), await r.text(), r.bodyUsed, c.bodyUsed, await d.text(), d.method, d.headers.get("a"), r.signal.aborted, r.mode, r.credentials, r.cache, r.destination, r.referrer, r.referrerPolicy, r.integrity, r.keepalive, r.duplex, await errName(() => new Request("http://a", { body: "x" })), await errName(() => new Request("/rel")), await errName(() => new Request("http://u:p@a")), await errName(() => new Request("http://a", { method: "TRACE" })), await errName(() => new Request("http://a", { method: "a b" }))];
  },
  request2: async () => [await errName(() => new Request("http://a", { method: "POST", body: new ReadableStream() })), new Request("http://a", { method: "POST", body: new ReadableStream(), duplex: "half" }).body instanceof ReadableStream, await errName(() => new Request("http://a", { redirect: "nope" })), new Request("http://a").body, new Request(new URL("http://a")).url, new Request("http://a", { method: "patch" }).method, await errName(() => new Request("http://a", { signal: {} }))],
  response1: async () => {
    const r = new Response("é", { status: 201, statusText: "Made", headers: { x: "1" } });
    const c = r.clone();
    return [r.ok, r.status, r.statusText, r.type, r.url, r.redirected, r.headers.get("content-type"), await r.text(), await c.arrayBuffer().then((b) => b.byteLength), r.bodyUsed, await errName(() => r.text()), await errName(() => r.clone()), Response.json({ a: 1 }).headers.get("content-type"), Response.redirect("http://x/", 301).headers.get("location"), Response.redirect("http://x/").status, Response.error().type, Response.error().status, await errName(() => new Response("", { status: 204 })), await errName(() => new Response("", { status: 199 })), await errName(() => Response.redirect("http://x", 200)), await errName(() => Response.json(void 0)), new Response().body, await new Response(null).text(), await errName(() => new Response("{").json())];
  },
  response2: async () => {
    const b = await new Response(new Uint8Array([1, 2])).blob();
    return [b.size, b.type, await new Response(new Blob(["x"], { type: "text/a" })).blob().then((x) => x.type), await new Response(new URLSearchParams({ a: 1 })).text(), [...await new Response("ab").bytes?.() ?? te.encode("ab")], await new Response(new ReadableStream({ start(c) {
      c.enqueue(te.encode("q"));
      c.close();
    } })).text(), await errName(() => new Response(new ReadableStream({ start(c) {
      c.enqueue("str");
      c.close();
    } })).text()), await (await new Response(new URLSearchParams("a=1&b=2")).formData()).get("b"), await errName(() => new Response("x").formData()), await new Response("\uFEFFx").text(), await new Response("\uFEFF{}").json()];
  },
  bodystream: async () => {
    const r = new Response("hello");
    const reader = r.body.getReader();
    const { value, done } = await reader.read();
    const end = await reader.read();
    return [r.bodyUsed, value instanceof Uint8Array, td.decode(value), done, end.done, r.body.locked, await errName(() => r.text())];
  },
  bodyiter: async () => {
    let s = "";
    for await (const c of new Response("abc").body) s += td.decode(c);
    return s;
  },
  bodylock: async () => {
    const r = new Response("x");
    r.body.getReader();
    return [r.bodyUsed, await errName(() => r.text()), await errName(() => r.clone())];
  },
  form1: async () => {
    const f = new FormData();
    f.append("a", "1");
    f.append("a", 2);
    f.set("b", new Blob(["x"], { type: "text/plain" }));
    f.append("c", new File(["yy"], "n.txt"), "m.txt");
    const r = new Response(f);
    const ct = r.headers.get("content-type");
    const back = await r.formData();
    return [[...f.keys()], f.get("b").name, f.get("c").name, f.getAll("a"), f.has("z"), /^multipart\/form-data; ?boundary=/.test(ct), back.getAll("a"), await back.get("b").text(), back.get("b").type, back.get("c").name, back.get("c").type, back.get("c") instanceof File, await errName(() => f.append("x")), await errName(() => f.append("x", "y", "z"))];
  },
  form2: async () => {
    const f = new FormData();
    f.append('na"me\n', "l1\nl2");
    const t = await new Response(f).text();
    return [t.includes('name="na%22me%0D%0A"') || t.includes('name="na%22me%0A"'), t.includes("l1\r\nl2")];
  },
  blob1: async () => {
    const b = new Blob(["ab", new Uint8Array([99]), new Blob(["d"])], { type: "Text/X" });
    return [b.size, b.type, await b.text(), await b.slice(1, 3).text(), await b.slice(-1).text(), b.slice(0, 1, "t/y").type, [...new Uint8Array(await b.arrayBuffer())], await new Response(b.stream()).text(), new File(["x"], "n", { lastModified: 5, type: "a/b" }).lastModified, Object.prototype.toString.call(new File([], "x")), await new Blob(["\uD83D"]).text(), await errName(() => new Blob("x"))];
  },
  // streams
  stream1: async () => {
    let pulled = 0;
    const s = new ReadableStream({ pull(c) {
      c.enqueue(pulled++);
      if (pulled > 4) c.close();
    } }, { highWaterMark: 2 });
    await sleep(2);
    const before = pulled;
    const out = [];
    for await (const x of s) out.push(x);
    return [before, out];
  },
  stream2: async () => {
    const [a, b] = new ReadableStream({ start(c) {
      c.enqueue(1);
      c.enqueue(2);
      c.close();
    } }).tee();
    const all = async (s) => {
      const o = [];
      for await (const x of s) o.push(x);
      return o;
    };
    return [await all(a), await all(b)];
  },
  stream3: async () => {
    let cancelled;
    const s = new ReadableStream({ pull(c) {
      c.enqueue(1);
    }, cancel(r) {
      cancelled = r;
    } });
    for await (const x of s) break;
    await sleep(1);
    const s2 = new ReadableStream({ cancel(r) {
      cancelled = [cancelled, r];
    } });
    await s2.cancel("why");
    return cancelled === void 0 ? null : cancelled;
  },
  stream4: async () => {
    const s = new ReadableStream({ start(c) {
      c.error(new Error("bad"));
    } });
    return [await err(() => s.getReader().read()), await err(async () => {
      const r = new ReadableStream({ pull() {
        throw new RangeError("x");
      } }).getReader();
      await r.read();
    })];
  },
  stream5: async () => {
    const got = [];
    const w = new WritableStream({ write(c) {
      got.push(c);
    }, close() {
      got.push("close");
    }, abort(r) {
      got.push("abort", r);
    } });
    const wr = w.getWriter();
    await wr.write("a");
    const locked = w.locked;
    await wr.close();
    const w2 = new WritableStream({ abort(r) {
      got.push("abort", r);
    } });
    await w2.abort("r");
    return [got, locked, await wr.closed, await errName(() => w2.getWriter().write("x"))];
  },
  stream6: async () => {
    const ts = new TransformStream({ start(c) {
      c.enqueue("s");
    }, transform(x, c) {
      c.enqueue(x.toUpperCase());
    }, flush(c) {
      c.enqueue("end");
    } });
    const w = ts.writable.getWriter();
    w.write("a");
    w.write("b");
    w.close();
    const out = [];
    for await (const x of ts.readable) out.push(x);
    return out;
  },
  stream7: async () => {
    const out = [];
    await new ReadableStream({ start(c) {
      c.enqueue(1);
      c.enqueue(2);
      c.close();
    } }).pipeTo(new WritableStream({ write(x) {
      out.push(x);
    } }));
    const s = ReadableStream.from([te.encode("h"), te.encode("i")]).pipeThrough(new TextDecoderStream());
    for await (const x of s) out.push(x);
    const e = ReadableStream.from(["é"]).pipeThrough(new TextEncoderStream());
    for await (const x of e) out.push([...x]);
    return out;
  },
  stream8: async () => {
    const r = new ReadableStream({ start(c) {
      c.enqueue(1);
      c.close();
    } }).getReader();
    const a = await r.read();
    const closedBefore = await Promise.race([r.closed.then(() => "closed"), sleep(5).then(() => "open")]);
    r.releaseLock();
    return [a, closedBefore];
  },
  stream9: async () => {
    const s = new ReadableStream();
    const r = s.getReader();
    return [s.locked, await errName(() => s.getReader()), await errName(() => s.cancel()), (r.releaseLock(), s.locked), await errName(() => r.read())];
  },
  stream10: async () => {
    const s = new ReadableStream({ type: "bytes", start(c2) {
      c2.enqueue(te.encode("hello"));
      c2.close();
    } });
    const r = s.getReader({ mode: "byob" });
    const a = await r.read(new Uint8Array(3));
    const b = await r.read(new Uint8Array(3));
    const c = await r.read(new Uint8Array(3));
    return [td.decode(a.value), td.decode(b.value), c.done];
  },
  stream11: async () => {
    const c = new AbortController();
    const p = new ReadableStream({ pull(c2) {
      return sleep(1).then(() => c2.enqueue(1));
    } }).pipeTo(new WritableStream(), { signal: c.signal });
    setTimeout(() => c.abort("stop"), 5);
    return await err(() => p).then((x) => x[0] ?? "reason");
  },
  stream12: async () => {
    const w = new WritableStream({ write() {
      return sleep(1);
    } }, { highWaterMark: 2 });
    const wr = w.getWriter();
    const a = wr.desiredSize;
    wr.write(1);
    const b = wr.desiredSize;
    wr.write(2);
    const c = wr.desiredSize;
    await wr.ready;
    return [a, b, c];
  },
  stream13: async () => {
    let desired = [];
    const s = new ReadableStream({ start(c) {
      desired.push(c.desiredSize);
      c.enqueue(1);
      desired.push(c.desiredSize);
      c.enqueue(2);
      desired.push(c.desiredSize);
    } }, new CountQueuingStrategy({ highWaterMark: 3 }));
    return desired;
  },
  compression: async () => {
    const z = await new Response(ReadableStream.from([te.encode("hello hello")]).pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    return await new Response(new Blob([z]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  },
  // intl-less string things
  str: () => ["Pão".normalize("NFD").length, "a".localeCompare("b"), "ß".toLocaleUpperCase(), "x".at(-1), "ab".isWellFormed?.()],
  captureStack: () => {
    const o = {};
    Error.captureStackTrace(o);
    return [typeof o.stack, typeof Error.stackTraceLimit];
  }
};
export {
  items
};
