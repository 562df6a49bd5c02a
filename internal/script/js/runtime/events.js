// Event, EventTarget, DOMException, AbortController and AbortSignal.
import { bindDOMException } from "./bridge.js";
import { apply, assign, Boolean, Date, Error, Promise, push, String } from "./primordials.js";

const codes = { NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12, NetworkError: 19, AbortError: 20, TimeoutError: 23, DataCloneError: 25, InvalidCharacterError: 5 };

class DOMException extends Error {
  #name;
  constructor(message = "", options = "Error") {
    super(message);
    this.#name = typeof options === "string" ? options : options?.name ?? "Error";
    if (typeof options === "object" && options !== null && "cause" in options) this.cause = options.cause;
  }
  get name() { return this.#name; }
  get code() { return codes[this.#name] ?? 0; }
}

class Event {
  defaultPrevented = false;
  target = null;
  currentTarget = null;
  timeStamp = Date.now();
  constructor(type, init = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init.bubbles);
    this.cancelable = Boolean(init.cancelable);
  }
  preventDefault() { if (this.cancelable) this.defaultPrevented = true; }
  stopPropagation() {}
  stopImmediatePropagation() { this.stopped = true; }
}

class CustomEvent extends Event {
  constructor(type, init = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

class EventTarget {
  #listeners = [];

  addEventListener(type, listener, options) {
    if (!listener) return;
    const once = typeof options === "object" && options !== null && Boolean(options.once);
    if (options?.signal?.aborted) return;
    for (let i = 0; i < this.#listeners.length; i++) {
      if (same(this.#listeners[i], type, listener)) return;
    }
    push(this.#listeners, { type, listener, once });
    options?.signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type, listener) {
    const left = [];
    for (let i = 0; i < this.#listeners.length; i++) {
      if (!same(this.#listeners[i], type, listener)) push(left, this.#listeners[i]);
    }
    this.#listeners = left;
  }

  dispatchEvent(event) {
    event.target = event.currentTarget = this;
    const all = this.#listeners, { length } = all; // those that are added meanwhile are not told
    for (let i = 0; i < length; i++) {
      const l = all[i];
      if (l.type !== event.type) continue;
      if (l.once) this.removeEventListener(l.type, l.listener);
      call(this, l.listener, event);
      if (event.stopped) break;
    }
    return !event.defaultPrevented;
  }
}

const same = (l, type, listener) => l.type === type && l.listener === listener;

// call runs a listener; one that throws is reported like an unhandled rejection.
function call(target, listener, event) {
  try {
    if (typeof listener === "function") apply(listener, target, [event]);
    else listener.handleEvent(event);
  } catch (e) {
    if (e?.name === "InternalError") throw e;
    new Promise((_, reject) => reject(e));
  }
}

class AbortSignal extends EventTarget {
  aborted = false;
  reason = undefined;
  onabort = null;

  throwIfAborted() { if (this.aborted) throw this.reason; }

  static abort(reason) {
    const c = new AbortController();
    c.abort(reason);
    return c.signal;
  }

  static timeout(ms) {
    const c = new AbortController();
    setTimeout(() => c.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
    return c.signal;
  }

  static any(signals) {
    const c = new AbortController();
    for (const s of signals) {
      if (s.aborted) {
        c.abort(s.reason);
        break;
      }
      s.addEventListener("abort", () => c.abort(s.reason), { once: true });
    }
    return c.signal;
  }
}

class AbortController {
  signal = new AbortSignal();

  abort(reason) {
    const s = this.signal;
    if (s.aborted) return;
    s.aborted = true;
    s.reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    const event = new Event("abort");
    if (typeof s.onabort === "function") call(s, s.onabort, event);
    s.dispatchEvent(event);
  }
}

bindDOMException(DOMException);
assign(globalThis, { DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController });
