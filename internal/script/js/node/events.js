// node:events. A function and not a class, since old packages call it on objects of theirs.
import { abortError, coded, needsFunction } from "./_errors.js";

export const errorMonitor = Symbol("events.errorMonitor");
export const captureRejectionSymbol = Symbol.for("nodejs.rejection");
export let defaultMaxListeners = 10;

export function EventEmitter(options) {
  this._events ??= Object.create(null);
  this._capture = Boolean(options?.captureRejections);
}
EventEmitter.prototype._events = undefined;
EventEmitter.prototype._capture = false;
EventEmitter.prototype._max = undefined;

function add(emitter, name, listener, front) {
  needsFunction(listener, "listener");
  if (!Object.hasOwn(emitter, "_events") || !emitter._events) emitter._events = Object.create(null);
  if (emitter._events.newListener) emitter.emit("newListener", name, listener.listener ?? listener);
  const list = emitter._events[name] ?? [];
  emitter._events[name] = front ? [listener, ...list] : [...list, listener];
  return emitter;
}

function wrap(emitter, name, listener) {
  needsFunction(listener, "listener");
  const wrapped = function (...args) {
    emitter.removeListener(name, wrapped);
    return listener.apply(this, args);
  };
  wrapped.listener = listener;
  return wrapped;
}

// captured hands the rejection of an async listener to the event error.
function captured(emitter, name, args, result) {
  if (typeof result?.then !== "function") return;
  result.then(undefined, (e) => process.nextTick(() => {
    if (typeof emitter[captureRejectionSymbol] === "function") emitter[captureRejectionSymbol](e, name, ...args);
    else emitter.emit("error", e);
  }));
}

const methods = {
  on(name, listener) { return add(this, name, listener, false); },
  addListener(name, listener) { return this.on(name, listener); },
  prependListener(name, listener) { return add(this, name, listener, true); },
  once(name, listener) { return this.on(name, wrap(this, name, listener)); },
  prependOnceListener(name, listener) { return this.prependListener(name, wrap(this, name, listener)); },

  removeListener(name, listener) {
    const list = this._events?.[name], i = list?.findLastIndex((l) => l === listener || l.listener === listener) ?? -1;
    if (i < 0) return this;
    if (list.length === 1) delete this._events[name];
    else this._events[name] = list.toSpliced(i, 1);
    if (this._events.removeListener) this.emit("removeListener", name, list[i].listener ?? list[i]);
    return this;
  },
  off(name, listener) { return this.removeListener(name, listener); },

  removeAllListeners(name) {
    if (name === undefined) this._events = Object.create(null);
    else if (this._events) delete this._events[name];
    return this;
  },

  emit(name, ...args) {
    const events = this._events;
    if (name === "error" && events?.[errorMonitor]) this.emit(errorMonitor, ...args);
    const list = events?.[name];
    if (!list?.length) {
      if (name !== "error") return false;
      if (args[0] instanceof Error) throw args[0];
      throw coded(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${__bdk.inspect(args[0])})`, { context: args[0] });
    }
    for (const l of list) {
      const result = l.apply(this, args);
      if (this._capture) captured(this, name, args, result);
    }
    return true;
  },

  listeners(name) { return (this._events?.[name] ?? []).map((l) => l.listener ?? l); },
  rawListeners(name) { return [...(this._events?.[name] ?? [])]; },
  listenerCount(name, listener) { return (this._events?.[name] ?? []).filter((l) => listener === undefined || l === listener || l.listener === listener).length; },
  eventNames() { return Reflect.ownKeys(this._events ?? {}); },
  setMaxListeners(n) {
    this._max = n;
    return this;
  },
  getMaxListeners() { return this._max ?? defaultMaxListeners; },
};
for (const [name, value] of Object.entries(methods)) Object.defineProperty(EventEmitter.prototype, name, { value, writable: true, configurable: true });

// once gives the arguments of the next event.
export function once(emitter, name, options) {
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal));
    const target = emitter instanceof EventTarget;
    const off = () => {
      signal?.removeEventListener("abort", aborted);
      if (target) return emitter.removeEventListener(name, done);
      emitter.removeListener(name, done);
      emitter.removeListener("error", fail);
    };
    const settle = (f) => (...args) => {
      off();
      f(args);
    };
    const done = settle((args) => resolve(args)), fail = settle(([e]) => reject(e)), aborted = settle(() => reject(abortError(signal)));
    signal?.addEventListener("abort", aborted, { once: true });
    if (target) return emitter.addEventListener(name, done, { once: true });
    emitter.once(name, done);
    if (name !== "error") emitter.once("error", fail);
  });
}

// on gives all events of a name, one after the other.
export function on(emitter, name, options) {
  const waiting = [], target = emitter instanceof EventTarget, signal = options?.signal;
  if (signal?.aborted) throw abortError(signal);
  let wake, failure, over = false;
  const poke = () => wake?.();
  const push = (...args) => { waiting.push(args); poke(); };
  const fail = (e) => { failure = { e }; poke(); };
  const end = () => { over = true; poke(); };
  const aborted = () => fail(abortError(signal));
  if (target) emitter.addEventListener(name, push);
  else {
    emitter.on(name, push);
    if (name !== "error") emitter.on("error", fail);
    for (const close of options?.close ?? []) emitter.on(close, end);
  }
  signal?.addEventListener("abort", aborted, { once: true });
  const off = () => {
    if (target) return emitter.removeEventListener(name, push);
    emitter.off(name, push);
    emitter.off("error", fail);
    for (const close of options?.close ?? []) emitter.off(close, end);
    signal?.removeEventListener("abort", aborted);
  };
  return (async function* () {
    try {
      for (;;) {
        while (waiting.length) yield waiting.shift();
        if (failure) throw failure.e;
        if (over) return;
        await new Promise((r) => { wake = r; });
      }
    } finally {
      off();
    }
  })();
}

export const setMaxListeners = (n, ...emitters) => {
  if (emitters.length === 0) defaultMaxListeners = n;
  for (const e of emitters) e.setMaxListeners?.(n);
};
export const getMaxListeners = (emitter) => emitter.getMaxListeners?.() ?? defaultMaxListeners;
export const getEventListeners = (emitter, name) => emitter.listeners?.(name) ?? [];
export const listenerCount = (emitter, name) => emitter.listenerCount(name);
export const addAbortListener = (signal, listener) => {
  if (signal.aborted) queueMicrotask(() => listener());
  else signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() { signal.removeEventListener("abort", listener); } };
};

const { EventTarget: Target, Event: Ev } = globalThis;
export { Target as EventTarget, Ev as Event };

Object.assign(EventEmitter, { EventEmitter, once, on, errorMonitor, captureRejectionSymbol, setMaxListeners, getMaxListeners, getEventListeners, listenerCount, addAbortListener });
Object.defineProperty(EventEmitter, "defaultMaxListeners", { get: () => defaultMaxListeners, set: (n) => { defaultMaxListeners = n; }, enumerable: true });
export default EventEmitter;
