// Request, Response and fetch. Go speaks HTTP; a body comes chunk by chunk.
import { async, fromWire, sync, toWire } from "./bridge.js";
import { Body, fill, has, share, take } from "./body.js";
import { Headers } from "./headers.js";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

class Request extends Body {
  constructor(input, init = {}) {
    super();
    const from = input instanceof Request ? input : undefined;
    const method = String(init.method ?? from?.method ?? "GET");
    if (/^(connect|trace|track)$/i.test(method) || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) throw new TypeError(`${method} is not a method of fetch`);
    const url = from ? from.url : new URL(String(input));
    if (!from && (url.username || url.password)) throw new TypeError("Request cannot be constructed from a URL that includes credentials: " + url);
    Object.assign(this, {
      url: from ? url : url.href,
      method: methods.has(method.toUpperCase()) ? method.toUpperCase() : method,
      headers: new Headers(init.headers ?? from?.headers),
      signal: init.signal ?? from?.signal ?? new AbortController().signal,
      redirect: init.redirect ?? from?.redirect ?? "follow",
      mode: "cors", credentials: "same-origin", cache: "default", referrer: "about:client", integrity: "", keepalive: false, duplex: "half",
    });
    if (init.body !== undefined && init.body !== null) {
      if (this.method === "GET" || this.method === "HEAD") throw new TypeError("Request with GET/HEAD method cannot have body.");
      fill(this, init.body, this.headers);
    } else if (from && has(from)) share(from, this);
  }
  clone() { return new Request(this); }
}

const noBody = new Set([101, 204, 205, 304]);

class Response extends Body {
  constructor(body = null, init = {}) {
    super();
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status));
    if (!(status >= 200 && status <= 599)) throw new RangeError(`init["status"] must be in the range of 200 to 599, inclusive.`);
    if (body !== null && body !== undefined && noBody.has(status)) throw new TypeError(`a response with status ${status} cannot have a body`);
    this.status = status;
    this.statusText = String(init.statusText ?? "");
    this.headers = new Headers(init.headers);
    this.type = "default";
    this.url = "";
    this.redirected = false;
    fill(this, body, this.headers);
  }

  get ok() { return this.status >= 200 && this.status <= 299; }

  clone() {
    const copy = new Response(null, { status: this.status, statusText: this.statusText, headers: this.headers });
    if (has(this)) share(this, copy);
    return Object.assign(copy, { url: this.url, redirected: this.redirected, type: this.type });
  }

  static json(data, init = {}) {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...init, headers });
  }

  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError("Invalid status code " + status);
    return new Response(null, { status, headers: { location: new URL(String(url)).href } });
  }

  static error() {
    const r = new Response();
    r.status = 0;
    r.type = "error";
    return r;
  }
}

let numbers = 0;

// bodyOf streams what Go reads; whoever stops early closes it.
function bodyOf(handle, signal) {
  let controller;
  const stop = () => {
    sync("fetch.close", handle);
    controller.error(signal.reason);
  };
  return new ReadableStream({
    start(c) {
      controller = c;
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    },
    async pull(c) {
      let chunk;
      try {
        chunk = await async(0, "fetch.read", handle);
      } catch (e) {
        throw signal.aborted ? signal.reason : e;
      }
      if (chunk !== "") return c.enqueue(fromWire(chunk));
      signal.removeEventListener("abort", stop);
      if (!signal.aborted) c.close();
    },
    cancel() {
      signal.removeEventListener("abort", stop);
      sync("fetch.close", handle);
    },
  });
}

function dataURL(url) {
  const [, type, base64, data] = /^data:([^,]*?)(;base64)?,(.*)$/is.exec(url) ?? [];
  if (data === undefined) throw new TypeError("fetch failed: the data URL is malformed");
  const text = decodeURIComponent(data);
  return new Response(base64 ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : text, { headers: { "content-type": type || "text/plain;charset=US-ASCII" } });
}

async function fetch(input, init) {
  const request = new Request(input, init);
  const { signal } = request;
  signal.throwIfAborted();
  if (request.url.startsWith("data:")) return dataURL(request.url);
  if (!/^https?:/.test(request.url)) throw new TypeError(`fetch failed: ${new URL(request.url).protocol} is not supported`);
  const bytes = await take(request);
  signal.throwIfAborted();
  const number = ++numbers;
  const abort = () => sync("fetch.abort", number);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const ask = { url: request.url.replace(/#.*$/s, ""), method: request.method, headers: [...request.headers], redirect: request.redirect, hasBody: has(request) };
    const answer = JSON.parse(await async(0, "fetch.open", JSON.stringify(ask), toWire(bytes), number));
    return responseOf(answer, request);
  } catch (e) {
    throw signal.aborted ? signal.reason : e;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function responseOf({ handle, status, statusText, url, redirected, headers }, request) {
  const empty = noBody.has(status) || request.method === "HEAD";
  const response = new Response(empty ? null : bodyOf(handle, request.signal), { status: status < 200 ? 200 : status, statusText, headers });
  if (empty) sync("fetch.close", handle);
  return Object.assign(response, { url, redirected, type: "basic" });
}

Object.assign(globalThis, { fetch, Request, Response });
