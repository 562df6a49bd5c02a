// The two functions that lead into Go: __host answers at once, __start settles
// a promise later. Go comes back through bdk.entries.
import { apply, assign, defineProperty, Error, fromBase64, parse, Promise, Proxy, push, RangeError, SyntaxError, Table, toBase64, TypeError, Uint8Array } from "./primordials.js";

const host = globalThis.__host, start = globalThis.__start;
delete globalThis.__host;
delete globalThis.__start;

// bdk is what the bundle and the modules under js/node and js/platform share.
export const bdk = {
  // entries are the functions that Go calls.
  entries: {},
  // missing stands for a module of Node that a package names but may never use:
  // its names can be taken, and throw when they are called.
  missing(text) {
    const refuse = () => { throw new Error(text); };
    const name = new Proxy(function () {}, {
      get: (target, key) => (key === "prototype" ? target.prototype : undefined),
      apply: refuse,
      construct: refuse,
    });
    return new Proxy({}, { get: (_, key) => (typeof key === "symbol" || key === "__esModule" || key === "default" || key === "then" ? undefined : name) });
  },
};
defineProperty(globalThis, "__bdk", { value: bdk });

// revive makes the error of an envelope that Go wrote.
const classes = { TypeError, RangeError, SyntaxError };
const details = ["code", "errno", "syscall", "path", "hostname", "status", "data"];
let DOMException;
export const bindDOMException = (made) => { DOMException = made; };
export function revive(text) {
  let e;
  try { e = parse(text); } catch { return new Error(text); }
  return typeof e !== "object" || e === null ? new Error(text) : made(e);
}

function made(e) {
  const ended = e.name === "AbortError" || e.name === "TimeoutError";
  const error = ended ? new DOMException(e.message, e.name) : new (classes[e.name] ?? Error)(e.message);
  for (let i = 0; i < details.length; i++) if (e[details[i]] !== undefined) error[details[i]] = e[details[i]];
  if (e.name === "HttpError") defineProperty(error, "name", { value: e.name, writable: true, configurable: true });
  if (e.cause) defineProperty(error, "cause", { value: made(e.cause), writable: true, configurable: true });
  return error;
}

// sync(name, …) asks Go and gives its answer; what Go refuses is thrown.
export function sync(...args) {
  try {
    return apply(host, undefined, args);
  } catch (e) {
    if (e?.name === "InternalError") throw e;
    throw revive(e.message);
  }
}

// done gives Go the answer of a call, by the shortest way.
export const done = (id, text) => { host("call.done", id, text); };

let next = 0;
const pending = new Table();

// async starts work in Go. Work with a call's id ends with that call.
export function async(call, name, ...args) {
  return new Promise((resolve, reject) => {
    const id = ++next;
    pending.set(id, { resolve, reject });
    try {
      const all = [id, call, name];
      for (let i = 0; i < args.length; i++) push(all, args[i]);
      apply(start, undefined, all);
    } catch (e) {
      pending.delete(id);
      reject(revive(e.message));
    }
  });
}

bdk.entries.settle = (id, ok, value) => {
  const p = pending.get(id);
  if (!p) return;
  pending.delete(id);
  if (ok) p.resolve(value);
  else p.reject(revive(value));
};

// Streams and processes in Go speak through emit, by the number of their handle.
const listeners = new Table();
export function listen(handle, f) { listeners.set(handle, f); }
export function unlisten(handle) { listeners.delete(handle); }
bdk.entries.emit = (handle, type, value) => listeners.get(handle)?.(type, value);

// Bytes cross the bridge as base64, which the engine converts natively.
export const toWire = (bytes) => toBase64(bytes);
export const fromWire = (text) => fromBase64(text);

// asBytes views whatever holds bytes as a Uint8Array, without a copy.
const { ArrayBuffer, SharedArrayBuffer } = globalThis;
const { isView } = ArrayBuffer;
export function asBytes(x) {
  if (x instanceof Uint8Array) return x;
  if (isView(x)) return new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
  if (x instanceof ArrayBuffer || x instanceof SharedArrayBuffer) return new Uint8Array(x);
  return undefined;
}

assign(bdk, { sync, async, listen, unlisten, toWire, fromWire, asBytes });
