// Request and Response.
import { Body, fill, has, move, share } from "./body.js";
import { fix, Headers } from "./headers.js";
import { expose } from "./primordials.js";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);
const choices = {
  redirect: ["follow", "error", "manual"], mode: ["cors", "same-origin", "no-cors", "navigate"], credentials: ["same-origin", "omit", "include"],
  cache: ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
};

function methodOf(method) {
  if (/^(connect|trace|track)$/i.test(method) || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) throw new TypeError(`'${method}' is not a method of fetch`);
  return methods.has(method.toUpperCase()) ? method.toUpperCase() : method;
}

function urlOf(input) {
  let url;
  try {
    url = new URL(String(input));
  } catch (cause) {
    throw new TypeError("Failed to parse URL from " + String(input), { cause });
  }
  if (url.username || url.password) throw new TypeError("Request cannot be constructed from a URL that includes credentials: " + url.href);
  return url.href;
}

const isStream = (body) => body instanceof ReadableStream || (typeof body === "object" && typeof body?.[Symbol.asyncIterator] === "function");

class Request extends Body {
  #own;

  constructor(input, init) {
    super();
    if (arguments.length === 0) throw new TypeError("a Request needs a URL or a Request");
    init ??= {};
    const from = input instanceof Request ? input : undefined, old = from?.#own ?? {};
    const own = this.#own = {
      url: from ? old.url : urlOf(input),
      method: methodOf(String(init.method ?? old.method ?? "GET")),
      headers: new Headers(init.headers ?? old.headers),
      referrer: "about:client", referrerPolicy: String(init.referrerPolicy ?? old.referrerPolicy ?? ""),
      keepalive: Boolean(init.keepalive ?? old.keepalive),
    };
    for (const [name, list] of Object.entries(choices)) {
      own[name] = String(init[name] ?? old[name] ?? list[0]);
      if (!list.includes(own[name])) throw new TypeError(`${name} of a request is one of ${list.join(", ")}, not ${own[name]}`);
    }
    if (init.integrity) throw new TypeError("integrity of a request is not checked here: compare the digest of the body with crypto.subtle");
    if (init.dispatcher) throw new TypeError("fetch takes no dispatcher here: set HTTPS_PROXY for a proxy, and a signal for a time limit");
    this.#signals(init, old);
    if (init.body !== undefined && init.body !== null) {
      if (own.method === "GET" || own.method === "HEAD") throw new TypeError("Request with GET/HEAD method cannot have body.");
      if (isStream(init.body) && init.duplex !== "half") throw new TypeError('a request whose body is a stream needs duplex: "half"');
      fill(this, init.body, own.headers);
    } else if (from && has(from)) move(from, this);
  }

  #signals(init, old) {
    const { signal = old.given } = init;
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) throw new TypeError("signal of a request must be an AbortSignal");
    this.#own.given = signal ?? undefined;
  }

  // given is the signal that the author gave, undefined for none.
  static given(request) { return request.#own.given; }

  get signal() { return (this.#own.signal ??= this.#own.given ?? new AbortController().signal); }
  get destination() { return ""; }
  get integrity() { return ""; }
  get duplex() { return "half"; }
  get isReloadNavigation() { return false; }
  get isHistoryNavigation() { return false; }

  static part(request, name) { return request.#own[name]; }

  clone() {
    const copy = new Request(this.url, { ...this.#own, signal: this.#own.given });
    if (this.bodyUsed || this.body?.locked) throw new TypeError("a request whose body is in use cannot be cloned");
    if (has(this)) share(this, copy);
    return copy;
  }
}
export const given = Request.given;
const part = Request.part;
delete Request.given;
delete Request.part;
for (const name of ["url", "method", "headers", "redirect", "mode", "credentials", "cache", "referrer", "referrerPolicy", "keepalive"]) {
  Object.defineProperty(Request.prototype, name, { get() { return part(this, name); }, enumerable: true, configurable: true });
}

export const noBody = new Set([101, 103, 204, 205, 304]);

class Response extends Body {
  #own;

  constructor(body = null, init) {
    super();
    init ??= {};
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status));
    if (!(status >= 200 && status <= 599)) throw new RangeError(`init["status"] must be in the range of 200 to 599, inclusive.`);
    const statusText = String(init.statusText ?? "");
    if (/[^\t\x20-\x7e\x80-\xff]/.test(statusText)) throw new TypeError("Invalid statusText");
    if (body !== null && body !== undefined && noBody.has(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}: it cannot have a body`);
    this.#own = { status, statusText, headers: new Headers(init.headers), type: "default", url: "", redirected: false };
    fill(this, body, this.#own.headers);
  }

  // answer makes what came over the network, or an error, of a plain response.
  static answer(response, about) {
    Object.assign(response.#own, about);
    fix(response.#own.headers);
    return response;
  }

  get ok() { return this.#own.status >= 200 && this.#own.status <= 299; }

  static part(response, name) { return response.#own[name]; }

  clone() {
    if (this.bodyUsed || this.body?.locked) throw new TypeError("a response whose body is in use cannot be cloned");
    const copy = new Response();
    copy.#own = { ...this.#own, headers: new Headers(this.#own.headers) };
    if (has(this)) share(this, copy);
    return copy;
  }

  static json(data, init) {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(init?.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...init, headers });
  }

  static redirect(url, status = 302) {
    const location = new URL(String(url)).href;
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError("Invalid status code " + status);
    return answer(new Response(null, { status, headers: { location } }), {});
  }

  static error() { return answer(new Response(), { status: 0, type: "error" }); }
}
export const { answer } = Response;
const partOf = Response.part;
delete Response.answer;
delete Response.part;
for (const name of ["status", "statusText", "headers", "type", "url", "redirected"]) {
  Object.defineProperty(Response.prototype, name, { get() { return partOf(this, name); }, enumerable: true, configurable: true });
}

expose({ Request, Response });
