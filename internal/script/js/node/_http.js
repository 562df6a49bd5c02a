// The client side of node:http and node:https, over what fetch uses: the same
// limits hold, and the same pool of connections is behind all agents.
import { EventEmitter } from "./events.js";
import { Readable, Writable } from "./stream.js";
import { abortError, coded, invalidType } from "./_errors.js";
import { checkHeader } from "./_httpnames.js";

const { sync, async, toWire, fromWire } = __bdk;

export class Agent extends EventEmitter {
  constructor(options = {}) {
    super();
    this.options = { ...options };
    Object.assign(this, { keepAlive: Boolean(options.keepAlive), maxSockets: options.maxSockets ?? Infinity, maxFreeSockets: options.maxFreeSockets ?? 256, sockets: {}, freeSockets: {}, requests: {} });
  }
  destroy() {}
  getName() { return ""; }
}
export const globalAgent = new Agent();

// unsupported are options that would be ignored, which is worse than refused.
const unsupported = {
  rejectUnauthorized: (x) => x === false && "certificates are always checked", ca: (x) => x && "the system's certificates are those that count",
  cert: (x) => x && "client certificates are not sent", key: (x) => x && "client certificates are not sent", pfx: (x) => x && "client certificates are not sent",
  socketPath: (x) => x && "there are no Unix sockets", createConnection: (x) => x && "connections are the host's", lookup: (x) => x && "names are looked up by the host",
};

// A Socket stands for the connection, which is the host's; it takes settings and has no bytes.
class Socket extends EventEmitter {
  encrypted;
  authorized = true;
  writable = true;
  readable = true;
  destroyed = false;
  remoteAddress = undefined;
  constructor(request, encrypted) {
    super();
    this.encrypted = encrypted;
    this.destroy = (e) => { request.destroy(e); };
    this.setTimeout = (ms, f) => (request.setTimeout(ms, f), this);
  }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  ref() { return this; }
  unref() { return this; }
}

// IncomingMessage is a response: its bytes come as they are on the wire, packed too.
export class IncomingMessage extends Readable {
  #handle;
  constructor(answer, socket) {
    super();
    this.#handle = answer.handle;
    const [, major, minor] = /^HTTP\/(\d)\.(\d)$/.exec(answer.proto) ?? [null, 1, 1];
    Object.assign(this, {
      statusCode: answer.status, statusMessage: answer.statusText, httpVersion: `${major}.${minor}`, httpVersionMajor: Number(major), httpVersionMinor: Number(minor),
      headers: {}, rawHeaders: [], trailers: {}, rawTrailers: [], complete: false, aborted: false, url: "", method: null, socket, connection: socket,
    });
    for (const [name, value] of answer.headers) this.#add(name, value);
  }

  #add(name, value) {
    this.rawHeaders.push(name, value);
    const key = name.toLowerCase(), had = this.headers[key];
    if (key === "set-cookie") (this.headers[key] ??= []).push(value);
    else if (had === undefined) this.headers[key] = value;
    else if (!["age", "content-length", "content-type", "etag", "expires", "last-modified", "location", "retry-after", "server"].includes(key)) this.headers[key] = `${had}, ${value}`;
  }

  _read() {
    async(0, "fetch.read", this.#handle).then((wire) => {
      if (wire === "") {
        this.complete = true;
        this.push(null);
      } else this.push(Buffer.from(fromWire(wire)));
    }, (e) => this.destroy(coded(Error, "ECONNRESET", e.message)));
  }
  _destroy(e, done) {
    sync("fetch.close", this.#handle);
    if (!this.complete && !this.readableEnded) {
      this.aborted = true;
      this.emit("aborted");
    }
    done(e);
  }
  setTimeout(ms, f) {
    this.socket.setTimeout(ms, f);
    return this;
  }
}

// optionsOf reads (url, options), (options), and what a URL says.
function optionsOf(secure, input, options) {
  let from = {};
  if (typeof input === "string" || input instanceof URL) {
    const u = new URL(String(input));
    from = { protocol: u.protocol, hostname: u.hostname, port: u.port, path: u.pathname + u.search, ...(u.username ? { auth: `${decodeURIComponent(u.username)}:${decodeURIComponent(u.password)}` } : {}) };
  } else if (input !== null && typeof input === "object") options = { ...input, ...options };
  else throw invalidType("url", "of type string or an instance of Object or URL", input);
  const o = { protocol: secure ? "https:" : "http:", path: "/", method: "GET", ...from, ...options };
  if (o.protocol !== (secure ? "https:" : "http:")) throw coded(TypeError, "ERR_INVALID_PROTOCOL", `Protocol "${o.protocol}" not supported. Expected "${secure ? "https" : "http"}:"`);
  for (const [name, refuse] of Object.entries(unsupported)) {
    const why = refuse(o[name]) || refuse(o.agent?.options?.[name]);
    if (why) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `the option ${name} is not part of this runtime: ${why}`);
  }
  if (/[^\x21-\xff]/.test(o.path)) throw coded(TypeError, "ERR_UNESCAPED_CHARACTERS", "Request path contains unescaped characters");
  return o;
}

let numbers = 0;

export class ClientRequest extends Writable {
  #headers = new Map();
  #parts = [];
  #options;
  #number = `node:${++numbers}`;
  #timer;
  #limited = false;

