// node:events.
export class EventEmitter {
  static defaultMaxListeners = 10;
  #listeners = new Map();

  #of(name) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, []);
    return this.#listeners.get(name);
  }

  #add(name, listener, front) {
    if (typeof listener !== "function") throw Object.assign(new TypeError('The "listener" argument must be of type function'), { code: "ERR_INVALID_ARG_TYPE" });
    if (this.#listeners.has("newListener")) this.emit("newListener", name, listener.listener ?? listener);
    this.#of(name)[front ? "unshift" : "push"](listener);
    return this;
  }

  #once(name, listener) {
    const wrapped = (...args) => {
      this.removeListener(name, wrapped);
      return listener.apply(this, args);
    };
    wrapped.listener = listener;
    return wrapped;
  }

  on(name, listener) { return this.#add(name, listener, false); }
  addListener(name, listener) { return this.#add(name, listener, false); }
  prependListener(name, listener) { return this.#add(name, listener, true); }
  once(name, listener) { return this.#add(name, this.#once(name, listener), false); }
  prependOnceListener(name, listener) { return this.#add(name, this.#once(name, listener), true); }

  removeListener(name, listener) {
    const list = this.#of(name), i = list.findLastIndex((l) => l === listener || l.listener === listener);
    if (i >= 0) this.#listeners.set(name, list.toSpliced(i, 1));
    if (this.#listeners.get(name).length === 0) this.#listeners.delete(name);
    return this;
  }
  off(name, listener) { return this.removeListener(name, listener); }

  removeAllListeners(name) {
    if (name === undefined) this.#listeners.clear();
    else this.#listeners.delete(name);
    return this;
  }

  emit(name, ...args) {
    const list = this.#listeners.get(name);
    if (!list?.length) {
      if (name !== "error") return false;
      if (args[0] instanceof Error) throw args[0];
      throw Object.assign(new Error(`Unhandled error. (${__bdk.format(args)})`), { code: "ERR_UNHANDLED_ERROR", context: args[0] });
    }
    for (const l of [...list]) l.apply(this, args);
    return true;
  }

  listeners(name) { return (this.#listeners.get(name) ?? []).map((l) => l.listener ?? l); }
  rawListeners(name) { return [...(this.#listeners.get(name) ?? [])]; }
  listenerCount(name) { return this.#listeners.get(name)?.length ?? 0; }
  eventNames() { return [...this.#listeners.keys()]; }
  setMaxListeners() { return this; }
  getMaxListeners() { return EventEmitter.defaultMaxListeners; }
}

// once gives the arguments of the next event.
export const once = (emitter, name, options) => new Promise((resolve, reject) => {
  if (options?.signal?.aborted) return reject(options.signal.reason);
  if (emitter instanceof EventTarget) return emitter.addEventListener(name, (e) => resolve([e]), { once: true });
  const done = (...args) => {
    emitter.removeListener("error", fail);
    resolve(args);
  };
  const fail = (e) => {
    emitter.removeListener(name, done);
    reject(e);
  };
  emitter.once(name, done);
  if (name !== "error") emitter.once("error", fail);
  options?.signal?.addEventListener("abort", () => fail(options.signal.reason), { once: true });
});

// on gives all events of a name, one after the other.
export async function* on(emitter, name, options) {
  const waiting = [];
  let wake, failure;
  const push = (...args) => { waiting.push(args); wake?.(); };
  const fail = (e) => { failure = { e }; wake?.(); };
  emitter.on(name, push);
  emitter.on("error", fail);
  options?.signal?.addEventListener("abort", () => fail(options.signal.reason), { once: true });
  try {
    for (;;) {
      while (waiting.length) yield waiting.shift();
      if (failure) throw failure.e;
      await new Promise((r) => { wake = r; });
    }
  } finally {
    emitter.off(name, push);
    emitter.off("error", fail);
  }
}

export const errorMonitor = Symbol("events.errorMonitor");
export const captureRejectionSymbol = Symbol.for("nodejs.rejection");
export const defaultMaxListeners = 10;
export const setMaxListeners = () => {};
export const getEventListeners = (emitter, name) => emitter.listeners?.(name) ?? [];
export const listenerCount = (emitter, name) => emitter.listenerCount(name);
const { EventTarget: Target, Event: Ev } = globalThis;
export { Target as EventTarget, Ev as Event };

Object.assign(EventEmitter, { EventEmitter, once, on, errorMonitor, captureRejectionSymbol, setMaxListeners, getEventListeners, listenerCount });
export default EventEmitter;