  constructor(secure, input, options, done) {
    super({ autoDestroy: false });
    const o = this.#options = optionsOf(secure, input, options);
    this.method = String(o.method).toUpperCase();
    this.path = o.path;
    this.protocol = o.protocol;
    this.host = o.hostname ?? o.host ?? "localhost";
    this.aborted = this.finished = this.reusedSocket = false;
    this.res = null;
    for (const [name, value] of Array.isArray(o.headers) ? pairs(o.headers) : Object.entries(o.headers ?? {})) this.setHeader(name, value);
    if (o.auth && !this.hasHeader("authorization")) this.setHeader("Authorization", "Basic " + Buffer.from(o.auth).toString("base64"));
    this.socket = this.connection = new Socket(this, secure);
    if (done) this.once("response", done);
    if (o.timeout ?? o.agent?.options?.timeout) this.setTimeout(o.timeout ?? o.agent.options.timeout);
    if (o.signal) {
      const stop = () => this.destroy(abortError(o.signal));
      if (o.signal.aborted) process.nextTick(stop);
      else o.signal.addEventListener("abort", stop, { once: true });
    }
    process.nextTick(() => { if (!this.destroyed) this.emit("socket", this.socket); });
  }

  setHeader(name, value) {
    checkHeader(name, value);
    this.#headers.set(String(name).toLowerCase(), [String(name), value]);
    return this;
  }
  appendHeader(name, value) {
    const had = this.getHeader(name);
    return this.setHeader(name, had === undefined ? value : [had, value].flat());
  }
  getHeader(name) { return this.#headers.get(String(name).toLowerCase())?.[1]; }
  hasHeader(name) { return this.#headers.has(String(name).toLowerCase()); }
  removeHeader(name) { this.#headers.delete(String(name).toLowerCase()); }
  getHeaderNames() { return [...this.#headers.keys()]; }
  getRawHeaderNames() { return [...this.#headers.values()].map(([name]) => name); }
  getHeaders() { return Object.fromEntries([...this.#headers].map(([key, [, value]]) => [key, value])); }
  get headersSent() { return this.writableEnded; }
  flushHeaders() {}
  setNoDelay() {}
  setSocketKeepAlive() {}

  // setTimeout tells of silence; it ends nothing, as in Node.
  setTimeout(ms, f) {
    if (f) this.once("timeout", f);
    this.#limited ||= ms > 0;
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => {
      this.emit("timeout");
      this.socket.emit("timeout");
    }, ms);
    return this;
  }

  abort() {
    this.aborted = true;
    process.nextTick(() => this.emit("abort"));
    this.destroy();
  }

  _write(chunk, _, next) {
    this.#parts.push(Buffer.from(chunk));
    next();
  }

  _final(next) {
    this.finished = true;
    next();
    this.#send().catch((e) => this.destroy(e));
  }

  #url() {
    const o = this.#options, host = this.host.includes(":") && !this.host.startsWith("[") ? `[${this.host}]` : this.host;
    const port = o.port ?? o.defaultPort;
    return `${o.protocol}//${host}${port ? ":" + port : ""}${o.path.startsWith("/") ? "" : "/"}${o.path}`;
  }

  async #send() {
    const headers = [...this.#headers.values()].flatMap(([name, value]) => [value].flat().map((v) => [name, String(v)]));
    const body = Buffer.concat(this.#parts);
    const ask = { url: this.#url(), method: this.method, headers, redirect: "manual", body: body.length ? "bytes" : "", own: this.#limited || Boolean(this.#options.signal), raw: true };
    let answer;
    try {
      answer = JSON.parse(await async(0, "fetch.open", JSON.stringify(ask), toWire(body), this.#number));
    } catch (e) {
      throw e?.cause ?? e;
    } finally {
      clearTimeout(this.#timer);
    }
    if (this.destroyed) return sync("fetch.close", answer.handle);
    this.#arrived(new IncomingMessage(answer, this.socket));
  }

  #arrived(message) {
    this.res = message;
    message.req = this;
    message.once("close", () => { if (!this.destroyed) this.destroy(); });
    if (!this.emit("response", message)) message.resume();
  }

  _destroy(e, done) {
    clearTimeout(this.#timer);
    sync("fetch.abort", this.#number);
    if (this.res) this.res.destroy(e);
    else e ??= coded(Error, "ECONNRESET", "socket hang up");
    this.socket.destroyed = true;
    this.socket.emit("close");
    done(e);
  }
}

const pairs = (list) => (Array.isArray(list[0]) ? list : Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]));

// client gives request and get for http or https.
export function client(secure) {
  const request = (input, options, done) => {
    if (typeof options === "function") [options, done] = [undefined, options];
    return new ClientRequest(secure, input, options, done);
  };
  const get = (...args) => request(...args).end();
  return { request, get };
}

const noServer = (name) => {
  throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", `node:http has no ${name} in this runtime: answer requests with a channel's routes`);
};
export const createServer = () => noServer("createServer");
export class Server extends EventEmitter { constructor() { super(); noServer("Server"); } }
export class ServerResponse extends Writable { constructor() { super(); noServer("ServerResponse"); } }
export { Writable as OutgoingMessage };
